"""The plain view: rows of X, O and -, for pipes, simple terminals and those who want no colour.

The words are those of the S4 assignment: "It is now X's turn. Make a move by choosing your
coordinates to play."
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from arena.game.position import DISCS
from arena.human.board import plain_board
from arena.human.game import HumanGame
from arena.human.menu import MenuPage
from arena.human.view import View, clock_words, last_move_words

TURN = "It is now {disc}'s turn."
MOVE = "Make a move by choosing your coordinates to play."


class PlainView(View):
    """Prints what is new, and reads lines."""

    def __init__(self) -> None:
        super().__init__()
        self.prompt = "> " if sys.stdin.isatty() else ""
        self.question = ""  # that stands above
        self.announced_ply: int | None = None  # the ply whose turn has been announced

    def ask(self, page: MenuPage, after: HumanGame | None = None) -> str:
        """Print a question with its choices, and read the answer."""
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
        self._prompt()
        return self.lines.next()

    def preparing(self, title: str) -> None:
        """Nothing to print: compiling tells of itself."""

    def begin(self, game: HumanGame, title: Sequence[str]) -> None:
        """Print who plays, and the empty board."""
        first, second = (player.name for player in game.players)
        order = f"{DISCS[0]} {first} moves first, {DISCS[1]} {second} second."
        self._board(game, "", ", ".join(title), order, "")

    def thinking(self, game: HumanGame, words: str) -> None:
        """Nothing to print: the move tells how long it took."""

    def moved(self, game: HumanGame) -> None:
        """Print the last move and the board."""
        self._board(game, f"{DISCS[1 - game.to_move]} {last_move_words(game)}")

    def taken_back(self, game: HumanGame, words: str) -> None:
        """Print the board as it is again."""
        self._board(game, words)

    def ask_move(self, game: HumanGame, seconds: float | None) -> str | None:
        """Say whose turn it is, once, and read a line."""
        if self.announced_ply != game.position.ply:
            self.announced_ply = game.position.ply
            _print(*self._clocks(game, seconds), TURN.format(disc=DISCS[game.to_move]), MOVE)
        self._prompt()
        line = self.lines.read(seconds)
        if line is None:
            self.lines.forget()
        return line

    def tell(self, lines: Sequence[str]) -> None:
        """Print it."""
        _print(*lines)

    def over(self, game: HumanGame, lines: Sequence[str]) -> None:
        """Print how it ended."""
        _print(game.outcome(), *lines)

    def pause(self, seconds: float) -> str | None:
        """Nobody needs time to read what stays on the page."""
        return None

    def _board(self, game: HumanGame, *lines: str) -> None:
        """The board below what is new, whereupon somebody is to move."""
        self.announced_ply = None
        _print(*lines, plain_board(game.position), "")

    def _clocks(self, game: HumanGame, seconds: float | None) -> list[str]:
        lefts = [clock.left for clock in game.referee.clocks]
        times = [f"{disc} {clock_words(left)}" for disc, left in zip(DISCS, lefts, strict=True)
                 if left is not None]  # fmt: skip
        if game.time_control.seconds is not None:
            times.append(f"this turn {clock_words(seconds or 0)}")
        return [f"Time left: {', '.join(times)}"] if times else []

    def _prompt(self) -> None:
        if self.prompt:
            print(self.prompt, end="", flush=True)


def _print(*lines: str) -> None:
    for line in lines:
        print(line)
    sys.stdout.flush()
