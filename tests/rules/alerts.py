# SPDX-License-Identifier: Apache-2.0
"""Alerts: each has a section of docs/operations.md, and is of metrics that are written."""

import re

from rule import Example

ALERTS = "deploy/chart/files/alerts.yaml"
PAGE = "docs/operations.md"
METRICS = "docs/metrics.md"
ALERT = re.compile(r"- alert: (\w+)")
METRIC = re.compile(r"\b(adjoint_[a-z_]+)")
SECTION = re.compile(r"^### (Adjoint\w+)$", re.MULTILINE)


def text_of(tree, name):
    return tree.text(name) if (tree.root / name).exists() else ""


def check(tree):
    alerts = set(ALERT.findall(text_of(tree, ALERTS)))
    sections = set(SECTION.findall(text_of(tree, PAGE)))
    for name in sorted(alerts - sections):
        yield f"{PAGE}: does not say what to do about {name}"
    for name in sorted(sections - alerts):
        yield f"{PAGE}: {name} is no alert"
    for name in sorted(set(METRIC.findall(text_of(tree, ALERTS)))):
        if f"`{name}`" not in text_of(tree, METRICS):
            yield f"{ALERTS}: {METRICS} has no {name}"


RULE = "- alert: AdjointX\n  expr: adjoint_leader == 0\n"
LISTED = {METRICS: "| `adjoint_leader` |\n"}
EXAMPLES = [
    Example("with its section", {ALERTS: RULE, PAGE: "### AdjointX\n"} | LISTED, None),
    Example("without one", {ALERTS: RULE, PAGE: ""} | LISTED, "what to do about AdjointX"),
    Example("a section of none", {PAGE: "### AdjointY\n"}, "AdjointY is no alert"),
    Example("of no metric", {ALERTS: RULE, PAGE: "### AdjointX\n"}, "has no adjoint_leader"),
]
