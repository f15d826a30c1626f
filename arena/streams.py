"""Standard streams: every process has three of them, also where it was started without."""

from __future__ import annotations

import os
import sys


def fill_standard_streams() -> None:
    """Open what a process was started without: the next file would become its stdin or stdout.

    Python has no stream for those; they read nothing and print nowhere.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115  # for the life of the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
