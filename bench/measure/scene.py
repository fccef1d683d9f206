# SPDX-License-Identifier: Apache-2.0
"""Where claims are measured: one cluster with the operator on it, watches on what claims change,
and a source of volumes for the bare calls.
"""

import types

from baseline.claim import Claim
from baseline.cluster import cluster_path, pv_path, pvc_path
from baseline.observe import Poller, Watcher
from baseline.volumes import dispose, prepare

from .adjoint import HOLDING_NAMESPACE, Developer, instance_path

NAMESPACE = "bench"


class Scene:
    def __init__(self, rig, operator, golden, source, tag):
        self.rig, self.operator, self.golden, self.tag = rig, operator, golden, tag
        self.api, self.source = rig.api, source
        prepare(self.api, HOLDING_NAMESPACE, NAMESPACE)
        self.observer = Watcher(
            self.api,
            [
                instance_path(NAMESPACE),
                pvc_path(NAMESPACE),
                pvc_path(HOLDING_NAMESPACE),
                cluster_path(NAMESPACE),
                pv_path(),
            ],
        )
        self.developer = Developer(self.api, NAMESPACE, self.observer)

    def warm_volumes(self, prefix, count):
        """For bare claims, in the holding namespace."""
        names = [f"{prefix}-{self.tag}-{index}" for index in range(count)]
        return self.source.make(self.api, HOLDING_NAMESPACE, names)

    def bare_claim(self, name, volume, order, probes, at_once=False, bound_only=False):
        """Connected and ready to run. Many at once share the scene's watches, as the baseline's
        --observe has it.
        """
        options = types.SimpleNamespace(
            namespace=NAMESPACE, order=order, probes=probes, at_once=at_once, bound_only=bound_only
        )
        claim = Claim(self.api, name, volume, options, self.observer if at_once else Poller)
        claim.connect()
        return claim

    def dispose(self, claims):
        dispose(self.api, claims)
