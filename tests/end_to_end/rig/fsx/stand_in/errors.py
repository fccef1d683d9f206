# SPDX-License-Identifier: Apache-2.0
"""Refusals. The types and the members beside the message are those of the API's reference; where it
names no type for a case (volumes and snapshots that still have dependants), BadRequest is assumed.
"""


class Refusal(Exception):
    def __init__(self, type_name, message, status=400, **members):
        super().__init__(message)
        self.type_name, self.message, self.status, self.members = (
            type_name,
            message,
            status,
            members,
        )

    def to_json(self):
        return {"__type": self.type_name, "Message": self.message, **self.members}


def volume_not_found(volume_id):
    return Refusal("VolumeNotFound", f"Volume '{volume_id}' does not exist.")


def snapshot_not_found(snapshot_id):
    return Refusal("SnapshotNotFound", f"Snapshot '{snapshot_id}' does not exist.")


def bad_request(message):
    return Refusal("BadRequest", message)
