"""Lines of an export checked one by one, so that no journal is built from nonsense."""

from __future__ import annotations

from typing import Any

from arena.errors import ArenaError
from arena.game.notation import play_moves, read_moves
from arena.game.position import Position
from arena.journal.header import Contestant, Event, Header, Session
from arena.play.record import GameRow, telemetry_from_data

EXPORTED = 1  # the form of these lines
LARGEST = 1e300  # of a time in seconds
WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "text",
    dict: "an object",
    list: "a list",
}


def read_header(data: dict[str, Any]) -> Header:
    """The tournament, from the first line of an export."""
    if data.get("record") != "journal":
        raise ArenaError("expected the tournament first, a line with the record 'journal'")
    if take(data, "layout", int) > EXPORTED:
        raise ArenaError(
            f"layout {data['layout']} is newer than this version, which knows {EXPORTED}"
        )
    header = Header(
        name=take(data, "name", str),
        game=take(data, "game", str),
        seed=take(data, "seed", int),
        spec_text=take(data, "spec_text", str),
        canonical=take(data, "canonical", dict),
        fingerprint=take(data, "fingerprint", str),
        players=tuple(_contestant(player) for player in take(data, "players", list)),
        environment=take(data, "environment", dict),
        created=take(data, "created", float),
    )
    assert header.rules  # or an error that names the game
    return header


def read_session(data: dict[str, Any]) -> Session:
    """A run of the tournament."""
    return Session(
        command=take(data, "command", str),
        workers=take(data, "workers", int),
        environment=take(data, "environment", dict),
        started=take(data, "started", float),
        ended=None if data.get("ended") is None else take(data, "ended", float),
        why=None if data.get("why") is None else take(data, "why", str),
    )


def read_event(data: dict[str, Any]) -> Event:
    """Something that happened besides a game."""
    return Event(take(data, "at", float), take(data, "kind", str), take(data, "text", str))


def read_game(data: dict[str, Any], header: Header) -> GameRow:
    """A game whose players exist, whose moves can be played and whose result is theirs."""
    rules = header.rules
    opening = bytes(read_moves(take(data, "opening", str), rules))
    moves = bytes(read_moves(take(data, "moves", str), rules))
    row = GameRow(
        number=take(data, "number", int),
        round=take(data, "round", int),
        first=_seat(data, "first", header),
        second=_seat(data, "second", header),
        opening=opening,
        moves=moves,
        result=take(data, "result", int),
        reason=take(data, "reason", str),
        detail=take(data, "detail", str),
        seed=take(data, "seed", int),
        started=take(data, "started", float),
        seconds=take(data, "seconds", float),
        telemetry=telemetry_from_data(data.get("telemetry"), moves[len(opening) :]),
        log=take(data, "log", str),
    )
    check_game(row, play_moves(moves, rules))
    return row


def take(data: dict[str, Any], key: str, kind: type) -> Any:
    """A value of this kind; a whole number will do for a number."""
    if key not in data:
        raise ArenaError(f"{key} is missing")
    value = data[key]
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) < LARGEST:
            return float(value)
    elif isinstance(value, kind) and not isinstance(value, bool):
        return value
    shown = repr(value)
    shown = shown if len(shown) <= 40 else shown[:37] + "..."
    raise ArenaError(f"{key} is {shown}; expected {WORDS[kind]}")


def check_game(row: GameRow, final: Position) -> None:
    """Whether the parts of a game agree with each other."""
    if max(abs(row.number), abs(row.round), abs(row.seed)) >= 2**63:
        raise ArenaError("number, round or seed is too large")
    if row.number < 0:
        raise ArenaError(f"number is {row.number}; games are numbered from 0")
    if not row.moves.startswith(row.opening):
        raise ArenaError("the moves do not begin with the opening")
    if row.result not in (-1, 0, 1):
        raise ArenaError(f"result is {row.result}; expected 1, 0 or -1")
    shown = {None: 0, 0: 1, 1: -1}[final.winner]
    if (row.reason == "line" or final.winner is not None) and shown != row.result:
        raise ArenaError(f"result is {row.result}, but the moves end with {shown}")


def _seat(data: dict[str, Any], key: str, header: Header) -> int:
    number = int(take(data, key, int))
    if not 0 <= number < len(header.players):
        raise ArenaError(f"{key} is {number}; the players are 0 to {len(header.players) - 1}")
    return number


def _contestant(data: Any) -> Contestant:
    if not isinstance(data, dict):
        raise ArenaError("a player is not an object")
    texts = [take(data, key, str) for key in ("name", "engine", "limits")]
    return Contestant(texts[0], texts[1], take(data, "options", dict), texts[2])
