# SPDX-License-Identifier: Apache-2.0
"""Claims one after the other, from a warm volume to Ready, in all variants. Each round measures
every variant once and begins with another one, so that what happens on the machine meanwhile, such
as the refill after an operator's claim, hits all alike. An instance is deleted, outside of the
measured time, before the next claim begins.
"""

import time

from baseline.cluster import Connection

from .adjoint import Pool
from .round_trips import RoundTrips

PHASE = "one by one"
BARE = "bare script"
SWAP = "operator, Swap"
RELEASE = "operator, Release"
SEED = "bare, the seed's literal order"
SLOW = "bare, CloudNativePG's default probes"
VARIANTS = (BARE, SWAP, RELEASE, SEED, SLOW)
TRIPS = "bare round trips of a claim"
# A claim, its refill (the driver looks every 15 s) and the next claim of that pool may overlap.
POOL_SIZE = 3


class OneByOne:
    def __init__(self, scene, report, rounds):
        self.scene, self.report, self.rounds = scene, report, rounds
        self.pools, self.volumes = {}, []

    def run(self):
        scene, report = self.scene, self.report
        self.pools = {
            SWAP: Pool(scene.api, f"swap-{scene.tag}", scene.golden, POOL_SIZE, "Swap"),
            RELEASE: Pool(scene.api, f"release-{scene.tag}", scene.golden, POOL_SIZE, "Release"),
        }
        report.say("volumes for the bare claims, and two pools")
        self.volumes = scene.warm_volumes("bare", self.rounds * 4)
        measures = [
            (BARE, lambda name: self.bare(BARE, name, "swap", "fast")),
            (SWAP, lambda name: self.operator(SWAP, name)),
            (RELEASE, lambda name: self.operator(RELEASE, name)),
            (SEED, lambda name: self.bare(SEED, name, "seed", "fast")),
            (SLOW, lambda name: self.bare(SLOW, name, "swap", "default")),
            (TRIPS, self.round_trips),
        ]
        for turn in range(self.rounds):
            report.say(f"claims one by one, round {turn + 1} of {self.rounds}")
            first = turn % len(measures)
            for index, (_, measure) in enumerate(measures[first:] + measures[:first]):
                measure(f"one-{scene.tag}-{turn}-{index}")
        for pool in self.pools.values():
            pool.delete()

    def bare(self, variant, name, order, probes):
        claim = self.scene.bare_claim(name, self.volumes.pop(), order, probes)
        result = claim.run()
        steps = result["steps_ms"]
        self.report.sample(
            PHASE,
            variant,
            name=name,
            bound_ms=steps["bound"],
            ready_ms=steps["ready"],
            writes=result["writes"],
            steps_ms=steps,
        )
        self.scene.dispose([claim])

    def operator(self, variant, name):
        pool, developer = self.pools[variant], self.scene.developer
        pool.wait_warm(1)
        connection = Connection(self.scene.api)
        began = time.perf_counter()
        developer.apply(connection, name, pool)
        developer.until_bound(name)
        bound = time.perf_counter()
        instance = developer.until_ready(name)
        ready = time.perf_counter()
        self.report.sample(
            PHASE,
            variant,
            name=name,
            bound_ms=round((bound - began) * 1000, 1),
            ready_ms=round((ready - began) * 1000, 1),
            volume=instance["status"]["volume"]["name"],
            timings=instance["status"].get("timings"),
        )
        developer.delete([name])

    def round_trips(self, name):
        trips = RoundTrips(self.scene, name, self.volumes.pop())
        self.scene.operator.pause()
        try:
            figures = trips.run()
            trips.forget_instance()
        finally:
            self.scene.operator.resume()
        self.report.sample(PHASE, TRIPS, name=name, **figures)
        trips.dispose()
