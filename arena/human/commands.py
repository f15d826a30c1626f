"""What a person types at the board: a column, a command, or something to be asked again."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from arena.errors import suggestion
from arena.game.position import Position
from arena.game.rules import Rules

COMMANDS = {
    "hint": "what a strong engine would play",
    "undo": "take back your last move and the answer to it",
    "opinion": "what the other engine thinks of each column",
    "moves": "the moves so far",
    "resign": "give the game up",
    "help": "this list",
    "back": "leave the game for the menu",
    "quit": "leave",
}
LONGEST = 9  # digits that are read of a number; more are off any board
ALIASES = {"menu": "back", "exit": "quit", "takeback": "undo", "?": "help"}


@dataclass(frozen=True, slots=True)
class Drop:
    """Drop a disc into this column, from 0."""

    column: int


@dataclass(frozen=True, slots=True)
class Order:
    """Do what a command says."""

    command: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """Ask again, and say why."""

    reason: str


def read(text: str, position: Position) -> Drop | Order | Unclear:
    """What a line means in this position."""
    words = text.strip().lower()
    if not words:
        return Unclear(f"type {columns_in_words(position.rules)}, or help")
    if re.fullmatch(r"[0-9\s,.;+-]+", words):
        return _read_place(words, position)
    found = match(words, [*COMMANDS, *ALIASES])
    if len(found) == 1:
        return Order(ALIASES.get(found[0], found[0]))
    if found:
        return Unclear(f"{words!r} could be {' or '.join(found)}")
    near = suggestion(words, COMMANDS)
    near = near if "did you mean" in near else "; help lists the commands"
    return Unclear(
        f"{_short(text)} is neither {columns_in_words(position.rules)} nor a command{near}"
    )


def match(word: str, words: Collection[str]) -> list[str]:
    """The word itself, or all that begin with it."""
    if word in words:
        return [word]
    return [each for each in words if word and each.startswith(word)]


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


def _read_place(words: str, position: Position) -> Drop | Unclear:
    """A column by its number, or by x and y in space, where a number alone could mean both."""
    rules = position.rules
    sides = (rules.columns,) if rules.is_flat else (rules.width, rules.depth)
    numbers = [int(number[:LONGEST]) for number in re.findall(r"-?[0-9]+", words)]
    if len(numbers) != len(sides) or "." in words:
        return Unclear(f"{_short(words)} is not {columns_in_words(rules)}")
    if not all(1 <= number <= most for number, most in zip(numbers, sides, strict=True)):
        return Unclear(f"{_short(words)} is not on the board: {columns_in_words(rules)}")
    column = numbers[0] - 1 if rules.is_flat else (numbers[0] - 1) * rules.depth + numbers[1] - 1
    if column not in position.legal:
        return Unclear(f"{column_name(column, rules)} is full")
    return Drop(column)


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 20 else text[:17] + "...")
