# SPDX-License-Identifier: Apache-2.0
"""Scripts: what runs them can read them. Many run on a real cluster alone, or once in an image's
build, where it would be seen late that a quotation mark is missing.
"""

import ast
import re
import subprocess

from rule import SPDX_SCRIPT, Example

INTERPRETER = re.compile(r"#!.*\b(python3|bash|sh)$")
BY_SUFFIX = {".py": "python3", ".sh": "bash"}


def check(tree):
    for path in tree.files():
        text = tree.text(path)
        named = INTERPRETER.match(text.partition("\n")[0])
        interpreter = named.group(1) if named else BY_SUFFIX.get(path.suffix)
        if interpreter == "python3":
            yield from _parse_python(path, text)
        elif interpreter:
            yield from _parse_shell(path, text, interpreter)


def _parse_python(path, text):
    try:
        ast.parse(text)
    except SyntaxError as error:
        yield f"{path}:{error.lineno}: {error.msg}"


def _parse_shell(path, text, interpreter):
    parsed = subprocess.run(
        [interpreter, "-n"], input=text, capture_output=True, text=True, check=False
    )
    if parsed.returncode != 0:
        yield f"{path}: {' '.join(parsed.stderr.split())}"


def _script(interpreter, text):
    return f"#!/usr/bin/env {interpreter}\n{SPDX_SCRIPT}\n{text}\n"


EXAMPLES = [
    Example(
        "what can be read",
        {"a": _script("python3", "print(1)"), "b": _script("bash", "x=$((1 + 1))"),
         "c": _script("awk", "{"), "d.txt": "if (", "e.sh": "[[ a == b ]]\n"},
        None,
    ),
    Example("Python that ends early", {"a": _script("python3", 'a = "\n"')}, "a:3: unterminated"),
    Example("a module", {"tests/a.py": "def f(:\n"}, "tests/a.py:1: invalid"),
    Example("a shell's", {"a": _script("bash", "if true; then")}, "a: bash: line"),
    Example("a part of a shell's", {"a.sh": "x() {\n"}, "a.sh: bash: line"),
]
