"""Programs as engines: a command line, the folder it is started in, and a trial before game 1."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any

from arena.bots.adapter import Adapter
from arena.bots.command import read_command
from arena.bots.engine import PipedEngine, not_ready
from arena.bots.process import SeatProcess
from arena.engine.contract import Choice, Limits, option
from arena.engine.errors import Fault, outside_cause
from arena.errors import EngineFailure
from arena.game.position import Position

TRIAL = Limits(depth=2, nodes=100, seconds=2.0)  # of the move that shows that it plays at all


class Program(PipedEngine, Adapter):
    """An engine whose target is a command line, as in `lines:java -jar bot.jar`."""

    in_host = False
    places = frozenset({"folder"})

    folder: str = option("", "the folder it is started in; empty: the one you are in")

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.command = read_command(target, self.folder)

    @abstractmethod
    def reply(self, position: Position, limits: Limits) -> Choice:
        """What it answers in this position; a Fault if that is nothing to go on with."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Its answer; a program that has not answered as it should is given up."""
        try:
            return self.reply(position, limits)
        except Fault as fault:
            raise self.give_up(fault) from None

    def launch(self) -> SeatProcess:
        """Start the program."""
        folder = Path(self.folder) if self.folder else None
        return SeatProcess(self.command, folder, self.terms.memory)

    def warm_up(self) -> None:
        """See that it starts and answers, before anything depends on it."""
        process = self.process
        try:
            self.reply(Position(self.rules), TRIAL)
        except Fault as fault:
            raise self.unready(process, fault) from outside_cause(fault)

    def unready(self, process: SeatProcess, fault: Fault) -> EngineFailure:
        """Give up a program that does not play; why, with the end of the dialogue."""
        failure = not_ready(process, fault)
        is_silent = not any(line.startswith(">") for line in process.dialogue)
        self.give_up(fault)
        process.close()
        if fault.reason == "time" and is_silent:
            return EngineFailure(f"{failure}; does it flush what it writes?")
        return failure
