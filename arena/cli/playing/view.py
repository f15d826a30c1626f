"""How a game with people is shown and asked for: the two views, full screen and plain text."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Protocol

from arena.human.choices import FREE, Facts, Item, items, question, usual
from arena.human.commands import COMMANDS, column_name
from arena.human.menu import PATHS, Menu
from arena.show.numbers import amount, signed, span
from arena.show.terminal import dot

if TYPE_CHECKING:
    from arena.human.sitting import Sitting


class OutOfTime(Exception):
    """A person has thought too long."""


@dataclass(frozen=True)
class Question:
    """One question of the menu, ready to be shown."""

    words: str
    items: Sequence[Item]
    usual: str
    free: str
    note: str
    trail: str  # the answers so far


class View(Protocol):
    """What the play needs of a terminal."""

    def ask(self, question: Question, after: Sitting | None = None) -> str:
        """The answer to a question of the menu, perhaps below the board of a finished game."""

    def preparing(self, title: str) -> None:
        """A game is about to begin; engines are being made ready."""

    def begin(self, sitting: Sitting, title: Sequence[str]) -> None:
        """A game begins."""

    def thinking(self, sitting: Sitting, words: str) -> None:
        """Somebody thinks, and nothing is asked meanwhile."""

    def moved(self, sitting: Sitting) -> None:
        """A disc was dropped."""

    def taken_back(self, sitting: Sitting, words: str) -> None:
        """Discs were taken off the board."""

    def ask_move(self, sitting: Sitting, seconds: float | None) -> str:
        """What the person to move types; OutOfTime after so many seconds."""

    def tell(self, lines: Sequence[str]) -> None:
        """Something that a person wants to know."""

    def over(self, sitting: Sitting, lines: Sequence[str]) -> None:
        """The game has ended; what else there is to say."""

    def pause(self, seconds: float) -> str | None:
        """Let those who watch see the last move; what was typed meanwhile."""


def asked(menu: Menu, facts: Facts) -> Question:
    """The question of the step where the menu is."""
    step, setup = menu.step, menu.setup
    return Question(
        question(step, setup),
        items(step, setup, facts),
        usual(step, setup, facts),
        FREE.get(step, ""),
        menu.note,
        trail(menu, facts),
    )


def trail(menu: Menu, facts: Facts) -> str:
    """The answers before this step, in a line."""
    path = PATHS[menu.setup.people]
    if menu.step not in path:
        return ""
    before = path[: path.index(menu.step)]
    return f" {dot()} ".join(usual(step, menu.setup, facts) for step in before)


def move_words(sitting: Sitting, separator: str = ", ") -> str:
    """The last move: who, where, and for engines how long, how deep and what it thinks of it."""
    seat = 1 - sitting.to_move
    player, move = sitting.seats[seat], sitting.moves[-1]
    words = f"{player.name} drops into {column_name(move.column, sitting.position.rules)}"
    if player.is_person:
        return words
    told = [took(move.seconds)]
    told += [] if move.depth is None else [f"depth {move.depth}"]
    told += [] if move.nodes is None else [f"{amount(move.nodes)} nodes"]
    told += [] if move.score is None else [f"score {signed(move.score)}"]
    return separator.join([words, *told])


def took(seconds: float) -> str:
    """How long a move took, as far as a person cares, in plain ASCII."""
    if seconds >= 0.9995:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 0.001 else "under 1 ms"


def opinion_lines(name: str, worths: dict[int, float], sitting: Sitting) -> list[str]:
    """What an engine thinks of each column, the best marked: in a row, or peg by peg."""
    rules = sitting.position.rules
    if not worths:
        return [f"{name} has no opinion of single columns."]
    best = max(worths.values())

    def cell(column: int) -> str:
        if column not in worths:
            return "full " if column not in sitting.position.legal else "? "
        return signed(worths[column]) + ("*" if worths[column] == best else " ")

    width = max(7, 1 + max(len(cell(column)) for column in range(rules.columns)))
    heads = [f"{x + 1} ".rjust(width) for x in range(rules.width)]
    lines = [f"{name} on each column, for the player to move (* best):"]
    lines.append(("column" if rules.is_flat else "     x") + "".join(heads).rstrip())
    for y in range(rules.depth):
        label = "worth" if rules.is_flat else f"y {y + 1}"
        row = (cell(x * rules.depth + y).rjust(width) for x in range(rules.width))
        lines.append(f"{label:>6}" + "".join(row).rstrip())
    return lines


def help_lines(two_people: bool, engine: bool) -> list[str]:
    """The commands, as far as they do something in this game."""
    told = dict(COMMANDS)
    if two_people:
        told["undo"] = "take back the last move"
    if not engine:
        del told["opinion"]
    return [f"{command:8} {about}" for command, about in told.items()]


def clock_words(seconds: float) -> str:
    """Time left as a clock shows it, whose last second is 0:01."""
    return span(ceil(seconds))


def is_screen() -> bool:
    """Whether there is a terminal that can draw."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        "●▼│┌·".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return os.environ.get("TERM", "dumb") not in ("", "dumb")
