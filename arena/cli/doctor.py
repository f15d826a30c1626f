"""`arena doctor`: whether everything is ready here, and what to do if something is not."""

from __future__ import annotations

import typer

from arena.cli.exits import FOUND
from arena.cli.options import AsJson, OptionalJournal


def doctor(
    journal: OptionalJournal = None,
    as_json: AsJson = False,
) -> None:
    """Check your setup, or verify a journal.

    It checks versions, cores, memory, processes, the compiler and its cache, engines and the
    terminal. For a journal, it reads every row, lists what is damaged, and says how to save the
    rest. The exit code is 0 if there is no problem, and 1 if there is one.

    Example: arena doctor

    Example: arena doctor reports/quickstart
    """
    from arena.cli.actions.doctor import is_well

    if not is_well(journal, as_json):
        raise typer.Exit(FOUND)
