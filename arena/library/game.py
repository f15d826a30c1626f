"""One game, as a program has it: who played what, how it ended, and the board to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.game.notation import draw, write_moves
from arena.game.position import DISCS, Position
from arena.game.rules import Rules
from arena.show.board import board_html
from arena.show.table import escape
from arena.table.game import Game as FinishedGame
from arena.table.game import MoveRecord, in_words


@dataclass(frozen=True)
class Game:
    """A finished game.

    >>> game = arena.play("mcts", "random")
    >>> game.winner, game.reason, game.notation
    ('mcts', 'line', '43526...')

    Columns count from 0, as engines see them; notation counts from 1, as people do. `moves` are
    those after the opening, each with its time, score, depth and nodes; a game in which an engine
    brought its process down has none.
    """

    finished: FinishedGame
    names: Sequence[str]  # of the line-up
    rules: Rules

    @property
    def number(self) -> int:
        """Its number in the tournament."""
        return self.finished.number

    @property
    def players(self) -> tuple[str, str]:
        """The names of both, who moved first first."""
        return self.names[self.finished.first], self.names[self.finished.second]

    @property
    def opening(self) -> tuple[int, ...]:
        """The columns before the first choice."""
        return tuple(self.finished.opening)

    @property
    def columns(self) -> tuple[int, ...]:
        """Every move, those of the opening first."""
        return self.finished.columns

    @property
    def moves(self) -> tuple[MoveRecord, ...]:
        """The moves after the opening with their telemetry."""
        return tuple(self.finished.move_records())

    @property
    def result(self) -> int:
        """For the first player: 1 won, 0 drew, -1 lost."""
        return self.finished.result

    @property
    def reason(self) -> str:
        """Why it ended: "line", "full board", "time" and so on."""
        return self.finished.reason

    @property
    def detail(self) -> str:
        """The reason in a sentence."""
        return self.finished.detail

    @property
    def seed(self) -> int:
        """The seed of its engines."""
        return self.finished.seed

    @property
    def trace(self) -> str:
        """The engine's own lines, where it raised something."""
        return self.finished.trace

    @property
    def printed(self) -> str:
        """What the engines printed, where the game ended badly."""
        return self.finished.printed

    @property
    def winner(self) -> str | None:
        """The name of the winner; None of a draw."""
        return None if not self.result else self.players[0 if self.result > 0 else 1]

    @property
    def plies(self) -> int:
        """How many moves were made, the opening included."""
        return self.finished.plies

    @property
    def notation(self) -> str:
        """All moves as people write them: 4453."""
        return write_moves(self.columns, self.rules)

    @property
    def final(self) -> Position:
        """The position in which it ended."""
        return self.finished.final(self.rules)

    @property
    def story(self) -> str:
        """How it ended, in a sentence."""
        if self.winner is None:
            return f"a draw: {self.detail}"
        lines = self.final.winning_lines if self.reason == "line" else ()
        how = f"by a {in_words(lines[0], self.rules)}" if lines else f"({self.detail})"
        return f"{self.winner} wins {how}"

    def __str__(self) -> str:
        """The players, the board at the end, and the story."""
        return f"{self._heading}\n\n{draw(self.final)}\n\n{self.story}\n{self.notation}"

    def __repr__(self) -> str:
        return f"<Game {self.number}: {' against '.join(self.players)}, {self.notation}>"

    @property
    def _heading(self) -> str:
        first, second = self.players
        return f"{DISCS[0]} {first} against {DISCS[1]} {second}"

    def _repr_html_(self) -> str:
        trace = f"<pre>{escape(self.trace)}</pre>" if self.trace else ""
        words = f"<p>{escape(self.story)}<br><code>{escape(self.notation)}</code></p>"
        heading = f"<strong>{escape(' against '.join(self.players))}</strong>"
        return f"<div>{heading}{board_html(self.final)}{words}{trace}</div>"
