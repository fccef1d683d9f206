# SPDX-License-Identifier: Apache-2.0
"""HTTP on loopback: the FSx API (AWS JSON 1.1), the instance metadata that the driver's node part
asks for, and the rig's controls.

GET  /rig/state      settings, volumes, snapshots, pending faults, calls by operation, created_count
POST /rig/settings   any of settings.Settings, {"create_s": 3, "gap_s": 1}
POST /rig/faults     {"operation": "CreateVolume", "times": 3, "type": "ThrottlingException",
                      "message": "Rate exceeded"}; times below zero: for ever; zero: no more
"""

import http.server
import json
import time
import uuid

from .errors import Refusal
from .faults import Calls, Faults
from .file_system import log
from .operations import ACCOUNT, REGION, Operations

INSTANCE_ID = "i-0fedcba9876543210"
IDENTITY = {
    "instanceId": INSTANCE_ID,
    "instanceType": "m6i.large",
    "region": REGION,
    "availabilityZone": REGION + "a",
    "accountId": ACCOUNT,
}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port, file_system):
        super().__init__(("127.0.0.1", port), Handler)
        self.file_system = file_system
        self.operations = Operations(file_system)
        self.faults, self.calls = Faults(), Calls()

    def call(self, operation, request):
        """One call of the API. Raises Refusal."""
        time.sleep(self.file_system.settings.call_ms / 1000)
        with self.file_system.lock:
            try:
                self.faults.check(operation)
                reply = self.operations.call(operation, request)
            except Refusal:
                self.calls.add(operation, "refused")
                raise
            self.calls.add(operation, "accepted")
            return reply

    def state(self):
        with self.file_system.lock:
            return {
                **self.file_system.to_json(),
                "settings": self.file_system.settings.to_json(),
                "faults": self.faults.pending,
                "calls": self.calls.counts,
            }

    def change_settings(self, request):
        with self.file_system.lock:
            self.file_system.settings.update(request)
            return self.file_system.settings.to_json()

    def change_faults(self, request):
        with self.file_system.lock:
            self.faults.set(
                request["operation"],
                request["times"],
                request.get("type", "InternalServerError"),
                request.get("message", ""),
                request.get("status"),
            )
            return self.faults.pending


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        """Calls are logged with what they mean, not as lines of HTTP."""

    def read_body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def reply(self, status, body, **headers):
        """body: text, or a value that is sent as JSON. An underscore in a header's name stands for
        a hyphen.
        """
        text = isinstance(body, str)
        content = (body if text else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain" if text else "application/x-amz-json-1.1")
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def do_PUT(self):
        self.read_body()
        if self.path == "/latest/api/token":
            self.reply(200, "token", X_Aws_Ec2_Metadata_Token_Ttl_Seconds="21600")
        else:
            self.reply(404, "")

    def do_GET(self):
        if self.path == "/latest/meta-data/instance-id":
            self.reply(200, INSTANCE_ID)
        elif self.path == "/latest/dynamic/instance-identity/document":
            self.reply(200, IDENTITY)
        elif self.path == "/rig/state":
            self.reply(200, self.server.state())
        else:
            self.reply(404, "")

    def do_POST(self):
        request = json.loads(self.read_body() or b"{}")
        if self.path == "/rig/settings":
            self.control(self.server.change_settings, request)
        elif self.path == "/rig/faults":
            self.control(self.server.change_faults, request)
        else:
            self.operation((self.headers.get("X-Amz-Target") or "").rsplit(".", 1)[-1], request)

    def control(self, change, request):
        try:
            result = change(request)
        except KeyError as error:
            self.reply(400, f"not known or missing: {error}\n")
            return
        log(self.path, json.dumps(request))
        self.reply(200, result)

    def operation(self, operation, request):
        headers = {"x_amzn_RequestId": str(uuid.uuid4())}
        try:
            reply = self.server.call(operation, request)
        except Refusal as refusal:
            log(operation, json.dumps(request), "refused:", refusal.type_name, refusal.message)
            self.reply(
                refusal.status, refusal.to_json(), X_Amzn_ErrorType=refusal.type_name, **headers
            )
            return
        log(operation, json.dumps(request))
        self.reply(200, reply, **headers)
