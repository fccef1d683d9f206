# SPDX-License-Identifier: Apache-2.0
"""What the API server shows of Pool, Instances and claims, kept by watches; and the picture that
is drawn of it.
"""

import json
import threading

from baseline.cluster import Connection, Unexpected

from .processes import instant_s
from .scene import DEVELOPERS, EVERY_INSTANCE_PATH, INSTANCE, POOL, POOLS, POOLS_PATH, namespace_of

EVERY_PVC_PATH = "/api/v1/persistentvolumeclaims"
# In real time; longer than anybody looks.
WATCH_S = 86400


class Watched:
    """The objects of one collection, by (namespace, name)."""

    def __init__(self, api, collection):
        self.collection, self.connection = collection, Connection(api)
        self.objects, self.uids = {}, {}
        listed = self.connection.get(collection)
        for value in listed["items"]:
            self._see("ADDED", value)
        version = listed["metadata"]["resourceVersion"]
        threading.Thread(target=self._watch, args=(version,), daemon=True).start()

    def _watch(self, version):
        path = f"{self.collection}?watch=true&resourceVersion={version}&timeoutSeconds={WATCH_S}"
        reply = self.connection.request("GET", path)
        while line := reply.readline():
            event = json.loads(line)
            self._see(event["type"], event["object"])
        raise Unexpected(f"the watch of {self.collection} ended")

    def _see(self, kind, value):
        metadata = value["metadata"]
        key = (metadata.get("namespace"), metadata["name"])
        if kind == "DELETED":
            self.objects.pop(key, None)
        else:
            self.objects[key] = value
            self.uids[metadata["uid"]] = key


class Developer:
    """One of the thirteen: when they asked, and how it stands. Times in simulated seconds."""

    def __init__(self, name, asked_s, instance, now_s):
        self.name, self.asked_s = name, asked_s
        status = (instance or {}).get("status", {})
        timings = status.get("timings", {})
        self.phase = status.get("phase", "" if asked_s is None else "Asked")
        self.position = status.get("queue", {}).get("position")
        self.is_ready = self.phase == "Ready"
        self.queued_s = self._until(timings.get("chosenAt"), now_s)
        self.ready_s = self._until(timings.get("readyAt"), None)

    def _until(self, timestamp, now_s):
        end_s = instant_s(timestamp) if timestamp else now_s
        return None if self.asked_s is None or end_s is None else max(0.0, end_s - self.asked_s)


class Asked:
    """What FSx was asked for: a volume is named after the PVC it was made for."""

    def __init__(self, report, claims):
        names = (volume["name"].removeprefix("pvc-") for volume in report["volumes"])
        owners = [claims.uids[uid] for uid in names if uid in claims.uids]
        self.for_pool = sum(namespace == POOLS for namespace, _ in owners)
        self.for_claims = len(owners) - self.for_pool


class Picture:
    """One moment of it."""

    def __init__(self, now_s, pool, developers, filling, asked):
        self.now_s, self.developers, self.asked = now_s, developers, asked
        self.filling = filling  # (holding PVC, for how long), oldest first
        status = (pool or {}).get("status", {})
        self.warm, self.claimed = status.get("warm", 0), status.get("claimed", 0)
        waiting = [developer for developer in developers if developer.position]
        self.queue = sorted(waiting, key=lambda developer: developer.position)
        self.ready_count = sum(developer.is_ready for developer in developers)


class Sight:
    def __init__(self, server):
        self.server, self.connection = server, Connection(server.api)
        self.pools = Watched(server.api, POOLS_PATH)
        self.instances = Watched(server.api, EVERY_INSTANCE_PATH)
        self.claims = Watched(server.api, EVERY_PVC_PATH)
        self.asked_s = {}

    def picture(self):
        now_s = self.server.now_s()
        return Picture(
            now_s - self.server.connected_s,
            self.pools.objects.get((POOLS, POOL)),
            [self._developer(name, now_s) for name in DEVELOPERS],
            sorted(self._filling(now_s), key=lambda slot: -slot[1]),
            Asked(self.connection.get("/debug/fsx"), self.claims),
        )

    def _developer(self, name, now_s):
        instance = self.instances.objects.get((namespace_of(name), INSTANCE))
        return Developer(name, self.asked_s.get(name), instance, now_s)

    def _filling(self, now_s):
        for (namespace, name), value in list(self.claims.objects.items()):
            is_pending = value.get("status", {}).get("phase") == "Pending"
            if namespace == POOLS and is_pending:
                yield name, max(0.0, now_s - instant_s(value["metadata"]["creationTimestamp"]))
