"""Where the journal is that a command is asked about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.journal import Journal

TOURNAMENTS = (".yaml", ".yml")


def open_journal(path: Path) -> Journal:
    """The journal in a file, in a directory, or of a tournament file, for reading."""
    from arena.journal import Journal

    return Journal.read(journal_path(path))


def journal_path(path: Path) -> Path:
    """Where a journal is; a tournament file stands for the one it has."""
    from arena.journal import GAMES, BadJournal

    if path.suffix.lower() not in TOURNAMENTS:
        return path
    from arena.tournament.spec import load

    games = Path(load(path).output) / GAMES
    if not games.exists():
        raise BadJournal(f"{path} has not been run: there is no journal {games}")
    return games
