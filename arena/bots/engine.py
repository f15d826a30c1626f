"""An engine at the end of a pipe, as the referee has it: the base of all that are not ours.

Its process is started when it is first needed and ends with `close`. One whose process has died or
was given up is not started again: whoever owns it builds a new one.
"""

from __future__ import annotations

from abc import abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from arena.bots.meter import OWN_METER, Meter, SeatMeter
from arena.bots.process import SeatProcess, Wait
from arena.engine.contract import Engine, Limits
from arena.engine.errors import Fault
from arena.engine.limits import MARGIN, latest
from arena.errors import EngineFailure

START = 10.0  # seconds to get ready, by default
PATIENCE = 60.0  # seconds for a move on which there is no other limit, by default
MEMORY = 2048  # megabytes, by default
GRACE = 0.1  # seconds more before no answer is expected: one that comes late is told as late


@dataclass(frozen=True, slots=True)
class Terms:
    """What is allowed to an engine besides the limits of its moves."""

    start: float = START  # seconds to get ready; what is compiled meanwhile is not counted
    patience: float = PATIENCE
    margin: float = MARGIN
    memory: int | None = MEMORY  # megabytes of its whole tree of processes

    def for_move(self, limits: Limits) -> float:
        """Seconds after which no answer to a move with these limits is expected any more."""
        allowed = [x for x in (limits.seconds, limits.clock) if x is not None]
        if not allowed:
            return self.patience
        return latest(min(allowed), self.margin) + self.margin + GRACE


class PipedEngine(Engine):
    """Holds a process, and knows how long to wait for it."""

    farewell: ClassVar[str | None] = None  # the line after which it should leave by itself
    terms: Terms

    def __init__(self, *named: Any, **options: Any) -> None:
        super().__init__(*named, **options)
        self.terms = Terms()
        self._meter = SeatMeter()
        self._process: SeatProcess | None = None
        self._is_given_up = False

    @abstractmethod
    def launch(self) -> SeatProcess:
        """Start the program and greet it; what it may take is `wait_for_start`."""

    @property
    def process(self) -> SeatProcess:
        """Its process, started when it is first asked for."""
        if self._process is None:
            if self._is_given_up:
                raise Fault("crash", "its process was given up")
            return self.turn_to(self.launch())
        return self._process

    def turn_to(self, process: SeatProcess) -> SeatProcess:
        """This process thinks from now on."""
        self._process = process
        process.meter.look_for_children()
        self._meter.turn_to(process.meter)
        return process

    @property
    def is_spent(self) -> bool:
        """Whether its process is gone or was given up, so that another engine must be built."""
        return self._is_given_up or (self._process is not None and not self._process.is_alive)

    def new_game(self) -> None:
        """Start the process if need be; what it printed before belongs to another game."""
        self.process.forget_printed()

    def wait_for_start(self, process: SeatProcess) -> Wait:
        """A wait that begins now, for something that belongs to getting ready."""
        return process.wait(self.terms.start, ready=False)

    def wait_for_move(self, limits: Limits) -> Wait:
        """A wait that begins now, for a move with these limits."""
        terms = self.terms
        return self.process.wait(terms.for_move(limits), terms.patience if limits.by_clock else 0.0)

    def replace_process(self) -> None:
        """End a process that has done its work; the next question starts another."""
        if not self._is_given_up:
            self.close()
            self._is_given_up = False

    def give_up(self, fault: Fault) -> Fault:
        """End a process from which no sensible answer can be expected any more."""
        self._is_given_up = True
        self.close(polite=False)
        return fault

    def printed(self) -> str:
        """The end of what it said on stderr in this game."""
        return self._printed if self._process is None else self._process.printed()

    _printed = ""

    def close(self, polite: bool = True) -> None:
        """End its process; nothing of it is left."""
        process, self._process = self._process, None
        if process is not None:
            self._is_given_up = True
            self._printed = process.printed()
            process.close(self.farewell if polite else None)

    def __del__(self) -> None:
        with suppress(AttributeError, OSError):
            self.close(polite=False)


def meter_of(engine: Engine) -> Meter:
    """What tells how much of the processor an engine uses: its own process, or this one."""
    return engine._meter if isinstance(engine, PipedEngine) else OWN_METER


def not_ready(process: SeatProcess, fault: Fault) -> EngineFailure:
    """The sentence about a program that did not get ready, with the end of the dialogue."""
    printed = process.printed().strip().splitlines()
    last = f"; on stderr: {printed[-1]}" if printed else ""
    return EngineFailure(f"{fault.detail}; the dialogue ended: {process.last_lines()}{last}")
