# SPDX-License-Identifier: Apache-2.0
"""The operator against adjoint-sim over TLS, at a speed at which what is simulated takes no time to
speak of: what is left is the operator's work and the simulator's. The operator is not told of the
speed: what it does each second, such as telling those that wait when it is their turn, is to be
done each second.
"""

import contextlib
import os
import pathlib
import signal
import sys
import time

from . import REPOSITORY
from .adjoint import Pool, instance_body, instance_path, wait_until
from .bulk import in_parallel
from .operator import PROGRAM
from .resident import processor_s
from baseline.volumes import prepare

sys.path.insert(0, str(REPOSITORY / "tests" / "demo"))
# pylint: disable=wrong-import-position
from morning.processes import Program, Server

SPEED, NAMESPACE, POOL = 240, "bench", "orders"
CLOCK = ("extensions:", "adjoint.dev/clock", "extension:")
SETTLE_S, LOOK_S = 1, 0.01


@contextlib.contextmanager
def scene(folder, size):
    """A Pool with so many warm clones of the simulator's golden."""
    with contextlib.ExitStack() as ends:
        server = Server(PROGRAM.parent, folder, SPEED, 1)
        ends.callback(server.stop)
        server.connect()
        kubeconfig = folder / "kubeconfig-without-clock"
        lines = server.kubeconfig.read_text(encoding="utf-8").splitlines(keepends=True)
        plain = [line for line in lines if not any(word in line for word in CLOCK)]
        kubeconfig.write_text("".join(plain), encoding="utf-8")
        operator = Program(
            pathlib.Path(os.environ.get("ADJOINT_OPERATOR", str(PROGRAM))),
            folder,
            f"--kubeconfig={kubeconfig}",
            "--lease-namespace=default",
        )
        ends.callback(operator.stop)
        ends.callback(operator.process.send_signal, signal.SIGCONT)
        prepare(server.api, NAMESPACE)
        yield AtSpeed(server, operator, Pool(server.api, POOL, "orders-golden", size, "Swap"))


class AtSpeed:
    def __init__(self, server, operator, pool):
        self.server, self.operator, self.pool = server, operator, pool
        self.api = server.api

    def burst(self, count):
        """So many Instances at once: they are there before the operator may look. Returns claims,
        the seconds until all are Ready, and those of a processor that operator and simulator took.
        """
        self.wait_full()
        self.operator.process.send_signal(signal.SIGSTOP)
        in_parallel(self.api, count, self._make)
        figures = self._measure(count)
        self._delete(count)
        return figures

    def _measure(self, count):
        processes = [self.operator.process.pid, self.server.process.pid]
        before, began = [processor_s(pid) for pid in processes], time.perf_counter()
        self.operator.process.send_signal(signal.SIGCONT)
        self._until_ready(count)
        took_s = time.perf_counter() - began
        operator_s, simulator_s = (
            processor_s(pid) - then for pid, then in zip(processes, before, strict=True)
        )
        return {
            "claims": count,
            "took_s": round(took_s, 3),
            "operator_s": round(operator_s, 4),
            "simulator_s": round(simulator_s, 4),
        }

    def _make(self, connection, index):
        connection.write("POST", instance_path(NAMESPACE), instance_body(f"db-{index:03}", POOL))

    def _instances(self):
        self.operator.check()
        return self.api.main.get(instance_path(NAMESPACE))["items"]

    def _until_ready(self, count):
        def are_ready():
            phases = [item.get("status", {}).get("phase") for item in self._instances()]
            if "Failed" in phases:
                raise RuntimeError(f"a claim has failed: see {self.server.folder}")
            return phases.count("Ready") >= count

        wait_until(f"{count} are Ready", are_ready, LOOK_S)

    def _delete(self, count):
        for index in range(count):
            self.api.main.write("DELETE", instance_path(NAMESPACE, f"db-{index:03}"))
        wait_until("all are gone", lambda: not self._instances())

    def wait_full(self):
        self.pool.wait_full()
        time.sleep(SETTLE_S)
