# SPDX-License-Identifier: Apache-2.0
"""What the rules share: the tree they look at, C without its comments, and what nm says.

A rule is a module with check(tree), which yields findings as one-line texts, and EXAMPLES, small
trees that prove it can fail and that it lets good code pass.
"""

import collections
import os
import pathlib
import re
import subprocess

# files: path -> text. finding: a part of the one finding that must come out; None for none.
Example = collections.namedtuple("Example", "name files finding")

# An archive's symbol. type: nm's letter. section: ".data.rel.ro.local", "*UND*".
Symbol = collections.namedtuple("Symbol", "member name type section")

SPDX_C = "/* SPDX-License-Identifier: Apache-2.0 */"
SPDX_SCRIPT = "# SPDX-License-Identifier: Apache-2.0"

_NOT_OURS = {".git", "build", "__pycache__"}
_COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL
)
# What gcc puts into an object beside its source's own.
_OF_A_SANITIZER = re.compile(r"__(a|l|ub)san_|_sub_[ID]_|__odr_asan|\.?L")
_INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


class Tree:
    """A checkout: root is its folder, archives the folder of its lib<folder>.a files."""

    def __init__(self, root, archives):
        self.root = pathlib.Path(root)
        self.archives = pathlib.Path(archives)

    def files(self):
        """Every file of ours as a path relative to the root, sorted."""
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(set(folders) - _NOT_OURS)
            found += [pathlib.Path(folder, name).relative_to(self.root) for name in names]
        return sorted(path for path in found if not (self.root / path).is_symlink())

    def sources(self, *tops):
        """The C files and headers below the given top folders."""
        return [p for p in self.files() if p.parts[0] in tops and p.suffix in (".c", ".h")]

    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def includes(self, path):
        """(line number, name, is_system) of each #include."""
        text = self.text(path)
        for match in _INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start(1)) + 1
            yield line, match.group(2), match.group(1) == "<"

    def symbols(self, folder):
        """The symbols of lib<folder>.a; none when the folder has no sources."""
        if not list((self.root / "src" / folder).glob("*.c")):
            return []
        archive = self.archives / f"lib{folder}.a"
        listing = subprocess.run(
            ["nm", "--format=sysv", "-A", archive], check=True, capture_output=True, text=True
        )
        return list(_parse_nm(listing.stdout))


def _parse_nm(listing):
    # archive:member:name |value|type|kind|size|line|section
    for line in listing.splitlines():
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 7:
            _, member, name = fields[0].rsplit(":", 2)
            if not _OF_A_SANITIZER.match(name):
                yield Symbol(member, name, fields[2], fields[6])


def code_only(text):
    """C with comments and the insides of literals blanked; every line keeps its number."""

    def blank(match):
        found = match.group(0)
        if found[0] in "\"'":
            return found[0] + " " * (len(found) - 2) + found[0]
        return re.sub(r"[^\n]", " ", found)

    return _COMMENT_OR_LITERAL.sub(blank, text)


def folder_of(path):
    """plan for src/plan/pool.c and include/plan/pool.h."""
    return path.parts[1] if len(path.parts) > 2 else ""


def libc_name(symbol):
    """The name as the source wrote it: __memcpy_chk is memcpy, __isoc99_sscanf is sscanf."""
    name = symbol.split("@")[0]
    checked = re.fullmatch(r"__(\w+)_chk", name)
    if checked:
        return checked.group(1)
    return re.sub(r"^__isoc(99|23)_", "", name)
