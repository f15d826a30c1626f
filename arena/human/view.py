"""The plain view of a game: typed lines, words about moves and clocks, and boards in letters.

It prints rows of X, O and -, for pipes, simple terminals and people who want no colour.
Its words are those of the S4 assignment: "It is now X's turn. Make a move by choosing your
coordinates to play."
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Sequence
from math import ceil
from typing import TextIO

from arena.game.notation import column_range, move_words
from arena.game.position import DISCS, STEAL
from arena.game.rules import Rules
from arena.human.board import plain_board
from arena.human.game import HumanGame
from arena.human.menu import MenuPage
from arena.show.numbers import amount, signed, span
from arena.show.terminal import can_show

AWHILE = 0.5  # seconds: Ctrl-C in the moment before a wait would not end it
BLOCK = 4096
STEAL_OFFER = "Or type steal, and the first disc is yours"


class TypedLines:
    """Reads lines of a terminal, a pipe or a file, each within the time that there is."""

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
        """Wait for the next line without its end; EOFError at the end of the input."""
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
            left = AWHILE if until is None else max(0.0, until - time.monotonic())
            if not select.select([self.file], [], [], min(left, AWHILE))[0]:
                if left <= AWHILE and until is not None:
                    return None
                continue
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


class View:
    """Shows the menu and a game by printing what is new in letters, and reads what is typed."""

    def __init__(self) -> None:
        self.lines = TypedLines()
        self.prompt = "> " if sys.stdin.isatty() else ""
        self.question = ""  # that stands above
        self.announced_ply: int | None = None  # the ply whose turn has been announced

    def ask(self, page: MenuPage, after: HumanGame | None = None) -> str:
        """The answer to a question of the menu, perhaps below the board of a finished game."""
        if page.note:
            _print(f"{page.note}.")
        if not page.note or page.question != self.question:
            self.question = page.question
            _print("", page.question)
            width = max((len(item.word) for item in page.items), default=0)
            for number, item in enumerate(page.items, start=1):
                _print(f"{number:>3} {item.word:{width}}  {item.about}".rstrip())
            if page.other_answers:
                _print(f"    {page.other_answers}")
            _print(f"    Enter: {page.usual}; back, quit")
        print(self.prompt, end="", flush=True)
        return self.lines.next()

    def preparing(self, title: str) -> None:
        """Engines warm up before a game, with a progress line of their own."""

    def begin(self, game: HumanGame, title: Sequence[str]) -> None:
        """A game begins: who plays, and the empty board."""
        first, second = game.players
        order = f"{DISCS[0]} {first} moves first, {DISCS[1]} {second} second."
        self._board(game, "", ", ".join(title), order, "")

    def thinking(self, game: HumanGame, words: str) -> None:
        """An engine thinks; its move will say how long it took."""

    def moved(self, game: HumanGame) -> None:
        """A disc was dropped, or stolen."""
        self._board(game, f"{DISCS[1 - game.to_move]} {last_move_words(game)}")

    def taken_back(self, game: HumanGame, words: str) -> None:
        """Discs were taken off the board."""
        self._board(game, words)

    def ask_move(self, game: HumanGame, seconds: float | None) -> str | None:
        """The line that the person to move types; None if none comes in time."""
        if self.announced_ply != len(game.moves):
            self.announced_ply = len(game.moves)
            turn = f"It is now {DISCS[game.to_move]}'s turn."
            move = "Make a move by choosing your coordinates to play."
            steal = [f"{STEAL_OFFER}."] if game.position.can_steal else []
            _print(*_clocks(game, seconds), turn, move, *steal)
        print(self.prompt, end="", flush=True)
        line = self.lines.read(seconds)
        if line is None:
            self.lines.forget()
        return line

    def tell(self, lines: Sequence[str]) -> None:
        """Print an answer to a person."""
        _print(*lines)

    def over(self, game: HumanGame, lines: Sequence[str]) -> None:
        """The game has ended."""
        _print(game.outcome(), *lines)

    def pause(self, seconds: float) -> str | None:
        """The line typed while people look at the last move; here nothing waits for it."""
        return None

    def _board(self, game: HumanGame, *lines: str) -> None:
        """Print the board below these lines."""
        self.announced_ply = None
        _print(*lines, plain_board(game.position), "")


def _print(*lines: str) -> None:
    for line in lines:
        print(line)
    sys.stdout.flush()


def _clocks(game: HumanGame, seconds: float | None) -> list[str]:
    times = [f"{disc} {clock_words(clock.left)}"
             for disc, clock in zip(DISCS, game.clocks, strict=True)
             if clock.left is not None]  # fmt: skip
    if game.time_control.seconds is not None:
        times.append(f"this turn {clock_words(seconds or 0)}")
    return [f"Time left: {', '.join(times)}"] if times else []


def is_screen() -> bool:
    """Whether there is a terminal that can draw."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return is_terminal and can_show("●▼│┌·") and os.environ.get("TERM", "") not in ("", "dumb")


def columns_in_words(rules: Rules) -> str:
    """How a column is named on this board."""
    return f"{'a column' if rules.is_flat else 'x,y'} from {column_range(rules)}"


def last_move_words(game: HumanGame, separator: str = ", ") -> str:
    """The last move: who, where, and for engines how long, how deep and what it thinks of it."""
    player, move = game.participants[1 - game.to_move], game.moves[-1]
    drops = f"drops into {move_words(move.column, game.rules)}"
    parts = [f"{player.name} {'steals the first disc' if move.column == STEAL else drops}"]
    if not player.is_person:
        parts += [thinking_time(move.seconds)]
        parts += [] if move.depth is None else [f"depth {move.depth}"]
        parts += [] if move.nodes is None else [f"{amount(move.nodes)} nodes"]
        parts += [] if move.score is None else [f"score {signed(move.score)}"]
    return separator.join(parts)


def thinking_time(seconds: float) -> str:
    """The time of a move in plain ASCII."""
    if seconds >= 0.9995:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 0.001 else "under 1 ms"


def clock_words(seconds: float) -> str:
    """Time left as a clock shows it, whose last second is 0:01."""
    return span(ceil(seconds))
