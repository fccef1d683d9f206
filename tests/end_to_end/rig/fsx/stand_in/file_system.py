# SPDX-License-Identifier: Apache-2.0
"""The state of the file system: volumes and snapshots, their lifecycles, and what takes how long.

Every public method expects `lock` to be held. Changes are written to a file before they are
answered, so the process can be killed and started again like any other part of the cluster; work
that was under way then goes on.
"""

import dataclasses
import json
import os
import subprocess
import sys
import threading
import time
import uuid

FILE_SYSTEM_ID = "fs-0123456789abcdef0"
ROOT_VOLUME_ID = "fsvol-00000000000000a01"


def log(*words):
    print(f"{time.time():.3f}", *words, file=sys.stderr, flush=True)


def new_id(prefix):
    return f"{prefix}-0{uuid.uuid4().hex[:16]}"


@dataclasses.dataclass
class Volume:
    id: str
    name: str
    parent_id: str
    origin_id: str | None
    tags: list
    created_at: float
    lifecycle: str = "CREATING"
    available_at: float | None = None

    @property
    def path(self):
        return "/fsx/" + self.name


@dataclasses.dataclass
class Snapshot:
    id: str
    name: str
    volume_id: str
    tags: list
    created_at: float
    lifecycle: str = "CREATING"


class FileSystem:
    def __init__(self, disk, settings, state_path):
        self.disk, self.settings, self.state_path = disk, settings, state_path
        self.lock = threading.RLock()
        self.volumes, self.snapshots, self.tokens = {}, {}, {}
        self.created_count = 0
        self.queue_end = 0.0
        if os.path.exists(state_path):
            self._load()

    # What is there

    def find(self, resource_id):
        return self.volumes.get(resource_id) or self.snapshots.get(resource_id)

    def clones(self, snapshot_id):
        return [volume for volume in self.volumes.values() if volume.origin_id == snapshot_id]

    def with_dependants(self, volume_id):
        """The volume, what is below it, and every clone of its snapshots: ids in the order in which
        to destroy them.
        """
        doomed = []
        snapshot_ids = [
            snapshot.id for snapshot in self.snapshots.values() if snapshot.volume_id == volume_id
        ]
        for volume in self.volumes.values():
            if volume.parent_id == volume_id or volume.origin_id in snapshot_ids:
                doomed += [each for each in self.with_dependants(volume.id) if each not in doomed]
        return doomed + snapshot_ids + [volume_id]

    # What happens

    def create_volume(self, name, parent_id, origin_id, tags):
        now = time.time()
        volume = Volume(new_id("fsvol"), name, parent_id, origin_id, tags, now)
        delay = self.settings.take("next_create_s")
        if delay is None:
            self.queue_end = max(now + self.settings.create_s, self.queue_end + self.settings.gap_s)
            delay = self.queue_end - now
        self.volumes[volume.id] = volume
        self.created_count += 1
        self.save()
        self._after(delay, self._finish_volume, volume.id)
        return volume

    def create_snapshot(self, name, volume, tags):
        snapshot = Snapshot(new_id("fsvolsnap"), name, volume.id, tags, time.time())
        self.disk.create_snapshot(volume.path, snapshot.id)
        self.snapshots[snapshot.id] = snapshot
        self.save()
        self._after(self.settings.snapshot_s, self._finish_snapshot, snapshot.id)
        return snapshot

    def destroy(self, resource_ids):
        for resource_id in resource_ids:
            self.find(resource_id).lifecycle = "DELETING"
        self.save()
        self._after(self.settings.delete_s, self._finish_destruction, resource_ids)

    # What happens later

    def _after(self, seconds, function, argument):
        def run():
            with self.lock:
                function(argument)
                self.save()

        timer = threading.Timer(seconds, run)
        timer.daemon = True
        timer.start()

    def _finish_volume(self, volume_id):
        volume = self.volumes.get(volume_id)
        if volume is None or volume.lifecycle != "CREATING":
            return
        try:
            self._fill_volume(volume)
            volume.lifecycle = "AVAILABLE"
        except (subprocess.CalledProcessError, RuntimeError) as error:
            volume.lifecycle = "FAILED"
            log(volume.id, error)
        volume.available_at = time.time()
        log(
            volume.lifecycle,
            volume.id,
            volume.name,
            f"{volume.available_at - volume.created_at:.1f} s after it was asked for",
        )

    def _fill_volume(self, volume):
        if self.settings.take("next_create_fails"):
            raise RuntimeError("was asked to fail")
        if volume.origin_id is None:
            self.disk.create_volume(volume.path)
        elif volume.origin_id in self.snapshots:
            self.disk.clone_volume(volume.path, volume.origin_id)
        else:
            raise RuntimeError("its snapshot is gone")

    def _finish_snapshot(self, snapshot_id):
        if snapshot_id in self.snapshots:
            self.snapshots[snapshot_id].lifecycle = "AVAILABLE"

    def _finish_destruction(self, resource_ids):
        for resource_id in resource_ids:
            if resource_id in self.snapshots:
                self.disk.delete_snapshot(resource_id)
                del self.snapshots[resource_id]
            elif resource_id in self.volumes:
                self.disk.delete_volume(self.volumes[resource_id].path)
                del self.volumes[resource_id]
            log("DESTROYED", resource_id)

    # What stays

    def to_json(self):
        return {
            "volumes": [dataclasses.asdict(volume) for volume in self.volumes.values()],
            "snapshots": [dataclasses.asdict(snapshot) for snapshot in self.snapshots.values()],
            "tokens": self.tokens,
            "created_count": self.created_count,
            "queue_end": self.queue_end,
        }

    def save(self):
        with open(self.state_path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.to_json(), file)
        os.replace(self.state_path + ".new", self.state_path)

    def _load(self):
        with open(self.state_path, encoding="utf-8") as file:
            state = json.load(file)
        self.volumes = {each["id"]: Volume(**each) for each in state["volumes"]}
        self.snapshots = {each["id"]: Snapshot(**each) for each in state["snapshots"]}
        self.tokens, self.created_count, self.queue_end = (
            state["tokens"],
            state["created_count"],
            state["queue_end"],
        )
        deleting = []
        for resource in (*self.volumes.values(), *self.snapshots.values()):
            if resource.lifecycle == "DELETING":
                deleting.append(resource.id)
            elif resource.lifecycle == "CREATING":
                finish = (
                    self._finish_volume if isinstance(resource, Volume) else self._finish_snapshot
                )
                self._after(1, finish, resource.id)
        self._after(1, self._finish_destruction, deleting)
