"""The line protocols as a table: what each sends at a turn, and how it writes moves and boards."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from arena.bots.boards import STEAL_NUMBER, Symbols, board_text, read_flat_board
from arena.bots.uci_words import milliseconds
from arena.engine.limits import Limits
from arena.errors import BadRules
from arena.game.position import STEAL, Position
from arena.game.rules import CONNECT4, Rules

NUMBER = "[-+]?[0-9]{1,2}"
STEAL_WORD = "STEAL"  # takes over the first disc, as the number does


@dataclass(frozen=True)
class Dialect:
    """A line protocol; columns count from `leftmost`, players from `first_player`."""

    name: str
    game: str = "connect4"  # the usual game
    settings: tuple[str, ...] = ()  # sent once, before anything else
    turn: tuple[str, ...] = ()  # sent when the program is to move
    after: tuple[str, ...] = ()  # sent after its move
    answer: str = "{column}"
    allows_comment: bool = False  # an answer may end with a space and any words
    symbols: Symbols[str] = (".", "0", "1")
    between_cells: str = ""
    between_rows: str = ""  # rows start at the top
    first_player: int = 0
    leftmost: int = 0
    plies_per_round: int = 1
    no_move: str = "-1"  # replaces the opponent's last move if there is none
    has_pie: bool = False  # it can express the pie rule
    any_board: bool = False  # the program knows the board itself: any size, length and dimension
    bank: int = 10_000  # milliseconds that are sent if time is not limited
    time_per_move: int = 500  # the same
    first_turn: float = 1.0  # the first turn may take this many times the limit

    @property
    def command(self) -> str:
        """The word that every answer begins with, or nothing."""
        return self.answer.partition("{")[0].strip()

    @property
    def sends_board(self) -> bool:
        """Check whether each turn sends the whole board, not only the last move."""
        return any("{field}" in line for line in self.turn)

    def check(self, rules: Rules) -> None:
        """Refuse a game that the dialect cannot express."""
        if not rules.is_flat and not self.any_board:
            raise BadRules(f"{self.name} programs play on flat boards, not on {rules.size}")
        if rules.connect != 4 and not self.any_board:
            raise BadRules(f"{self.name} supports connect 4 only, not connect {rules.connect}")
        if rules.pie and not self.has_pie:
            raise BadRules(f"{self.name} does not support the pie rule; codingame does")

    def is_answer(self, line: str, rules: Rules = CONNECT4) -> bool:
        """Check whether a line is meant as an answer, valid or not; other lines are chatter."""
        begins = bool(self.command) and line.split(None, 1)[:1] == [self.command]
        return begins or _answer_pattern(self, rules.is_flat).fullmatch(line.strip()) is not None

    def read_answer(self, line: str, rules: Rules = CONNECT4) -> int | None:
        """The column, from 0, that a line names; None if it names none."""
        answer = _answer_pattern(self, rules.is_flat).fullmatch(line.strip())
        try:
            return None if answer is None else self.read_column(answer["column"], rules)
        except ValueError:
            return None

    def read_column(self, text: str, rules: Rules = CONNECT4) -> int:
        """Read a column from 0, or STEAL; in space from its x and y."""
        if self.has_pie and text.upper() in (str(STEAL_NUMBER), STEAL_WORD):
            return STEAL
        if rules.is_flat:
            return int(text) - self.leftmost
        x, y = (int(part) - self.leftmost for part in text.replace(",", " ").split())
        if not (0 <= x < rules.width and 0 <= y < rules.depth):
            raise ValueError(f"{text} is not on the board")
        return x * rules.depth + y

    def write_column(self, column: int, rules: Rules = CONNECT4) -> str:
        """The number of a column, in space its x and y, or the number of a steal."""
        if column == STEAL:
            return str(STEAL_NUMBER)
        parts = (column,) if rules.is_flat else divmod(column, rules.depth)
        return ",".join(str(part + self.leftmost) for part in parts)

    def write_answer(self, column: int, rules: Rules = CONNECT4) -> str:
        """The line by which a program drops into a column."""
        return self.answer.replace("{column}", self.write_column(column, rules))

    def expected(self, rules: Rules) -> str:
        """Describe a valid answer."""
        low, high = (self.write_answer(each, rules) for each in (0, rules.columns - 1))
        return f"{low} to {high}"

    def write_field(self, position: Position) -> str:
        """The board from the top."""
        return board_text(position, self.symbols, self.between_cells, self.between_rows)

    def read_field(self, text: str, rules: Rules) -> Position:
        """Read a board that `write_field` has written; its moves stay unknown."""
        separators = self.between_cells + self.between_rows
        cells = "".join(symbol for symbol in text if symbol not in separators)
        return read_flat_board(cells, rules, self.symbols)


@lru_cache(maxsize=64)
def _answer_pattern(dialect: Dialect, is_flat: bool) -> re.Pattern[str]:
    column = f"{NUMBER}|{STEAL_WORD}" if dialect.has_pie else NUMBER
    column = column if is_flat else rf"{NUMBER}(?:[ ,]\s*{NUMBER})?"
    pattern = re.escape(dialect.answer).replace(re.escape("{column}"), f"(?P<column>{column})")
    pattern = pattern.replace(r"\ ", r"\s+") + (r"(?:\s.*)?" if dialect.allows_comment else "")
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


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
            allows_comment=True,
            symbols=("0", "1", "2"),
            between_cells=",",
            between_rows=";",
            first_player=1,
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
            allows_comment=True,
            between_cells=",",
            between_rows=",",
            plies_per_round=2,
        ),
        Dialect(
            "codingame",
            game="9x7+pie",
            settings=("{me} {other}",),
            turn=("{turn}", "{field}", "{count}", "{actions}", "{last}"),
            allows_comment=True,
            between_rows="\n",
            has_pie=True,
            first_turn=10.0,
        ),
        Dialect("lines", turn=("{last}",), no_move="go!", any_board=True),
    )
}


class Turn:
    """The values of a turn; a pattern looks up only the ones it names."""

    def __init__(self, dialect: Dialect, position: Position, player: int, limits: Limits) -> None:
        self.dialect = dialect
        self.position = position
        self.limits = limits
        self.me = player + dialect.first_player
        self.other = 1 - player + dialect.first_player
        self.columns, self.rows = position.rules.columns, position.rules.height
        self.turn = position.ply + position.stolen  # a steal is a move too
        self.round = position.ply // dialect.plies_per_round + 1

    def __getitem__(self, name: str) -> object:
        return getattr(self, name)

    def write(self, patterns: Iterable[str]) -> str:
        """The lines of these patterns as one text."""
        return "\n".join(pattern.format_map(self) for pattern in patterns)

    @property
    def field(self) -> str:
        return self.dialect.write_field(self.position)

    @property
    def count(self) -> int:
        return len(self.position.choices)

    @property
    def actions(self) -> str:
        return "\n".join(map(self.dialect.write_column, self.position.choices))

    @property
    def last(self) -> str:
        position = self.position
        if not position.moves:
            return self.dialect.no_move
        return self.dialect.write_column(position.moves[-1], position.rules)

    @property
    def bank(self) -> int:
        """Milliseconds on the clock; without a clock, those of a move."""
        given = self._seconds if self.limits.clock is None else self.limits.clock
        return self.dialect.bank if given is None else milliseconds(given)

    @property
    def time_per_move(self) -> int:
        """Milliseconds that the clock gains with a move."""
        if self.limits.clock is not None:
            return int(1000 * self.limits.increment)
        given = self._seconds
        return self.dialect.time_per_move if given is None else milliseconds(given)

    @property
    def time(self) -> int:
        """Milliseconds for this move."""
        given = [x for x in (self._seconds, self.limits.clock) if x is not None]
        return milliseconds(min(given)) if given else self.dialect.bank

    @property
    def _seconds(self) -> float | None:
        """The limit of this move alone; processor time counts as time."""
        given = [x for x in (self.limits.seconds, self.limits.cpu) if x is not None]
        return min(given, default=None)
