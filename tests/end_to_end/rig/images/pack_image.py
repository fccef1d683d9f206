#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs a directory as an OCI image of one uncompressed layer.

usage: pack_image.py DIRECTORY REFERENCE CONFIGURATION ARCHIVE

CONFIGURATION is the image's `config` object in JSON (Entrypoint, User, Env, ..). Formats: OCI image
specification, image-layout.
"""

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
MEDIA = "application/vnd.oci.image."


def file_digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Layout:
    """An image layout directory: blobs, each under its own digest."""

    def __init__(self, directory):
        self.directory = directory
        self.blobs = os.path.join(directory, "blobs", "sha256")
        os.makedirs(self.blobs)

    def add_file(self, path, media_type):
        """Moves a file in and returns its descriptor."""
        digest = file_digest(path)
        descriptor = {
            "mediaType": media_type,
            "digest": "sha256:" + digest,
            "size": os.path.getsize(path),
        }
        shutil.move(path, os.path.join(self.blobs, digest))
        return descriptor

    def add_json(self, value, media_type):
        path = os.path.join(self.directory, "value")
        self.write_json("value", value)
        return self.add_file(path, media_type)

    def write_json(self, name, value):
        with open(os.path.join(self.directory, name), "w", encoding="utf-8") as file:
            json.dump(value, file)


def pack(directory, reference, configuration, archive):
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(archive))) as scratch:
        layer = os.path.join(scratch, "layer.tar")
        subprocess.run(
            ["tar", "--numeric-owner", "--sort=name", "-C", directory, "-cf", layer, "."],
            check=True,
        )
        layout = Layout(os.path.join(scratch, "layout"))
        layer = layout.add_file(layer, MEDIA + "layer.v1.tar")
        config = layout.add_json(
            {
                "os": "linux",
                "architecture": ARCHITECTURES[platform.machine()],
                "config": json.loads(configuration),
                "rootfs": {"type": "layers", "diff_ids": [layer["digest"]]},
            },
            MEDIA + "config.v1+json",
        )
        manifest = layout.add_json(
            {
                "schemaVersion": 2,
                "mediaType": MEDIA + "manifest.v1+json",
                "config": config,
                "layers": [layer],
            },
            MEDIA + "manifest.v1+json",
        )
        manifest["annotations"] = {
            "io.containerd.image.name": reference,
            "org.opencontainers.image.ref.name": reference.rsplit(":", 1)[-1],
        }
        layout.write_json("index.json", {"schemaVersion": 2, "manifests": [manifest]})
        layout.write_json("oci-layout", {"imageLayoutVersion": "1.0.0"})
        subprocess.run(
            ["tar", "-C", layout.directory, "-cf", archive, "oci-layout", "index.json", "blobs"],
            check=True,
        )


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    pack(*sys.argv[1:])
