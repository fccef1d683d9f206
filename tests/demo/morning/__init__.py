# SPDX-License-Identifier: Apache-2.0
"""What `make demo` shows. The claim by bare calls, for comparison, is the rig's own baseline."""

import pathlib
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]

sys.path.insert(0, str(REPOSITORY / "tests" / "end_to_end" / "rig"))
