#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The claim by bare API calls: what an operator's own share is compared with. Prints one JSON
object for each claim, with the milliseconds from its start to each step.

In each order a warm volume goes from its holding PVC to the claim's PVC:
  swap     a PVC without volumeName; one patch re-points the PV's claimRef to it, by uid
  release  the PV's claimRef is re-pointed to the new PVC's name; then the PVC, with volumeName
  seed     Retain; delete the holding PVC and wait until it is gone and the PV Released; strip
           claimRef; then the PVC, with volumeName
Then the Cluster, until it is Ready. With --bound-only volumes are made up, nothing is provisioned
or started, and the claim ends when the PVC is Bound: that needs a control plane alone.

Each claim has one kept connection. By default it waits by asking for the object every 5 ms
(--observe poll); many claims at once ask so often that they slow down what they measure, so there
all wait on shared watches (--observe watch). Compare like with like.
"""

import argparse
import json
import sys
import threading
import time

from baseline.claim import Claim
from baseline.cluster import Api, cluster_path, pv_path, pvc_path
from baseline.observe import Poller, Watcher
from baseline.volumes import FabricatedVolumes, ProvisionedVolumes, dispose, prepare


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", type=int, help="claims")
    parser.add_argument("--order", choices=("swap", "release", "seed"), default="swap")
    parser.add_argument(
        "--probes",
        choices=("fast", "default"),
        default="fast",
        help="1 s, or CloudNativePG's own 10 s",
    )
    parser.add_argument(
        "--at-once", action="store_true", help="all claims start together; else one after the other"
    )
    parser.add_argument(
        "--observe", choices=("poll", "watch"), help="default: watch with --at-once, else poll"
    )
    parser.add_argument("--bound-only", action="store_true", help="made-up volumes, and no Cluster")
    parser.add_argument(
        "--snapshot",
        help="the golden's VolumeSnapshot, in the holding namespace; needed without --bound-only",
    )
    parser.add_argument("--holding-namespace", default="adjoint-pools")
    parser.add_argument("--namespace", default="dev", help="the developer's")
    parser.add_argument(
        "--keep", action="store_true", help="leave clusters and volumes when it is over"
    )
    parser.add_argument(
        "--kubeconfig", help="one in JSON, as the rig writes it; default: KUBECONFIG"
    )
    arguments = parser.parse_args()
    if not arguments.bound_only and not arguments.snapshot:
        parser.error("--snapshot or --bound-only")
    return arguments


def watched_collections(arguments):
    collections = [pv_path(), pvc_path(arguments.holding_namespace), pvc_path(arguments.namespace)]
    return (
        collections if arguments.bound_only else collections + [cluster_path(arguments.namespace)]
    )


def run_claims(claims, at_once):
    """Prints each claim's result when it is over; at once they start at a barrier, connected."""
    printing = threading.Lock()
    barrier = threading.Barrier(len(claims) if at_once else 1)

    def run(claim):
        claim.connect()
        barrier.wait()
        result = claim.run()
        with printing:
            print(json.dumps(result), flush=True)

    if not at_once:
        for claim in claims:
            run(claim)
        return
    threads = [threading.Thread(target=run, args=(claim,)) for claim in claims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    arguments = parse_arguments()
    api = Api.from_kubeconfig(arguments.kubeconfig)
    prepare(api, arguments.holding_namespace, arguments.namespace)
    source = FabricatedVolumes() if arguments.bound_only else ProvisionedVolumes(arguments.snapshot)
    tag = format(int(time.time()) % 0x100000, "x")
    volumes = source.make(
        api,
        arguments.holding_namespace,
        [f"warm-{tag}-{index}" for index in range(arguments.count)],
    )

    observe = arguments.observe or ("watch" if arguments.at_once else "poll")
    make_observer = Watcher(api, watched_collections(arguments)) if observe == "watch" else Poller
    claims = [
        Claim(api, f"claim-{tag}-{index}", volume, arguments, make_observer)
        for index, volume in enumerate(volumes)
    ]
    run_claims(claims, arguments.at_once)
    if not arguments.keep:
        dispose(api, claims)
    return 0 if all(claim.complete for claim in claims) else 1


if __name__ == "__main__":
    sys.exit(main())
