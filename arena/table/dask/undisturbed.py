"""Loaded first by workers of this machine: what a terminal sends to all is for their owner."""

from __future__ import annotations

import signal
from typing import Any


def dask_setup(worker: Any) -> None:
    """A worker starts: Ctrl-C does not end it, nor what it starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
