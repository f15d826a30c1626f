"""The methods of learning by the name that a training file gives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.learning.learner import Learner
from arena.learning.linear import LinearLearner
from arena.learning.ntuple import NTupleLearner
from arena.learning.spec import Training

METHODS: dict[str, Callable[[Training[Any]], Learner]] = {  # built from the file of the method
    "td": LinearLearner,
    "ntuple": NTupleLearner,
}


def learner_of(training: Training[Any]) -> Learner:
    """A new learner, as the training file describes it."""
    return METHODS[training.method](training)
