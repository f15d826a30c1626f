"""`arena doctor`: whether everything is ready here, and what to do if something is not."""

from __future__ import annotations

from pathlib import Path

import typer

from arena.cli.exits import FOUND
from arena.cli.options import AsJson, OptionalJournal, option


def doctor(
    journal: OptionalJournal = None,
    save: Path | None = option(
        None, "--save NEW", "Copy all sound games of the journal into a new one."
    ),
    as_json: AsJson = False,
) -> None:
    """Check your setup, or verify a journal.

    It checks versions, cores, memory, processes, the compiler and its cache, engines and the
    terminal. For a journal, it verifies every checksum, replays every game and lists what is
    damaged; --save copies the sound games into a new journal, and the tournament resumes from it.
    The exit code is 0 if there is no problem, and 1 if there is one.

    Example: arena doctor

    Example: arena doctor reports/quickstart --save saved.db
    """
    from arena.cli.actions.doctor import is_well

    if not is_well(journal, save, as_json):
        raise typer.Exit(FOUND)
