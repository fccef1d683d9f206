# SPDX-License-Identifier: Apache-2.0
"""Calls to the API server over kept connections, and the paths of what the claim touches."""

import http.client
import json
import os
import ssl
import time
import urllib.parse

JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"


# The server closes what is idle for longer without a word.
IDLE_S = 20


class Unexpected(Exception):
    """A reply that the claim cannot go on with."""


def _path(collection, name):
    return f"{collection}/{name}" if name else collection


def namespaces_path(name=""):
    return _path("/api/v1/namespaces", name)


def pvc_path(namespace, name=""):
    return _path(f"/api/v1/namespaces/{namespace}/persistentvolumeclaims", name)


def pv_path(name=""):
    return _path("/api/v1/persistentvolumes", name)


def cluster_path(namespace, name=""):
    return _path(f"/apis/postgresql.cnpg.io/v1/namespaces/{namespace}/clusters", name)


def storage_class_path(name=""):
    return _path("/apis/storage.k8s.io/v1/storageclasses", name)


class Connection:
    """One kept connection; counts its writes."""

    def __init__(self, api):
        self.api = api
        self.writes = 0
        self.http = http.client.HTTPSConnection(api.host, api.port, context=api.tls)
        self.http.connect()
        self.used_at = time.monotonic()

    def request(self, method, path, body=None, content_type=JSON):
        """Returns the open reply, to be read to its end."""
        if time.monotonic() - self.used_at > IDLE_S:
            self.http.close()  # and connects anew by itself
        self.used_at = time.monotonic()
        headers = {
            "Authorization": "Bearer " + self.api.token,
            "Content-Type": content_type,
            "Accept": JSON,
        }
        self.http.request(method, path, None if body is None else json.dumps(body), headers)
        return self.http.getresponse()

    def call(self, method, path, body=None, content_type=JSON):
        """Returns (status, object)."""
        self.writes += method != "GET"
        reply = self.request(method, path, body, content_type)
        return reply.status, json.loads(reply.read() or b"{}")

    def get(self, path):
        """The object, or None if there is none. A kind that was defined a moment ago is answered
        with 429 at first.
        """
        while True:
            status, value = self.call("GET", path)
            if status != 429:
                break
            time.sleep(0.1)
        if status == 404:
            return None
        return self._expect("GET", path, status, value)

    def write(self, method, path, body=None, content_type=JSON, accept=()):
        """Returns the object. Statuses in accept are fine besides 2xx."""
        status, value = self.call(method, path, body, content_type)
        return value if status in accept else self._expect(method, path, status, value)

    @staticmethod
    def _expect(method, path, status, value):
        if not 200 <= status < 300:
            raise Unexpected(f"{method} {path}: {status} {value.get('message')}")
        return value


class Api:
    """Where the API server is; `main` is a connection for what is not measured."""

    def __init__(self, server, authority_file, token):
        address = urllib.parse.urlsplit(server)
        self.host, self.port, self.token = address.hostname, address.port, token
        self.tls = ssl.create_default_context(cafile=authority_file)
        self.main = Connection(self)

    @classmethod
    def from_kubeconfig(cls, path=None):
        """Reads one in JSON with a CA file and a token, as the rig writes it."""
        with open(path or os.environ["KUBECONFIG"], encoding="utf-8") as file:
            config = json.load(file)
        cluster = config["clusters"][0]["cluster"]
        return cls(
            cluster["server"], cluster["certificate-authority"], config["users"][0]["user"]["token"]
        )
