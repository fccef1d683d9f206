# SPDX-License-Identifier: Apache-2.0
"""An instance of the rig, brought up and taken down by the rig's own commands."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess

from . import REPOSITORY, RIG
from baseline.cluster import Api


def built():
    """Where the rig keeps what it has built and what runs."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return pathlib.Path(os.environ.get("ADJOINT_RIG") or cache / "adjoint" / "rig")


def control_plane_alone(keep):
    """One beside whatever the environment's own instance is."""
    name = os.environ.get("RIG_NAME", "rig") + "-alone"
    base = int(os.environ.get("RIG_PORT_BASE", "16440")) + 100
    return Rig("control-plane", keep, RIG_NAME=name, RIG_PORT_BASE=str(base))


class Rig:
    """Used with `with`. One that ran already is used as it is, and left running."""

    def __init__(self, mode, keep=False, **settings):
        self.mode, self.keep = mode, keep
        self.environment = {**os.environ, "RIG_AUDIT": "1", **settings}
        self.api = self.audit = self.found_running = None

    def __enter__(self):
        self.command("build", self.mode)
        self.found_running = self._is_running()
        try:
            self._export(self.command("up", self.mode))
            self.audit = self.directory / "audit"
            if not self.audit.exists():
                raise RuntimeError(f"{self.directory} runs without an audit log: rig/down first")
            self.api = Api.from_kubeconfig(self.kubeconfig)
            self.kubectl("apply", "--server-side", "-f", REPOSITORY / "crds")
            self.kubectl("apply", "-f", REPOSITORY / "tests/crash_matrix/handoff_class.yaml")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if not self.keep and not self.found_running:
            self.command("down")

    @property
    def kubeconfig(self):
        return pathlib.Path(self.environment["KUBECONFIG"])

    @property
    def directory(self):
        return self.kubeconfig.parent

    def command(self, name, *arguments):
        """Runs one of the rig's; its progress is shown, its output returned."""
        return self._run(RIG / name, *arguments)

    def kubectl(self, *arguments):
        return self._run(self.program("kubectl"), *arguments)

    def program(self, name):
        """The path of one that the rig has built."""
        return shutil.which(name, path=self.environment["PATH"])

    def start_storage(self):
        """The driver's stack, as fast as it goes; returns the golden's VolumeSnapshot."""
        self.environment.update(FSX_CREATE_S="1", FSX_GAP_S="0.2")
        self._export(self.command("fsx-up"))
        return self.command("golden").strip()

    @contextlib.contextmanager
    def stopped(self, name):
        """One of the rig's processes makes a pause."""
        process_id = int((self.directory / "pids" / name).read_text(encoding="utf-8"))
        os.kill(process_id, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(process_id, signal.SIGCONT)

    def _is_running(self):
        return (built() / "run" / self.environment.get("RIG_NAME", "rig") / "mode").exists()

    def _export(self, text):
        for line in text.splitlines():
            name, _, value = line.removeprefix("export ").partition("=")
            self.environment[name] = value.replace(f"${name}", self.environment.get(name, ""))

    def _run(self, *command):
        return subprocess.run(
            [str(word) for word in command],
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
