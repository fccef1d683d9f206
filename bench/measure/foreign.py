# SPDX-License-Identifier: Apache-2.0
"""Objects that are not Adjoint's, as large clusters are full of: PVCs bound to PVs of another
driver, and pods.
"""

from baseline.cluster import pv_path, pvc_path

from .bulk import in_parallel, make

NAMESPACES = 20
DRIVER, CLASS = "ebs.csi.aws.com", "gp3"
SIZE, MODES = {"storage": "20Gi"}, ["ReadWriteOnce"]


def namespace_of(index):
    return f"foreign-{index % NAMESPACES}"


def make_pairs(api, count):
    """So many PVCs, and as many PVs."""
    in_parallel(api, count, _make_pair)


def make_pods(api, count):
    in_parallel(api, count, _make_pod)


def _make_pair(connection, index):
    namespace, name, volume = namespace_of(index), f"data-app-{index}", f"pvc-foreign-{index:06}"
    created = make(connection, pvc_path(namespace), _claim(name, volume))
    make(connection, pv_path(), _volume(volume, created["metadata"]))


def _claim(name, volume):
    controller = "pv.kubernetes.io/"
    annotations = {
        f"{controller}bind-completed": "yes",
        f"{controller}bound-by-controller": "yes",
        "volume.beta.kubernetes.io/storage-provisioner": DRIVER,
        "volume.kubernetes.io/storage-provisioner": DRIVER,
    }
    return {
        "metadata": {"name": name, "labels": {"app": "app"}, "annotations": annotations},
        "spec": {
            "accessModes": MODES,
            "resources": {"requests": SIZE},
            "storageClassName": CLASS,
            "volumeName": volume,
        },
        "status": {"phase": "Bound", "accessModes": MODES, "capacity": SIZE},
    }


def _volume(name, claim):
    reference = {"apiVersion": "v1", "kind": "PersistentVolumeClaim"}
    reference.update({key: claim[key] for key in ("namespace", "name", "uid", "resourceVersion")})
    zone = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["us-east-1a"]}
    return {
        "metadata": {
            "name": name,
            "annotations": {"pv.kubernetes.io/provisioned-by": DRIVER},
            "finalizers": [f"external-attacher/{DRIVER.replace('.', '-')}"],
        },
        "spec": {
            "accessModes": MODES,
            "capacity": SIZE,
            "claimRef": reference,
            "csi": {
                "driver": DRIVER,
                "fsType": "ext4",
                "volumeHandle": f"vol-{name}",
                "volumeAttributes": {
                    "storage.kubernetes.io/csiProvisionerIdentity": f"1700000000000-1-{DRIVER}"
                },
            },
            "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [zone]}]}},
            "persistentVolumeReclaimPolicy": "Delete",
            "storageClassName": CLASS,
        },
        "status": {"phase": "Bound"},
    }


def _make_pod(connection, index):
    """It waits for a node for ever, which nobody minds."""
    container = {
        "name": "app",
        "image": "registry.example/app:1",
        "env": [{"name": f"SETTING_{number}", "value": "x" * 20} for number in range(10)],
        "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}},
    }
    namespace = namespace_of(index)
    body = {
        "metadata": {"name": f"app-{index}", "labels": {"app": "app"}},
        "spec": {"containers": [container], "automountServiceAccountToken": False},
    }
    connection.write("POST", f"/api/v1/namespaces/{namespace}/pods", body)
