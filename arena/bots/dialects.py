"""The line dialects as a table: what a program is sent, how a board is written, how it answers.

A line is a pattern such as "settings timebank {bank}". Our adapter fills in the words of `Turn` and
sends it; `arena speak` reads the same patterns backwards. So a dialect is spoken both ways by one
description, and a new one is one more entry here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from arena.bots.boards import Symbols, board_text, read_flat_board
from arena.errors import BadRules
from arena.game.position import STEAL, Position
from arena.game.rules import Rules

COLUMN = "[-+]?[0-9]{1,2}"
STEAL_NUMBER, STEAL_WORD = "-2", "STEAL"  # for the first disc, where the pie rule has words


@dataclass(frozen=True)
class Dialect:
    """One way to speak in lines; columns count from `leftmost`, players from `first_player`."""

    name: str
    game: str = "connect4"  # that is usually played
    settings: tuple[str, ...] = ()  # sent once, before anything else
    turn: tuple[str, ...] = ()  # sent when it is to move
    after: tuple[str, ...] = ()  # sent when it has moved
    answer: str = "{column}"
    words_after: bool = False  # whether an answer may go on with a space and any words
    symbols: Symbols[str] = (".", "0", "1")
    between_cells: str = ""
    between_rows: str = ""  # rows are written from the top
    first_player: int = 0
    leftmost: int = 0
    plies_a_round: int = 1
    no_move: str = "-1"  # in place of the opponent's last move where there is none
    pie: bool = False  # whether it has a word for the pie rule
    any_connect: bool = False  # whether it leaves the length of a line to the program
    hears: frozenset[str] = frozenset()  # the limits it has words for
    bank: int = 10_000  # milliseconds, as is the next: what it says where time is not limited
    time_per_move: int = 500
    first_turn: float = 1.0  # how many times as long as any other the first turn may take
    ordered: bool = False  # whether lines are known by their place, not by their words
    reading: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        column = f"(?P<column>{COLUMN}|{STEAL_WORD})" if self.pie else f"(?P<column>{COLUMN})"
        pattern = re.escape(self.answer).replace(re.escape("{column}"), column)
        pattern = pattern.replace(r"\ ", r"\s+") + (r"(?:\s.*)?" if self.words_after else "")
        object.__setattr__(self, "reading", re.compile(pattern, re.IGNORECASE | re.DOTALL))

    @property
    def command(self) -> str:
        """The word that every answer begins with, if there is one."""
        return self.answer.partition("{")[0].strip()

    @property
    def says_board(self) -> bool:
        """Whether a program is told the whole board each time, not only the last move."""
        return any("{field}" in line for line in self.turn)

    def check(self, rules: Rules) -> None:
        """Decline a game that the dialect has no words for."""
        if not rules.is_flat:
            raise BadRules(f"{self.name} programs play on flat boards, not on {rules.size}")
        if rules.connect != 4 and not self.any_connect:
            raise BadRules(f"{self.name} has no word for connect {rules.connect}; expected 4")
        if rules.pie and not self.pie:
            raise BadRules(f"{self.name} has no word for the pie rule; codingame has")

    def is_answer(self, line: str) -> bool:
        """Whether a line is meant as an answer, readable or not; the rest is chatter."""
        words = line.split(None, 1)
        begins = bool(self.command) and words[:1] == [self.command]
        return begins or self.reading.fullmatch(line.strip()) is not None

    def read_answer(self, line: str) -> int | None:
        """The column, from 0, that a line names; None if it names none."""
        answer = self.reading.fullmatch(line.strip())
        return None if answer is None else self.read_column(answer["column"])

    def read_column(self, text: str) -> int:
        """A column from 0, or STEAL, by its number or word."""
        if self.pie and text.upper() in (STEAL_NUMBER, STEAL_WORD):
            return STEAL
        return int(text) - self.leftmost

    def write_column(self, column: int) -> str:
        """The number of a column, or of a steal."""
        return STEAL_NUMBER if column == STEAL else str(column + self.leftmost)

    def write_answer(self, column: int) -> str:
        """The line by which a program drops into a column."""
        return self.answer.replace("{column}", self.write_column(column))

    def write_field(self, position: Position) -> str:
        """The board from the top."""
        return board_text(position, self.symbols, self.between_cells, self.between_rows)

    def read_field(self, text: str, rules: Rules) -> Position:
        """The position on a board as `write_field` writes it; its moves stay unknown."""
        separators = self.between_cells + self.between_rows
        cells = "".join(symbol for symbol in text if symbol not in separators)
        return read_flat_board(cells, rules, self.symbols)


TURN = (
    "update game round {round}",
    "update game field {field}",
    "action move {time}",
)
DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "aigames",
            settings=(
                "settings timebank {bank}",
                "settings time_per_move {time_per_move}",
                "settings player_names player1,player2",
                "settings your_bot player{me}",
                "settings your_botid {me}",
                "settings field_columns {columns}",
                "settings field_rows {rows}",
            ),
            turn=TURN,
            after=("update game field {field}",),
            answer="place_disc {column}",
            words_after=True,
            symbols=("0", "1", "2"),
            between_cells=",",
            between_rows=";",
            first_player=1,
            hears=frozenset({"seconds", "clock", "cpu"}),
        ),
        Dialect(
            "riddles",
            settings=(
                "settings player_names player0,player1",
                "settings your_bot player{me}",
                "settings timebank {bank}",
                "settings time_per_move {time_per_move}",
                "settings your_botid {me}",
                "settings field_width {columns}",
                "settings field_height {rows}",
            ),
            turn=TURN,
            answer="place_disc {column}",
            words_after=True,
            between_cells=",",
            between_rows=",",
            plies_a_round=2,
            hears=frozenset({"seconds", "clock", "cpu"}),
        ),
        Dialect(
            "codingame",
            game="connect4-9x7+pie",
            settings=("{me} {other}",),
            turn=("{turn}", "{field}", "{count}", "{actions}", "{last}"),
            words_after=True,
            between_rows="\n",
            pie=True,
            first_turn=10.0,
            ordered=True,
        ),
        Dialect("lines", turn=("{last}",), no_move="go!", any_connect=True, ordered=True),
    )
}
