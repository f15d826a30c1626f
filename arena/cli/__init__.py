"""The command line: one file a command, nothing heavy imported before it is needed."""

from __future__ import annotations

import sys

from arena.cli.exits import BAD_INPUT, INTERRUPTED
from arena.streams import fill_standard_streams

SUPPORTED = ("linux", "darwin")


def main() -> None:
    """Run the command `arena`, which may be started without stdin, stdout or stderr."""
    fill_standard_streams()
    if not sys.platform.startswith(SUPPORTED):
        reason = f"{sys.platform} is not supported; use Linux or macOS"
        if sys.platform == "win32":
            reason = "Windows is not supported natively; use WSL"
        print(f"arena: {reason}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    try:
        from arena.cli.app import app

        app(prog_name="arena")
    except KeyboardInterrupt:  # while modules load; a command has its own words for it
        sys.exit(INTERRUPTED)
