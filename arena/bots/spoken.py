"""An engine of ours that others ask in a dialect of theirs: what every such dialect needs of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from arena.bots.agent import counts_in
from arena.bots.engine import PipedEngine
from arena.bots.finding import build_engine
from arena.bots.words import engine_words, join_words
from arena.engine.contract import Choice, Engine, Limits, read_column
from arena.engine.errors import sentence
from arena.engine.limits import COUNTS
from arena.engine.timing import on_this_host
from arena.errors import ArenaError, EngineFailure, IllegalMove
from arena.game.position import Position
from arena.game.rules import Rules

Say = Callable[[str], None]  # one line, sent at once
NO_LIMITS = Limits()


@dataclass
class SpokenEngine:
    """An engine, the game it is to play, and limits of its own on top of what it is told."""

    engine: Engine
    rules: Rules
    limits: Limits
    seed: int
    words: str = ""  # by which it was built
    allowed: Limits = NO_LIMITS  # whatever its options are
    _warm: set[Rules] = field(default_factory=set)

    @classmethod
    def from_words(cls, words: str, rules: Rules, allowed: Limits, seed: int) -> SpokenEngine:
        """An engine with its options in words; those that say how much to search are limits too."""
        options = dict(word.split("=", 1) for word in engine_words(words)[1:] if "=" in word)
        allowed = on_this_host(allowed)
        limits = tighter(Limits(**counts_in(options)), allowed)
        return cls(build_engine(words), rules, limits, seed, words, allowed)

    def set_option(self, name: str, value: str) -> None:
        """Build the engine anew, with one more option or another value of it."""
        engine, *options = engine_words(self.words)
        options = [option for option in options if option.partition("=")[0] != name]
        words = join_words([engine, *options, f"{name}={value}"])
        other = self.from_words(words, self.rules, self.allowed, self.seed)
        self.close()
        self.engine, self.limits, self.words = other.engine, other.limits, other.words
        self._warm.clear()

    def warm_up(self) -> None:
        """Make it ready for the first move on its board; nothing is read before that."""
        if self.rules not in self._warm:
            with _one_sentence(self.engine):
                self.engine.get_ready(self.rules)
            self._warm.add(self.rules)

    def new_game(self, rules: Rules | None = None) -> None:
        """A game begins, perhaps on another board."""
        self.rules = self.rules if rules is None else rules
        self.warm_up()
        with _one_sentence(self.engine):
            self.engine.begin(self.rules, self.seed)

    def choose(self, position: Position, asked: Limits) -> Choice:
        """Its move, within the limits that are asked for and its own."""
        with _one_sentence(self.engine):
            choice = self.engine.ask(position, tighter(self.limits, asked))
            position.play(read_column(choice))  # others shall not hear of what is no move
            return choice

    def close(self) -> None:
        """End its process, if it has one."""
        if isinstance(self.engine, PipedEngine):
            self.engine.close()


@contextmanager
def _one_sentence(engine: Engine) -> Iterator[None]:
    """Turn whatever an engine raises into one sentence, with the lines where it came up."""
    try:
        yield
    except IllegalMove as error:
        raise EngineFailure(f"the engine failed: {error}") from None
    except ArenaError:
        raise
    except Exception as error:
        raise EngineFailure(f"the engine failed: {sentence(error, engine)}") from error


def tighter(one: Limits, other: Limits) -> Limits:
    """The limits that keep both."""
    both: dict[str, Any] = {}
    for name in (*COUNTS, "seconds", "cpu"):
        given = [x for x in (getattr(one, name), getattr(other, name)) if x is not None]
        both[name] = min(given, default=None)
    by_clock = other if other.clock is not None else one
    return replace(by_clock, **both)
