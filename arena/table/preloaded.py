"""Loaded once into the process that workers are forked from, so that each of them is ready sooner.

That process also adopts what bots leave behind: if a bot kills its keeper and its worker, its other
processes come here, where `Table.clear` finds them.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import suppress

from arena.processes import adopt_orphans

adopt_orphans()
warnings.filterwarnings("ignore", "forkserver: waitpid returned unexpected pid")

if "arena.jit" in sys.modules:  # loaded before, as the owner of the workers uses kernels
    from arena.jit import CLOCK_ADDRESS, CLOCK_KIND, nanoseconds

    with suppress(Exception):  # a worker that cannot load its kernels will say so itself
        nanoseconds(CLOCK_ADDRESS, CLOCK_KIND)  # the first kernel makes numba load most of itself

import arena.table.table_process  # noqa: E402, F401
