# SPDX-License-Identifier: Apache-2.0
"""Reference: docs/api.md is what docs/render_api makes of crds/."""

import pathlib
import subprocess
import sys

from rule import Example

PAGE = "docs/api.md"
RENDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "render_api"


def rendered(folder):
    return subprocess.run(
        [sys.executable, RENDER, folder], check=True, capture_output=True, text=True
    ).stdout


def check(tree):
    if not (tree.root / "crds").exists():
        return
    page = tree.text(PAGE) if (tree.root / PAGE).exists() else ""
    if page != rendered(tree.root / "crds"):
        yield f"{PAGE}: is not of these crds/: docs/render_api > {PAGE}"


CRD = """spec:
  group: adjoint.dev
  names: {kind: Pool, shortNames: [apool]}
  versions:
    - name: v1alpha1
      schema:
        openAPIV3Schema:
          description: Clones.
          properties:
            spec: {properties: {size: {type: integer, minimum: 0, description: Wanted.}}}
            status: {properties: {}}
"""
EXAMPLES = [
    Example("a page of before", {"crds/pools.yaml": CRD, PAGE: "# API\n"}, "is not of these"),
    Example("no definitions", {PAGE: "# API\n"}, None),
]
