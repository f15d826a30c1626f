"""Programs that speak in lines: one adapter for every dialect of the table.

None of the dialects has a word for a new game, so a process plays one game. Nor has any a word for
being ready: a program is ready when it has read the first things it was told, or has answered
without. Until then no clock runs for it, but the time that it has to get ready does.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import Any, Literal

from arena.bots.dialects import DIALECTS, Dialect
from arena.bots.meter import NO_EXCUSE, Excuse
from arena.bots.process import Wait
from arena.bots.program import Program
from arena.bots.turn import Turn
from arena.engine.contract import Choice, Limits
from arena.engine.errors import Fault
from arena.engine.options import option
from arena.errors import BadRules, IllegalMove
from arena.game.position import Position
from arena.game.rules import Rules
from arena.text import printable

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
        self._meter.excused = NO_EXCUSE
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
        process.meter.look_for_children()
        process.meter.scheduled()  # what it waits for from now on counts for its move
        self._meter.excused = Excuse(perf_counter() - since, self._meter.cpu() - cpu)

    def _read_first(self, limits: Limits) -> int:
        """The first answer, which may take longer where that is the custom."""
        seconds = limits.seconds
        if seconds is None:
            return self._read(self.wait_for_move(limits))
        longer = replace(limits, seconds=seconds * self.dialect.first_turn)
        wait = self.wait_for_move(longer)
        column = self._read(wait)
        over = min(perf_counter() - wait.since, longer.seconds or 0.0) - seconds
        start, cpu = self._meter.excused
        self._meter.excused = Excuse(start + max(0.0, over), cpu)
        return column

    def _read(self, wait: Wait) -> int:
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
