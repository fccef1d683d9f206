# SPDX-License-Identifier: Apache-2.0
"""Writes as the API server saw them: one record each, with the microseconds of its receipt and of
its answer. That is the one clock on which the operator, the binder and CloudNativePG meet.
"""

import datetime
import json

OPERATOR, BINDER = "adjoint", "kube-controller-manager"


class Write:
    def __init__(self, record):
        target = record.get("objectRef", {})
        self.verb, self.subresource = record["verb"], target.get("subresource")
        self.resource, self.namespace = target.get("resource"), target.get("namespace")
        self.name = target.get("name")
        self.agent = record.get("userAgent", "").split("/")[0]
        self.code = record.get("responseStatus", {}).get("code")
        about = record["user"].get("extra", {})
        self.user = record["user"].get("username")
        self.pod = about.get("authentication.kubernetes.io/pod-name", [None])[0]
        self.credential = about.get("authentication.kubernetes.io/credential-id", [None])[0]
        self.dry_run = "dryRun=All" in record["requestURI"]
        self.received_ms = _milliseconds(record["requestReceivedTimestamp"])
        self.answered_ms = _milliseconds(record["stageTimestamp"])

    @property
    def what(self):
        """For people: `create persistentvolumeclaims dev/alice-1`."""
        resource = "/".join(filter(None, (self.resource, self.subresource)))
        name = "/".join(filter(None, (self.namespace, self.name)))
        return f"{self.verb} {resource} {name}" + (f" ({self.code})" if self.code >= 400 else "")


def _milliseconds(timestamp):
    return datetime.datetime.fromisoformat(timestamp).timestamp() * 1000


def read_writes(path):
    """In the order of their receipt."""
    with open(path, encoding="utf-8") as file:
        writes = [Write(json.loads(line)) for line in file]
    return sorted(writes, key=lambda write: write.received_ms)
