# SPDX-License-Identifier: Apache-2.0
"""What a process holds in memory and has had of a processor, by the kernel's own account."""

import pathlib
import time

IDLE_S = 60


def read(process_id):
    """(RSS, RssAnon) in MiB. RssAnon is what it alone holds and cannot be dropped."""
    status = pathlib.Path(f"/proc/{process_id}/status").read_text(encoding="utf-8")
    fields = dict(line.split(":", 1) for line in status.splitlines())
    return tuple(int(fields[key].split()[0]) / 1024 for key in ("VmRSS", "RssAnon"))


def read_after_idling(process_id, idle_s=IDLE_S):
    time.sleep(idle_s)
    return read(process_id)


def processor_s(process_id):
    text = pathlib.Path(f"/proc/{process_id}/schedstat").read_text(encoding="utf-8")
    return int(text.split()[0]) / 1e9
