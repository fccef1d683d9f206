# SPDX-License-Identifier: Apache-2.0
"""Alerts: each has a section of docs/operations.md, is of metrics that are written, and is tested
both quiet and firing.
"""

import re

from rule import Example

ALERTS = "deploy/chart/files/alerts.yaml"
PAGE = "docs/operations.md"
METRICS = "docs/metrics.md"
ALERT = re.compile(r"- alert: (\w+)")
METRIC = re.compile(r"\b(adjoint_[a-z_]+)")
TESTS = "tests/observability/alerts.yaml"
QUIET = re.compile(r"alertname: (\w+), eval_time: \w+, exp_alerts: \[\]")
FIRING = re.compile(r"alertname: (\w+)\n\s+eval_time: \w+\n\s+exp_alerts:.*\n\s+- exp_labels")
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
    for what, pattern in ("quiet", QUIET), ("firing", FIRING):
        tested = set(pattern.findall(text_of(tree, TESTS)))
        for name in sorted(alerts - tested):
            yield f"{TESTS}: has no {name} that is {what}"
        for name in sorted(tested - alerts):
            yield f"{TESTS}: {name} is no alert"
    for name in sorted(set(METRIC.findall(text_of(tree, ALERTS)))):
        if f"`{name}`" not in text_of(tree, METRICS):
            yield f"{ALERTS}: {METRICS} has no {name}"


RULE = "- alert: AdjointX\n  expr: adjoint_leader == 0\n"
LISTED = {METRICS: "| `adjoint_leader` |\n"}
SAYS_WHAT_TO_DO = {PAGE: "### AdjointX\n"}
IS_QUIET = "- {alertname: AdjointX, eval_time: 1m, exp_alerts: []}\n"
FIRES = "- alertname: AdjointX\n  eval_time: 2m\n  exp_alerts:\n    - exp_labels: {}\n"
TESTED = {TESTS: IS_QUIET + FIRES}
ALERT_X = {ALERTS: RULE} | LISTED
EXAMPLES = [
    Example("with all it needs", ALERT_X | SAYS_WHAT_TO_DO | TESTED, None),
    Example("without a section", ALERT_X | TESTED, "what to do about AdjointX"),
    Example("a section of none", {PAGE: "### AdjointY\n"}, "AdjointY is no alert"),
    Example("of no metric", {ALERTS: RULE} | SAYS_WHAT_TO_DO | TESTED, "has no adjoint_leader"),
    Example("never quiet", ALERT_X | SAYS_WHAT_TO_DO | {TESTS: FIRES}, "AdjointX that is quiet"),
    Example(
        "never firing", ALERT_X | SAYS_WHAT_TO_DO | {TESTS: IS_QUIET}, "AdjointX that is firing"
    ),
    Example("a test of none", {TESTS: FIRES}, "AdjointX is no alert"),
]
