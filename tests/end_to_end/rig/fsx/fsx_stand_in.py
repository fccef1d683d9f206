#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serves the stand-in for FSx on loopback until it is killed.

usage: fsx_stand_in.py PORT DIRECTORY [OWNER]

DIRECTORY is on btrfs and holds the volumes and the state; OWNER is the user a new volume belongs to
(26, CloudNativePG's Postgres). FSX_CREATE_S, FSX_GAP_S, FSX_SNAPSHOT_S, FSX_DELETE_S, FSX_CALL_MS
and FSX_VOLUMES_MAX set how slow and how big it is.
"""

import os
import sys

from stand_in.disk import Disk
from stand_in.file_system import FileSystem, log
from stand_in.server import Server
from stand_in.settings import Settings


def main(port, directory, owner="26"):
    settings = Settings.from_environment()
    file_system = FileSystem(
        Disk(directory, int(owner)), settings, os.path.join(directory, "state.json")
    )
    log("serving on port", port, settings)
    Server(int(port), file_system).serve_forever()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
