# SPDX-License-Identifier: Apache-2.0
"""Mutants: each bug of tests/mutants/hand still fits the sources that it quotes. One that does not
proves nothing, and nobody would hear of it before the next run of them all.
"""

import pathlib
import sys

from rule import Example

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mutants"))
from mutant import TableError, read_tables  # pylint: disable=wrong-import-position

TABLES = "tests/mutants/hand"


def check(tree):
    try:
        mutants = read_tables(tree.root / TABLES)
    except TableError as error:
        yield f"{TABLES}: {error}"
        return
    for mutant in mutants:
        try:
            mutant.apply(tree.root)
        except (TableError, OSError) as error:
            yield f"{TABLES}: {mutant.name}: {str(error).splitlines()[0]}"


def _tree(source, table):
    return {"src/plan/a.c": source, f"{TABLES}/a.txt": table}


MUTANT = "== no-test\nIt is not tested.\nsrc/plan/a.c\n-    test();\n"
WORDLESS = "== no-test\nsrc/plan/a.c\n-    test();\n"
EXAMPLES = [
    Example("a bug that fits", _tree("    test();\n", MUTANT), None),
    Example("the source is another", _tree("    try();\n", MUTANT), "no-test: does not apply"),
    Example("two places", _tree("    test();\n    test();\n", MUTANT), "no-test: does not apply"),
    Example("the source is gone", {f"{TABLES}/a.txt": MUTANT}, "no-test: "),
    Example("no words", _tree("    test();\n", WORDLESS), "no words"),
    Example("one name for two", _tree("    test();\n", MUTANT + "\n" + MUTANT), "two mutants of"),
]
