# SPDX-License-Identifier: Apache-2.0
"""Format: what fits on a screen can be checked by eye; clang-format settles the rest."""

import pathlib
import re
import shutil
import subprocess

from rule import SPDX_C, SPDX_SCRIPT, Example

LINE_COLUMNS = 100
FILE_LINES = 400
PROGRAM_LINES = 40  # of src/programs: a main only picks what to run
MAKEFILE_LINES = 150
FUNCTION_LINES = 60
CLANG_FORMAT = pathlib.Path(__file__).resolve().parents[2] / ".clang-format"


def check(tree):
    c_files = tree.sources("src", "include", "tests", "bench")
    for path in c_files:
        lines = tree.text(path).splitlines()
        if lines[:1] != [SPDX_C]:
            yield f"{path}:1: the first line is not {SPDX_C}"
        yield from _check_lines(path, lines, tabs=False)
        yield from _check_functions(path, lines)
        yield from _check_own_header(tree, path)
    for path in _scripts(tree):
        lines = tree.text(path).splitlines()
        if SPDX_SCRIPT not in lines[:2]:
            yield f"{path}:1: no line {SPDX_SCRIPT}"
        yield from _check_lines(path, lines, tabs=path.name == "Makefile")
    yield from _check_layout(tree, c_files)


def _scripts(tree):
    for path in tree.files():
        named = path.name in ("Makefile", "Dockerfile") or path.suffix in (".py", ".sh")
        if named or (path.suffix == "" and tree.text(path).startswith("#!")):
            yield path


def _check_lines(path, lines, tabs):
    limit = FILE_LINES
    if path.parts[:2] == ("src", "programs"):
        limit = PROGRAM_LINES
    if path.name == "Makefile":
        limit = MAKEFILE_LINES
    if len(lines) > limit:
        yield f"{path}:{limit + 1}: {len(lines)} lines; at most {limit}"
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_COLUMNS:
            yield f"{path}:{number}: {len(line)} columns; at most {LINE_COLUMNS}"
        if "\t" in line and not tabs:
            yield f"{path}:{number}: a tab"
        if line != line.rstrip():
            yield f"{path}:{number}: space at the end"


def _check_functions(path, lines):
    # clang-format leaves exactly a function's braces alone in the first column.
    name, start = "", None
    for number, line in enumerate(lines, 1):
        if re.match(r"\w.*\(", line):
            name = line.split("(")[0].split()[-1].lstrip("*")
        if line == "{":
            start = number
        elif line == "}" and start:
            if number - start > FUNCTION_LINES:
                yield f"{path}:{start}: {name}: {number - start} lines; at most {FUNCTION_LINES}"
            start = None


def _check_own_header(tree, path):
    if path.parts[0] != "src" or path.suffix != ".c":
        return
    own = path.relative_to("src").with_suffix(".h")
    if not any((tree.root / top / own).exists() for top in ("include", "src")):
        return
    first = next((name for _, name, _ in tree.includes(path)), None)
    if first != own.as_posix():
        yield f"{path}: its own header, {own}, is not the first it includes"


def _check_layout(tree, c_files):
    if not shutil.which("clang-format"):
        yield "clang-format is not installed; `make deps` gets it"
        return
    if not c_files:
        return
    # The style is given in full: a file outside the checkout would get another one.
    style = ", ".join(line for line in CLANG_FORMAT.read_text().splitlines() if ":" in line)
    output = subprocess.run(
        ["clang-format", "--dry-run", f"--style={{{style}}}", *c_files],
        cwd=tree.root, capture_output=True, text=True, check=True,
    ).stderr
    first_lines = {}
    for path, line in re.findall(r"^(\S+?):(\d+):\d+: (?:warning|error)", output, re.MULTILINE):
        first_lines.setdefault(path, line)
    for path, line in first_lines.items():
        yield f"{path}:{line}: not as clang-format has it; `make format`"


def _function(lines):
    return f"{SPDX_C}\nvoid a(void)\n{{\n" + "    b();\n" * lines + "}\n"


EXAMPLES = [
    Example(
        "a file at every limit passes",
        {
            "src/io/a.c": _function(FUNCTION_LINES - 1),
            "src/io/b.c": f"{SPDX_C}\n" + "int a;\n" * (FILE_LINES - 1),
            "src/programs/adj.c": f"{SPDX_C}\n" + "int a;\n" * (PROGRAM_LINES - 1),
            "src/io/c.c": f'{SPDX_C}\nconst char *a = "{"x" * (LINE_COLUMNS - 19)}";\n',
            "tests/x": f"#!/bin/sh\n{SPDX_SCRIPT}\n",
            "Makefile": f"{SPDX_SCRIPT}\na:\n\tb\n",
        },
        None,
    ),
    Example(
        "a long function", {"src/io/a.c": _function(FUNCTION_LINES)}, "src/io/a.c:3: a: 61 lines"
    ),
    Example(
        "a long file",
        {"src/io/a.c": f"{SPDX_C}\n" + "int a;\n" * FILE_LINES},
        "src/io/a.c:401: 401 lines",
    ),
    Example(
        "a long main",
        {"src/programs/adj.c": f"{SPDX_C}\n" + "int a;\n" * PROGRAM_LINES},
        "41 lines; at most 40",
    ),
    Example(
        "a long line",
        {"x.sh": f"{SPDX_SCRIPT}\n{'x' * (LINE_COLUMNS + 1)}\n"},
        "x.sh:2: 101 columns",
    ),
    Example("a tab", {"src/io/a.c": f"{SPDX_C}\n/* a\tb */\n"}, "src/io/a.c:2: a tab"),
    Example("a tab in a script", {"x.sh": f"{SPDX_SCRIPT}\n\tb\n"}, "x.sh:2: a tab"),
    Example("space at the end", {"x.sh": f"{SPDX_SCRIPT}\nb \n"}, "x.sh:2: space at the end"),
    Example("no licence line in C", {"src/io/a.c": "int a;\n"}, "src/io/a.c:1: the first line"),
    Example("none in a script", {"tests/x": "#!/bin/sh\n"}, "tests/x:1: no line # SPDX"),
    Example(
        "own header not first",
        {
            "include/io/a.h": f"{SPDX_C}\n",
            "src/io/a.c": f'{SPDX_C}\n#include <stdio.h>\n\n#include "io/a.h"\n',
        },
        "src/io/a.c: its own header, io/a.h",
    ),
    Example(
        "not formatted", {"src/io/a.c": f"{SPDX_C}\nint  a;\n"}, "src/io/a.c:2: not as clang-format"
    ),
]
