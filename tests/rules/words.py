# SPDX-License-Identifier: Apache-2.0
"""Words: the repository speaks of Adjoint alone, not of the machine it was written on."""

import re

from rule import Example

# Written so that this file does not match itself.
WORDS = re.compile(
    r"(?<![\w.])/[w]ork/|/tmp/[w]/|\.\./[s]hared|/[h]ome/(?!user/|dev/)\w|/[U]sers/\w"
)


def check(tree):
    for path in tree.files():
        text = tree.text(path)
        for match in WORDS.finditer(text if "\0" not in text else ""):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {match.group(0)!r} is a path of somebody's own machine"


EXAMPLES = [
    Example(
        "paths of a cluster's node pass",
        {"a.md": "/var/lib/work/x /etc/kubernetes ~/.kube/config /home/user/.minikube\n"},
        None,
    ),
    Example("a work tree", {"tests/run": "#\ncd /" + "work/main\n"}, "tests/run:2: '/" + "work/'"),
    Example("a scratch folder", {"a.c": "/* see /tmp/" + "w/log */\n"}, "a.c:1: '/tmp/" + "w/'"),
    Example("a neighbour", {"README.md": "../" + "shared/design.md\n"}, "README.md:1: '../"),
    Example("a home", {"Makefile": "A := /" + "home/ann/adjoint\n"}, "Makefile:1: '/"),
]
