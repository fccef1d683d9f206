# SPDX-License-Identifier: Apache-2.0
"""One claim: the steps of an order, each with its time."""

import time

from .cluster import JSON_PATCH, MERGE_PATCH, Connection, cluster_path, pv_path, pvc_path
from .volumes import INERT_CLASS, is_bound, pvc_spec

# A recovery that is never carried out, because the PVC is adopted; if it is missing the Cluster
# waits instead of making an empty database.
GUARD = {
    "recovery": {
        "database": "app",
        "owner": "app",
        "volumeSnapshots": {
            "storage": {
                "apiGroup": "snapshot.storage.k8s.io",
                "kind": "VolumeSnapshot",
                "name": "adopt-only-never-create-this",
            }
        },
    }
}
FAST_PROBES = {
    "startup": {"periodSeconds": 1, "failureThreshold": 600},
    "readiness": {"periodSeconds": 1},
}


def pvc_body(cluster, storage_class, **members):
    """As CloudNativePG expects one that it is to adopt."""
    name = cluster + "-1"
    labels = {
        "cnpg.io/cluster": cluster,
        "cnpg.io/instanceName": name,
        "cnpg.io/pvcRole": "PG_DATA",
        "cnpg.io/instanceRole": "primary",
        "role": "primary",
    }
    annotations = {"cnpg.io/nodeSerial": "1", "cnpg.io/pvcStatus": "ready"}
    return {
        "metadata": {"name": name, "labels": labels, "annotations": annotations},
        "spec": pvc_spec(storage_class, **members),
    }


def claim_reference_patch(volume, namespace, name, **identity):
    reference = {"apiVersion": "v1", "kind": "PersistentVolumeClaim"}
    reference.update(namespace=namespace, name=name, **identity)
    return [
        {"op": "test", "path": "/spec/claimRef/uid", "value": volume.holding_uid},
        {"op": "replace", "path": "/spec/persistentVolumeReclaimPolicy", "value": "Retain"},
        {"op": "replace", "path": "/spec/claimRef", "value": reference},
    ]


def cluster_body(name, storage_class, guarded, fast):
    spec = {
        "instances": 1,
        "imageName": "localhost/postgresql:15",
        "imagePullPolicy": "IfNotPresent",
        "enablePDB": False,
        "storage": {"storageClass": storage_class, "size": "1Gi", "resizeInUseVolumes": False},
        "smartShutdownTimeout": 1,
        "stopDelay": 30,
    }
    if guarded:
        spec["bootstrap"] = GUARD
    if fast:
        spec["probes"] = FAST_PROBES
    return {
        "apiVersion": "postgresql.cnpg.io/v1",
        "kind": "Cluster",
        "metadata": {"name": name},
        "spec": spec,
    }


class Claim:
    def __init__(self, api, name, volume, options, make_observer):
        self.api, self.name, self.volume, self.options = api, name, volume, options
        self.namespace, self.bound_only = options.namespace, options.bound_only
        self.pvc_name = name + "-1"
        self.make_observer = make_observer
        self.steps, self.complete = {}, False
        self.connection = self.observer = self.started = None

    def connect(self):
        self.connection = Connection(self.api)
        self.observer = self.make_observer(self.connection)

    def run(self):
        """Returns the claim's result. What comes after the claim's end (the holding PVC) is not
        timed.
        """
        self.started = time.perf_counter()
        {"swap": self.swap, "release": self.release, "seed": self.seed}[self.options.order]()
        self.observer.until(pvc_path(self.namespace, self.pvc_name), is_bound)
        self.mark("bound")
        system_id = None if self.bound_only else self.start_cluster()
        writes = self.connection.writes
        self.complete = True
        self.connection.write(
            "DELETE", pvc_path(self.volume.holding_namespace, self.volume.holding), accept=(404,)
        )
        return {
            "claim": self.name,
            "order": self.options.order,
            "probes": None if self.bound_only else self.options.probes,
            "at_once": self.options.at_once,
            "observer": type(self.observer).__name__,
            "volume": self.volume.name,
            "writes": writes,
            "system_id": system_id,
            "steps_ms": self.steps,
        }

    def mark(self, step):
        self.steps[step] = round((time.perf_counter() - self.started) * 1000, 1)

    # The orders

    def swap(self):
        uid = self.create_pvc(INERT_CLASS)["metadata"]["uid"]
        self.mark("pvc_created")
        self.point_volume(uid=uid)
        self.mark("pv_patched")

    def release(self):
        self.point_volume()
        self.mark("pv_patched")
        self.create_pvc(self.volume.storage_class, volumeName=self.volume.name)
        self.mark("pvc_created")

    def seed(self):
        volume, holding = pv_path(self.volume.name), pvc_path(
            self.volume.holding_namespace, self.volume.holding
        )
        self.connection.write(
            "PATCH", volume, {"spec": {"persistentVolumeReclaimPolicy": "Retain"}}, MERGE_PATCH
        )
        self.mark("retained")
        self.connection.write("DELETE", holding)
        self.observer.until(holding, lambda value: value is None)
        self.mark("holding_pvc_gone")
        self.observer.until(volume, lambda value: value["status"]["phase"] == "Released")
        self.mark("released")
        self.connection.write("PATCH", volume, {"spec": {"claimRef": None}}, MERGE_PATCH)
        self.mark("pv_patched")
        self.create_pvc(self.volume.storage_class, volumeName=self.volume.name)
        self.mark("pvc_created")

    # Their parts

    def create_pvc(self, storage_class, **members):
        return self.connection.write(
            "POST", pvc_path(self.namespace), pvc_body(self.name, storage_class, **members)
        )

    def point_volume(self, **identity):
        """One patch: Retain, and claimRef to the claim's PVC, provided that it still is to the
        holding PVC.
        """
        patch = claim_reference_patch(self.volume, self.namespace, self.pvc_name, **identity)
        self.connection.write("PATCH", pv_path(self.volume.name), patch, JSON_PATCH)

    def start_cluster(self):
        """Until it is Ready; returns the database's system identifier. The seed's order has no
        guard.
        """
        guarded, fast = self.options.order != "seed", self.options.probes == "fast"
        body = cluster_body(self.name, self.volume.storage_class, guarded, fast)
        self.connection.write("POST", cluster_path(self.namespace), body)
        self.mark("cluster_created")
        cluster = self.observer.until(cluster_path(self.namespace, self.name), is_ready, 0.02)
        self.mark("ready")
        return cluster["status"].get("systemID")


def is_ready(value):
    conditions = (value or {}).get("status", {}).get("conditions", [])
    return any(
        condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions
    )
