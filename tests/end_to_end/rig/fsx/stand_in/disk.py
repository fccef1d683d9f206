# SPDX-License-Identifier: Apache-2.0
"""Volumes and snapshots as btrfs subvolumes, which copy on write as ZFS does: a clone is there at
once and shares its blocks.
"""

import os
import subprocess


def btrfs(*arguments):
    subprocess.run(("btrfs",) + arguments, check=True, stdout=subprocess.DEVNULL)


class Disk:
    """root is a directory on btrfs. A volume's path, as NFS would export it, begins with /fsx/."""

    def __init__(self, root, owner):
        self.root, self.owner = root, owner
        for directory in ("fsx", "snapshots"):
            os.makedirs(os.path.join(root, directory), exist_ok=True)

    def volume_path(self, path):
        return self.root + path

    def snapshot_path(self, snapshot_id):
        return os.path.join(self.root, "snapshots", snapshot_id)

    def create_volume(self, path):
        """An empty one. A real one belongs to root until whoever loads it changes that; this one is
        Postgres' from the start.
        """
        btrfs("subvolume", "create", self.volume_path(path))
        os.chown(self.volume_path(path), self.owner, self.owner)

    def clone_volume(self, path, snapshot_id):
        btrfs("subvolume", "snapshot", self.snapshot_path(snapshot_id), self.volume_path(path))

    def delete_volume(self, path):
        if os.path.isdir(self.volume_path(path)):
            btrfs("subvolume", "delete", self.volume_path(path))

    def create_snapshot(self, path, snapshot_id):
        btrfs(
            "subvolume", "snapshot", "-r", self.volume_path(path), self.snapshot_path(snapshot_id)
        )

    def delete_snapshot(self, snapshot_id):
        if os.path.isdir(self.snapshot_path(snapshot_id)):
            btrfs("property", "set", "-ts", self.snapshot_path(snapshot_id), "ro", "false")
            btrfs("subvolume", "delete", self.snapshot_path(snapshot_id))
