# SPDX-License-Identifier: Apache-2.0
"""Banned: calls that cannot be used right by everyone, cJSON outside base/json, goto, typedefs."""

import re

from rule import Example, code_only, folder_of

# Instead: base/text and base/arena build strings, text_parse_int64 reads numbers, base/timestamp
# and base/random do what their names say.
CALLS = re.compile(
    r"(?<![\w.>])(strcpy|strcat|stpcpy|sprintf|vsprintf|strncpy|strncat|strtok|strtok_r|gets"
    r"|atoi|atol|atoll|atof|strtol|strtoll|strtoul|strtoull|strtod|sscanf|gmtime|localtime|ctime"
    r"|asctime|rand|srand|time|alloca|setjmp)\s*\("
)
CJSON = re.compile(r"\bcJSON\w*|cjson/")
# The simulator gives back every field it was given, so it keeps whole trees.
CJSON_ALLOWED = re.compile(
    r"(src|tests/unit)/base/(json\w*|memory)\.c|tests/unit/base/log\.c"
    r"|(src|include|tests/unit)/sim/\w+\.[ch]|tests/simulation/\w+\.[ch]"
    r"|tests/support/(simulated_\w+|json_value|storage_world|instance_world|binder_rows)\.[ch]"
    r"|tests/fuzz/\w+\.c|tests/support/fuzz_input\.[ch]"
)
GOTO = re.compile(r"\bgoto\b")
TYPEDEF = re.compile(r"\btypedef\s+(?:const\s+)?(?:struct|union|enum)\b[^;({]*[;{]")


def check(tree):
    for path in tree.sources("src", "include", "tests"):
        text = code_only(tree.text(path))
        if "base" not in path.parts:
            yield from _matches(path, text, CALLS, "{} is banned; base has what to use instead")
        if not CJSON_ALLOWED.fullmatch(path.as_posix()):
            yield from _matches(path, text, CJSON, "{} outside base/json")
        yield from _matches(path, text, GOTO, "{}; use a cleanup attribute")
        yield from _matches(path, text, TYPEDEF, "typedef of a struct, union or enum")


def _matches(path, text, pattern, message):
    for match in pattern.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        found = match.group(match.lastindex or 0)
        yield f"{path}:{line}: {message.format(found)}"


EXAMPLES = [
    Example(
        "comments, strings, members and base itself pass",
        {
            "src/io/a.c": '/* goto strcpy( */ const char *a = "sprintf(typedef struct x;";\n'
            "int b(struct c *c) { return c->time(0) + lifetime(0); }\n",
            "src/base/text.c": "int a(char *s) { return atoi(s); }\n",
            "src/base/json_writer.c": "cJSON *a;\n",
            "include/io/b.h": "typedef struct a *(*give)(struct b b);\n",
        },
        None,
    ),
    Example(
        "a banned call",
        {"src/io/a.c": "\nint a(char *s) { return atoi(s); }\n"},
        "src/io/a.c:2: atoi is banned",
    ),
    Example(
        "a banned call in a test",
        {"tests/unit/io/a.c": "int a(void) { return rand(); }\n"},
        "rand is banned",
    ),
    Example(
        "cJSON in a planner",
        {"src/plan/a.c": "struct cJSON *a;\n"},
        "src/plan/a.c:1: cJSON outside base/json",
    ),
    Example("a goto", {"src/base/a.c": "void a(void) { b: goto b; }\n"}, "goto; use a cleanup"),
    Example(
        "a struct gets a second name",
        {"include/base/a.h": "typedef struct a {\n    int b;\n} a;\n"},
        "include/base/a.h:1: typedef of a struct",
    ),
    Example("an enum does", {"src/io/a.c": "typedef enum a a_t;\n"}, "typedef of a struct"),
]
