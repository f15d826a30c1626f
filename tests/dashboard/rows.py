"""Games and tournaments for the tests of what is shown of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.journal import Journal
from arena.session import Run, Watcher, header_of
from arena.table.game import Game, MoveRecord, pack_telemetry
from arena.table.runner import GameOver
from arena.tournament.load import load_text


def row(number: int, first: int = 0, second: int = 1, **changes: Any) -> Game:
    """A game of four plies that the first player has won, a second long."""
    moves = b"\3\3\3\2"
    records = [MoveRecord(column, 0.1 * (ply + 1), 0.0) for ply, column in enumerate(moves)]
    values: dict[str, Any] = {
        "round": 1, "opening": b"", "moves": moves, "result": 1, "reason": "line",
        "detail": "x made a row (1,1) (2,1)", "seed": 1, "started": 1e9, "seconds": 1.0,
        "telemetry": pack_telemetry(records), **changes,
    }  # fmt: skip
    return Game(number=number, first=first, second=second, **values)


@contextmanager
def session(folder: Path, watcher: Watcher, text: str) -> Iterator[Run]:
    """A tournament that is ready to run against an empty journal."""
    tournament = load_text(f"name: t\noutput: {folder}\n{text}", folder / "t.yaml")
    with Journal.open(folder / "games.db", header_of(tournament)) as journal:
        yield Run(tournament, journal, watcher)


def finish(played: Run, ended: Game, table: int = 0) -> None:
    """A game ends at a table, as a runner would tell it."""
    game = played.agenda.take()
    assert game is not None
    played._record([GameOver(table, ended)])
