"""A solved position: what each column is worth, as data and on the screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from arena.game.position import DISCS, Position
from arena.judge.verdict import VALUES, in_words, sign
from arena.show.board import COLOURS, MARGIN, board_text, board_width
from arena.show.numbers import amount, duration, signed
from arena.show.terminal import console

LIST_WIDTH = 40
STYLES = {1: "green", 0: "yellow", -1: "red"}


@dataclass(frozen=True)
class Solved:
    """The exact score of each legal column for the player to move; None is not proven."""

    position: Position
    scores: dict[int, int | None]
    seconds: float
    nodes: int

    @property
    def open(self) -> list[int]:
        """The columns that are not proven."""
        return [column for column, score in self.scores.items() if score is None]

    @property
    def most(self) -> int | None:
        """The highest score that is proven for a column."""
        return max((score for score in self.scores.values() if score is not None), default=None)

    @property
    def score(self) -> int | None:
        """What the position is worth; known when every column is."""
        return None if self.open else self.most

    @property
    def best(self) -> list[int]:
        """The columns that keep this score."""
        if self.score is None:
            return []
        return [column for column, score in self.scores.items() if score == self.score]

    def words(self, score: int) -> str:
        """A score as the player to move would say it."""
        return in_words(score, self.position.ply, self.position.rules.cells)

    def summary(self) -> str:
        """What the position is worth, in a sentence."""
        mover, most = DISCS[self.position.to_move], self.most
        if self.score is not None:
            return f"{mover} {self.words(self.score)}."
        if most is None or most < 0:
            return f"What {mover} can reach is not proven."
        return f"{mover} {self.words(most)}{' or sooner' if most > 0 else ' at least'}."

    def as_data(self) -> dict[str, Any]:
        """All of it for JSON; columns count from 1."""
        score = self.score
        return {
            "rules": self.position.rules.name,
            "position": self.position.notation,
            "to_move": DISCS[self.position.to_move],
            "complete": not self.open,
            "score": score,
            "value": None if score is None else VALUES[sign(score)],
            "words": None if score is None else self.words(score),
            "best": [column + 1 for column in self.best],
            "columns": {
                str(column + 1): {
                    "score": each,
                    "words": None if each is None else self.words(each),
                }
                for column, each in self.scores.items()
            },
            "seconds": self.seconds,
            "nodes": self.nodes,
        }


def show_solved(solved: Solved) -> None:
    """Print the board, what each column is worth, and how much work that was."""
    out, position = console(), solved.position
    mover = position.to_move
    title = Text(f"{position.rules}, ").append(DISCS[mover], style=f"bold {COLOURS[mover]}")
    out.print(title.append(" to move\n"))
    grid = Table.grid(padding=(0, 3))
    if position.rules.is_flat and board_width(position) + LIST_WIDTH <= out.width:
        grid.add_row(board_text(position), _columns(solved))
    else:
        grid.add_row(board_text(position))
        grid.add_row("")
        grid.add_row(_columns(solved))
    out.print(grid)
    out.print()
    out.print(solved.summary(), style="bold")
    out.print(f"{duration(solved.seconds)}, {amount(solved.nodes)} nodes", style="dim")


def _columns(solved: Solved) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="dim")
    table.add_column("column", justify="right")
    table.add_column("score", justify="right")
    table.add_column("")
    for column in range(solved.position.rules.columns):
        if column not in solved.scores:
            table.add_row(str(column + 1), "full", style="dim")
            continue
        score = solved.scores[column]
        if score is None:
            table.add_row(str(column + 1), "?", "not proven", style="dim")
            continue
        words = Text(solved.words(score), style=STYLES[sign(score)])
        if column in solved.best:
            words.append(f"{MARGIN}best", style="bold")
        table.add_row(str(column + 1), signed(score), words)
    return table
