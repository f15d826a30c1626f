"""Programs that speak a line protocol: one adapter for every dialect in the table.

No dialect announces a new game, so each process plays one game. No dialect says when a program is
ready: it is ready when it has read its first lines, or has answered. No move clock runs until then.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

from arena.bots.adapter import TIME_LIMITS, Program
from arena.bots.dialects import DIALECTS, Dialect, Turn
from arena.engine.contract import Choice, Limits
from arena.engine.errors import Fault
from arena.engine.options import option
from arena.errors import BadRules, IllegalMove
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.text import quote
from arena.timing import NOTHING, AnswerDeadline, NotCharged

MAX_CHATTER = 1 << 20  # characters before an answer


class LineEngine(Program):
    """A program that speaks a dialect: sends its lines, skips chatter, reads the answer."""

    dialect: Dialect

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.expected: Position | None = None  # after its last answer; None: nothing sent yet

    def check_rules(self, rules: Rules) -> None:
        self.dialect.check(rules if self.dialect.has_pie else rules.plain)

    def new_game(self) -> None:
        self.check_rules(self.rules)
        self._use_new_process()
        super().new_game()

    def _use_new_process(self) -> None:
        """End a process that has received lines, so that the next one starts fresh."""
        if self.expected is not None:
            self.expected = None
            self.replace_process()

    def reply(self, position: Position, limits: Limits) -> Choice:
        dialect = self.dialect
        turn = Turn(dialect, position, position.to_move, limits)
        self._meter.not_charged = NOTHING
        if self.expected is None or not _follows(position, self.expected):
            self._greet(turn)
            column = self._read_first(position.rules, limits)
        else:
            wait = self.wait_for_move(limits)
            self.process.discard_output()
            self.process.send(turn.write(dialect.turn))
            column = self._read(position.rules, wait)
        self.expected = after = _after(position, column)
        if dialect.after and after is not position:
            self.process.send(Turn(dialect, after, position.to_move, limits).write(dialect.after))
        return Choice(column)

    def start_advice(self) -> str:
        """Name the usual board of the dialect if this is another one."""
        usual = self.dialect.game
        size = Rules.named(usual).size
        if usual == CONNECT4.name or self.rules.size == size:
            return ""
        return f"; {self.kind} bots expect a {size} board: use --game {usual}"

    def _greet(self, turn: Turn) -> None:
        """Send the first lines to a new process and wait, off the clock, until they are read."""
        since, cpu, dialect = perf_counter(), self._meter.cpu_before(), self.dialect
        self._use_new_process()
        process, rules = self.process, turn.position.rules
        objection = self.check_opening(turn.turn)
        if objection is not None and turn.turn > 1:
            raise BadRules(objection)
        self.expected = turn.position
        wait = process.start_deadline(self.terms.start)
        process.send(turn.write((*dialect.settings, *dialect.turn)))
        process.wait_until_read(wait, lambda line: dialect.is_answer(line, rules))
        process.meter.refresh()
        process.meter.schedstat()  # from now on, waiting for a processor counts for the move
        self._meter.not_charged = NotCharged(perf_counter() - since, self._meter.cpu() - cpu)

    def _read_first(self, rules: Rules, limits: Limits) -> int:
        """Read the first answer, which may take longer in some dialects."""
        seconds = limits.seconds
        if seconds is None:
            return self._read(rules, self.wait_for_move(limits))
        longer = replace(limits, seconds=seconds * self.dialect.first_turn)
        wait = self.wait_for_move(longer)
        column = self._read(rules, wait)
        over = min(perf_counter() - wait.since, longer.seconds or 0.0) - seconds
        start, cpu = self._meter.not_charged
        self._meter.not_charged = NotCharged(start + max(0.0, over), cpu)
        return column

    def _read(self, rules: Rules, wait: AnswerDeadline) -> int:
        """Skip chatter and read the column of the next answer."""
        process, dialect, skipped, last = self.process, self.dialect, 0, ""
        while skipped <= MAX_CHATTER:
            try:
                line = process.read(wait)
            except Fault as fault:
                words = f"{fault.detail}; {quote(last)} is not a move"
                raise fault.in_words(words) if last else fault from None
            if dialect.is_answer(line, rules):
                column = dialect.read_answer(line, rules)
                if column is None:
                    words = f"answered {quote(line)}; expected {dialect.expected(rules)}"
                    raise Fault("illegal move", words)
                return column
            skipped += len(line) + 1
            last = line if line.strip() else last
        raise Fault("illegal move", f"wrote {skipped} characters without an answer among them")


class AiGames(LineEngine):
    """A program that speaks the protocol of theaigames, as in aigames:./bot."""

    kind = "aigames"
    dialect = DIALECTS["aigames"]
    supported_limits = TIME_LIMITS


class Riddles(LineEngine):
    """A program that speaks the protocol of riddles.io, as in riddles:./bot."""

    kind = "riddles"
    dialect = DIALECTS["riddles"]
    supported_limits = TIME_LIMITS


class CodinGame(LineEngine):
    """A program written for CodinGame's Connect 4, as in codingame:./bot or codingame:bot.js."""

    kind = "codingame"
    dialect = DIALECTS["codingame"]
    plays_pie = True

    def __init__(self, target: str, **options: Any) -> None:
        is_script = SCRIPT.match(target) is not None
        super().__init__(f"node {target}" if is_script else target, **options)
        self.target = target
        if Path(self.command[0]).name in ("node", "nodejs"):
            self.command[1:1] = ["--require", str(PRELUDE)]


PRELUDE = Path(__file__).with_name("codingame.js")  # readline() and print() for Node
SCRIPT = re.compile(r"\S+\.m?js(\s|$)|'[^']+\.m?js'")


class Lines(LineEngine):
    """A program that reads and writes bare columns, as in lines:./bot; in space x,y."""

    kind = "lines"
    dialect = DIALECTS["lines"]
    accepts_any_position = False
    plays_pie = True  # but never steals: it could not learn that its disc has changed hands

    leftmost: Literal[0, 1] = option(0, "the number of the leftmost column")
    go: str = option("go!", "the line that asks for the first move of a game")

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.dialect = replace(self.dialect, leftmost=self.leftmost, no_move=self.go)

    def reply(self, position: Position, limits: Limits) -> Choice:
        """Send the last move; a stolen disc counts as the opponent's from the start."""
        return super().reply(position.plain, limits)


def _follows(position: Position, expected: Position) -> bool:
    """Check whether a position is one move after another."""
    return position.moves[:-1] == expected.moves and len(position.moves) > len(expected.moves)


def _after(position: Position, column: int) -> Position:
    """The position after a move; the same one if it is illegal."""
    try:
        return position.play(column)
    except IllegalMove:
        return position
