# SPDX-License-Identifier: Apache-2.0
"""Refusals on demand, and the count of calls: a test asks how many CreateVolume there were, and
makes the next ones fail.
"""

import collections

from .errors import Refusal


class Faults:
    """At most one fault an operation. Expects the file system's lock to be held."""

    def __init__(self):
        self.pending = {}

    def set(self, operation, times, type_name="InternalServerError", message="", status=None):
        """times below zero: until it is set again; zero: no more."""
        if status is None:
            status = 500 if type_name.startswith("Internal") else 400
        self.pending.pop(operation, None)
        if times:
            self.pending[operation] = {
                "times": times,
                "type_name": type_name,
                "message": message or type_name,
                "status": status,
            }

    def check(self, operation):
        """Raises the Refusal that is due."""
        fault = self.pending.get(operation)
        if fault is None:
            return
        fault["times"] -= 1 if fault["times"] > 0 else 0
        if fault["times"] == 0:
            del self.pending[operation]
        raise Refusal(fault["type_name"], fault["message"], fault["status"])


class Calls:
    """Calls by operation and outcome."""

    def __init__(self):
        self.counts = collections.defaultdict(lambda: {"accepted": 0, "refused": 0})

    def add(self, operation, outcome):
        self.counts[operation][outcome] += 1
