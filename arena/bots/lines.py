"""Programs that speak in lines: one adapter for every dialect of the table.

None of the dialects has a word for a new game, so a process plays one game. Nor has any a word for
being ready: a program is ready when it has read the first things it was told, or has answered
without. Until then no clock runs for it, but the time that it has to get ready does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Literal

from arena.bots.adapter import Program
from arena.bots.boards import Symbols, board_text, read_flat_board
from arena.engine.contract import Choice, Limits
from arena.engine.errors import Fault
from arena.engine.options import option
from arena.errors import BadRules, IllegalMove
from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.text import printable
from arena.timing import NOTHING, Deadline, NotCharged

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


class Turn:
    """What there is to say about a turn, word by word; each is looked up when a line has it."""

    def __init__(self, dialect: Dialect, position: Position, player: int, limits: Limits) -> None:
        self.dialect = dialect
        self.position = position
        self.player = player  # 0 or 1: to whom it is said
        self.limits = limits

    def __getitem__(self, word: str) -> object:
        return getattr(self, word)

    def say(self, patterns: Iterable[str]) -> str:
        """Lines, filled in, as one text."""
        return "\n".join(pattern.format_map(self) for pattern in patterns)

    @property
    def me(self) -> int:
        """The number of the program's own side."""
        return self.player + self.dialect.first_player

    @property
    def other(self) -> int:
        """The number of its opponent."""
        return 1 - self.player + self.dialect.first_player

    @property
    def columns(self) -> int:
        """How many columns the board has."""
        return self.position.rules.columns

    @property
    def rows(self) -> int:
        """How many discs a column holds."""
        return self.position.rules.height

    @property
    def turn(self) -> int:
        """How many moves have been made, a steal among them."""
        return self.position.ply + self.position.stolen

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self.position.ply // self.dialect.plies_a_round + 1

    @property
    def field(self) -> str:
        """The board."""
        return self.dialect.write_field(self.position)

    @property
    def count(self) -> int:
        """How many moves there are to choose from."""
        return len(self._choices)

    @property
    def actions(self) -> str:
        """The moves to choose from, one a line."""
        return "\n".join(map(self.dialect.write_column, self._choices))

    @property
    def _choices(self) -> tuple[int, ...]:
        steal = (STEAL,) if self.position.can_steal else ()
        return (*self.position.legal, *steal)

    @property
    def last(self) -> str:
        """The opponent's last move."""
        moves = self.position.moves
        return self.dialect.write_column(moves[-1]) if moves else self.dialect.no_move

    @property
    def bank(self) -> int:
        """Milliseconds for the game; where a move has a limit of its own, those of a move."""
        given = self._of_move if self.limits.clock is None else self.limits.clock
        return self.dialect.bank if given is None else milliseconds(given)

    @property
    def time_per_move(self) -> int:
        """Milliseconds that the bank gains with a move."""
        if self.limits.clock is not None:
            return int(1000 * self.limits.increment)
        given = self._of_move
        return self.dialect.time_per_move if given is None else milliseconds(given)

    @property
    def time(self) -> int:
        """Milliseconds for this move."""
        given = [x for x in (self._of_move, self.limits.clock) if x is not None]
        return milliseconds(min(given)) if given else self.dialect.bank

    @property
    def _of_move(self) -> float | None:
        """Seconds that a move has for itself; of processor time, as much as on the wall."""
        given = [x for x in (self.limits.seconds, self.limits.cpu) if x is not None]
        return min(given, default=None)


def milliseconds(seconds: float) -> int:
    """Whole milliseconds, never more than there are, and at least one."""
    return max(1, int(1000 * seconds))


MOST_CHATTER = 1 << 20  # characters before an answer
LONGEST = 60  # characters of an answer that a sentence repeats


