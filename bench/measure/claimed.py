# SPDX-License-Identifier: Apache-2.0
"""Instances that have their volumes. One is claimed for real by the operator; its Instance, PVC, PV
and Cluster are then copied under other names and uids, so that what the operator reads is what it
writes, and it finds nothing to do.
"""

import json

from baseline.cluster import MERGE_PATCH, Connection, cluster_path, namespaces_path, pv_path
from baseline.cluster import pvc_path
from baseline.observe import Poller
from baseline.volumes import is_bound, prepare

from . import made_up
from .adjoint import Pool, instance_body, instance_path, is_decided, wait_until
from .bulk import in_parallel, make

MODEL, MODEL_NAMESPACE = "model-instance", "model-namespace"
NAMESPACES = 10


def namespace_of(index):
    return f"team-{index % NAMESPACES}"


def prepare_namespaces(api, others=()):
    """Those of the model and its copies, and others; with what a pod in them needs."""
    namespaces = [MODEL_NAMESPACE, *(namespace_of(index) for index in range(NAMESPACES)), *others]
    prepare(api, *namespaces)
    for namespace in namespaces:
        account = f"{namespaces_path(namespace)}/serviceaccounts/default"
        Poller(api.main).until(account, lambda value: value is not None, 0.1)


def claim_model(api, golden):
    """The one that is real, from a Pool of size 0, which makes a clone for who waits and no more.
    CloudNativePG's part is played: it owns the PVC and says Ready.
    """
    connection = Connection(api)
    pool = Pool(api, "shop", golden, 0, "Swap")
    connection.write("POST", instance_path(MODEL_NAMESPACE), instance_body(MODEL, pool.name))
    made_up.serve(api, pool)
    until = Poller(connection).until
    until(pvc_path(MODEL_NAMESPACE, f"{MODEL}-1"), is_bound)
    cluster = until(cluster_path(MODEL_NAMESPACE, MODEL), lambda value: value is not None)
    connection.write(
        "PATCH",
        pvc_path(MODEL_NAMESPACE, f"{MODEL}-1"),
        {"metadata": {"ownerReferences": [owner(cluster)]}},
        MERGE_PATCH,
    )
    status = {
        "phase": "Cluster in healthy state",
        "instances": 1,
        "readyInstances": 1,
        "currentPrimary": f"{MODEL}-1",
        "targetPrimary": f"{MODEL}-1",
        "systemID": made_up.SYSTEM_ID,
        "healthyPVC": [f"{MODEL}-1"],
        "conditions": [
            {
                "type": "Ready",
                "status": "True",
                "reason": "ClusterIsReady",
                "message": "Cluster is Ready",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
            }
        ],
    }
    path = cluster_path(MODEL_NAMESPACE, MODEL)
    connection.write("PATCH", f"{path}/status", {"status": status}, MERGE_PATCH)
    instance = until(instance_path(MODEL_NAMESPACE, MODEL), is_decided)
    if instance["status"]["phase"] != "Ready":
        raise RuntimeError(f"the model is not Ready: {instance['status']}")
    wait_until("the holding PVC is gone", lambda: not pool.holding_claims())
    return Model(connection, instance)


def owner(cluster):
    return {
        "apiVersion": "postgresql.cnpg.io/v1",
        "kind": "Cluster",
        "name": cluster["metadata"]["name"],
        "uid": cluster["metadata"]["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }


class Model:
    """The texts of its four objects, to be copied."""

    def __init__(self, connection, instance):
        get = connection.get
        self.instance = instance
        self.pvc = get(pvc_path(MODEL_NAMESPACE, f"{MODEL}-1"))
        self.volume = get(pv_path(instance["status"]["volume"]["name"]))
        self.cluster = get(cluster_path(MODEL_NAMESPACE, MODEL))

    def copies(self, api, count):
        in_parallel(api, count, self.copy)

    def copy(self, connection, index):
        namespace, name = namespace_of(index), f"instance-{index:05}"
        volume = f"pvc-0{index:07}" + self.volume["metadata"]["name"][12:]
        names = {
            MODEL: name,
            MODEL_NAMESPACE: namespace,
            self.volume["metadata"]["name"]: volume,
            self.volume["spec"]["csi"]["volumeHandle"]: f"fsvol-0{index:016}",
        }
        instance = make(connection, instance_path(namespace), renamed(self.instance, names))
        names[self.instance["metadata"]["uid"]] = instance["metadata"]["uid"]
        cluster = make(connection, cluster_path(namespace), renamed(self.cluster, names))
        names[self.cluster["metadata"]["uid"]] = cluster["metadata"]["uid"]
        seen = {"uid": cluster["metadata"]["uid"], "generation": cluster["metadata"]["generation"]}
        path = instance_path(namespace, name)
        connection.write("PATCH", f"{path}/status", {"status": {"cluster": seen}}, MERGE_PATCH)
        pvc = make(connection, pvc_path(namespace), renamed(self.pvc, names))
        names[self.pvc["metadata"]["uid"]] = pvc["metadata"]["uid"]
        make(connection, pv_path(), renamed(self.volume, names))


def renamed(value, names):
    """A copy to be created: without what the server sets, under other names."""
    text = json.dumps(value)
    for old, new in names.items():
        text = text.replace(old, new)
    copy = json.loads(text)
    for key in ("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"):
        copy["metadata"].pop(key, None)
    return copy
