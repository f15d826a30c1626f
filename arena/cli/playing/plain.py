"""The plain view: rows of X, O and -, for pipes, simple terminals and those who want no colour.

The words are those of the S4 assignment: "It is now X's turn. Make a move by choosing your
coordinates to play."
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.cli.playing.board import plain_board
from arena.cli.playing.lines import Lines
from arena.cli.playing.view import OutOfTime, Question, clock_words, move_words
from arena.game.position import DISCS

if TYPE_CHECKING:
    from arena.human.sitting import Sitting

TURN = "It is now {disc}'s turn."
MOVE = "Make a move by choosing your coordinates to play."


class Plain:
    """Prints what is new, and reads lines."""

    def __init__(self) -> None:
        self.lines = Lines()
        self.prompt = "> " if sys.stdin.isatty() else ""
        self.asked = ""  # the question that stands above
        self.turn: int | None = None  # the ply that has been announced

    def ask(self, question: Question, after: Sitting | None = None) -> str:
        """Print a question with its choices, and read the answer."""
        if question.note:
            _print(f"{question.note}.")
        if not question.note or question.words != self.asked:
            self.asked = question.words
            _print("", question.words)
            width = max((len(item.word) for item in question.items), default=0)
            for number, item in enumerate(question.items, start=1):
                _print(f"{number:>3} {item.word:{width}}  {item.about}".rstrip())
            if question.free:
                _print(f"    {question.free}")
            _print(f"    Enter: {question.usual}; back, quit")
        line = self._read(None)
        assert line is not None
        return line

    def preparing(self, title: str) -> None:
        """Nothing to print: compiling tells of itself."""

    def begin(self, sitting: Sitting, title: Sequence[str]) -> None:
        """Print who plays, and the empty board."""
        first, second = sitting.seats
        _print(
            "",
            ", ".join(title),
            f"{DISCS[0]} {first.name} moves first, {DISCS[1]} {second.name} second.",
        )
        _print("", plain_board(sitting.position), "")
        self.turn = None

    def thinking(self, sitting: Sitting, words: str) -> None:
        """Nothing to print: the move tells how long it took."""

    def moved(self, sitting: Sitting) -> None:
        """Print the last move and the board."""
        self.turn = None
        _print(f"{DISCS[1 - sitting.to_move]} {move_words(sitting)}")
        _print(plain_board(sitting.position), "")

    def taken_back(self, sitting: Sitting, words: str) -> None:
        """Print the board as it is again."""
        self.turn = None
        _print(words, plain_board(sitting.position), "")

    def ask_move(self, sitting: Sitting, seconds: float | None) -> str:
        """Say whose turn it is, once, and read a line."""
        if self.turn != sitting.position.ply:
            self.turn = sitting.position.ply
            _print(*self._clocks(sitting, seconds))
            _print(TURN.format(disc=DISCS[sitting.to_move]), MOVE)
        line = self._read(seconds)
        if line is None:
            self.lines.forget()
            raise OutOfTime
        return line

    def tell(self, lines: Sequence[str]) -> None:
        """Print it."""
        _print(*lines)

    def over(self, sitting: Sitting, lines: Sequence[str]) -> None:
        """Print how it ended."""
        _print(sitting.outcome(), *lines)

    def pause(self, seconds: float) -> str | None:
        """Nobody needs time to read what stays on the page."""
        return None

    def _clocks(self, sitting: Sitting, seconds: float | None) -> list[str]:
        lefts = [clock.left for clock in sitting.referee.clocks]
        told = [f"{DISCS[seat]} {clock_words(left)}" for seat, left in enumerate(lefts)
                if left is not None]  # fmt: skip
        told += [] if sitting.pace.seconds is None else [f"this turn {clock_words(seconds or 0)}"]
        return [f"Time left: {', '.join(told)}"] if told else []

    def _read(self, seconds: float | None) -> str | None:
        if self.prompt:
            print(self.prompt, end="", flush=True)
        return self.lines.read(seconds)


def _print(*lines: str) -> None:
    for line in lines:
        print(line)
    sys.stdout.flush()
