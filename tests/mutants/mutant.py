# SPDX-License-Identifier: Apache-2.0
"""A mutant: one bug, as text that is replaced; and the tables of those that were made by hand.

A table in hand/ has blocks like this one; README.md says what each line is:

    == commit-without-its-state
    What was retired meanwhile is claimed all the same.
    src/plan/volume_patch.c
    -    test_state(&body, arena, STATE_WARM);
         body_operation(&body, "test", PATH_PHASE, "Bound");
"""

import dataclasses
import re

EXCUSE = "not caught: "


class TableError(Exception):
    """A table that cannot be read, or a mutant that does not fit the sources any more."""


@dataclasses.dataclass
class Hunk:
    """Whole lines."""

    path: str
    old: str
    new: str

    def apply(self, text):
        """old has to be there once."""
        places = [place.start() for place in re.finditer("^" + re.escape(self.old), text, re.M)]
        if len(places) != 1:
            raise TableError(
                f"does not apply: {self.path} has {len(places)} places like\n{self.old}"
            )
        return text[: places[0]] + self.new + text[places[0] + len(self.old) :]


@dataclasses.dataclass
class Mutant:
    name: str
    breaks: str  # what goes wrong by it
    hunks: list
    by_hand: bool = True
    excuse: str = ""  # why nothing can catch it

    def apply(self, root):
        """{path: the text of that file with the bug in it}."""
        texts = {}
        for hunk in self.hunks:
            if hunk.path not in texts:
                texts[hunk.path] = (root / hunk.path).read_text()
            texts[hunk.path] = hunk.apply(texts[hunk.path])
        return texts

    @property
    def path(self):
        """Of its first file."""
        return self.hunks[0].path

    @property
    def folder(self):
        return self.path.split("/")[1]


def _read_block(path, block):
    """One `==` block: name, words, a source, then lines of a patch; `@@` begins another hunk."""
    name, *lines = block
    words, hunks, excuse = [], [], ""
    for line in lines:
        if line.startswith("src/"):
            hunks.append(Hunk(line, "", ""))
        elif line == "@@":
            hunks.append(Hunk(hunks[-1].path, "", ""))
        elif not hunks and line.startswith(EXCUSE):
            excuse = line.removeprefix(EXCUSE)
        elif not hunks:
            words.append(line)
        else:
            _add_line(hunks[-1], line)
    if not words or not hunks or any(hunk.old == hunk.new for hunk in hunks):
        raise TableError(f"{path}: {name}: no words, no source, or no change")
    return Mutant(name, " ".join(words), hunks, excuse=excuse)


def _add_line(hunk, line):
    mark, rest = line[:1] or " ", line[1:] + "\n"
    if mark not in "-+ ":
        raise TableError(f"{hunk.path}: {line!r} is neither there, removed nor added")
    hunk.old += "" if mark == "+" else rest
    hunk.new += "" if mark == "-" else rest


def _blocks(text):
    block = None
    for line in text.splitlines():
        if line.startswith("== "):
            if block is not None:
                yield block
            block = [line.removeprefix("== ")]
        elif block is not None:
            block.append(line)
    if block is not None:
        yield block


def read_tables(folder):
    mutants = []
    for path in sorted(folder.glob("*.txt")):
        for block in _blocks(path.read_text()):
            while not block[-1]:
                block.pop()
            mutants.append(_read_block(path.name, block))
    names = [mutant.name for mutant in mutants]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise TableError(f"two mutants of one name: {', '.join(sorted(twice))}")
    return mutants


def read_excuses(path):
    """{name: why nothing can catch it} of mechanical mutants: a name, then an indented reason."""
    excuses, name = {}, None
    for line in path.read_text().splitlines():
        if line.startswith("    ") and name is not None:
            excuses[name] = (excuses[name] + " " + line.strip()).strip()
        elif line and not line.startswith("#"):
            name = line
            excuses[name] = ""
    return excuses
