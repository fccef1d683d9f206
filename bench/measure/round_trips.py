# SPDX-License-Identifier: Apache-2.0
"""What the requests of a claim cost by themselves: the same ones as the operator's, each sent as
soon as it can be, by a script that knows all answers beforehand. What the operator takes beyond
that is its own. It must be paused meanwhile, for the Instance is a real one.

Requests that the operator sends together go out together here, too, each over a kept connection of
its own; the figure is the sum over these batches, without the wait for the binder.
"""

import json
import time

from baseline.claim import claim_reference_patch, cluster_body, pvc_body
from baseline.cluster import JSON, JSON_PATCH, MERGE_PATCH, Connection, Unexpected
from baseline.cluster import cluster_path, pv_path, pvc_path
from baseline.observe import Poller
from baseline.volumes import INERT_CLASS, dispose, is_bound

from .adjoint import instance_body, instance_path

DRY_RUN = "?dryRun=All"


class RoundTrips:
    def __init__(self, scene, name, volume):
        self.scene, self.name, self.volume = scene, name, volume
        self.namespace, self.bound_only = scene.developer.namespace, False
        self.pvc_name = f"{name}-1"
        self.connections = [Connection(scene.api) for _ in range(7)]
        self.batches = {}

    def run(self):
        """Returns the milliseconds of each batch and of all."""
        instance = instance_path(self.namespace, self.name)
        self.scene.api.main.write(
            "POST", instance_path(self.namespace), instance_body(self.name, "nobodys")
        )
        self.together("preflight", [self.finalizer(instance), *self.dry_runs(), *self.reads()])
        _, pvc = self.together("intent and PVC", [self.intent(instance), self.post_pvc("")])
        self.together("PV", [self.point_volume(pvc["metadata"]["uid"])])
        Poller(self.scene.api.main).until(pvc_path(self.namespace, self.pvc_name), is_bound)
        self.together("Cluster", [self.post_cluster("")])
        total = round(sum(self.batches.values()), 2)
        return {"trips_ms": total, "batches_ms": self.batches}

    def together(self, batch, requests):
        """Sends all, then reads all replies; returns their objects."""
        began = time.perf_counter()
        for connection, (method, path, body, content_type) in zip(self.connections, requests):
            headers = {
                "Authorization": "Bearer " + self.scene.api.token,
                "Content-Type": content_type,
                "Accept": JSON,
            }
            text = None if body is None else json.dumps(body)
            connection.http.request(method, path, text, headers)
        replies = []
        for connection in self.connections[: len(requests)]:
            reply = connection.http.getresponse()
            replies.append((reply.status, reply.read()))
        self.batches[batch] = round((time.perf_counter() - began) * 1000, 2)
        for (status, text), request in zip(replies, requests):
            if not 200 <= status < 300 and (request[0], status) != ("GET", 404):
                raise Unexpected(f"{request[0]} {request[1]}: {status} {text[:400]}")
        return [json.loads(text) for _, text in replies]

    def forget_instance(self):
        """As if it had never been, before the operator sees it."""
        path = instance_path(self.namespace, self.name)
        main = self.scene.api.main
        main.write("PATCH", path, {"metadata": {"finalizers": None}}, MERGE_PATCH)
        main.write("DELETE", path)

    def dispose(self):
        """The PVC by name: CloudNativePG may not have got to owning it."""
        write, holding = self.scene.api.main.write, self.volume.holding_namespace
        write("DELETE", cluster_path(self.namespace, self.name))
        write("DELETE", pvc_path(self.namespace, self.pvc_name), accept=(404,))
        dispose(self.scene.api, [self])
        write("DELETE", pvc_path(holding, self.volume.holding), accept=(404,))

    # The requests

    @staticmethod
    def finalizer(instance):
        path = "/metadata/finalizers"
        patch = [
            {"op": "test", "path": path, "value": None},
            {"op": "add", "path": path, "value": ["adjoint.dev/volumes"]},
        ]
        return "PATCH", instance, patch, JSON_PATCH

    def dry_runs(self):
        secrets = f"/api/v1/namespaces/{self.namespace}/secrets{DRY_RUN}"
        secret = {"metadata": {"name": f"{self.name}-adjoint"}}
        return [self.post_pvc(DRY_RUN), self.post_cluster(DRY_RUN), ("POST", secrets, secret, JSON)]

    def reads(self):
        """Of the Services that CloudNativePG would make; none is there."""
        services = f"/api/v1/namespaces/{self.namespace}/services"
        names = [self.name + suffix for suffix in ("-rw", "-ro", "-r")]
        return [("GET", f"{services}/{name}", None, JSON) for name in names]

    def intent(self, instance):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        conditions = [
            {
                "type": kind,
                "status": "False",
                "reason": "Claiming",
                "message": "a clone is chosen and on its way",
                "lastTransitionTime": now,
            }
            for kind in ("Eligible", "VolumeBound", "Ready")
        ]
        status = {
            "phase": "Claiming",
            "volume": {"name": self.volume.name, "holdingClaimUID": self.volume.holding_uid},
            "conditions": conditions,
        }
        return "PATCH", f"{instance}/status", {"status": status}, MERGE_PATCH

    def post_pvc(self, query):
        body = pvc_body(self.name, INERT_CLASS)
        return "POST", pvc_path(self.namespace) + query, body, JSON

    def point_volume(self, uid):
        patch = claim_reference_patch(self.volume, self.namespace, self.pvc_name, uid=uid)
        return "PATCH", pv_path(self.volume.name), patch, JSON_PATCH

    def post_cluster(self, query):
        body = cluster_body(self.name, self.volume.storage_class, guarded=True, fast=True)
        return "POST", cluster_path(self.namespace) + query, body, JSON
