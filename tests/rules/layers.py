# SPDX-License-Identifier: Apache-2.0
"""Layers: a folder includes, and its archive needs, only what its row in layers.txt allows.

Two checks, because each sees what the other cannot: includes catch a type that crosses the cut,
undefined symbols catch a function that is declared by hand or comes from a library. What an
archive may need beyond its row is in symbols/any.txt (for all) and symbols/<folder>.txt.
"""

import fnmatch
import pathlib
import re

from rule import SPDX_C, Example, folder_of, libc_name

TABLE = pathlib.Path(__file__).parent / "layers.txt"
LISTS = pathlib.Path(__file__).parent / "symbols"

# Rows whose symbols must be named in symbols/<folder>.txt one by one: a planner may build text
# and JSON with base, but not log; a clock or the heap would get in unseen otherwise.
ONE_BY_ONE = {("plan", "base")}


def check(tree):
    rows = _rows()
    yield from _check_includes(tree, rows)
    yield from _check_symbols(tree, rows)


def _rows():
    lines = [line for line in TABLE.read_text().splitlines() if line and line[0] != "#"]
    return {folder: row.split() for folder, row in (line.split(":") for line in lines)}


def _check_includes(tree, rows):
    for path in tree.sources("src", "include"):
        folder = folder_of(path)
        if folder not in rows:
            yield f"{path}: folder {folder!r} has no row in {TABLE.name}"
            continue
        for line, name, is_system in tree.includes(path):
            reason = None if is_system else _include_refused(tree, rows, path, name)
            if reason:
                yield f"{path}:{line}: {reason}"


def _include_refused(tree, rows, path, name):
    folder, other = folder_of(path), name.split("/")[0]
    if "/" not in name:
        return f'"{name}" is not written as "<folder>/{name}"'
    if other != folder and other not in rows[folder] and name not in rows[folder]:
        return f"{folder} may not include {name}"
    if (tree.root / "include" / name).exists():
        return None
    if other != folder:
        return f"{name} is private to {other}"
    if path.parts[0] == "include":
        return f"a header for others includes {name}, which is private to {folder}"
    return None


def _check_symbols(tree, rows):
    archives = {folder: tree.symbols(folder) for folder in rows if folder != "programs"}
    for folder, symbols in archives.items():
        allowed = _defined(symbols)
        for entry in rows[folder]:
            if (folder, entry) not in ONE_BY_ONE:
                other, _, header = entry.partition("/")
                allowed |= _defined(archives[other], header.replace(".h", ".o"))
        globs = _globs("any") + _globs(folder)
        for symbol in symbols:
            name = libc_name(symbol.name)
            needed = symbol.section == "*UND*" and symbol.name not in allowed
            if needed and not any(fnmatch.fnmatchcase(name, glob) for glob in globs):
                yield (
                    f"src/{folder}/{symbol.member.replace('.o', '.c')}: {folder} may not use "
                    f"{name} (neither its row nor symbols/{folder}.txt has it)"
                )


def _defined(symbols, member=""):
    """Global definitions, of one member only if it is named."""
    return {
        symbol.name
        for symbol in symbols
        if symbol.section != "*UND*" and symbol.type.isupper() and member in ("", symbol.member)
    }


def _globs(name):
    path = LISTS / f"{name}.txt"
    text = re.sub(r"#.*", "", path.read_text()) if path.exists() else ""
    return text.split()


_TEXT_H = f"{SPDX_C}\nvoid text_append(char *text);\n"
_LOG_H = f"{SPDX_C}\nvoid log_write(const char *message);\n"
_KIND_H = f"{SPDX_C}\nint kind_count(void);\n"
_POOL_H = f"{SPDX_C}\nint pool_size(void);\n"
_BASE = {
    "include/base/text.h": _TEXT_H,
    "include/base/log.h": _LOG_H,
    "src/base/text.c": '#include "base/text.h"\nvoid text_append(char *text) { *text = 0; }\n',
    "src/base/log.c": '#include "base/log.h"\nvoid log_write(const char *m) { (void)m; }\n',
}
_API = {
    "include/api/kind.h": _KIND_H,
    "include/api/pool.h": _POOL_H,
    "src/api/kind.c": '#include "api/kind.h"\nint kind_count(void) { return 1; }\n',
    "src/api/pool.c": '#include "api/pool.h"\nint pool_size(void) { return 1; }\n',
}

EXAMPLES = [
    Example(
        "what the row allows passes",
        _BASE
        | _API
        | {
            "src/plan/pool.c": '#include "api/pool.h"\n#include "base/text.h"\n'
            "#include <string.h>\n"
            "unsigned long plan_pool(char *t);\n"
            "unsigned long plan_pool(char *t) { text_append(t);"
            " return strlen(t) + (unsigned)pool_size(); }\n",
            "src/kube/store.c": '#include "api/kind.h"\nint store(void);\n'
            "int store(void) { return kind_count(); }\n",
        },
        None,
    ),
    Example(
        "a lower folder includes a higher one",
        _API | {"src/base/text.c": '#include "api/kind.h"\n'},
        "src/base/text.c:1: base may not include api/kind.h",
    ),
    Example(
        "a header includes what its folder may not",
        _BASE | {"include/io/loop.h": "\n", "include/plan/pool.h": '#include "io/loop.h"\n'},
        "include/plan/pool.h:1: plan may not include io/loop.h",
    ),
    Example(
        "a row that allows one header allows only that one",
        _API | {"src/kube/store.c": '#include "api/pool.h"\n'},
        "kube may not include api/pool.h",
    ),
    Example(
        "a private header is included from another folder",
        {"src/api/secret.h": "\n", "src/plan/pool.c": '#include "api/secret.h"\n'},
        "api/secret.h is private to api",
    ),
    Example(
        "a header for others includes a private one",
        {"src/api/secret.h": "\n", "include/api/pool.h": '#include "api/secret.h"\n'},
        "a header for others includes api/secret.h",
    ),
    Example(
        "an include without its folder",
        {"src/api/pool.h": "\n", "src/api/pool.c": '#include "pool.h"\n'},
        'is not written as "<folder>/pool.h"',
    ),
    Example("a folder without a row", {"src/misc/x.c": "\n"}, "folder 'misc' has no row"),
    Example(
        "a function declared by hand is seen in the archive",
        _API
        | {
            "src/kube/s.c": "int pool_size(void);\nint s(void);\n"
            "int s(void) { return pool_size(); }\n"
        },
        "src/kube/s.c: kube may not use pool_size",
    ),
    Example(
        "a libc function that is not listed",
        {"src/api/p.c": "#include <unistd.h>\nint p(void);\nint p(void) { return getpid(); }\n"},
        "src/api/p.c: api may not use getpid",
    ),
    Example(
        "plan logs, although its row has base",
        _BASE
        | {
            "src/plan/pool.c": '#include "base/log.h"\nvoid plan_pool(void);\n'
            'void plan_pool(void) { log_write("no"); }\n'
        },
        "src/plan/pool.c: plan may not use log_write",
    ),
]
