# SPDX-License-Identifier: Apache-2.0
"""The inputs that a fuzz target begins with.

Those of corpus/TARGET, one a line, with Python's escapes (`\\0` between two texts, `\\\\` for one
backslash; a line that begins with # says what follows is); and what unit tests and situations give
to the same decoder already: whole files, and the strings in a test's source.
"""

import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

FILES = {
    "kubeconfig": ["tests/unit/kube/kubeconfigs/*.yaml"],
    "yaml": ["tests/unit/kube/kubeconfigs/*.yaml", "tests/plans/common/*.yaml", "crds/*.yaml"],
}
STRINGS = {
    "base64": ["tests/unit/base/base64.c"],
    "cel": ["tests/unit/sim/cel.c"],
    "cron": ["tests/unit/plan/cron.c"],
    "exec_credential": ["tests/unit/kube/exec_plugin.c"],
    "filter": ["tests/unit/sim/filter.c"],
    "lease": ["tests/unit/kube/lease_record.c"],
    "pattern": ["tests/unit/sim/schema_cases.c"],
    "quantity": ["tests/unit/api/quantity.c", "tests/unit/sim/amount.c"],
    "route": ["tests/unit/sim/route.c", "tests/unit/sim/watch_options.c"],
    "timestamp": ["tests/unit/base/timestamp.c"],
    "url": ["tests/unit/sim/url.c"],
    "value": ["tests/unit/sim/value_parse.c"],
    "yaml": ["tests/unit/io/yaml.c"],
}

_STRINGS = re.compile(r'(?:"(?:\\.|[^"\\\n])*"\s*)+')
_ONE = re.compile(r'"((?:\\.|[^"\\\n])*)"')


def _bytes(escaped):
    return escaped.encode().decode("unicode_escape").encode("latin-1")


def _strings(source):
    """Of C, adjacent ones joined. In those that are JSON ' may stand for \"."""
    code = re.sub(r"^\s*#[^\n]*$|/\*.*?\*/", "", source, flags=re.MULTILINE | re.DOTALL)
    for match in _STRINGS.finditer(code):
        joined = b"".join(_bytes(part) for part in _ONE.findall(match.group(0)))
        yield joined.replace(b"'", b'"') if re.match(rb"[{\[]'", joined) else joined


def of(target):
    """All of them, each once."""
    found = {}
    own = HERE / "corpus" / target
    for line in own.read_text().splitlines() if own.exists() else []:
        if line and not line.startswith("#"):
            found[_bytes(line)] = None
    for pattern in FILES.get(target, []):
        for path in sorted(ROOT.glob(pattern)):
            found[path.read_bytes()] = None
    for name in STRINGS.get(target, []):
        for string in _strings((ROOT / name).read_text()):
            found[string] = None
    return list(found)
