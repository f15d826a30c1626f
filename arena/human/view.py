"""What a game needs of a terminal: typed lines, and one of two views, full screen or plain text."""

from __future__ import annotations

import os
import select
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import ceil
from typing import TextIO

from arena.game.rules import Rules
from arena.human.game import HumanGame
from arena.human.menu import MenuPage
from arena.show.numbers import amount, signed, span
from arena.show.terminal import can_show

BLOCK = 4096


class TypedLines:
    """The lines of a terminal, a pipe or a file, each waited for no longer than there is time."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdin
        self.encoding = getattr(self.stream, "encoding", None) or "utf-8"
        self.buffer = b""
        self.ended = False
        try:
            self.file: int | None = self.stream.fileno()
        except (OSError, ValueError, AttributeError):
            self.file = None  # not a real file: a test's, or none at all

    def next(self) -> str:
        """The next line without its end, however late; EOFError: there are no more."""
        line = self.read()
        assert line is not None
        return line

    def read(self, seconds: float | None = None) -> str | None:
        """The next line without its end; None if it does not come in time.

        EOFError: there are no more.
        """
        if self.file is None:
            line = self.stream.readline()
            if not line:
                raise EOFError
            return line.rstrip("\r\n")
        until = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self.buffer and not self.ended:
            left = None if until is None else max(0.0, until - time.monotonic())
            if not select.select([self.file], [], [], left)[0]:
                return None
            block = os.read(self.file, BLOCK)
            self.buffer += block
            self.ended = not block
        if not self.buffer:
            raise EOFError
        first, _, self.buffer = self.buffer.partition(b"\n")
        return first.decode(self.encoding, "replace").rstrip("\r")

    def forget(self) -> None:
        """Drop what has been typed on a terminal so far: it answered an older question."""
        if self.file is None or not self.stream.isatty():
            return
        import termios  # which not every system has

        termios.tcflush(self.file, termios.TCIFLUSH)
        self.buffer = b""


class View(ABC):
    """How the menu and a game are shown, and what is typed there."""

    def __init__(self) -> None:
        self.lines = TypedLines()

    @abstractmethod
    def ask(self, page: MenuPage, after: HumanGame | None = None) -> str:
        """The answer to a question of the menu, perhaps below the board of a finished game."""

    @abstractmethod
    def preparing(self, title: str) -> None:
        """A game is about to begin; engines are being made ready."""

    @abstractmethod
    def begin(self, game: HumanGame, title: Sequence[str]) -> None:
        """A game begins."""

    @abstractmethod
    def thinking(self, game: HumanGame, words: str) -> None:
        """Somebody thinks, and nothing is asked meanwhile."""

    @abstractmethod
    def moved(self, game: HumanGame) -> None:
        """A disc was dropped."""

    @abstractmethod
    def taken_back(self, game: HumanGame, words: str) -> None:
        """Discs were taken off the board."""

    @abstractmethod
    def ask_move(self, game: HumanGame, seconds: float | None) -> str | None:
        """What the person to move types; None if nothing comes in so many seconds."""

    @abstractmethod
    def tell(self, lines: Sequence[str]) -> None:
        """Something that a person wants to know."""

    @abstractmethod
    def over(self, game: HumanGame, lines: Sequence[str]) -> None:
        """The game has ended; what else there is to say."""

    @abstractmethod
    def pause(self, seconds: float) -> str | None:
        """Let those who watch see the last move; what was typed meanwhile."""


def is_screen() -> bool:
    """Whether there is a terminal that can draw."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return is_terminal and can_show("●▼│┌·") and os.environ.get("TERM", "") not in ("", "dumb")


def columns_in_words(rules: Rules) -> str:
    """How a column is named on this board."""
    if rules.is_flat:
        return f"a column from 1 to {rules.columns}"
    return f"x,y from 1,1 to {rules.width},{rules.depth}"


def column_name(column: int, rules: Rules) -> str:
    """A column, from 0, as people say it."""
    if rules.is_flat:
        return f"column {column + 1}"
    x, y = divmod(column, rules.depth)
    return f"{x + 1},{y + 1}"


def last_move_words(game: HumanGame, separator: str = ", ") -> str:
    """The last move: who, where, and for engines how long, how deep and what it thinks of it."""
    player, move = game.players[1 - game.to_move], game.moves[-1]
    parts = [f"{player.name} drops into {column_name(move.column, game.rules)}"]
    if not player.is_person:
        parts += [thinking_time(move.seconds)]
        parts += [] if move.depth is None else [f"depth {move.depth}"]
        parts += [] if move.nodes is None else [f"{amount(move.nodes)} nodes"]
        parts += [] if move.score is None else [f"score {signed(move.score)}"]
    return separator.join(parts)


def thinking_time(seconds: float) -> str:
    """How long a move took, as far as a person cares, in plain ASCII."""
    if seconds >= 0.9995:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 0.001 else "under 1 ms"


def clock_words(seconds: float) -> str:
    """Time left as a clock shows it, whose last second is 0:01."""
    return span(ceil(seconds))
