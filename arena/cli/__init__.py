"""The command line: one file a command, nothing heavy imported before it is needed."""

from __future__ import annotations


def main() -> None:
    """Run the command `arena`."""
    from arena.cli.app import app

    app(prog_name="arena")
