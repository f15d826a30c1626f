"""The command line: one file a command, nothing heavy imported before it is needed."""

from __future__ import annotations


def main() -> None:
    """Run the command `arena`, which may be started without stdin, stdout or stderr."""
    from arena.streams import fill_standard_streams

    fill_standard_streams()
    from arena.cli.app import app

    app(prog_name="arena")
