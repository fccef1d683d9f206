# SPDX-License-Identifier: Apache-2.0
"""How long the operator takes from its first instruction until it is ready, beside what the lists
that it makes take by themselves.
"""

import datetime
import http.client
import json
import socket
import threading
import time

from .adjoint import wait_until
from .operator import Operator
from .resident import processor_s
from baseline.cluster import Connection

PAGE = 250  # LIMIT_LIST_PAGE
LISTS = (
    "/apis/adjoint.dev/v1alpha1/instances",
    "/api/v1/persistentvolumeclaims",
    "/api/v1/persistentvolumes",
    "/apis/postgresql.cnpg.io/v1/clusters",
)


def time_start(kubeconfig, log):
    """Returns the operator, which runs, and {synced_s, ready_s, processor_s} since it began: when
    the last page of its lists was read, when /readyz said so, and what it had of a processor.
    """
    port = _free_port()
    offset = log.stat().st_size if log.exists() else 0
    began = time.time()
    operator = Operator(kubeconfig, log, level="info", listen=f"127.0.0.1:{port}")
    operator.__enter__()
    wait_until("ready", lambda: _is_ready(port), 0.005)
    ready_s = time.time() - began
    with open(log, encoding="utf-8") as file:
        file.seek(offset)
        records = [json.loads(line) for line in file]
    synced = next(r for r in records if r["message"] == "in sync with the API server")
    return operator, {
        "synced_s": round(_seconds(synced["time"]) - began, 3),
        "ready_s": round(ready_s, 3),
        "processor_s": round(processor_s(operator.process.pid), 3),
    }


def time_lists(api):
    """The seconds that the pages of the large lists take, all lists at once and each page asked for
    as soon as the one before is there. Nothing is made of them.
    """
    threads = [threading.Thread(target=_read_list, args=(Connection(api), path)) for path in LISTS]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return round(time.monotonic() - began, 3)


def _read_list(connection, path):
    token = ""
    while token is not None:
        reply = connection.request("GET", f"{path}?limit={PAGE}" + (token and f"&continue={token}"))
        text = reply.read()
        head = text[: text.index(b'"items"')] if b'"items"' in text else text
        found = head.partition(b'"continue":"')[2].partition(b'"')[0]
        token = found.decode() or None


def _free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def _is_ready(port):
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False


def _seconds(timestamp):
    return datetime.datetime.fromisoformat(timestamp.replace("Z", "+00:00")).timestamp()
