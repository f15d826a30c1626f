"""The engines of a worker: built when first needed, warmed up, taught, closed to make room."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from arena.bots.find import find
from arena.bots.hosted import HostedEngine, PipedEngine
from arena.engine.contract import Engine, seed_global_rngs
from arena.engine.errors import (
    Fault,
    FaultReason,
    sentence,
)
from arena.engine.warm_up import warm_up
from arena.errors import ArenaError, EngineFailure
from arena.machine import MIN_MEMORY_LEFT, memory_left
from arena.streams import ensure_cwd
from arena.table.adjudication import Ruling, rulings
from arena.table.channel import Heartbeat
from arena.table.game import Game
from arena.table.learning import played_game, seed_of_lesson, teach
from arena.table.runner import Seating
from arena.text import printable

MAX_PROCESSES = 128  # of engines that a worker keeps


class TableEngines:
    """The engines of this worker, each built and warmed up before its first game."""

    def __init__(
        self,
        seating: Seating,
        heartbeat: Heartbeat,
        lessons: Callable[[int, int, int], Iterator[Game]] | None = None,
    ) -> None:
        self.seating = seating
        self.heartbeat = heartbeat
        self.lessons = lessons  # requests the games of a player between two numbers
        self.built: dict[int, Engine] = {}
        self.learned: dict[int, int] = {}  # by player: the last game it learned from

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rules of adjudication, with the kernels they need loaded."""
        return rulings(self.seating.rules, self.seating.max_plies, self.seating.solver)

    def seat(self, player: int, seat: int) -> Engine:
        """Return the engine of a player for this seat; getting ready is not charged."""
        self._forget_spent(player)
        if player in self.seating.broken:
            checked = self.seating.broken[player]
            sentence, _, trace = (checked.wrong or "").partition("\n")
            raise EngineFailure(sentence, trace) from Fault(checked.reason, sentence)
        if player not in self.built:
            ensure_cwd()
            self.heartbeat.begin(seat, self.seating.loading)
            entry = self.seating.players[player]
            found = find(entry.engine, self.seating.terms, entry.isolated)
            engine = found.build(entry.options)
            warm_up([(entry.name, engine)], self.seating.rules)
            self.built[player] = engine
            self.heartbeat.end()
            self._make_room()
        engine = self.built[player] = self.built.pop(player)  # the most recently used one
        return engine

    def _make_room(self) -> None:
        """Close the processes unused for longest; learners stay, as they would forget all."""
        seats = {player: engine for player, engine in self.built.items()
                 if isinstance(engine, PipedEngine) and not engine.learns}  # fmt: skip
        for number, player in enumerate(list(seats)[:-2]):
            if number + MAX_PROCESSES >= len(seats) and memory_left() > MIN_MEMORY_LEFT:
                return
            seats[player].close(polite=False)
            del self.built[player]

    def _forget_spent(self, player: int) -> None:
        """Forget an engine whose process is gone; its next copy learns all its games again."""
        engine = self.built.get(player)
        if isinstance(engine, PipedEngine) and engine.is_spent:
            engine.close(polite=False)
            del self.built[player]
            self.learned.pop(player, None)

    def teach(self, player: int, seat: int, before: int) -> None:
        """Let a player learn from its games before this one that it does not know yet.

        After a failure the engine is built anew for its next game and learns from all games again:
        what an engine knows depends on its games alone, on any worker.
        """
        engine, seating = self.built[player], self.seating
        names = [entry.name for entry in seating.players]
        assert self.lessons is not None
        for game in self.lessons(player, self.learned.get(player, 0), before):
            lesson = played_game(game, 0 if game.first == player else 1, names, seating.rules)
            seed_global_rngs(seed_of_lesson(game.seed, lesson.seat))
            self.heartbeat.begin(seat, seating.terms.patience)
            try:
                teach(engine, names[player], lesson, game.seed)
            except EngineFailure:
                del self.built[player]
                self.learned.pop(player, None)
                raise
            self.heartbeat.end()  # not if the process dies here: then this seat is to blame
            self.learned[player] = game.number

    def complaint(self, player: int, error: BaseException) -> str:
        """Return why a player did not get ready, beginning with its name."""
        name = self.seating.players[player].name
        words = printable(str(error)) if isinstance(error, ArenaError) else sentence(error)
        return f"{name}: {words.removeprefix(f'engine {name}: ')}"

    def compiled(self, player: int) -> float:
        """Seconds spent on compiling a player's own code."""
        engine = self.built.get(player)
        return engine.host.compiled if isinstance(engine, HostedEngine) else 0.0


def reason_of(error: BaseException) -> FaultReason:
    """Return why a player that did not get ready loses."""
    for each in (error, error.__cause__):
        if isinstance(each, Fault | MemoryError):
            return each.reason if isinstance(each, Fault) else "memory"
    return "exception"
