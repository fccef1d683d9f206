# SPDX-License-Identifier: Apache-2.0
"""Two ways to wait until an object is as wanted: asking for it again and again, or watching.

Both offer until(path, wanted, interval_s): wanted(object) is called with None if the object does
not exist; the object is returned.
"""

import json
import threading
import time

from .cluster import Connection

LIMIT_S = 300


class Poller:
    """Asks on the claim's own connection, a pause of interval_s after each reply."""

    def __init__(self, connection):
        self.connection = connection

    def until(self, path, wanted, interval_s=0.005):
        deadline = time.monotonic() + LIMIT_S
        while True:
            value = self.connection.get(path)
            if wanted(value):
                return value
            if time.monotonic() > deadline:
                raise TimeoutError(path)
            time.sleep(interval_s)


class Watcher:
    """One watch for each collection, shared by all claims."""

    def __init__(self, api, collections):
        self.api = api
        self.lock = threading.Lock()
        self.objects = {}
        self.waiting = {}
        for collection in collections:
            self._start(collection)

    def __call__(self, _connection):
        """What takes the place of a Poller's constructor."""
        return self

    def until(self, path, wanted, interval_s=None):
        del interval_s
        found = threading.Event()
        waiter = {"wanted": wanted, "found": found, "value": None}
        with self.lock:
            value = self.objects.get(path)
            if wanted(value):
                return value
            self.waiting.setdefault(path, []).append(waiter)
        if not found.wait(LIMIT_S):
            raise TimeoutError(path)
        return waiter["value"]

    def _start(self, collection):
        connection = Connection(self.api)
        listed = connection.get(collection)
        for value in listed["items"]:
            self._see(f"{collection}/{value['metadata']['name']}", value)
        version = listed["metadata"]["resourceVersion"]
        threading.Thread(
            target=self._watch, args=(connection, collection, version), daemon=True
        ).start()

    def _watch(self, connection, collection, version):
        reply = connection.request(
            "GET", f"{collection}?watch=true&resourceVersion={version}&timeoutSeconds=3600"
        )
        while line := reply.readline():
            event = json.loads(line)
            value = event["object"]
            self._see(
                f"{collection}/{value['metadata']['name']}",
                None if event["type"] == "DELETED" else value,
            )

    def _see(self, path, value):
        with self.lock:
            self.objects[path] = value
            waiters = self.waiting.pop(path, [])
            for waiter in waiters:
                if waiter["wanted"](value):
                    waiter["value"] = value
                    waiter["found"].set()
                else:
                    self.waiting.setdefault(path, []).append(waiter)
