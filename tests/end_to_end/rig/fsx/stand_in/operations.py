# SPDX-License-Identifier: Apache-2.0
"""The API's operations, from the request's JSON to the reply's, as the API reference describes them
(AWSSimbaAPIService_v20180301). Each is called under the file system's lock.
"""

from .errors import Refusal, bad_request, snapshot_not_found, volume_not_found
from .file_system import FILE_SYSTEM_ID, ROOT_VOLUME_ID

REGION = "us-east-1"
ACCOUNT = "123456789012"
DNS_NAME = f"{FILE_SYSTEM_ID}.fsx.{REGION}.amazonaws.com"
DELETE_ALL = "DELETE_CHILD_VOLUMES_AND_SNAPSHOTS"


def resource_name(kind, resource_id):
    return f"arn:aws:fsx:{REGION}:{ACCOUNT}:{kind}/{resource_id}"


def snapshot_json(snapshot):
    return {
        "ResourceARN": resource_name("snapshot/" + snapshot.volume_id, snapshot.id),
        "SnapshotId": snapshot.id,
        "Name": snapshot.name,
        "VolumeId": snapshot.volume_id,
        "CreationTime": snapshot.created_at,
        "Lifecycle": snapshot.lifecycle,
        "Tags": snapshot.tags,
    }


