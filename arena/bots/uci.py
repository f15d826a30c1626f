"""Programs that speak UCI or a relative of it: `uci:fairy-stockfish`.

A program is greeted once, told of the board when that changes, and asked for moves by the game so
far. Where it plays whatever a variants file defines, as Fairy-Stockfish does, it gets one that is
written for the board; any other program has to have the board among its own variants.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from arena.bots.adapter import Program
from arena.bots.process import SeatProcess
from arena.bots.uci_words import (
    HANDSHAKES,
    Greeting,
    MoveWords,
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
from arena.engine.errors import Fault, outside_cause
from arena.errors import BadNotation, BadOption, BadRules, EngineFailure, suggestion
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.text import printable
from arena.timing import Deadline

VARIANT, VARIANTS_FILE = "UCI_Variant", "VariantPath"  # options by which a board is told
SEVERAL = "MultiPV"  # the option by which a program looks at several lines of play
BOUNDS = ("depth", "nodes", "seconds", "clock", "cpu")  # limits that end a search


class UCI(Program):
    """A program that speaks UCI or a relative of it, such as Fairy-Stockfish."""

    kind = "uci"
    places = frozenset({"folder", "variants"})
    hears: ClassVar[frozenset[str]] = frozenset({"depth", "nodes", "seconds", "clock", "cpu"})
    farewell = "quit"

    handshake: Greeting = option("uci", "how it is greeted; none: it is not")
    moves: MoveWords = option("drop", "how moves are written: P@d1, 3, 4 or d")
    variant: str = option("auto", "its name for the board; none: it knows which one is played")
    variants: str = option("auto", "a file that defines variants; none: it needs no file")
    setoption: Settings = option(Settings(), 'its own options: "Skill Level=3, Hash=16"')
    seconds: float = option(1.0, "for a move on which there is no limit", least=0.001)

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self._announced: dict[str, ProgramOption] = {}
        self._board: Rules | None = None  # that it was last told of
        self._was_stopped = False  # in its last search: it may answer that as well

    def launch(self) -> SeatProcess:
        """Start the program, greet it and set its options."""
        process = super().launch()
        wait = self.wait_for_start(process)
        self._board, self._was_stopped = None, False
        try:
            self._greet(process, wait)
            for line in settings_lines(self.setoption, [*self._announced.values()]):
                process.send(line)
            self._synchronise(process, wait)
        except Fault as fault:
            raise self.unready(process, fault) from outside_cause(fault)
        except BadOption:
            process.close(self.farewell)
            raise
        return process

    def check_rules(self, rules: Rules) -> None:
        """Refuse a board that there are no words for."""
        check_board(rules, self.moves)

    def new_game(self) -> None:
        """Tell the program of the board, where that has changed, and that a game begins."""
        rules = self.rules
        self.check_rules(rules)
        super().new_game()
        process = self.process
        wait = self.wait_for_start(process)
        is_first = self._board is None
        try:
            if rules != self._board:
                self._tell_board(process, wait, rules)
                self._board = rules
            if HANDSHAKES[self.handshake].new_game:
                process.send(HANDSHAKES[self.handshake].new_game)
            self._synchronise(process, wait)
        except Fault as fault:
            if is_first:
                raise self.unready(process, fault) from outside_cause(fault)
            raise self.give_up(fault) from None
        process.meter.refresh()  # it may search in a thread of its own

    def reply(self, position: Position, limits: Limits) -> Choice:
        """Ask for a move after the game so far; what it tells of its search comes along."""
        word, reports = self._search(position, limits)
        try:
            column = read_move(word, position, self.moves)
        except BadNotation as error:
            raise Fault("illegal move", f"answered 'bestmove {printable(word)}': {error}") from None
        report = reports.get(1, Report())
        line = self._line(position, report.line)
        expected = line if line[:1] == (column,) else None
        return Choice(column, report.score, report.depth, report.nodes, expected)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """What it thinks of each column, if it can be told to look at several lines of play."""
        if SEVERAL not in self._announced:
            return {}
        process = self.process
        usual = dict(self.setoption.pairs()).get(SEVERAL, self._announced[SEVERAL].default)
        process.send(f"setoption name {SEVERAL} value {len(position.legal)}")
        try:
            _, reports = self._search(position, limits)
        except Fault as fault:
            raise self.give_up(fault) from None
        process.send(f"setoption name {SEVERAL} value {usual}")
        lines = [(self._line(position, each.line), each.score) for each in reports.values()]
        return {line[0]: score for line, score in lines if line and score is not None}

    def _search(self, position: Position, limits: Limits) -> tuple[str, dict[int, Report]]:
        """The best move as a word, and what is known of each line; 1 is the best."""
        process = self.process
        is_bound = any(getattr(limits, name) is not None for name in BOUNDS)
        asked = limits if is_bound else replace(limits, seconds=self.seconds)
        if self._was_stopped:
            self._synchronise(process, self.wait_for_move(limits))
            self._was_stopped = False
        process.pass_over()
        process.send(f"position {write_game(position, self.moves)}")
        process.send(write_go(asked, HANDSHAKES[self.handshake]))
        reports: dict[int, Report] = {}
        for line in self._answer(process, limits, asked):
            words = line.split()
            if words[0] == "bestmove":
                return (words[1] if len(words) > 1 else ""), reports
            rank = rank_of(line)
            reports[rank] = reports.get(rank, Report()).with_line(line)
        raise AssertionError("an answer ends with bestmove")

    def _answer(self, process: SeatProcess, limits: Limits, asked: Limits) -> Iterator[str]:
        """All that it says up to its move; at the end of its time it is told to stop."""
        wait = self.wait_for_move(limits)
        times = [x for x in (asked.seconds, asked.cpu, asked.clock) if x is not None]
        until = process.deadline(min(times)) if times else wait
        word = ""
        while word != "bestmove":
            try:
                line = process.read(until)
            except Fault as fault:
                if fault.reason != "time" or until is wait:
                    raise
                process.send("stop")
                self._was_stopped, until = True, wait
                continue
            word = next(iter(line.split(None, 1)), "")
            if word in ("info", "bestmove"):
                yield line

    def _line(self, position: Position, words: Sequence[str]) -> tuple[int, ...]:
        """The moves it expects, as far as they can be read and played."""
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

    def _greet(self, process: SeatProcess, wait: Deadline) -> None:
        """Say the greeting and learn which options there are."""
        handshake = HANDSHAKES[self.handshake]
        if not handshake.greeting:
            return
        process.send(handshake.greeting)
        while (line := process.read(wait)).strip() != handshake.answer:
            announced = ProgramOption.read(line)
            if announced is not None:
                self._announced[announced.name] = announced

    def _synchronise(self, process: SeatProcess, wait: Deadline) -> None:
        """Wait until it has done all that it was told."""
        if HANDSHAKES[self.handshake].greeting:
            process.send("isready")
            while process.read(wait).strip() != "readyok":
                pass

    def _tell_board(self, process: SeatProcess, wait: Deadline, rules: Rules) -> None:
        """Make it play on this board; BadRules if it has none of this kind."""
        if self.variant == "none":
            return
        name = variant_name(rules) if self.variant == "auto" else self.variant
        if VARIANT not in self._announced:
            if rules == CONNECT4:
                return
            raise BadRules(
                f"it cannot be told of a {rules} board, as it has no option {VARIANT}; "
                "variant=none takes it that it knows"
            )
        if VARIANTS_FILE in self._announced and self.variants != "none":
            self._define(process, wait, rules, name)
        choices = self._announced[VARIANT].choices
        if choices and name not in choices:
            raise self._refusal(rules, name)
        process.send(f"setoption name {VARIANT} value {name}")

    def _define(self, process: SeatProcess, wait: Deadline, rules: Rules, name: str) -> None:
        """Hand it a file of variants, and see which ones it has taken from it."""
        with TemporaryDirectory(prefix="arena-") as folder:
            file = Path(folder, "variants.ini") if self.variants == "auto" else Path(self.variants)
            if self.variants == "auto":
                file.write_text(variants_file(rules, name))
            elif not file.is_file():
                raise EngineFailure(f"there is no variants file {self.variants!r}")
            process.send(f"setoption name {VARIANTS_FILE} value {file.absolute()}")
            self._greet(process, wait)

    def _refusal(self, rules: Rules, name: str) -> BadRules:
        """It does not play on this board, or under this name."""
        if self.variant == "auto" and self.variants == "auto":
            return BadRules(f"it does not play on a {rules} board")
        near = suggestion(name, self._announced[VARIANT].choices)
        return BadRules(f"it has no variant {name!r}{near}")
