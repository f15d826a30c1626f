"""What tests want to know of processes that should have ended."""

from __future__ import annotations

import time

import psutil


def is_gone(pid: int) -> bool:
    """Whether a process ends within a generous time."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.01)
    return False
