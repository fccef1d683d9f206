# SPDX-License-Identifier: Apache-2.0
"""On a control plane alone: a golden that nobody backed up, and the provisioner's part. Volumes
appear when fill() is called and not by themselves: a real one takes minutes, which no claim waits
for.
"""

from baseline.cluster import MERGE_PATCH, pv_path
from baseline.volumes import CLONE_CLASS, DRIVER, prepare

from .adjoint import HOLDING_NAMESPACE, wait_until

GOLDEN = "golden"
SYSTEM_ID = "7412345678901234567"
SNAPSHOTS = "/apis/snapshot.storage.k8s.io/v1"


def make_golden(api):
    """Snapshot, content and class as the driver's stack has them; returns the snapshot's name."""
    clone_class = {
        "metadata": {"name": CLONE_CLASS},
        "provisioner": DRIVER,
        "parameters": {"ResourceType": "volume", "OriginSnapshot": '{"CopyStrategy": "CLONE"}'},
    }
    content = {
        "apiVersion": "snapshot.storage.k8s.io/v1",
        "kind": "VolumeSnapshotContent",
        "metadata": {"name": f"{GOLDEN}-content"},
        "spec": {
            "deletionPolicy": "Retain",
            "driver": DRIVER,
            "source": {"snapshotHandle": "fsvolsnap-1"},
            "volumeSnapshotRef": {"name": GOLDEN, "namespace": HOLDING_NAMESPACE},
        },
    }
    manifest = '{"spec":{"bootstrap":{"initdb":{"database":"app","owner":"app"}}}}'
    controldata = f"Database system identifier:           {SYSTEM_ID}\n"
    snapshot = {
        "apiVersion": "snapshot.storage.k8s.io/v1",
        "kind": "VolumeSnapshot",
        "metadata": {
            "name": GOLDEN,
            "annotations": {
                "cnpg.io/pgControldata": controldata,
                "cnpg.io/clusterManifest": manifest,
            },
        },
        "spec": {"source": {"volumeSnapshotContentName": f"{GOLDEN}-content"}},
    }
    snapshots = f"{SNAPSHOTS}/namespaces/{HOLDING_NAMESPACE}/volumesnapshots"
    write = api.main.write
    prepare(api, HOLDING_NAMESPACE)
    write("POST", "/apis/storage.k8s.io/v1/storageclasses", clone_class, accept=(409,))
    write("POST", f"{SNAPSHOTS}/volumesnapshotcontents", content, accept=(409,))
    write("POST", snapshots, snapshot, accept=(409,))
    status = {"readyToUse": True, "boundVolumeSnapshotContentName": f"{GOLDEN}-content"}
    write("PATCH", f"{snapshots}/{GOLDEN}/status", {"status": status}, MERGE_PATCH)
    return GOLDEN


def volume_body(claim):
    """As csi-provisioner makes one for a PVC."""
    meta, spec = claim["metadata"], claim["spec"]
    uid = meta["uid"]
    return {
        "metadata": {
            "name": f"pvc-{uid}",
            "annotations": {"pv.kubernetes.io/provisioned-by": DRIVER},
        },
        "spec": {
            "capacity": {"storage": "1Gi"},
            "accessModes": spec["accessModes"],
            "storageClassName": spec["storageClassName"],
            "persistentVolumeReclaimPolicy": "Delete",
            "claimRef": {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "namespace": meta["namespace"],
                "name": meta["name"],
                "uid": uid,
                "resourceVersion": meta["resourceVersion"],
            },
            "csi": {
                "driver": DRIVER,
                "volumeHandle": f"fsvol-{uid.replace('-', '')[:17]}",
                "volumeAttributes": {
                    "DNSName": "fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com",
                    "ResourceType": "volume",
                    "VolumePath": f"fsx/pvc-{uid}",
                },
            },
        },
    }


def fill(api, pool):
    """Until all that the Pool wants is warm."""
    made = set()

    def is_full():
        make_wanted(api, pool, made)
        return pool.is_full()

    wait_until(f"{pool.name} is full", is_full)


def serve(api, pool):
    """One volume for who waits."""
    made = set()

    def is_made():
        make_wanted(api, pool, made)
        return made

    wait_until(f"a volume wanted by {pool.name}", is_made)


def make_wanted(api, pool, made):
    """For each holding PVC without a volume; made are the uids of those who got one."""
    for claim in pool.holding_claims():
        uid = claim["metadata"]["uid"]
        if not claim["spec"].get("volumeName") and uid not in made:
            api.main.write("POST", pv_path(), volume_body(claim), accept=(409,))
            made.add(uid)


def destroy_released(api):
    """What the provisioner does to Released volumes with the policy Delete."""

    def is_clean():
        left = [
            volume
            for volume in api.main.get(pv_path())["items"]
            if volume["metadata"].get("labels", {}).get("adjoint.dev/state") == "disposing"
        ]
        for volume in left:
            if volume["status"]["phase"] == "Released":
                api.main.write("DELETE", pv_path(volume["metadata"]["name"]), accept=(404,))
        return not left

    wait_until("no volume is left to destroy", is_clean)