class LineEngine(Program):
    """Plays by a dialect's table: says its lines, skips chatter, reads the answer."""

    dialect: Dialect

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.expected: Position | None = None  # after its last answer; None: it was told nothing

    def check_rules(self, rules: Rules) -> None:
        """Decline a game that the dialect has no words for."""
        super().check_rules(rules)
        self.dialect.check(rules if self.dialect.pie else rules.plain)

    def new_game(self) -> None:
        """Start a process for this game."""
        self.check_rules(self.rules)
        self._start_anew()
        super().new_game()

    def _start_anew(self) -> None:
        """Let go of a process that was told something; the next one knows nothing yet."""
        if self.expected is not None:
            self.expected = None
            self.replace_process()

    def reply(self, position: Position, limits: Limits) -> Choice:
        """Say what there is to say, and read the column."""
        dialect = self.dialect
        turn = Turn(dialect, position, position.to_move, limits)
        self._meter.not_charged = NOTHING
        if self.expected is None or not _follows(position, self.expected):
            self._greet(turn)
            column = self._read_first(limits)
        else:
            wait = self.wait_for_move(limits)
            self.process.pass_over()
            self.process.send(turn.say(dialect.turn))
            column = self._read(wait)
        self.expected = after = _after(position, column)
        if dialect.after and after is not position:
            self.process.send(Turn(dialect, after, turn.player, limits).say(dialect.after))
        return Choice(column)

    def _greet(self, turn: Turn) -> None:
        """Say the first things to a new process until they are read, which no clock counts."""
        since, cpu, dialect = perf_counter(), self._meter.cpu_before(), self.dialect
        self._start_anew()
        process = self.process
        objection = self.check_opening(turn.turn)
        if objection is not None and turn.turn > 1:
            raise BadRules(objection)
        self.expected = turn.position
        wait = self.wait_for_start(process)
        process.send(turn.say((*dialect.settings, *dialect.turn)))
        process.wait_until_read(wait, dialect.is_answer)
        process.meter.refresh()
        process.meter.schedstat()  # what it waits for from now on counts for its move
        self._meter.not_charged = NotCharged(perf_counter() - since, self._meter.cpu() - cpu)

    def _read_first(self, limits: Limits) -> int:
        """The first answer, which may take longer where that is the custom."""
        seconds = limits.seconds
        if seconds is None:
            return self._read(self.wait_for_move(limits))
        longer = replace(limits, seconds=seconds * self.dialect.first_turn)
        wait = self.wait_for_move(longer)
        column = self._read(wait)
        over = min(perf_counter() - wait.since, longer.seconds or 0.0) - seconds
        start, cpu = self._meter.not_charged
        self._meter.not_charged = NotCharged(start + max(0.0, over), cpu)
        return column

    def _read(self, wait: Deadline) -> int:
        """The column of the next answer, whatever is said before it."""
        process, dialect, skipped, last = self.process, self.dialect, 0, ""
        while skipped <= MOST_CHATTER:
            try:
                line = process.read(wait)
            except Fault as fault:
                raise _with_chatter(fault, last) from None
            if dialect.is_answer(line):
                column = dialect.read_answer(line)
                if column is None:
                    raise Fault("illegal move", f"answered {_short(line)}, which names no column")
                return column
            skipped += len(line) + 1
            last = line if line.strip() else last
        raise Fault("illegal move", f"wrote {skipped} characters without an answer among them")


class AiGames(LineEngine):
    """A program that speaks the dialect of theaigames, as in aigames:./bot."""

    kind = "aigames"
    dialect = DIALECTS["aigames"]
    hears = dialect.hears


class Riddles(LineEngine):
    """A program that speaks the dialect of riddles.io, as in riddles:./bot."""

    kind = "riddles"
    dialect = DIALECTS["riddles"]
    hears = dialect.hears


class CodinGame(LineEngine):
    """A program written for CodinGame's Connect 4, as in codingame:./bot."""

    kind = "codingame"
    dialect = DIALECTS["codingame"]
    hears = dialect.hears
    plays_pie = dialect.pie


class Lines(LineEngine):
    """A program that reads and writes bare columns, as in lines:./bot."""

    kind = "lines"
    dialect = DIALECTS["lines"]
    hears = dialect.hears
    begins_anywhere = False
    plays_pie = True  # by stealing nothing: it could not be told that another disc is its own

    leftmost: Literal[0, 1] = option(0, "the number of the leftmost column")
    go: str = option("go!", "what it is told if it is to make the first move")

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.dialect = replace(self.dialect, leftmost=self.leftmost, no_move=self.go)

    def reply(self, position: Position, limits: Limits) -> Choice:
        """Say the last move; a disc that was stolen from it was always the other's."""
        return super().reply(position.plain, limits)


def _follows(position: Position, expected: Position) -> bool:
    """Whether a position is one move after another."""
    return position.moves[:-1] == expected.moves and len(position.moves) > len(expected.moves)


def _after(position: Position, column: int) -> Position:
    """The position after a move; the same one if it cannot be played."""
    try:
        return position.play(column)
    except IllegalMove:
        return position


def _with_chatter(fault: Fault, last: str) -> Fault:
    """What is to be said of a program, with the last thing it said itself."""
    if not last:
        return fault
    detail = f"{fault.detail}; {_short(last)} is no move"
    return Fault(fault.reason, detail, fault.trace, fault.is_from_outside)


def _short(line: str) -> str:
    """A line in quotes, cut where it is long."""
    line = printable(line.strip())
    return repr(line if len(line) <= LONGEST else line[: LONGEST - 3] + "...")
