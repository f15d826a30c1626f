"""The tests hear Ctrl-C however they were started: a script's background has it ignored."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]

# Ends by the interrupt that it sends itself, or says that it did not come.
INTERRUPTED = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('nothing came')"

IGNORING = f"""
import signal, subprocess, sys
for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
import tests.conftest
assert signal.getsignal(signal.SIGHUP) == signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
child = subprocess.run([sys.executable, "-c", {INTERRUPTED!r}], capture_output=True, text=True)
print("KeyboardInterrupt" in child.stderr, child.stdout)
"""


def test_children_can_be_interrupted_where_signals_were_ignored() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IGNORING], capture_output=True, text=True, cwd=TOP, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("True", "")
