"""One game, as a program has it: who played what, how it ended, and the board to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.engine.errors import split_log
from arena.game.notation import draw, play_moves, write_moves
from arena.game.position import DISCS, Position
from arena.game.rules import Rules
from arena.show.html import board_html, escape
from arena.table.record import GameRecord, GameRow, MoveRecord, in_words


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

    rules: Rules
    players: tuple[str, str]
    opening: tuple[int, ...]
    columns: tuple[int, ...]  # every move, those of the opening first
    moves: tuple[MoveRecord, ...]
    result: int  # for the first player: 1 won, 0 drew, -1 lost
    reason: str
    detail: str
    seed: int
    number: int = 1
    trace: str = ""  # the engine's own lines, where it raised something
    printed: str = ""

    @classmethod
    def of_record(cls, record: GameRecord) -> Game:
        """A game that was played here."""
        rules = Rules.named(record.rules)
        return cls(rules, record.players, record.opening, record.columns, record.moves,
                   record.result, record.reason, record.detail, record.seed,
                   trace=record.trace, printed=record.printed)  # fmt: skip

    @classmethod
    def of_row(cls, row: GameRow, names: Sequence[str], rules: Rules) -> Game:
        """A game of a tournament."""
        players = names[row.first], names[row.second]
        return cls(rules, players, tuple(row.opening), tuple(row.moves), tuple(row.move_records()),
                   row.result, row.reason, row.detail, row.seed, row.number,
                   *split_log(row.log))  # fmt: skip

    @property
    def winner(self) -> str | None:
        """The name of the winner; None of a draw."""
        return None if not self.result else self.players[0 if self.result > 0 else 1]

    @property
    def plies(self) -> int:
        """How many moves were made, the opening included."""
        return len(self.columns)

    @property
    def notation(self) -> str:
        """All moves as people write them: 4453."""
        return write_moves(self.columns, self.rules)

    @property
    def final(self) -> Position:
        """The position in which it ended."""
        return play_moves(self.columns, self.rules)

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