class Operations:
    def __init__(self, file_system):
        self.file_system = file_system
        self.table = {
            "CreateVolume": self.create_volume,
            "DescribeVolumes": self.describe_volumes,
            "DeleteVolume": self.delete_volume,
            "CreateSnapshot": self.create_snapshot,
            "DescribeSnapshots": self.describe_snapshots,
            "DeleteSnapshot": self.delete_snapshot,
            "DescribeFileSystems": self.describe_file_systems,
            "ListTagsForResource": self.list_tags,
            "TagResource": self.tag,
            "UntagResource": self.untag,
        }

    def call(self, operation, request):
        if operation not in self.table:
            raise Refusal("UnknownOperationException", operation)
        return self.table[operation](request)

    # Volumes

    def volume_json(self, volume):
        configuration = {
            "ParentVolumeId": volume.parent_id,
            "VolumePath": volume.path,
            "StorageCapacityReservationGiB": -1,
            "StorageCapacityQuotaGiB": -1,
            "RecordSizeKiB": 128,
            "DataCompressionType": "NONE",
            "CopyTagsToSnapshots": False,
            "ReadOnly": False,
        }
        origin = self.file_system.snapshots.get(volume.origin_id)
        if origin:
            configuration["OriginSnapshot"] = {
                "SnapshotARN": snapshot_json(origin)["ResourceARN"],
                "CopyStrategy": "CLONE",
            }
        return {
            "VolumeId": volume.id,
            "VolumeType": "OPENZFS",
            "FileSystemId": FILE_SYSTEM_ID,
            "Name": volume.name,
            "ResourceARN": resource_name("volume/" + FILE_SYSTEM_ID, volume.id),
            "CreationTime": volume.created_at,
            "Lifecycle": volume.lifecycle,
            "Tags": volume.tags,
            "OpenZFSConfiguration": configuration,
        }

    def require_volume(self, volume_id):
        volume = self.file_system.volumes.get(volume_id)
        if volume is None:
            raise volume_not_found(volume_id)
        return volume

    def require_origin(self, configuration):
        """The id of the snapshot to clone; None for an empty volume."""
        origin = configuration.get("OriginSnapshot")
        if origin is None:
            return None
        if origin.get("CopyStrategy") not in ("CLONE", "FULL_COPY"):
            raise bad_request("CopyStrategy is required with OriginSnapshot")
        snapshot_id = origin["SnapshotARN"].rsplit("/", 1)[-1]
        snapshot = self.file_system.snapshots.get(snapshot_id)
        if snapshot is None or snapshot.lifecycle == "DELETING":
            raise snapshot_not_found(snapshot_id)
        return snapshot_id

    def create_volume(self, request):
        """A request that repeats another's token gets that one's volume, whatever became of it."""
        file_system, token, name = (
            self.file_system,
            request.get("ClientRequestToken"),
            request["Name"],
        )
        configuration = request.get("OpenZFSConfiguration") or {}
        parameters = {"Name": name, "OpenZFSConfiguration": configuration}
        earlier = file_system.tokens.get(token)
        if earlier and earlier["id"] in file_system.volumes:
            if earlier["parameters"] != parameters:
                raise Refusal(
                    "IncompatibleParameterError",
                    "the token was used with other parameters",
                    Parameter="ClientRequestToken",
                )
            return {"Volume": self.volume_json(file_system.volumes[earlier["id"]])}
        limit = int(file_system.settings.volumes_max)
        if len(file_system.volumes) + 1 >= limit:
            raise Refusal(
                "ServiceLimitExceeded",
                f"File system {FILE_SYSTEM_ID} has reached the limit of {limit} volumes",
                Limit="VOLUMES_PER_FILE_SYSTEM",
            )
        parent_id = configuration.get("ParentVolumeId")
        if parent_id != ROOT_VOLUME_ID:
            self.require_volume(parent_id)
        if any(volume.name == name for volume in file_system.volumes.values()):
            raise bad_request(f"There is a volume {name} already")
        volume = file_system.create_volume(
            name, parent_id, self.require_origin(configuration), request.get("Tags") or []
        )
        if token:
            file_system.tokens[token] = {"id": volume.id, "parameters": parameters}
            file_system.save()
        return {"Volume": self.volume_json(volume)}

    def describe_volumes(self, request):
        """A page of them; NextToken is where the next one begins, in the order they were made."""
        volume_ids = request.get("VolumeIds") or list(self.file_system.volumes)
        begin = int(request.get("NextToken") or 0)
        end = begin + int(request.get("MaxResults") or len(volume_ids) or 1)
        reply = {
            "Volumes": [
                self.volume_json(self.require_volume(volume_id))
                for volume_id in volume_ids[begin:end]
            ]
        }
        return reply if end >= len(volume_ids) else {**reply, "NextToken": str(end)}

    def delete_volume(self, request):
        volume = self.require_volume(request["VolumeId"])
        doomed = self.file_system.with_dependants(volume.id)
        options = (request.get("OpenZFSConfiguration") or {}).get("Options") or []
        if len(doomed) > 1 and DELETE_ALL not in options:
            raise bad_request(
                f"Volume {volume.id} has {len(doomed) - 1} child volumes, snapshots or clones"
            )
        self.file_system.destroy(doomed)
        return {"VolumeId": volume.id, "Lifecycle": volume.lifecycle}

    # Snapshots

    def require_snapshot(self, snapshot_id):
        snapshot = self.file_system.snapshots.get(snapshot_id)
        if snapshot is None:
            raise snapshot_not_found(snapshot_id)
        return snapshot

    def create_snapshot(self, request):
        volume, token = self.require_volume(request["VolumeId"]), request.get("ClientRequestToken")
        earlier = self.file_system.tokens.get(token)
        if earlier and earlier["id"] in self.file_system.snapshots:
            return {"Snapshot": snapshot_json(self.file_system.snapshots[earlier["id"]])}
        snapshot = self.file_system.create_snapshot(
            request["Name"], volume, request.get("Tags") or []
        )
        if token:
            self.file_system.tokens[token] = {"id": snapshot.id, "parameters": None}
            self.file_system.save()
        return {"Snapshot": snapshot_json(snapshot)}

    def describe_snapshots(self, request):
        snapshot_ids = request.get("SnapshotIds") or list(self.file_system.snapshots)
        return {
            "Snapshots": [
                snapshot_json(self.require_snapshot(snapshot_id)) for snapshot_id in snapshot_ids
            ]
        }

    def delete_snapshot(self, request):
        snapshot = self.require_snapshot(request["SnapshotId"])
        clones = self.file_system.clones(snapshot.id)
        if clones:
            raise bad_request(f"Snapshot {snapshot.id} has {len(clones)} clones")
        self.file_system.destroy([snapshot.id])
        return {"SnapshotId": snapshot.id, "Lifecycle": snapshot.lifecycle}

    # The file system, and tags

    def describe_file_systems(self, request):
        for file_system_id in request.get("FileSystemIds") or []:
            if file_system_id != FILE_SYSTEM_ID:
                raise Refusal(
                    "FileSystemNotFound", f"File system '{file_system_id}' does not exist."
                )
        return {
            "FileSystems": [
                {
                    "FileSystemId": FILE_SYSTEM_ID,
                    "FileSystemType": "OPENZFS",
                    "Lifecycle": "AVAILABLE",
                    "DNSName": DNS_NAME,
                    "OwnerId": ACCOUNT,
                    "CreationTime": 1.7e9,
                    "StorageCapacity": 1024,
                    "StorageType": "SSD",
                    "Tags": [],
                    "ResourceARN": resource_name("file-system", FILE_SYSTEM_ID),
                    "OpenZFSConfiguration": {
                        "DeploymentType": "SINGLE_AZ_HA_2",
                        "ThroughputCapacity": 320,
                        "RootVolumeId": ROOT_VOLUME_ID,
                    },
                }
            ]
        }

    def require_tagged(self, request):
        resource = self.file_system.find(request["ResourceARN"].rsplit("/", 1)[-1])
        if resource is None:
            raise Refusal(
                "ResourceNotFound", "There is no such resource.", ResourceARN=request["ResourceARN"]
            )
        return resource

    def list_tags(self, request):
        return {"Tags": self.require_tagged(request).tags}

    def retag(self, request, removed_keys, added):
        resource = self.require_tagged(request)
        resource.tags = [tag for tag in resource.tags if tag["Key"] not in removed_keys] + added
        self.file_system.save()
        return {}

    def tag(self, request):
        return self.retag(request, {tag["Key"] for tag in request["Tags"]}, request["Tags"])

    def untag(self, request):
        return self.retag(request, set(request["TagKeys"]), [])
