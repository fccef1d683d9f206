# SPDX-License-Identifier: Apache-2.0
"""Links: what README.md and the pages of docs/ link to in this repository is there, the heading it
names too; and no page of docs/ is one that nobody finds from README.md.
"""

import re

from rule import Example

LINK = re.compile(r"\[[^\]]*\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)|<img src=\"([^\"]+)\"")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def anchors(text):
    """As GitHub makes them of headings."""
    for heading in HEADING.findall(text):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def check(tree):
    pages = [path for path in tree.files() if path.suffix == ".md"
             and (path.as_posix() == "README.md" or path.parts[0] == "docs")]
    found = set()
    for page in pages:
        for match in LINK.finditer(tree.text(page)):
            name = match.group(1) or match.group(3)
            target = (tree.root / page.parent / name).resolve() if name else tree.root / page
            found.add(target)
            if not target.exists():
                yield f"{page}: links to {name}, which is not there"
            elif match.group(2) and match.group(2) not in anchors(target.read_text()):
                yield f"{page}: {name or page} has no heading #{match.group(2)}"
    for page in pages if (tree.root / "README.md").exists() else []:
        if page.parts[0] == "docs" and (tree.root / page).resolve() not in found:
            yield f"{page}: no page links to it"


PAGE = {"docs/a.md": "# One\n## Two, and three\n"}
EXAMPLES = [
    Example("all there", PAGE | {"README.md": "[a](docs/a.md#two-and-three) [b](https:b)\n"}, None),
    Example("a page is gone", {"README.md": "[a](docs/a.md)\n"}, "docs/a.md, which is not there"),
    Example("a heading is gone", PAGE | {"README.md": "[a](docs/a.md#four)\n"}, "heading #four"),
    Example("in the page itself", {"README.md": "# One\n[a](#two)\n"}, "README.md has no heading"),
    Example("a picture is gone", {"README.md": '<img src="docs/x.svg">\n'}, "docs/x.svg, which"),
    Example("a page that nobody finds", PAGE | {"README.md": "x\n"}, "docs/a.md: no page links"),
]
