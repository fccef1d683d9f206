# SPDX-License-Identifier: Apache-2.0
"""Thousands of objects in their final state, over several kept connections."""

import threading

from baseline.cluster import MERGE_PATCH, Connection

CONNECTIONS = 8


def in_parallel(api, count, make):
    """make(connection, index) for each index below count; the first thing that went wrong is
    raised.
    """
    wrong = []

    def work(first):
        connection = Connection(api)
        try:
            for index in range(first, count, CONNECTIONS):
                if wrong:
                    return
                make(connection, index)
        except Exception as error:  # pylint: disable=broad-except
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(first,)) for first in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if wrong:
        raise wrong[0]


def make(connection, collection, body):
    """The object, and its status, which a creation leaves out. Returns it as it is created."""
    created = connection.write("POST", collection, body)
    if body.get("status"):
        path = f"{collection}/{created['metadata']['name']}/status"
        connection.write("PATCH", path, {"status": body["status"]}, MERGE_PATCH)
    return created
