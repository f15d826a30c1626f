"""The contract of a method of learning: it plays, learns, and can be saved and restored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from arena.engine.contract import Engine
from arena.game.rules import Rules
from arena.learning.outcomes import Outcomes
from arena.learning.trajectory import NO_COURSE, Course

State = Mapping[str, NDArray[Any]]

WEIGHTS = "weights"  # how a file of weights begins; its ending depends on the method


class Learner(ABC):
    """Weights that get better by playing, and all that is needed to go on from where they are.

    A run calls `play` for a few games at a time, and between two calls saves, measures and shows.
    With one worker the weights depend on the seed and the number of games alone, however the games
    are cut into calls and however often the state was saved and restored.
    """

    rules: Rules
    games: int = 0  # that were learned from so far

    @abstractmethod
    def play(self, games: int) -> None:
        """Play so many more games and learn from each of them."""

    @abstractmethod
    def state(self) -> State:
        """Everything that `restore` needs to go on to the byte: weights, random words, counts."""

    @abstractmethod
    def restore(self, state: State) -> None:
        """Go on from a state of a learner that was built the same way."""

    @abstractmethod
    def save(self, folder: Path, strength: str = "") -> Path:
        """Write the weights as a file that engines take; its path.

        The file says where they come from, and the strength that was measured of them, in words.
        """

    @abstractmethod
    def player(self) -> Engine:
        """An engine that plays with the weights as they are now."""

    @abstractmethod
    def figures(self) -> dict[str, float]:
        """What the learning curve notes besides strength: weights by name, the mean error, ..."""

    def trajectory(self) -> Course:
        """Where the weights went, step by step; a method with a handful of weights shows it."""
        return NO_COURSE

    def outcomes(self) -> Sequence[Outcomes]:
        """The ends of games with the weights of the start and of now, where it can tell."""
        return ()
