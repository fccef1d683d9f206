# SPDX-License-Identifier: Apache-2.0
"""Many claims that start together: the time until each PVC is Bound. Operator and scripts are seen
through the same watches, and each variant begins when kube-controller-manager's client, which may
make 30 calls and then 20 a second, has its calls back.
"""

import threading
import time

from baseline.cluster import Connection
from baseline.volumes import SETTLE_S

BARE = "bare script"
SWAP = "operator, Swap"
SEED = "bare, the seed's literal order"


def run_together(functions):
    """Each in a thread of its own; the first thing that went wrong is raised."""
    barrier = threading.Barrier(len(functions))
    wrong = []

    def run(function):
        try:
            barrier.wait()
            function()
        except Exception as error:  # pylint: disable=broad-except
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if wrong:
        raise wrong[0]


class AtOnce:
    """As many claims as the Pool has clones. fill() returns when it is full, which it is before
    each variant: a refill would take the binder's time from whoever comes next. to_ready: the
    Clusters start, too, and the claim is over when it is Ready; else nobody runs them and it is
    over when its PVC is Bound.
    """

    def __init__(self, scene, report, phase, pool, fill, to_ready):
        self.scene, self.report, self.phase = scene, report, phase
        self.pool, self.fill, self.to_ready = pool, fill, to_ready

    def operator(self, turn):
        developer = self.scene.developer
        names = [f"many-{self.scene.tag}-{turn}-{index}" for index in range(self.pool.size)]
        connections = [Connection(self.scene.api) for _ in names]
        self.fill()
        time.sleep(SETTLE_S)

        def claim(name, connection):
            began = time.perf_counter()
            developer.apply(connection, name, self.pool)
            developer.until_bound(name)
            self._sample(SWAP, turn, name, (time.perf_counter() - began) * 1000)
            if self.to_ready:
                developer.until_ready(name)

        run_together(
            [lambda pair=pair: claim(*pair) for pair in zip(names, connections, strict=True)]
        )
        developer.delete(names)

    def bare(self, variant, order, turn):
        prefix = f"{order}-{turn}"
        self.fill()
        volumes = self.scene.warm_volumes(prefix, self.pool.size)
        claims = [
            self.scene.bare_claim(
                f"{prefix}-{self.scene.tag}-{index}",
                volume,
                order,
                "fast",
                at_once=True,
                bound_only=not self.to_ready,
            )
            for index, volume in enumerate(volumes)
        ]

        def run(claim):
            claim.run()
            self._sample(variant, turn, claim.name, claim.steps["bound"])

        run_together([lambda claim=claim: run(claim) for claim in claims])
        self.scene.dispose(claims)

    def _sample(self, variant, turn, name, bound_ms):
        self.report.sample(self.phase, variant, name=name, round=turn, bound_ms=round(bound_ms, 1))
