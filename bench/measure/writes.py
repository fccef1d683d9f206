# SPDX-License-Identifier: Apache-2.0
"""A claim as the audit log tells it: which writes the operator made for it and when, and how much
of the way to the Cluster was the operator's own.
"""

from baseline.audit import BINDER, OPERATOR


class ClaimWrites:
    """Those of one Instance, from the making of it to its deletion."""

    def __init__(self, writes, namespace, name, volume):
        instance = [w for w in writes if (w.resource, w.name) == ("instances", name)]
        self.made = _first(instance, verb="create", namespace=namespace)
        deleted = _first(instance, verb="delete", namespace=namespace)
        self.during = [
            w for w in writes if self.made.answered_ms <= w.received_ms < deleted.received_ms
        ]
        self.namespace, self.name, self.volume = namespace, name, volume
        by_operator = [w for w in self.during if w.agent == OPERATOR]
        self.dry_runs = [w for w in by_operator if w.dry_run]
        self.own = [w for w in by_operator if not w.dry_run and self._is_of_claim(w)]
        self.refill = [w for w in by_operator if not w.dry_run and not self._is_of_claim(w)]

    def _is_of_claim(self, write):
        if write.resource == "persistentvolumes":
            return write.name == self.volume
        if write.resource == "persistentvolumeclaims" and write.verb == "delete":
            return True  # of the holding PVC: claims are made one by one
        return write.namespace == self.namespace

    def listing(self, writes):
        """(milliseconds after the Instance was there, write) of each, by when it was received."""
        writes = sorted(writes, key=lambda write: write.received_ms)
        return [(w.received_ms - self.made.answered_ms, w) for w in writes]

    def order_is_right(self):
        """Finalizer, intent, PVC and PV are answered before the Cluster is asked for."""
        cluster = self._cluster()
        before = {
            (w.resource, w.subresource) for w in self.own if w.answered_ms <= cluster.received_ms
        }
        return before >= {
            ("instances", None),
            ("instances", "status"),
            ("persistentvolumeclaims", None),
            ("persistentvolumes", None),
        }

    def share(self):
        """From the Instance's being there to the Cluster's, and of that the wait for the binder:
        from the answer to the PV's patch to the PVC's being Bound.
        """
        patched = _first(self.own, resource="persistentvolumes")
        bound = [
            w
            for w in self.during
            if w.agent == BINDER
            and (w.resource, w.subresource) == ("persistentvolumeclaims", "status")
            and w.name == f"{self.name}-1"
            and w.received_ms <= self._cluster().received_ms
        ]
        total_ms = self._cluster().answered_ms - self.made.answered_ms
        binder_ms = max(0, bound[-1].answered_ms - patched.answered_ms)
        return total_ms - binder_ms, binder_ms

    def _cluster(self):
        return _first(self.own, resource="clusters", verb="create")


def _first(writes, **wanted):
    return next(w for w in writes if all(getattr(w, key) == value for key, value in wanted.items()))
