"""Finished games to learn from: a file with a game a line, its columns in notation."""

from __future__ import annotations

from pathlib import Path

from arena.errors import ArenaError, BadNotation
from arena.game.notation import play_moves, read_moves
from arena.game.position import Position
from arena.game.rules import Rules

COMMENT = "#"


def read_records(path: Path, rules: Rules) -> tuple[Position, ...]:
    """The last position of every game of a file; empty lines and comments are skipped."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise BadNotation(f"{path.name} is not a text file") from None
    except OSError as error:
        raise BadNotation(f"{path.name} cannot be read: {error.strerror or error}") from None
    games = []
    for number, line in enumerate(lines, start=1):
        text = line.partition(COMMENT)[0].strip()
        if text:
            games.append(_game(text, rules, f"{path.name}, line {number}"))
    if not games:
        raise BadNotation(f"{path.name} holds no game; expected one a line, such as 4453...")
    return tuple(games)


def _game(text: str, rules: Rules, where: str) -> Position:
    try:
        end = play_moves(read_moves(text, rules), rules)
    except ArenaError as error:
        raise BadNotation(f"{where}: {error}") from None
    if not end.is_over:
        raise BadNotation(f"{where}: the game is not over after {end.ply} moves")
    return end
