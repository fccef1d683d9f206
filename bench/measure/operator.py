# SPDX-License-Identifier: Apache-2.0
"""The operator under test: the release build, as it is shipped."""

import os
import pathlib
import signal
import subprocess
import time

from . import REPOSITORY

PROGRAM = REPOSITORY / "build" / "release-gcc" / "adjoint-operator"
START_S = 60


class Operator:
    """Used with `with`. Its log is appended to a file, which others can look at again."""

    def __init__(self, kubeconfig, log, level="debug", listen=None):
        self.log = pathlib.Path(log)
        program = os.environ.get("ADJOINT_OPERATOR", str(PROGRAM))
        self.command = [program, "--kubeconfig", str(kubeconfig)]
        self.command += ["--lease-namespace", "default", "--log-level", level]
        self.command += ["--listen", listen] if listen else []
        self.process = None

    def __enter__(self):
        began_at = self.log.stat().st_size if self.log.exists() else 0
        with open(self.log, "ab") as file:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=file, stderr=file
            )
        deadline = time.monotonic() + START_S
        while not self._says(began_at, "leading", "in sync with the API server"):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                raise RuntimeError(f"the operator does not lead: see {self.log}")
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        self.resume()
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def _says(self, offset, *messages):
        with open(self.log, encoding="utf-8") as file:
            file.seek(offset)
            text = file.read()
        return all(f'"message":"{message}"' in text for message in messages)
