"""Explore: a share of moves at random, as a player makes them that learns while it plays (S3.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from arena import Choice, Engine, Limits, Position, option

Method = Callable[..., Any]


class Explorer(Engine):
    """An engine that plays some of its moves at random: epsilon-greedy, whatever its `choose`.

    Without exploring no chance is drawn, so that its games are those of an engine without it.
    """

    explore: float = option(0.0, "the share of its moves that are random ones", least=0, most=1)

    _is_thinking = False  # whether a move is being thought about that is not to be random

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        last = {"explore": cls.options["explore"]}  # in listings, where every engine has it
        cls.options = {name: cls.options[name] for name in cls.options if name not in last} | last
        for name, wrapper in WRAPPERS.items():
            setattr(cls, name, wrapper(getattr(cls, name)))

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """Have nothing in here be random; a move that is thought about in parts is one move."""
        before, self._is_thinking = self._is_thinking, True
        try:
            yield
        finally:
            self._is_thinking = before


def _exploring(choose: Method) -> Method:
    """Play a random move now and then, by the pie rule a steal among them, or think."""

    @wraps(choose)
    def explored(self: Explorer, position: Position, limits: Limits) -> Any:
        if self._is_thinking or not self.explore:
            return choose(self, position, limits)
        if self.random.random() < self.explore:
            return Choice(self.random.choice(position.choices))
        with self.thinking():
            return choose(self, position, limits)

    return explored


def _thinking(prepare: Method) -> Method:
    """Explore nothing in a preparation: its moves are there to load what thinking needs."""

    @wraps(prepare)
    def prepared(self: Explorer, *rest: Any, **named: Any) -> None:
        with self.thinking():
            prepare(self, *rest, **named)

    return prepared


WRAPPERS = {"choose": _exploring, "new_game": _thinking, "warm_up": _thinking}
