# SPDX-License-Identifier: Apache-2.0
"""The same arrivals without an operator: tests/demo/comparison.c, which runs beside the demo."""

import subprocess

from .processes import Stopped

STOLEN = None


class Comparison:
    """Outcomes in the order of the arrivals, after wait()."""

    def __init__(self, programs, seed, pool_size, arrivals_s):
        after_ms = (str(round(after_s * 1000)) for after_s in arrivals_s)
        self.program = programs / "tests" / "demo" / "comparison"
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [self.program, str(seed), str(pool_size), *after_ms],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.ready_s, self.create_count = [], 0

    def stop(self):
        self.process.kill()
        self.process.wait()

    def wait(self):
        output, _ = self.process.communicate()
        if self.process.returncode != 0:
            raise Stopped(f"{self.program} ended ({self.process.returncode})")
        for line in output.splitlines():
            ready, origin = line.split()
            self.ready_s.append(STOLEN if ready == "stolen" else int(ready) / 1000)
            self.create_count += origin == "created"
