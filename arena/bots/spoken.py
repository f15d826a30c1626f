"""An engine of ours that other programs ask, with limits of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from arena.bots.find import build_engine
from arena.bots.hosted import PipedEngine
from arena.bots.names import engine_words, join_words, read_engine
from arena.engine.contract import Choice, Engine, Limits, read_column
from arena.engine.errors import sentence
from arena.engine.limits import COUNTS, counts_in
from arena.engine.timing import on_this_host
from arena.errors import ArenaError, EngineFailure, IllegalMove
from arena.game.position import Position
from arena.game.rules import Rules

Say = Callable[[str], None]  # sends one line at once
NO_LIMITS = Limits()


@dataclass
class SpokenEngine:
    """An engine, the game it plays, and its own limits besides those of each question."""

    engine: Engine
    rules: Rules
    limits: Limits
    seed: int
    words: str = ""  # the engine and its options
    allowed: Limits = NO_LIMITS  # the limits without those among its options
    _warm: set[Rules] = field(default_factory=set)

    @classmethod
    def from_words(cls, words: str, rules: Rules, allowed: Limits, seed: int) -> SpokenEngine:
        """Build an engine; options that bound its search are limits too."""
        allowed = on_this_host(allowed)
        limits = stricter_of(Limits(**counts_in(read_engine(words)[1])), allowed)
        return cls(build_engine(words), rules, limits, seed, words, allowed)

    def set_option(self, name: str, value: str) -> None:
        """Build the engine again with this option."""
        engine, *options = engine_words(self.words)
        options = [option for option in options if option.partition("=")[0] != name]
        words = join_words([engine, *options, f"{name}={value}"])
        other = self.from_words(words, self.rules, self.allowed, self.seed)
        self.close()
        self.engine, self.limits, self.words = other.engine, other.limits, other.words
        self._warm.clear()

    def warm_up(self) -> None:
        """Prepare the engine for its first move on the board."""
        if self.rules not in self._warm:
            with _readable_errors(self.engine):
                self.engine.get_ready(self.rules)
            self._warm.add(self.rules)

    def new_game(self, rules: Rules | None = None) -> None:
        """Begin a game, on another board if one is given."""
        self.rules = self.rules if rules is None else rules
        self.warm_up()
        with _readable_errors(self.engine):
            self.engine.begin(self.rules, self.seed)

    def choose(self, position: Position, asked: Limits) -> Choice:
        """Choose a move within both limits, and check that it is legal."""
        with _readable_errors(self.engine):
            choice = self.engine.ask(position, stricter_of(self.limits, asked))
            position.play(read_column(choice))
            return choice

    def close(self) -> None:
        """End its process, if it has one."""
        if isinstance(self.engine, PipedEngine):
            self.engine.close()


@contextmanager
def _readable_errors(engine: Engine) -> Iterator[None]:
    """Turn any exception of an engine into one sentence."""
    try:
        yield
    except IllegalMove as error:
        raise EngineFailure(f"the engine failed: {error}") from None
    except ArenaError:
        raise
    except Exception as error:
        raise EngineFailure(f"the engine failed: {sentence(error, engine)}") from error


def stricter_of(one: Limits, other: Limits) -> Limits:
    """The limits that satisfy both."""
    both: dict[str, Any] = {}
    for name in (*COUNTS, "seconds", "cpu"):
        given = [x for x in (getattr(one, name), getattr(other, name)) if x is not None]
        both[name] = min(given, default=None)
    by_clock = other if other.clock is not None else one
    return replace(by_clock, **both)
