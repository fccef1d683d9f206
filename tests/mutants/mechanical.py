# SPDX-License-Identifier: Apache-2.0
"""Mutants that need no thought, of every file in src/plan: each `test` of a JSON patch left out,
each guard negated, each two actions that stand beside each other swapped.

The sources are as clang-format leaves them, which is all the C that has to be known here: a
function's braces stand alone in the first column, and a statement begins a line.
"""

import re

from mutant import Hunk, Mutant

TEST = re.compile(r"body_operation(_raw)?\([^;]*\"test\"|test_\w+\(")
# Calls that add an action to a plan, or an operation to a patch.
ACTION = re.compile(
    r"(body_operation|body_operation_raw|test_\w+|set_\w+|act|instance_act|plan_add|patch_volume"
    r"|delete_\w+|forget|dry_run|expect_none|change_finalizer|retire|fill|look_at_\w+"
    r"|ask_for_objects|adoption_post_data_claim|add|remove_ours)\("
)


def _end_of_call(text, at):
    """Behind the `)` of the `(` at or behind at; literals and comments are stepped over."""
    depth = 0
    token = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|/\*.*?\*/|[()]", re.DOTALL)
    for match in token.finditer(text, at):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if depth == 0 and match.group() == ")":
            return match.end()
    raise ValueError("a parenthesis that nothing closes")


def _end_of_block(text, at, indent):
    """Behind the line that closes the block begun at at; None: an else follows."""
    close = re.compile(rf"^{indent}\}}(.*)\n", re.MULTILINE).search(text, at)
    return None if close.group(1) else close.end()


def _functions(text):
    """(name, begin, end) of each body."""
    for match in re.finditer(r"^\{\n(.*?)^\}\n", text, re.MULTILINE | re.DOTALL):
        head = text[: match.start()].rstrip().rsplit("\n\n", 1)[-1]
        name = re.findall(r"(\w+)\((?!\()", head)
        if name:
            yield name[0], match.start(1), match.end(1)


def _statements(text, begin, end):
    """(indent, begin, end) of calls, and of ifs without else that hold an action, each a run of
    whole lines."""
    line = re.compile(r"^( +)(if \(|[a-z_]+\()", re.MULTILINE)
    for match in line.finditer(text, begin, end):
        indent = match.group(1)
        stop = _end_of_call(text, match.end() - 1)
        if match.group(2) == "if (":
            if text[stop : stop + 3] != " {\n":
                continue
            stop = _end_of_block(text, stop, indent)
            if stop is None or not ACTION.search(text[match.start() : stop]):
                continue
        elif text[stop : stop + 2] == ";\n" and ACTION.match(match.group(2)):
            stop += 2
        else:
            continue
        yield indent, match.start(), stop


def _short(code):
    return re.sub(r"\s+", " ", code).strip()


def _make(path, name, breaks, text, begin, end, new):
    """The hunk holds the whole file: the place is known, and need not be found again."""
    hunk = Hunk(path, text, text[:begin] + new + text[end:])
    return Mutant(name, breaks, [hunk], by_hand=False)


def _without_tests(text, name, begin, end):
    for indent, start, stop in _statements(text, begin, end):
        code = _short(text[start:stop])
        if TEST.match(code):
            yield f"{name}: no {code}", start, stop, f"{indent};\n"


def _negated(text, name, begin, end):
    for match in re.finditer(r"\bif \(", text[begin:end]):
        start = begin + match.end()
        stop = _end_of_call(text, start - 1) - 1
        condition = text[start:stop]
        yield f"{name}: not ({_short(condition)})", start, stop, f"!({condition})"


def _swapped(text, name, begin, end):
    before = {}  # by indent: where the last statement of that depth begins and ends
    for indent, start, stop in _statements(text, begin, end):
        since, until = before.get(indent, (0, 0))
        if until == start:
            first, second = text[since:start], text[start:stop]
            label = f"{name}: {_headline(second)} before {_headline(first)}"
            yield label, since, stop, second + first
        before[indent] = (start, stop)


def _headline(code):
    code = _short(code)
    return code if len(code) <= 60 else code[:57] + "..."


def generate(root):
    kinds = (
        (_without_tests, "a precondition is left out"),
        (_negated, "a guard is the other way round"),
        (_swapped, "what comes first comes second"),
    )
    for source in sorted((root / "src/plan").glob("*.c")):
        text = source.read_text()
        path = source.relative_to(root).as_posix()
        seen = {}
        for kind, breaks in kinds:
            for function, begin, end in _functions(text):
                for label, start, stop, new in kind(text, function, begin, end):
                    label = f"{source.stem}/{label}"
                    seen[label] = seen.get(label, 0) + 1
                    if seen[label] > 1:
                        label += f" #{seen[label]}"
                    yield _make(path, label, breaks, text, start, stop, new)
