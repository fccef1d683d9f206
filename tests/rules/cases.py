# SPDX-License-Identifier: Apache-2.0
"""Cases: each test that docs/cases.md names is there, and each mark (case N) is in its row N."""

import os
import re

from rule import Example

PAGE = "docs/cases.md"
SITUATIONS = "tests/plans"
ROW = re.compile(r"^\| (\d+) \|.*\| ([^|]*) \|$")
WAITED_FOR = re.compile(r"^- ([^:]+): ", re.MULTILINE)
TEST = re.compile(r"`([^`]+)`")
PENDING = re.compile(r"pending: ([^,;`|\n]*[^,;`|\s])")
MARK = re.compile(r"\(cases? ((?:[^()]*, )?[\d, ]*\d)\)")


def check(tree):
    marks = sorted(_marks(tree))
    if not (tree.root / PAGE).exists():
        yield from (f"{PAGE}: is not there, but {path} names a case of it" for path, _ in marks[:1])
        return
    text = tree.text(PAGE)
    rows = {}
    for line, number, proof in _rows(text):
        if rows and number <= max(rows):
            yield f"{PAGE}:{line}: case {number} is not behind the one before"
        rows[number] = TEST.findall(proof)
        yield from (f"{PAGE}:{line}: {wrong}" for wrong in _judge(tree, text, proof))
    for feature in sorted(set(WAITED_FOR.findall(text)) - set(PENDING.findall(text))):
        yield f"{PAGE}: no case waits for {feature}"
    for situation, number in marks:
        if f"plans/{situation}" not in rows.get(number, []):
            yield f"{PAGE}: case {number} does not name plans/{situation}, which is marked with it"


def _rows(text):
    """(line, case, what shows it) of each row."""
    for line, row in enumerate(text.splitlines(), 1):
        match = ROW.match(row)
        if match:
            yield line, int(match.group(1)), match.group(2)


def _marks(tree):
    """(situation, case) of each mark in the comment above a situation."""
    for path in (tree.root / SITUATIONS).glob("*/observation.yaml"):
        comment = path.read_text(encoding="utf-8").replace("\n# ", " ")
        for mark in MARK.findall(comment):
            yield from ((path.parent.name, int(number)) for number in re.findall(r"\d+", mark))


def _judge(tree, text, proof):
    tests, pending = TEST.findall(proof), PENDING.findall(proof)
    if not tests and not pending and not re.match(r"none: \S", proof):
        yield "names no test, nothing that is pending, and no reason (none: ...)"
    for test in tests:
        path, _, name = test.partition(": ")
        if not is_there(tree.root / "tests" / path, name):
            yield f"there is no test {test}"
    for feature in set(pending) - set(WAITED_FOR.findall(text)):
        yield f"{feature!r} is pending and is not in the list of what is to come"


def is_there(path, name):
    """A situation, an example of a schema, a rule and a script that is a test are paths; other
    tests have a name in a file.
    """
    is_script = path.is_file() and os.access(path, os.X_OK)
    if name == "":
        is_file = path.is_file() and (path.suffix == ".yaml" or path.parent.name == "rules")
        return is_file or is_script or (path / "plan.txt").exists()
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if path.suffix == ".sh" or is_script:
        return re.search(rf"^{name}\(\)", text, re.MULTILINE) is not None
    is_row = re.search(rf'(?:\{{|\.name = )"{name}"', text) is not None
    is_written = re.search(rf"^static void {name}\(void \*\*", text, re.MULTILINE) is not None
    is_run = len(re.findall(rf"[^*\w]{name}\b", text)) > 1
    return is_row or (is_written and is_run)


def _page(row, more=""):
    return {PAGE: f"| case | seen |\n| --- | --- |\n{row}\n{more}"}


UNIT = {
    "tests/unit/api/pool.c": "static void a_pool(void **state)\n{\n}\nTEST(a_pool),\n"
    "static void not_run(void **state)\n{\n}\n"
}
DEED = {"tests/simulation/deed.c": 'static void x;\n= {{"steals", steal}, {.name = "edits"}};\n'}
PLAN = {"tests/plans/pool_x/plan.txt": "nothing\n"}
MARKED = PLAN | {"tests/plans/pool_x/observation.yaml": "# A pool (cases 3,\n# 7).\nkind: x\n"}
CHECK = {"tests/end_to_end/checks/1.sh": "check_it() {\n}\n"}
EXAMPLES = [
    Example(
        "tests of every kind pass",
        UNIT | DEED | MARKED | CHECK
        | _page(
            "| 3 | a | `plans/pool_x`, `unit/api/pool.c: a_pool` |\n"
            "| 7 | b | `simulation/deed.c: steals`, `simulation/deed.c: edits`, `plans/pool_x` |\n"
            "| 8 | c | `end_to_end/checks/1.sh: check_it`; pending: the doctor |\n"
            "| 9 | d | none: Postgres does it |",
            "\n- the doctor: looks\n",
        ),
        None,
    ),
    Example("no test at all", _page("| 3 | a | soon |"), "cases.md:3: names no test"),
    Example("a situation is gone", _page("| 3 | a | `plans/x` |"), "there is no test plans/x"),
    Example("a unit test is gone", UNIT | _page("| 3 | a | `unit/api/pool.c: b` |"), "pool.c: b"),
    Example(
        "a unit test is not run", UNIT | _page("| 3 | a | `unit/api/pool.c: not_run` |"), "not_run"
    ),
    Example("a file is no test", UNIT | _page("| 3 | a | `unit/api/pool.c` |"), "no test unit/api"),
    Example("a deed is gone", DEED | _page("| 3 | a | `simulation/deed.c: x` |"), "deed.c: x"),
    Example(
        "a check is gone", CHECK | _page("| 3 | a | `end_to_end/checks/1.sh: it` |"), "1.sh: it"
    ),
    Example("out of order", PLAN | _page("| 3 | a | none: x |\n| 2 | b | none: x |"), "case 2 is"),
    Example("pending, and nobody says what", _page("| 3 | a | pending: x |"), "'x' is pending"),
    Example("nobody waits", _page("| 3 | a | none: x |", "- rotation: x\n"), "for rotation"),
    Example(
        "a mark without its row",
        MARKED | _page("| 3 | a | `plans/pool_x` |\n| 7 | a | none: x |"),
        "case 7 does not name plans/pool_x",
    ),
    Example("marks without a page", MARKED, "pool_x names a case"),
    Example("neither marks nor page", {"src/base/text.c": "\n"}, None),
]
