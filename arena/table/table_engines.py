"""The engines of a table: who is built, who is ready, and who makes room for another."""

from __future__ import annotations

from functools import cached_property

from arena.bots.find import find
from arena.bots.hosted import HostedEngine, PipedEngine
from arena.engine.contract import Engine, seed_global_rngs
from arena.engine.errors import (
    ATTEMPTS,
    is_from_outside,
    repeatedly,
    root_trace,
    sentence,
)
from arena.engine.warm_up import warm_up
from arena.errors import ArenaError, EngineFailure
from arena.streams import ensure_cwd
from arena.table.adjudication import Ruling, rulings
from arena.table.game import GOOD_ENDS
from arena.table.heartbeat import Heartbeat
from arena.table.inbox import Inbox
from arena.table.lessons import played_game, seed_of_lesson, teach
from arena.table.referee import Referee
from arena.table.seating import Seating
from arena.text import printable

MOST_SEATS = 16  # processes of engines that a table keeps; each takes memory


class TableEngines:
    """The engines of this table, each built and warmed up when it first sits down."""

    def __init__(self, seating: Seating, heartbeat: Heartbeat, inbox: Inbox | None = None) -> None:
        self.seating = seating
        self.heartbeat = heartbeat
        self.inbox = inbox
        self.built: dict[int, Engine] = {}
        self.learned: dict[int, int] = {}  # by player: the last game it was told

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """By which rules the games of this table may end early; loaded when they are asked for."""
        return rulings(self.seating.rules, self.seating.max_plies, self.seating.solver)

    def seat(self, player: int, seat: int) -> Engine:
        """The engine of a player, who takes this seat; no clock runs while it gets ready."""
        self._forget_spent(player)
        if player in self.seating.broken:
            sentence, _, trace = self.seating.broken[player].partition("\n")
            raise EngineFailure(sentence, trace)
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
        engine = self.built[player] = self.built.pop(player)  # the last one that sat down
        return engine

    def _make_room(self) -> None:
        """Let processes go that nobody has needed for long; those that learn would forget all."""
        seats = {player: engine for player, engine in self.built.items()
                 if isinstance(engine, PipedEngine) and not engine.learns}  # fmt: skip
        for player in list(seats)[:-MOST_SEATS]:
            seats[player].close(polite=False)
            del self.built[player]

    def _forget_spent(self, player: int) -> None:
        """An engine whose process is gone is built anew, and told all its games again."""
        engine = self.built.get(player)
        if isinstance(engine, PipedEngine) and engine.is_spent:
            engine.close(polite=False)
            del self.built[player]
            self.learned.pop(player, None)

    def teach(self, player: int, seat: int, before: int) -> None:
        """Tell a player the games before this one that it was not told, each in good time.

        One that fails is built anew for its next game and told all of them again: what an engine
        knows depends on its games alone, on whichever table.
        """
        engine, seating = self.built[player], self.seating
        names = [entry.name for entry in seating.players]
        assert self.inbox is not None
        for game in self.inbox.lessons(player, self.learned.get(player, 0), before):
            lesson = played_game(game, 0 if game.first == player else 1, names, seating.rules)
            seed_global_rngs(seed_of_lesson(game.seed, lesson.seat))
            self.heartbeat.begin(seat, seating.patience)
            try:
                teach(engine, names[player], lesson, game.seed)
            except EngineFailure:
                self.heartbeat.end()
                del self.built[player]
                self.learned.pop(player, None)
                raise
            self.heartbeat.end()  # not if it brings the table down, for which it is to blame
            self.learned[player] = game.number

    def complaint(self, player: int, error: BaseException) -> str:
        """What went wrong while a player got ready, beginning with its name."""
        name = self.seating.players[player].name
        words = printable(str(error)) if isinstance(error, ArenaError) else sentence(error)
        return f"{name}: {words.removeprefix(f'engine {name}: ')}"

    def compiled(self, player: int) -> float:
        """Seconds in which the code of a player, in a host of its own, was compiled."""
        engine = self.built.get(player)
        return engine.host.compiled if isinstance(engine, HostedEngine) else 0.0

    def check(self, player: int) -> str | None:
        """Build it, warm it up, and ask for one move; if that fails, one sentence and the lines.

        An engine whose process is killed from outside is asked again, but not for ever.
        """
        for _ in range(ATTEMPTS):
            wrong, is_final = self._check_once(player)
            if wrong is None or is_final:
                return wrong
        assert wrong is not None
        first, newline, rest = wrong.partition("\n")
        return f"{repeatedly(first)}{newline}{rest}"

    def _check_once(self, player: int) -> tuple[str | None, bool]:
        """The same once, and whether that is all there is to say."""
        name, limits = self.seating.players[player].name, self.seating.players[player].limits
        try:
            _ = self.rulings  # what they need is loaded before the first game
            engine = self.seat(player, 0)
            referee = Referee((engine, engine), self.seating.rules, limits, players=(name, name),
                              margin=self.seating.patience)  # fmt: skip
            referee.ask()
        except (Exception, SystemExit) as error:
            wrong = f"engine {self.complaint(player, error)}\n{root_trace(error)}"
            return wrong, not is_from_outside(error)
        if referee.ending and referee.ending[1] not in GOOD_ENDS:
            return f"engine {referee.ending[2]}\n{referee.trace}", not referee.is_from_outside
        return None, True
