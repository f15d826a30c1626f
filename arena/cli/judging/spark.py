"""A game's value by ply in two lines of text: how far ahead, and for whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from arena.game.position import DISCS
from arena.show.board import COLOURS, MARGIN
from arena.show.terminal import symbol

if TYPE_CHECKING:
    from arena.game.rules import Rules
    from arena.judge.game import Judged

BLOCKS, PLAIN = "▁▂▃▄▅▆▇█", "_.:-=+*#"
NAME = 8  # characters before the lines
UNKNOWN, DRAW = "?", "="


def sparkline(judged: Judged, rules: Rules) -> Text:
    """Score, value and blunders of each position, from the beginning; ? is not proven.

    The score is the first player's, from the lowest that the game reached to the highest.
    """
    leaders = [(" ", "")] * judged.opening + [_leader(value) for value in judged.values]
    lines = [
        _line("score", _levels(judged)),
        _line("ahead", leaders),
        _line("blunder", _marks(judged, rules)),
    ]
    return Text("\n").join(lines)


def _line(name: str, marks: Sequence[tuple[str, str]]) -> Text:
    text = Text(f"{MARGIN}{name.ljust(NAME)}", style="dim")
    for mark, style in marks:
        text.append(mark, style=f"not dim {style}")
    text.rstrip()
    return text


def _levels(judged: Judged) -> list[tuple[str, str]]:
    """A block for each position, as high as the first player's score."""
    places = range(judged.opening, len(judged.moves) + 1)
    scores = [
        None if score is None else score * (-1) ** ply
        for ply, score in zip(places, judged.scores, strict=True)
    ]
    known = [score for score in scores if score is not None]
    reach = max([1, *map(abs, known)])
    blocks = symbol(BLOCKS, PLAIN)
    marks = [(" ", "")] * judged.opening
    for score in scores:
        if score is None:
            marks.append((UNKNOWN, "dim"))
        else:
            level = round((score + reach) / (2 * reach) * (len(blocks) - 1))
            marks.append((blocks[level], _style(score)))
    return marks


def _leader(value: int | None) -> tuple[str, str]:
    if value is None:
        return UNKNOWN, "dim"
    return (DRAW, "dim") if value == 0 else (DISCS[value < 0], _style(value))


def _style(score: int) -> str:
    return "" if score == 0 else COLOURS[score < 0]


def _marks(judged: Judged, rules: Rules) -> list[tuple[str, str]]:
    """A mark below the position that a blunder led to."""
    marks = [(" ", "")] * (len(judged.moves) + 1)
    for ply, verdict in judged.verdicts(rules):
        if verdict is not None and not verdict.keeps_value:
            marks[ply + 1] = ("^", "bold")
    return marks
