"""An engine in a host process, as the referee has it: every question goes down the pipe."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

from arena.bots.description import Description
from arena.bots.engine import PipedEngine, Terms
from arena.bots.host_process import IDLE, HostProcess, nonsense
from arena.bots.process import SeatProcess, Wait
from arena.bots.protocol import read_choice, read_value, write_game, write_members, write_question
from arena.engine.contract import Engine, Limits, PlayedGame
from arena.engine.errors import Fault, retry_if_killed
from arena.engine.registry import Entry
from arena.errors import ArenaError, EngineFailure
from arena.game.position import Position


class HostedEngine(PipedEngine):
    """An engine of somebody else's Python code; a subclass for each is made by `hosted_class`."""

    plays_pie = True  # what is to be said about the pie rule is said in the host
    spec: ClassVar[str] = ""
    description: ClassVar[Description]
    host: HostProcess

    def __init__(self, given: Mapping[str, Any], terms: Terms) -> None:
        super().__init__()
        self.terms = terms
        self.host = IDLE.take(self.spec, terms)
        self.turn_to(self.host.process)
        self.known_settings: dict[str, Any] = self._get_ready(do="build", options=given)

    def launch(self) -> SeatProcess:
        """Its host is there from the beginning."""
        return self.host.process

    def settings(self) -> dict[str, Any]:
        """The options as the engine understands them, as far as they are plain."""
        return dict(self.known_settings)

    def warm_up(self) -> None:
        """Compile and load whatever a move on this board can need."""
        self._get_ready(do="warm up", rules=self.rules.name)

    def new_game(self) -> None:
        """Tell it that a new game begins."""
        super().new_game()
        self._get_ready(do="new game", rules=self.rules.name, seed=self.seed_of_game)

    def choose(self, position: Position, limits: Limits) -> Any:
        """Ask it for a column; the referee judges what comes back."""
        return read_choice(self._ask_about("choose", position, limits))

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """Ask it for the value of each column."""
        answer = self._ask_about("opinions", position, limits)
        try:
            return {read_value(column): read_value(value) for column, value in answer}
        except (TypeError, ValueError):
            raise self.give_up(nonsense(str(answer))) from None

    def learn(self, game: PlayedGame) -> None:
        """Tell it of a game of its own, with chance from its own generator here."""
        self.learn_seeded(game, self.random.getrandbits(63))

    def learn_seeded(self, game: PlayedGame, seed: int) -> None:
        """Tell it of a game of its own, with this seed for all chance."""
        question = write_members(do="learn", game=write_game(game), seed=seed)
        self._ask(question, self.process.wait(self.terms.patience))

    def close(self, polite: bool = True) -> None:
        """End its host, or leave it to the next engine of its kind."""
        if self._process is None:
            return
        if polite and self._process.is_alive:
            self._printed = self._process.printed()
            self._process, self._is_given_up = None, True
            IDLE.put(self.host)
        else:
            super().close(polite=False)

    def __del__(self) -> None:
        with suppress(AttributeError, OSError, Fault):
            self.close()

    def _ask_about(self, deed: str, position: Position, limits: Limits) -> Any:
        question = write_question(deed, position, limits)
        return self._ask(question, self.wait_for_move(limits))

    def _get_ready(self, **members: Any) -> Any:
        return self._ask(write_members(**members), self.host.ready_within(self.terms))

    def _ask(self, members: str, wait: Wait) -> Any:
        try:
            return self.host.ask(members, wait)
        except Fault as fault:
            if fault.reason in ("exception", "illegal move"):
                raise  # the host is well
            raise self.give_up(fault) from None


def hosted_class(spec: str, description: Description) -> type[HostedEngine]:
    """The class of an engine in a host, which says of itself what the engine does."""
    names: dict[str, Any] = {
        "__doc__": description.summary if description.has_docstring else None,
        "spec": spec,
        "description": description,
        "prunes": description.prunes,
        "learns": description.learns,
    }
    hosted: type[HostedEngine] = type(description.title, (HostedEngine,), names)
    hosted.options = dict(description.options)
    return hosted


def failure_of(name: str, fault: Fault, what: str, terms: Terms) -> EngineFailure:
    """The sentence about an engine that failed before its first game, and its lines of code."""
    words = f"{what}: {fault.detail}" if fault.reason == "exception" else fault.detail
    if fault.reason == "memory":
        needs = f"needs more than {terms.memory} MB of memory"
        words = f"{what}: it {needs}; the key memory of a tournament file sets this bound"
    return EngineFailure(f"engine {name}: {words}", fault.trace)


@dataclass(frozen=True)
class HostedEntry(Entry):
    """What a name stands for that is not ours: built in a host, on these terms."""

    terms: Terms = field(default_factory=Terms)

    def build(self, options: Mapping[str, Any] | None = None) -> Engine:
        """A new engine in a host of its own."""
        assert issubclass(self.engine, HostedEngine)
        try:
            kind, given = self.engine, options or {}
            return retry_if_killed(lambda: kind(given, self.terms))
        except ArenaError:
            raise
        except Fault as fault:
            raise failure_of(self.name, fault, "cannot be built", self.terms) from fault

    def settings(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """What the engine makes of these options; its host is ready for the next ones."""
        engine = self.build(options)
        assert isinstance(engine, HostedEngine)
        settings = engine.settings()
        engine.close()
        return settings


def hosted_entry(spec: str, terms: Terms) -> HostedEntry:
    """Start a host for an engine and ask what it is."""
    try:
        host = retry_if_killed(lambda: IDLE.take(spec, terms))
    except Fault as fault:
        raise failure_of(spec, fault, "does not load", terms) from fault
    described = host.description
    IDLE.put(host)
    kind = hosted_class(spec, described)
    return HostedEntry(spec, kind, described.summary, terms)
