#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cluster's names, for its pods: A records of Services, asked of the API server each time.

usage: name_server.py ADDRESS (port 53, UDP; KUBECONFIG). Stands in for CoreDNS. What a pod asks
after its own search list that is no Service is not there; nothing is asked of anybody else.
"""

import socket
import struct
import sys

from baseline.cluster import Api

SUFFIX = ["svc", "cluster", "local"]
TYPE_A, CLASS_IN = 1, 1
ANSWERED, NO_SUCH_NAME = 0x8580, 0x8583  # authoritative, recursion as asked
SECONDS = 5


def read_question(packet):
    """Returns the labels, the type, and where the question ends."""
    labels, at = [], 12
    while packet[at]:
        labels.append(packet[at + 1 : at + 1 + packet[at]].decode("ascii", "replace").lower())
        at += 1 + packet[at]
    kind, _ = struct.unpack_from("!HH", packet, at + 1)
    return labels, kind, at + 5


def service_address(api, labels):
    """SERVICE.NAMESPACE.svc.cluster.local, or None."""
    if len(labels) != 5 or labels[2:] != SUFFIX:
        return None
    service = api.main.get(f"/api/v1/namespaces/{labels[1]}/services/{labels[0]}")
    address = None if service is None else service["spec"].get("clusterIP")
    return None if address in (None, "", "None") else address


def answer(api, packet):
    labels, kind, end = read_question(packet)
    address = service_address(api, labels)
    record = b""
    if address is not None and kind == TYPE_A:
        record = struct.pack("!HHHIH", 0xC00C, TYPE_A, CLASS_IN, SECONDS, 4)
        record += socket.inet_aton(address)
    flags = NO_SUCH_NAME if address is None else ANSWERED
    head = packet[:2] + struct.pack("!HHHHH", flags, 1, 1 if record else 0, 0, 0)
    return head + packet[12:end] + record


def main():
    api = Api.from_kubeconfig()
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind((sys.argv[1], 53))
    while True:
        packet, asker = listener.recvfrom(512)
        try:
            listener.sendto(answer(api, packet), asker)
        except Exception as error:  # pylint: disable=broad-except # one question lost, not all
            print(f"{asker}: {error!r}", file=sys.stderr, flush=True)
            api.main.http.close()


if __name__ == "__main__":
    main()
