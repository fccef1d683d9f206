# SPDX-License-Identifier: Apache-2.0
"""The programs that are shown: each with a log of its own, and stopped by its process id."""

import base64
import datetime
import re
import subprocess
import time

from baseline.cluster import Api

from . import REPOSITORY

START_S = 20
STOP_S = 10
# The Lease is renewed in simulated time, of which a busy machine loses minutes in a moment.
LEASE = ("--lease-duration=30m", "--lease-renew-deadline=25m", "--lease-retry-period=1m")


class Stopped(Exception):
    """A program that should run does not."""


class Program:
    """In a session of its own: a Ctrl-C at the terminal is for the demo, which stops them all."""

    def __init__(self, program, folder, *arguments):
        folder.mkdir(parents=True, exist_ok=True)
        self.name, self.log = program.name, folder / f"{program.name}.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                [program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def check(self):
        if self.process.poll() is not None:
            raise Stopped(f"{self.name} ended ({self.process.returncode}): see {self.log}")

    def stop(self):
        if self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Server(Program):
    """adjoint-sim; after connect() with a connection to it, and its clock."""

    def __init__(self, programs, folder, speed, seed, *arguments):
        self.folder, self.speed = folder, speed
        self.kubeconfig = folder / "kubeconfig"
        self.api, self.from_s, self.connected_s = None, 0.0, 0.0
        super().__init__(
            programs / "adjoint-sim",
            folder,
            "--golden",
            f"--speed={speed}",
            f"--seed={seed}",
            f"--kubeconfig={self.kubeconfig}",
            f"--crds={REPOSITORY / 'crds'}",
            *arguments,
        )

    def connect(self):
        deadline = time.monotonic() + START_S
        # It says so when all is ready, the kubeconfig's last byte too.
        while b"export KUBECONFIG" not in self.log.read_bytes():
            self.check()
            if time.monotonic() > deadline:
                raise Stopped(f"adjoint-sim does not start: see {self.log}")
            time.sleep(0.01)
        config = self.kubeconfig.read_text(encoding="utf-8")
        authority = self.folder / "authority.pem"
        authority.write_bytes(base64.b64decode(_field(config, "certificate-authority-data")))
        self.api = Api(_field(config, "server"), authority, _field(config, "token"))
        self.from_s = instant_s(re.search(r'from: "([^"]+)"', config).group(1))
        self.connected_s = self.now_s()

    def now_s(self):
        """What its wall clock shows, by the clock that the kubeconfig gives to all clients."""
        return self.from_s + (time.time() - self.from_s) * self.speed

    def sleep_until(self, at_s):
        time.sleep(max(0.0, (at_s - self.now_s()) / self.speed))


def _field(kubeconfig, key):
    """Of a kubeconfig that adjoint-sim wrote, whose form is known."""
    return re.search(rf"^ *{key}: (\S+)$", kubeconfig, re.MULTILINE).group(1)


def instant_s(text):
    """A timestamp of the API, in seconds since 1970."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def start_operator(programs, server):
    return Program(
        programs / "adjoint-operator",
        server.folder,
        f"--kubeconfig={server.kubeconfig}",
        "--lease-namespace=default",
        *LEASE,
    )
