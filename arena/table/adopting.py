"""Loaded into the process that workers are forked from: it adopts what bots leave behind.

If a bot kills its keeper and its worker, its other processes come here, where `Table.clear` finds
them.
"""

from __future__ import annotations

import warnings

from arena.processes import adopt_orphans

adopt_orphans()
warnings.filterwarnings("ignore", "forkserver: waitpid returned unexpected pid")
