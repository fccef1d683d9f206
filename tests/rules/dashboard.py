# SPDX-License-Identifier: Apache-2.0
"""The dashboard: it shows each metric that docs/metrics.md has, and no other."""

import json
import re

from rule import Example

DASHBOARD = "deploy/chart/files/dashboard.json"
PAGE = "docs/metrics.md"
METRIC = re.compile(r"\b((?:adjoint|process)_[a-z_]+)")
OF_A_HISTOGRAM = re.compile(r"_(?:bucket|sum|count)$")
DOCUMENTED = re.compile(r"`((?:adjoint|process)_[a-z_]+)`")


def check(tree):
    if not (tree.root / DASHBOARD).exists():
        return
    try:
        dashboard = json.loads(tree.text(DASHBOARD))
    except ValueError as error:
        yield f"{DASHBOARD}: {error}"
        return
    panels = dashboard["panels"]
    yield from _check_panels(panels)
    queries = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    shown = {OF_A_HISTOGRAM.sub("", name) for query in queries for name in METRIC.findall(query)}
    documented = set(DOCUMENTED.findall(tree.text(PAGE)))
    for name in sorted(shown - documented):
        yield f"{DASHBOARD}: {PAGE} has no {name}"
    for name in sorted(documented - shown):
        yield f"{DASHBOARD}: no panel shows {name}"


def _check_panels(panels):
    identities, places = set(), set()
    for panel in panels:
        title, grid = panel["title"], panel["gridPos"]
        if panel["id"] in identities:
            yield f"{DASHBOARD}: {title}: its id is another panel's"
        identities.add(panel["id"])
        covered = {
            (x, y)
            for x in range(grid["x"], grid["x"] + grid["w"])
            for y in range(grid["y"], grid["y"] + grid["h"])
        }
        if covered & places or grid["x"] + grid["w"] > 24:
            yield f"{DASHBOARD}: {title}: it does not fit where it is"
        places |= covered
        if panel["type"] != "row" and not panel.get("targets"):
            yield f"{DASHBOARD}: {title}: it shows nothing"


def _dashboard(*queries, x=0):
    panels = [
        {
            "id": number,
            "type": "stat",
            "title": f"t{number}",
            "gridPos": {"x": x * number, "y": 0, "w": 8, "h": 1},
            "targets": [{"expr": query}],
        }
        for number, query in enumerate(queries)
    ]
    return json.dumps({"panels": panels})


LISTED = {PAGE: "| `adjoint_a` |\n| `adjoint_b` |\n"}
EXAMPLES = [
    Example(
        "each metric once, a histogram by its series",
        LISTED | {DASHBOARD: _dashboard("max(adjoint_a)", "rate(adjoint_b_bucket[1m])", x=8)},
        None,
    ),
    Example(
        "one that is documented nowhere",
        LISTED | {DASHBOARD: _dashboard("adjoint_a + adjoint_b + adjoint_c")},
        "has no adjoint_c",
    ),
    Example("one that is not shown", LISTED | {DASHBOARD: _dashboard("adjoint_a")}, "adjoint_b"),
    Example(
        "two panels in one place",
        LISTED | {DASHBOARD: _dashboard("adjoint_a", "adjoint_b", x=7)},
        "t1: it does not fit",
    ),
    Example("no JSON", LISTED | {DASHBOARD: "{"}, "Expecting"),
]
