# SPDX-License-Identifier: Apache-2.0
"""Purity: state is passed, not kept; decisions know neither clock nor chance nor the outside.

Writable data in an archive is a global. `.data.rel.ro` is not: constant tables of pointers live
there until the loader has relocated them.
"""

import re

from rule import Example, folder_of, libc_name

FOLDERS = ("base", "api", "plan", "kube", "operator", "io", "cli")
DECIDING = ("api", "plan")

# The program's only global, (archive's member, name): the log's level and where its lines go.
GLOBALS_ALLOWED = {("log.o", "sink")}

WRITABLE = re.compile(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro)|\*COM\*")

HEADERS_OUTSIDE = re.compile(
    r"(stdio|time|unistd|fcntl|pthread|signal|threads|locale|uv)\.h|(sys|arpa|net|netinet|curl)/.*"
    r"|base/(log|memory)\.h"
)
CALLS_OUTSIDE = re.compile(
    r"clock\w*|time|gettimeofday|u?sleep|nanosleep|s?rand(om)?|getrandom|getentropy|arc4random\w*"
    r"|getenv|f?printf|puts|putchar|fopen|fwrite|open|read|write|log_\w+|exit|_exit|system|fork"
    r"|malloc|calloc|realloc|free|memory_\w+"
)


def check(tree):
    for folder in FOLDERS:
        for symbol in tree.symbols(folder):
            kept = WRITABLE.match(symbol.section)
            if kept and (symbol.member, symbol.name) not in GLOBALS_ALLOWED:
                source = f"src/{folder}/{symbol.member.replace('.o', '.c')}"
                yield f"{source}: {symbol.name} is a global; pass it in a struct, or make it const"
    for folder in DECIDING:
        yield from _check_deciding(tree, folder)


def _check_deciding(tree, folder):
    for path in tree.sources("src", "include"):
        if folder_of(path) == folder:
            for line, name, _ in tree.includes(path):
                if HEADERS_OUTSIDE.fullmatch(name):
                    yield f"{path}:{line}: {folder} is pure and may not include {name}"
    for symbol in tree.symbols(folder):
        name = libc_name(symbol.name)
        if symbol.section == "*UND*" and CALLS_OUTSIDE.fullmatch(name):
            source = f"src/{folder}/{symbol.member.replace('.o', '.c')}"
            yield f"{source}: {folder} is pure and may not call {name}"


EXAMPLES = [
    Example(
        "constants, tables of pointers and locals pass",
        {
            "src/api/names.c": "extern const char *const names[];\n"
            'const char *const names[] = {"a", "b"};\n'
            "static const int table[] = {1, 2};\nint at(int i);\n"
            "int at(int i) { return table[i]; }\n",
            "src/base/log.c": "static int sink;\nint log_level(void);\n"
            "int log_level(void) { return sink++; }\n",
        },
        None,
    ),
    Example(
        "a global that starts at zero",
        {"src/kube/store.c": "int count;\n"},
        "src/kube/store.c: count is a global",
    ),
    Example(
        "a static inside a function",
        {
            "src/base/text.c": "int n(void);\n"
            "int n(void) { static int calls = 3; return calls++; }\n"
        },
        "is a global",
    ),
    Example(
        "a thread's own variable",
        {"src/api/pool.c": "__thread int depth;\n"},
        "depth is a global",
    ),
    Example(
        "a planner reads the clock",
        {"src/plan/p.c": "long time(long *);\nlong p(void);\nlong p(void) { return time(0); }\n"},
        "src/plan/p.c: plan is pure and may not call time",
    ),
    Example(
        "a decoder includes stdio",
        {"src/api/pool.c": "#include <stdio.h>\n"},
        "src/api/pool.c:1: api is pure and may not include stdio.h",
    ),
    Example(
        "a planner's header brings in the log",
        {"include/plan/pool.h": '#include "base/log.h"\n'},
        "may not include base/log.h",
    ),
    Example(
        "a planner allocates",
        {
            "src/plan/p.c": "#include <stdlib.h>\nvoid *p(void);\n"
            "void *p(void) { return malloc(7); }\n"
        },
        "plan is pure and may not call malloc",
    ),
]
