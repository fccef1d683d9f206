# SPDX-License-Identifier: Apache-2.0
"""Metrics: docs/metrics.md and the sources have the same names."""

import re

from rule import Example

PAGE = "docs/metrics.md"
FOLDERS = ("operator", "cli")
NAME = re.compile(r'\b((?:adjoint|process)_[a-z_]+?)(?=["{ ])')
WORD = re.compile(r"`((?:adjoint|process)_[a-z_]+)`")


def check(tree):
    sources = [p for p in tree.sources("src") if p.parts[1] in FOLDERS and p.suffix == ".c"]
    strings = (s for p in sources for s in re.findall(r'"(?:[^"\\]|\\.)*"', tree.text(p)))
    written = {name for string in strings for name in NAME.findall(string)}
    documented = set(WORD.findall(tree.text(PAGE))) if (tree.root / PAGE).exists() else set()
    for name in sorted(written - documented):
        yield f"{PAGE}: does not say what {name} is"
    for name in sorted(documented - written):
        yield f"{PAGE}: nothing writes {name}"


CODE = {"src/operator/metrics.c": 'gauge(out, "adjoint_leader", "1 while it leads.");\n'}
EXAMPLES = [
    Example("a metric with its row passes", CODE | {PAGE: "| `adjoint_leader` | |\n"}, None),
    Example("a metric without a row", CODE | {PAGE: "nothing\n"}, "what adjoint_leader is"),
    Example("a row without a metric", {PAGE: "`adjoint_led`\n"}, "nothing writes adjoint_led"),
    Example("inside a text", {"src/cli/t.c": '"# TYPE process_x gauge"\n', PAGE: ""}, "process_x"),
]
