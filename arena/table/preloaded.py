"""Loaded once into the process that tables are forked from, so that each of them is ready sooner.

The first kernel of a process makes numba load most of itself. Importing this module calls one.
"""

from __future__ import annotations

from contextlib import suppress

from arena.jit import CLOCK_ADDRESS, CLOCK_KIND, nanoseconds

with suppress(Exception):  # a table that cannot load its kernels will say so itself
    nanoseconds(CLOCK_ADDRESS, CLOCK_KIND)
