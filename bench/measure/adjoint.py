# SPDX-License-Identifier: Apache-2.0
"""Pools and Instances: their bodies and paths, and waiting for what the operator says of them."""

import time

from baseline.cluster import pvc_path
from baseline.volumes import CLONE_CLASS, is_bound

HOLDING_NAMESPACE = "adjoint-pools"
GROUP = "/apis/adjoint.dev/v1alpha1"
WAIT_S = 600


def pool_path(name=""):
    return f"{GROUP}/namespaces/{HOLDING_NAMESPACE}/pools" + (f"/{name}" if name else "")


def instance_path(namespace, name=""):
    return f"{GROUP}/namespaces/{namespace}/instances" + (f"/{name}" if name else "")


def pool_body(name, golden, size, order):
    return {
        "apiVersion": "adjoint.dev/v1alpha1",
        "kind": "Pool",
        "metadata": {"name": name},
        "spec": {
            "golden": {"snapshot": golden},
            "size": size,
            "storage": {"storageClassName": CLONE_CLASS},
            "refill": {"maxInFlight": 10},
            "claim": {"order": order},
            "allowedNamespaces": {"from": "All"},
            "cluster": {"imageName": "localhost/postgresql:15", "imagePullPolicy": "IfNotPresent"},
        },
    }


def instance_body(name, pool):
    return {
        "apiVersion": "adjoint.dev/v1alpha1",
        "kind": "Instance",
        "metadata": {"name": name},
        "spec": {"pool": {"name": pool, "namespace": HOLDING_NAMESPACE}},
    }


def is_decided(instance):
    return (instance or {}).get("status", {}).get("phase") in ("Ready", "Failed")


def is_gone(value):
    return value is None


def wait_until(what, holds, pause_s=0.1):
    deadline = time.monotonic() + WAIT_S
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(what)
        time.sleep(pause_s)


class Pool:
    """One that is kept for a benchmark."""

    def __init__(self, api, name, golden, size, order):
        self.api, self.name, self.size = api, name, size
        api.main.write("POST", pool_path(), pool_body(name, golden, size, order))

    def status(self):
        return self.api.main.get(pool_path(self.name)).get("status", {})

    def wait_warm(self, count):
        wait_until(f"{count} warm in {self.name}", lambda: self.status().get("warm", 0) >= count)

    def is_full(self):
        status = self.status()
        return status.get("warm", 0) == self.size and status.get("filling", 0) == 0

    def wait_full(self):
        wait_until(f"{self.name} is full", self.is_full)

    def holding_claims(self):
        listed = self.api.main.get(
            f"{pvc_path(HOLDING_NAMESPACE)}?labelSelector=adjoint.dev/pool%3D{self.name}"
        )
        return listed["items"]

    def delete(self):
        self.api.main.write("DELETE", pool_path(self.name))


class Developer:
    """Who applies Instances in one namespace, and deletes them."""

    def __init__(self, api, namespace, observer):
        self.api, self.namespace, self.observer = api, namespace, observer

    def apply(self, connection, name, pool):
        connection.write("POST", instance_path(self.namespace), instance_body(name, pool.name))

    def until_bound(self, name):
        self.observer.until(pvc_path(self.namespace, f"{name}-1"), is_bound)

    def until_ready(self, name):
        """Returns the Instance."""
        instance = self.observer.until(instance_path(self.namespace, name), is_decided)
        if instance["status"]["phase"] != "Ready":
            raise RuntimeError(f"{name}: {instance['status']['conditions']}")
        return instance

    def delete(self, names):
        """Until nothing of them is left in the namespace; FSx's volumes follow."""
        for name in names:
            self.api.main.write("DELETE", instance_path(self.namespace, name))
        for name in names:
            self.observer.until(instance_path(self.namespace, name), is_gone)
            self.observer.until(pvc_path(self.namespace, f"{name}-1"), is_gone)
