# SPDX-License-Identifier: Apache-2.0
"""Proofs: each test that a page of docs/ names is there, and each row of docs/capabilities.md has
one, or says that it is not tested.
"""

import re

from cases import PAGE as CASES
from cases import is_there
from rule import Example

CAPABILITIES = "docs/capabilities.md"
FOLDERS = "plans unit simulation crash_matrix end_to_end conformance kubectl chart crds examples " \
    "demo rules image".split()
TEST = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[^`]+)`")
ROW = re.compile(r"^\| (?!---|capability)(.*) \| ([^|]*) \|$")


def check(tree):
    for path in tree.files():
        if path.parts[0] == "docs" and path.suffix == ".md" and path.as_posix() != CASES:
            yield from _judge(tree, path)


def _judge(tree, path):
    for line, text in enumerate(tree.text(path).splitlines(), 1):
        tests = TEST.findall(text)
        for test in tests:
            file, _, name = test.partition(": ")
            if not is_there(tree.root / "tests" / file, name):
                yield f"{path}:{line}: there is no test {test}"
        row = ROW.match(text) if path.as_posix() == CAPABILITIES else None
        if row and bool(tests) == ("not tested" in row.group(2)):
            yield f"{path}:{line}: names no test and does not say `not tested`, or both"


UNIT = {"tests/unit/api/pool.c": "static void a_pool(void **state)\n{\n}\nTEST(a_pool),\n"}
PLAN = {"tests/plans/pool_x/plan.txt": "nothing\n"}
RULE = {"tests/rules/rights.py": ""}


def _page(rows, name=CAPABILITIES):
    return {name: f"| capability | shown by |\n| --- | --- |\n{rows}\n"}


EXAMPLES = [
    Example(
        "tests that are there, and one that is not and says so",
        UNIT | PLAN | RULE
        | _page(
            "| a | `unit/api/pool.c: a_pool`, `plans/pool_x` |\n| b | `rules/rights.py` |\n"
            "| c | not tested |"
        ),
        None,
    ),
    Example("a row without a test", _page("| a | surely |"), "capabilities.md:3: names no test"),
    Example("both", PLAN | _page("| a | `plans/pool_x`, not tested |"), "md:3: names no test"),
    Example("a test is gone", UNIT | _page("| a | `unit/api/pool.c: b` |"), "no test unit/api"),
    Example("on another page", _page("| a | `plans/y` |", "docs/faq.md"), "faq.md:3: there is no"),
    Example("a page without tests", {"docs/faq.md": "`docs/x` and `tests/run`\n"}, None),
]
