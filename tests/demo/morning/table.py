# SPDX-License-Identifier: Apache-2.0
"""What it ends with, in lines of at most 80 columns."""

import statistics

from .comparison import STOLEN
from .scene import DEVELOPERS, INSTANCE, POOL, POOLS, SIZE, namespace_of
from .screen import duration


def closing_table(picture, arrivals_s, seeds_order, on_demand):
    yield _row("", "", "Adjoint:", "", "seed's", "on")
    yield _row("developer", "came at", "queued", "Ready in", "order", "demand")
    columns = zip(picture.developers, arrivals_s.values(), seeds_order.ready_s, on_demand.ready_s)
    for one, after_s, seeds_s, demand_s in columns:
        yield _row(
            one.name,
            duration(after_s),
            duration(one.queued_s),
            duration(one.ready_s),
            _outcome(seeds_s),
            _outcome(demand_s),
        )
    ready_s = [
        [time_s for time_s in times_s if time_s is not STOLEN]
        for times_s in (
            [one.ready_s for one in picture.developers],
            seeds_order.ready_s,
            on_demand.ready_s,
        )
    ]
    for name, of in (("median", statistics.median), ("slowest", max)):
        yield _row(name, "", "", *(duration(of(times_s)) for times_s in ready_s))
    counts = (picture.asked.for_claims, seeds_order.create_count, on_demand.create_count)
    yield _row("CreateVolume for them", "", "", *counts)
    if STOLEN in seeds_order.ready_s:
        yield "stolen: free for a moment, the volume was bound to a claim that waited for its own"


def _outcome(ready_s):
    return "stolen" if ready_s is STOLEN else duration(ready_s)


def _row(name, came_at, queued, *ready_in):
    ready = "".join(f"{text:>13}" for text in ready_in)
    return f"{name:<22}{came_at:>8}{queued:>10}{ready}"


def explanation(speed, asked):
    clones = asked.for_pool
    return f"""
All of it was SIMULATED, at {speed} times real time. adjoint-sim played Kubernetes,
CloudNativePG, the FSx CSI driver and FSx, by their rules and with durations that
were measured or published: FSx takes two minutes for a clone and finishes one
each minute. Times are the simulated cluster's, from the request to a Postgres
that is Ready. Real was adjoint-operator, over HTTPS: each millisecond it took
counts as {speed}.

seed's order  the same pool by a script: Retain, delete the holding PVC, strip
              claimRef, PVC by volumeName; without a clone, CreateVolume
on demand     CreateVolume for everybody; after five minutes csi-provisioner's
              time-out and back-off add to the wait
              Both were run, on the same model, in virtual time.

Adjoint had FSx make {clones} clones for the pool, {SIZE} to fill and {clones - SIZE} to refill it,
and {asked.for_claims} on the path of a claim."""


def how_to_go_on(kubeconfig, programs):
    """For who has said --keep."""
    first, last = namespace_of(DEVELOPERS[0]), namespace_of(DEVELOPERS[-1])
    commands = (
        ("adj top", "# the pool refills, and who is served"),
        (f"adj why {INSTANCE} -n {last}", "# each step of a claim that had to wait"),
        (f"adj clone mine -n {first} --pool {POOLS}/{POOL}", ""),
        (f"adj delete mine -n {first}", "# Postgres stops, the volume is destroyed"),
        ("kubectl get apool,inst,pvc,pv -A", "# or whatever you like"),
        ("kubectl get --raw /debug/fsx", "# what FSx was asked for"),
    )
    lines = "\n".join(f"  {command:<34}{remark}".rstrip() for command, remark in commands)
    return f"""
It goes on, at the same speed, until Ctrl-C. In another terminal:

  export KUBECONFIG={kubeconfig}
  export PATH={programs.resolve()}:$PATH

{lines}"""


# For who has not.
WHERE_TO_GO = """
make demo KEEP=1   the same, and it stays, for kubectl and adj
make demo-rig      the main job on real components"""
