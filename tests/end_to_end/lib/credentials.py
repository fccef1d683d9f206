# SPDX-License-Identifier: Apache-2.0
"""usage: credentials.py AUDIT SINCE_MS

With how many tokens, one after the other, the operator's pod that wrote last has written: more than
one, or none was renewed.
"""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rig"))
# pylint: disable=wrong-import-position
from baseline.audit import OPERATOR, read_writes


def main(audit, since_ms):
    writes = [
        write
        for write in read_writes(audit)
        if write.agent == OPERATOR and write.pod and write.received_ms >= float(since_ms)
    ]
    last = [write for write in writes if write.pod == writes[-1].pod]
    tokens = [token for token, _ in itertools.groupby(last, lambda write: write.credential)]
    print(f"figure: {len(last)} writes of one pod, with {len(tokens)} tokens in turn")
    if len(set(tokens)) < 2:
        raise SystemExit("the token that it began with was never replaced")


if __name__ == "__main__":
    main(*sys.argv[1:])
