# SPDX-License-Identifier: Apache-2.0
"""usage: terms.py AUDIT SINCE_MS TRANSITIONS

What the API server's audit log says of operators in pods that took turns: the leader's pod alone
writes, so that there are no more turns of writers than the Lease changed hands, and no create is
asked for again by the next one. Prints how many writes and turns there were.
"""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rig"))
# pylint: disable=wrong-import-position
from baseline.audit import read_writes

USER = "system:serviceaccount:adjoint-system:adjoint"


def main(audit, since_ms, transitions):
    writes = [
        write
        for write in read_writes(audit)
        if write.user == USER and write.pod and write.received_ms >= float(since_ms)
    ]
    changing = [write for write in writes if not write.dry_run]
    turns = [pod for pod, _ in itertools.groupby(changing, lambda write: write.pod)]
    again = [write for write in changing if (write.verb, write.code) == ("create", 409)]
    print(
        f"figure: {len(changing)} writes, in {len(turns)} turns of a pod, for {transitions} changes"
        f" of the Lease; creates asked for again: {len(again)}"
    )
    for write in again:
        print(f"{write.pod}: {write.what}")
    if again or len(turns) < 2 or len(turns) > int(transitions):
        raise SystemExit(f"turns: {turns}")


if __name__ == "__main__":
    main(*sys.argv[1:])
