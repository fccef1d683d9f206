# SPDX-License-Identifier: Apache-2.0
"""Reasons: docs/conditions.md and the planners have the same ones."""

import re

from rule import Example

PAGE = "docs/conditions.md"
# A literal that is one CamelCase word is a condition's reason, or one of these.
OTHERS = {"Delete", "Retain", "Instance", "Instances", "Released", "VolumeSnapshot"}
OTHERS |= {"PersistentVolumeClaim"}
# base/error.c's, which plan/trouble.c passes on.
CLASSES = {"Forbidden", "Invalid", "NotFound", "LimitExceeded"}
LITERAL = re.compile(r'"([A-Z][a-z]+(?:[A-Z0-9][A-Za-z0-9]*)*)"')
WORD = re.compile(r"`([A-Z][a-z]+(?:[A-Z0-9][A-Za-z0-9]*)*)`")


def check(tree):
    sources = [p for p in tree.sources("src") if p.parts[1] == "plan" and p.suffix == ".c"]
    written = {match for path in sources for match in LITERAL.findall(tree.text(path))} - OTHERS
    if not written:
        return
    documented = set(WORD.findall(tree.text(PAGE))) if (tree.root / PAGE).exists() else set()
    for reason in sorted(written - documented):
        yield f"{PAGE}: does not say what to do about {reason}"
    for reason in sorted(documented - written - CLASSES):
        yield f"{PAGE}: {reason} is none of the planners' reasons"


CODE = {"src/plan/pool.c": 'set("PoolGone", "Retain");\n'}
EXAMPLES = [
    Example("a reason with its row passes", CODE | {PAGE: "| `PoolGone` | look |\n"}, None),
    Example("a reason without a row", CODE | {PAGE: "nothing\n"}, "what to do about PoolGone"),
    Example("a row without a reason", CODE | {PAGE: "`PoolGone` `PoolLost`\n"}, "PoolLost is none"),
    Example("no planners, no page", {"src/base/text.c": "\n"}, None),
]
