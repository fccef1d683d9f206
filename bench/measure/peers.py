# SPDX-License-Identifier: Apache-2.0
"""csi-provisioner and CloudNativePG's operator as processes beside a control plane alone, to see
what they hold in memory for the same objects, and when they begin to work.

The provisioner asks a driver what it can do: the real one answers, with an address for FSx that
nobody listens on. CloudNativePG's operator has no webhook configuration to serve; it reconciles
the Clusters as far as it gets without a node.
"""

import contextlib
import pathlib
import subprocess
import tempfile
import time

from .adjoint import wait_until
from .resident import read_after_idling

NOWHERE = "http://127.0.0.1:9"


@contextlib.contextmanager
def process(log, environment, *command):
    with open(log, "wb") as file:
        child = subprocess.Popen(
            [str(word) for word in command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
        )
    try:
        yield child
        if child.poll() is not None:
            raise RuntimeError(f"{command[0]} ended by itself: see {log}")
    finally:
        child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(10)
        child.kill()
        child.wait()


def measure_provisioner(rig, logs):
    """(RSS, RssAnon) in MiB after it is in sync and has idled, and how many seconds it took to get
    there.
    """
    with tempfile.TemporaryDirectory() as folder:
        socket = pathlib.Path(folder) / "csi.sock"
        driver = {
            **rig.environment,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "nobody",
            "AWS_SECRET_ACCESS_KEY": "nothing",
            "AWS_ENDPOINT_URL_FSX": NOWHERE,
            "AWS_EC2_METADATA_SERVICE_ENDPOINT": NOWHERE,
        }
        with process(
            logs / "fsx-driver.log",
            driver,
            rig.program("aws-fsx-openzfs-csi-driver"),
            "--mode=controller",
            f"--endpoint=unix://{socket}",
        ):
            wait_until("the driver's socket", socket.exists)
            with process(
                logs / "csi-provisioner.log",
                rig.environment,
                rig.program("csi-provisioner"),
                f"--kubeconfig={rig.kubeconfig}",
                f"--csi-address={socket}",
                "--leader-election=false",
                "--timeout=5m",
                "--extra-create-metadata",
            ) as provisioner:
                return _settled(provisioner, logs / "csi-provisioner.log", "Started provisioner")


def measure_cloudnative_pg(rig, logs):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("crt", "key"):
            source = rig.directory / "pki" / f"apiserver.{name}"
            (pathlib.Path(folder) / source.name).write_bytes(source.read_bytes())
        environment = {
            **rig.environment,
            "OPERATOR_NAMESPACE": "default",
            "OPERATOR_IMAGE_NAME": "localhost/cloudnative-pg",
            "WEBHOOK_CERT_DIR": folder,
        }
        with process(
            logs / "cloudnative-pg.log",
            environment,
            rig.program("cnpg-manager"),
            "controller",
            "--metrics-bind-address=127.0.0.1:0",
            "--webhook-port=0",
        ) as manager:
            return _settled(manager, logs / "cloudnative-pg.log", "Starting workers")


def _settled(child, log, message):
    began = time.monotonic()

    def is_started():
        if child.poll() is not None:
            raise RuntimeError(f"it ended by itself: see {log}")
        return message in log.read_text(encoding="utf-8", errors="replace")

    wait_until(message, is_started, 0.01)
    start_s = time.monotonic() - began
    time.sleep(1)
    return *read_after_idling(child.pid), start_s
