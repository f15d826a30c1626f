"""Bots whose words would paint the screen red, move the cursor, or turn a line around."""

from __future__ import annotations

import sys

from arena import Choice, Engine, Limits, Position
from arena.errors import ArenaError

RED = "\x1b[31mred\x1b]0;title\x07 \x9b2J \u202eturned\u2066 \x7f\r\x08 over\u2028next"


class Odd:
    """An answer that shows itself in colours."""

    def __repr__(self) -> str:
        return RED


class Mute(Exception):
    """An error that fails when it is asked what went wrong."""

    def __str__(self) -> str:
        raise RuntimeError(RED)


class Shouts(Engine):
    """Prints, then fails, in colours."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        if position.ply < 2:
            return Choice(position.legal[0])
        print(RED)
        print(RED, file=sys.stderr)
        raise ValueError(RED)


class Mumbles(Engine):
    """Fails with an error that cannot be told."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        raise Mute


class Answers(Engine):
    """Answers something else, which is red."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Odd()  # type: ignore[return-value]


class Refuses(Engine):
    """Will not play on any board, and says so in colours."""

    def new_game(self) -> None:
        raise ArenaError(RED)

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0])


Refuses.__doc__ = f"{RED} and the rest"
