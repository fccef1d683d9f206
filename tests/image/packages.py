# SPDX-License-Identifier: Apache-2.0
"""usage: packages.py IMAGE STAGE

Whether the list of packages in an image says of each library what dpkg says of it in the stage that
the image was built in, and lists nothing else but the programs, their certificates and time zones.
"""

import json
import pathlib
import subprocess
import sys


def dpkg_query(stage, *arguments):
    command = ["chroot", stage, "dpkg-query", *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


def package_of(stage, path):
    """(name, version). dpkg has one of the two names of a file in merged /usr."""
    for name in (path, f"/usr{path}"):
        found = dpkg_query(stage, "-S", name)
        if found:
            package = found.split(": ")[0]
            return tuple(dpkg_query(stage, "-W", "-f", "${Package} ${Version}", package).split())
    raise SystemExit(f"no package has {path}")


def main(image, stage):
    root = pathlib.Path(image)
    listing = json.loads((root / "usr/share/sbom.spdx.json").read_text(encoding="utf-8"))
    listed = {(entry["name"], entry["versionInfo"]) for entry in listing["packages"]}
    paths = [f"/{path.relative_to(root)}" for path in root.rglob("*.so*")]
    others = ["/usr/sbin/update-ca-certificates", "/usr/share/zoneinfo/tzdata.zi"]
    true = {package_of(stage, path) for path in [*paths, *others]}
    said = subprocess.run(
        ["chroot", image, "/usr/bin/adjoint-operator", "--version"],
        check=True, capture_output=True, text=True,
    ).stdout
    true.add(("adjoint", said.split()[-1]))
    if listed != true:
        raise SystemExit(f"it lists {sorted(listed - true)} and lacks {sorted(true - listed)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
