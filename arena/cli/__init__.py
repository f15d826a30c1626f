"""The command line: one file a command, nothing heavy imported before it is needed."""

from __future__ import annotations

import sys

SUPPORTED = ("linux", "darwin")


def main() -> None:
    """Run the command `arena`, which may be started without stdin, stdout or stderr."""
    from arena.streams import fill_standard_streams

    fill_standard_streams()
    if not sys.platform.startswith(SUPPORTED):
        hint = "; on Windows it runs inside WSL" if sys.platform == "win32" else ""
        sys.exit(_refused(f"arena: Linux and macOS are supported, this is {sys.platform}{hint}"))
    from arena.cli.app import app

    app(prog_name="arena")


def _refused(sentence: str) -> int:
    """Say why nothing is done; the exit code of bad input."""
    from arena.cli.exits import BAD_INPUT

    print(sentence, file=sys.stderr)
    return BAD_INPUT
