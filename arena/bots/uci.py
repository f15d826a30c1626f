"""Programs that speak UCI with drop moves, such as Fairy-Stockfish: `uci:fairy-stockfish`.

Arena greets a program once, sets the board when it changes, and asks for moves by the game so far.
A program with the option VariantPath receives a variants file for the board; any other program must
know the board itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Literal

from arena.bots.adapter import Program
from arena.bots.process import BotProcess
from arena.bots.uci_words import (
    MoveStyle,
    ProgramOption,
    Report,
    Settings,
    check_board,
    rank_of,
    read_move,
    settings_lines,
    variant_name,
    variants_file,
    write_game,
    write_go,
)
from arena.engine.contract import Choice, Limits, option
from arena.engine.errors import Fault
from arena.errors import BadNotation, BadOption, BadRules, EngineFailure, suggestion
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.text import printable
from arena.timing import AnswerDeadline

VARIANT, VARIANTS_FILE = "UCI_Variant", "VariantPath"  # options that set the board
MULTI_PV = "MultiPV"  # the option for the number of variations
BOUNDS = ("depth", "nodes", "seconds", "clock", "cpu")  # limits that end a search


class UCI(Program):
    """A program that speaks UCI, such as Fairy-Stockfish."""

    kind = "uci"
    path_options = frozenset({"folder", "variants"})
    supported_limits: ClassVar[frozenset[str]] = frozenset(BOUNDS)
    farewell = "quit"

    handshake: Literal["uci", "none"] = option("uci", "the greeting; none sends no greeting")
    moves: MoveStyle = option("drop", "how moves are written: P@d1, or only the column: 4")
    variant: str = option("auto", "its name for the board; none does not set a board")
    variants: str = option("auto", "a file that defines variants; none sends no file")
    setoption: Settings = option(Settings(), 'its own options: "Skill Level=3, Hash=16"')
    seconds: float = option(1.0, "time for a move that has no limit", least=0.001)

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self._announced: dict[str, ProgramOption] = {}
        self._board: Rules | None = None  # that was set last
        self._was_stopped = False  # in the last search: the program may answer `stop` as well

    @property
    def greets(self) -> bool:
        """Check whether the program expects `uci`, `isready` and `ucinewgame`."""
        return self.handshake == "uci"

    def launch(self) -> BotProcess:
        process = super().launch()
        wait = process.start_deadline(self.terms.start)
        self._board, self._was_stopped = None, False
        try:
            with self.getting_ready(process):
                self._greet(process, wait)
                for line in settings_lines(self.setoption, [*self._announced.values()]):
                    process.send(line)
                self._synchronise(process, wait)
        except BadOption:
            process.close(self.farewell)
            raise
        return process

    def check_rules(self, rules: Rules) -> None:
        check_board(rules, self.moves)

    def new_game(self) -> None:
        rules = self.rules
        self.check_rules(rules)
        super().new_game()
        process = self.process
        wait = process.start_deadline(self.terms.start)
        is_first = self._board is None
        try:
            if rules != self._board:
                self._set_board(process, wait, rules)
                self._board = rules
            if self.greets:
                process.send("ucinewgame")
            self._synchronise(process, wait)
        except Fault as fault:
            if is_first:
                self.fail_start(process, fault)
            raise self.give_up(fault) from None
        process.meter.refresh()  # it may search in a thread of its own

    def reply(self, position: Position, limits: Limits) -> Choice:
        """Ask for a move after the game so far, and collect its search report."""
        word, reports = self._search(position, limits)
        try:
            column = read_move(word, position, self.moves)
        except BadNotation as error:
            raise Fault("illegal move", f"answered 'bestmove {printable(word)}': {error}") from None
        report = reports.get(1, Report())
        line = self._playable(position, report.line)
        expected = line if line[:1] == (column,) else None
        return Choice(column, report.score, report.depth, report.nodes, expected)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The score of each column, if the program can report several variations."""
        if MULTI_PV not in self._announced:
            return {}
        process = self.process
        usual = dict(self.setoption.pairs()).get(MULTI_PV, self._announced[MULTI_PV].default)
        process.send(f"setoption name {MULTI_PV} value {len(position.legal)}")
        try:
            _, reports = self._search(position, limits)
        except Fault as fault:
            raise self.give_up(fault) from None
        process.send(f"setoption name {MULTI_PV} value {usual}")
        lines = [(self._playable(position, each.line), each.score) for each in reports.values()]
        return {line[0]: score for line, score in lines if line and score is not None}

    def _search(self, position: Position, limits: Limits) -> tuple[str, dict[int, Report]]:
        """The word after `bestmove`, and a report for each variation; 1 is the best.

        At the end of its time the program is sent `stop`.
        """
        process = self.process
        is_bound = any(getattr(limits, name) is not None for name in BOUNDS)
        asked = limits if is_bound else replace(limits, seconds=self.seconds)
        if self._was_stopped:
            self._synchronise(process, self.wait_for_move(limits))
            self._was_stopped = False
        process.discard_output()
        process.send(f"position {write_game(position, self.moves)}")
        process.send(write_go(asked))
        wait = self.wait_for_move(limits)
        times = [x for x in (asked.seconds, asked.cpu, asked.clock) if x is not None]
        until = process.deadline(min(times)) if times else wait
        reports: dict[int, Report] = {}
        while True:
            try:
                line = process.read(until)
            except Fault as fault:
                if fault.reason != "time" or until is wait:
                    raise
                process.send("stop")
                self._was_stopped, until = True, wait
                continue
            match line.split():
                case ["info", *_]:
                    rank = rank_of(line)
                    reports[rank] = reports.get(rank, Report()).with_line(line)
                case ["bestmove", *words]:
                    return " ".join(words[:1]), reports

    def _playable(self, position: Position, words: Sequence[str]) -> tuple[int, ...]:
        """The moves of a variation, as far as they can be read and played."""
        columns: list[int] = []
        for word in words:
            try:
                column = read_move(word, position, self.moves)
            except BadNotation:
                break
            if column not in position.legal:
                break
            columns.append(column)
            position = position.play(column)
        return tuple(columns)

    def _greet(self, process: BotProcess, wait: AnswerDeadline) -> None:
        """Send the greeting and collect the announced options."""
        if not self.greets:
            return
        process.send("uci")
        while (line := process.read(wait)).strip() != "uciok":
            announced = ProgramOption.read(line)
            if announced is not None:
                self._announced[announced.name] = announced

    def _synchronise(self, process: BotProcess, wait: AnswerDeadline) -> None:
        """Wait until the program has handled everything it was sent."""
        if self.greets:
            process.send("isready")
            while process.read(wait).strip() != "readyok":
                pass

    def _set_board(self, process: BotProcess, wait: AnswerDeadline, rules: Rules) -> None:
        """Choose the variant for this board; BadRules if the program does not know it."""
        if self.variant == "none":
            return
        name = variant_name(rules) if self.variant == "auto" else self.variant
        if VARIANT not in self._announced:
            if rules == CONNECT4:
                return
            raise BadRules(
                f"it has no option {VARIANT} for a {rules} board; "
                "use variant=none if it already plays this board"
            )
        if VARIANTS_FILE in self._announced and self.variants != "none":
            self._define(process, wait, rules, name)
        choices = self._announced[VARIANT].choices
        if choices and name not in choices:
            raise self._unknown_variant(rules, name)
        process.send(f"setoption name {VARIANT} value {name}")

    def _define(self, process: BotProcess, wait: AnswerDeadline, rules: Rules, name: str) -> None:
        """Send a variants file and read which variants the program has taken from it."""
        with TemporaryDirectory(prefix="arena-") as folder:
            file = Path(folder, "variants.ini") if self.variants == "auto" else Path(self.variants)
            if self.variants == "auto":
                file.write_text(variants_file(rules, name))
            elif not file.is_file():
                raise EngineFailure(f"there is no variants file {self.variants!r}")
            process.send(f"setoption name {VARIANTS_FILE} value {file.absolute()}")
            self._greet(process, wait)

    def _unknown_variant(self, rules: Rules, name: str) -> BadRules:
        if self.variant == "auto" and self.variants == "auto":
            return BadRules(f"it does not play on a {rules} board")
        near = suggestion(name, self._announced[VARIANT].choices)
        return BadRules(f"it has no variant {name!r}{near}")
