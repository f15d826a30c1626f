"""Journals and games to test with: legal games with telemetry of all kinds."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import Rules
from arena.journal import Contestant, Header, Journal
from arena.table.game import Game, MoveRecord, pack_telemetry

CANONICAL: dict[str, Any] = {
    "name": "example",
    "seed": 7,
    "engines": [
        {"name": "alpha", "options": {"depth": 4}},
        {"name": "beta", "options": {"depth": 4}},
        {"name": "gamma"},
    ],
}


def make_header(game: str = "connect4", **changes: Any) -> Header:
    """The header of a small tournament of three."""
    players = tuple(
        Contestant(name, "alphabeta", {"depth": depth}, f"depth={depth}")
        for depth, name in enumerate(("alpha", "beta", "gamma"), start=1)
    )
    given = {
        "name": "example",
        "game": game,
        "seed": 7,
        "spec_text": "name: example\n",
        "canonical": CANONICAL,
        "fingerprint": "f" * 64,
        "players": players,
        "environment": {"python": "3.x", "cores": 2},
        "created": 1_700_000_000.25,
    }
    return Header(**{**given, **changes})


def make_row(number: int, game: str = "connect4", **changes: Any) -> Game:
    """A game played at random to its end, the same for the same number."""
    random, rules = Random(number), Rules.named(game)
    opening = random.randrange(3)
    position = Position(rules)
    while not position.is_over:
        position = position.play(random.choice(position.legal))
    moves = bytes(position.moves)
    first = random.randrange(3)
    given = {
        "number": number,
        "round": number // 6,
        "first": first,
        "second": (first + random.choice((1, 2))) % 3,
        "opening": moves[:opening],
        "moves": moves,
        **ended(position),
        "detail": f"detail {number}",
        "seed": random.getrandbits(63),
        "started": 1_700_000_000 + random.random(),
        "seconds": random.random(),
        "telemetry": pack_telemetry([make_move(column, random) for column in moves[opening:]]),
    }
    return Game(**{**given, **changes})


def ended(position: Position) -> dict[str, Any]:
    """Result and reason of a finished position."""
    if position.winner is None:
        return {"result": 0, "reason": "full board"}
    return {"result": 1 if position.winner == 0 else -1, "reason": "line"}


def make_move(column: int, random: Random) -> MoveRecord:
    """A move about which little or much is known."""
    return MoveRecord(
        column,
        random.random(),
        random.random(),
        random.choice([None, 0.0, random.uniform(-1e6, 1e6)]),
        random.choice([None, 0, random.randrange(64)]),
        random.choice([None, 0, random.getrandbits(40)]),
    )


def short_row(number: int, moves: str, **changes: Any) -> Game:
    """A game with these moves and no telemetry."""
    columns = bytes(int(digit) - 1 for digit in moves)
    return make_row(
        number,
        **{
            "opening": b"",
            "moves": columns,
            "telemetry": b"",
            **ended(play_moves(columns)),
            **changes,
        },
    )


def fill(path: Path, count: int, game: str = "connect4") -> list[Game]:
    """Write a journal of games 0 to count - 1; tell what is in it."""
    rows = [make_row(number, game) for number in range(count)]
    with Journal.open(path, make_header(game)) as journal:
        for row in rows:
            journal.write(row)
    return rows
