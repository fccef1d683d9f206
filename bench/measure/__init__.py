# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share. The rig's own baseline, the claim by bare calls, is on the path."""

import pathlib
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
RIG = REPOSITORY / "tests" / "end_to_end" / "rig"

sys.path.insert(0, str(RIG))
