# SPDX-License-Identifier: Apache-2.0
"""What is claimed: warm volumes in the holding namespace, clones by the real provisioner or made
up; and getting rid of it all.
"""

import time

from .cluster import (
    MERGE_PATCH,
    cluster_path,
    namespaces_path,
    pv_path,
    pvc_path,
    storage_class_path,
)
from .observe import Poller

DRIVER = "fsx.openzfs.csi.aws.com"
CLONE_CLASS = "fsx-clone"
# No provisioner makes anything of a PVC of this class, and the binder leaves it alone until a PV
# names it.
INERT_CLASS = "baseline-inert"
# kube-controller-manager's client may make 30 calls, then 20 a second; what the preparation used up
# must have come back.
SETTLE_S = 3


class Volume:
    """A PV and the holding PVC it is bound to."""

    def __init__(self, holding_namespace, holding, storage_class):
        self.holding_namespace, self.holding, self.storage_class = (
            holding_namespace,
            holding["metadata"]["name"],
            storage_class,
        )
        self.holding_uid, self.name = holding["metadata"]["uid"], holding["spec"]["volumeName"]


def pvc_spec(storage_class, **members):
    return {
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": storage_class,
        "resources": {"requests": {"storage": "1Gi"}},
        **members,
    }


def is_bound(value):
    return value is not None and value.get("status", {}).get("phase") == "Bound"


def prepare(api, *namespaces):
    for namespace in namespaces:
        api.main.write("POST", namespaces_path(), {"metadata": {"name": namespace}}, accept=(409,))
    api.main.write(
        "POST",
        storage_class_path(),
        {
            "metadata": {"name": INERT_CLASS},
            "provisioner": "kubernetes.io/no-provisioner",
            "volumeBindingMode": "WaitForFirstConsumer",
        },
        accept=(409,),
    )


class ProvisionedVolumes:
    """Clones of a snapshot, through the driver."""

    storage_class = CLONE_CLASS

    def __init__(self, snapshot):
        self.snapshot = snapshot

    def make(self, api, namespace, names):
        for name in names:
            self._request(api, namespace, name)
        held = [Poller(api.main).until(pvc_path(namespace, name), is_bound, 0.1) for name in names]
        time.sleep(SETTLE_S)
        return [Volume(namespace, holding, self.storage_class) for holding in held]

    def _request(self, api, namespace, name):
        source = {
            "apiGroup": "snapshot.storage.k8s.io",
            "kind": "VolumeSnapshot",
            "name": self.snapshot,
        }
        api.main.write(
            "POST",
            pvc_path(namespace),
            {"metadata": {"name": name}, "spec": pvc_spec(CLONE_CLASS, dataSource=source)},
        )


class FabricatedVolumes(ProvisionedVolumes):
    """PVs as the driver's provisioner writes them, without volumes behind them; the real binder
    binds them.
    """

    def __init__(self):
        super().__init__(None)

    def _request(self, api, namespace, name):
        api.main.write(
            "POST",
            pv_path(),
            {
                "metadata": {
                    "name": name,
                    "annotations": {"pv.kubernetes.io/provisioned-by": DRIVER},
                },
                "spec": {
                    "capacity": {"storage": "1Gi"},
                    "accessModes": ["ReadWriteOnce"],
                    "storageClassName": CLONE_CLASS,
                    "persistentVolumeReclaimPolicy": "Delete",
                    "claimRef": {"namespace": namespace, "name": name},
                    "csi": {"driver": DRIVER, "volumeHandle": "fsvol-" + name},
                },
            },
        )
        api.main.write(
            "POST",
            pvc_path(namespace),
            {"metadata": {"name": name}, "spec": pvc_spec(CLONE_CLASS, volumeName=name)},
        )


def dispose(api, claims):
    """Clusters first, then what is left of PVCs; their volumes follow through the reclaim policy,
    or by hand if they are made up.
    """
    for claim in claims:
        if not claim.bound_only:
            api.main.write("DELETE", cluster_path(claim.namespace, claim.name), accept=(404,))
    for claim in claims:
        path = pvc_path(claim.namespace, claim.pvc_name)
        if claim.bound_only:
            api.main.write("DELETE", path, accept=(404,))
        Poller(api.main).until(path, lambda value: value is None, 0.1)
        api.main.write(
            "PATCH",
            pv_path(claim.volume.name),
            {"spec": {"persistentVolumeReclaimPolicy": "Delete"}},
            MERGE_PATCH,
        )
        if claim.bound_only:
            api.main.write("DELETE", pv_path(claim.volume.name))
