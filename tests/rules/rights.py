# SPDX-License-Identifier: Apache-2.0
"""Rights: the chart gives the operator what `adj doctor` asks for, and nothing else.

What doctor asks for is compared with the planners' own actions by tests/unit/cli/doctor_rights.c.
"""

import re

from rule import Example

CHART = "deploy/chart/templates/rbac.yaml"
DOCTOR = "src/cli/doctor_rights.c"
KINDS = "src/api/kind.c"
ORDER = "include/api/object.h"
NAMES = "include/api/names.h"
WATCH = ("get", "list", "watch")

LIST = re.compile(r"[\w./*\"-]+")
RULE = re.compile(
    r"- apiGroups: \[(.*?)\]\s+resources: \[(.*?)\]\s+"
    r"(?:resourceNames: .*?\s+)?verbs: \[(.*?)\]"
)
ROW = re.compile(r'\{(KIND_\w+), (NULL|"\w+"), \{(.*?)\}\}')
OTHER = re.compile(r'\{"([\w.]+)", "(\w+)", (?:true|false), \{(.*?)\}\}')


def words(text):
    return [word.strip('"') for word in LIST.findall(text)]


def given(chart):
    triples = set()
    for groups, resources, verbs in RULE.findall(chart):
        for group in words(groups) or [""]:
            triples |= {(group, r, v) for r in words(resources) for v in words(verbs)}
    return triples


def group_of(fields, names):
    """Of .prefix: "/apis/" and the name of a macro, or a literal; the core's is "/api/v1"."""
    prefix = re.search(r'\.prefix = "(.*?)"(?: (\w+))?', fields)
    if prefix is None or prefix.group(1) == "/api/v1":
        return ""
    macro = re.search(rf'#define {prefix.group(2)} "(.*?)"', names) if prefix.group(2) else None
    path = prefix.group(1) + (macro.group(1) if macro else "")
    return path.removeprefix("/apis/").split("/")[0]


def kinds(tree):
    text, names = tree.text(KINDS), tree.text(NAMES)
    parts = re.split(r"\[(KIND_\w+)\] = ", text)
    for name, fields in zip(parts[1::2], parts[2::2]):
        plural = re.search(r'\.plural = "(\w+)"', fields)
        if plural:
            yield name, (group_of(fields, names), plural.group(1))


def asked(tree):
    doctor = tree.text(DOCTOR)
    resources = dict(kinds(tree))
    order = re.findall(r"\bKIND_\w+", tree.text(ORDER).split("enum object_kind")[1].split("}")[0])
    watched = order[: order.index("KIND_WATCHED_COUNT")]
    triples = {(*resources[kind], verb) for kind in watched for verb in WATCH}
    for kind, subresource, verbs in ROW.findall(doctor):
        group, plural = resources[kind]
        name = plural if subresource == "NULL" else plural + "/" + subresource.strip('"')
        triples |= {(group, name, verb) for verb in words(verbs)}
    for group, resource, verbs in OTHER.findall(doctor):
        triples |= {(group, resource, verb) for verb in words(verbs)}
    return triples


def check(tree):
    if not (tree.root / CHART).exists():
        return
    has, wants = given(tree.text(CHART)), asked(tree)
    for group, resource, verb in sorted(wants - has):
        yield f"{CHART}: does not let the operator {verb} {resource} ({group or 'core'})"
    for group, resource, verb in sorted(has - wants):
        yield f"{CHART}: lets the operator {verb} {resource} ({group or 'core'}), and nobody asks"


CODE = {
    ORDER: "enum object_kind {\n KIND_POOL,\n KIND_WATCHED_COUNT,\n KIND_SECRET };\n",
    NAMES: '#define NAME_API_VERSION "adjoint.dev/v1alpha1"\n',
    KINDS: '[KIND_POOL] = {.prefix = "/apis/" NAME_API_VERSION, .plural = "pools"},\n'
    '[KIND_SECRET] = {.prefix = "/api/v1", .plural = "secrets"},\n',
    DOCTOR: '{KIND_SECRET, NULL, {"create"}},\n{"events.k8s.io", "events", false, {"patch"}},\n',
}
POOLS = "- apiGroups: [adjoint.dev]\n  resources: [pools]\n  verbs: [get, list, watch]\n"
SECRETS = '- apiGroups: [""]\n  resources: [secrets]\n  verbs: [create]\n'
READ = SECRETS.replace("create", "get")
EVENTS = "- apiGroups: [events.k8s.io]\n  resources: [events]\n  verbs: [patch]\n"
EXAMPLES = [
    Example("just what is asked for", CODE | {CHART: POOLS + SECRETS + EVENTS}, None),
    Example("one less", CODE | {CHART: POOLS + EVENTS}, "not let the operator create secrets"),
    Example("one more", CODE | {CHART: POOLS + SECRETS + READ + EVENTS}, "lets the operator get"),
    Example("no chart", CODE, None),
]
