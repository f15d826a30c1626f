"""The evaluations of the classics, by name, with where they come from (SEEDS sections 1 and 3)."""

from __future__ import annotations

from typing import Any

from arena.evaluation.evaluation import DEFAULT_WIN, Evaluation, Weights


def _counts(one: float, two: float, three: float) -> Weights:
    return ((1, one), (2, two), (3, three))


def _even(name: str, weights: Weights, source: str, **more: Any) -> Evaluation:
    """An evaluation that gives the opponent's lines the opposite weight."""
    opposite = tuple((k, -weight) for k, weight in weights)
    return Evaluation(name, weights, opposite, source=source, **more)


RIVEST = _counts(1, 10, 50)

_ALL = (
    Evaluation("h2", win=1, source="Blair 2011 (S1.5): who has won, and nothing else"),
    Evaluation("h1", rays="down", source="Blair 2011 (S1.4): rays from the last disc"),
    _even("rivest", RIVEST, "Rivest 1987 (S4.3), a win worth a million", tempo=16),
    _even(
        "rivest-512", RIVEST, "Rivest 1987 (S4.3), a win worth 512 as printed", tempo=16, win=512
    ),
    Evaluation(
        "gaiceanu",
        own=((2, 500), (3, 5000), (4, 5000001)),
        other=((2, -501), (3, -5001), (4, -5000000)),
        centre=1,
        win=None,
        source="Gaiceanu 2022 (S0.3)",
    ),
    Evaluation(
        "window",
        own=((2, 4), (3, 10), (4, 100)),
        other=((3, -20), (4, -100)),
        centre=3,
        win=DEFAULT_WIN,
        source="score_position (S2.5)",
    ),
    Evaluation("fourplay", runs=((2, 2), (3, 2)), source="FourPlay (S3.4), untrained weights 2, 2"),
    Evaluation(
        "fourplay-td",
        runs=((2, 4554.46), (3, 6986.67)),
        source="FourPlay (S3.4), weights learned by TD",
    ),
    _even("counts", _counts(1, 4, 16), "all open lines, 1/4/16 (SEEDS section 3)"),
    _even("counts-123", _counts(1, 2, 3), "all open lines, 1/2/3 (SEEDS section 3)"),
    _even("threes", ((3, 1),), "open threes only (SEEDS section 3)"),
)

EVALUATIONS: dict[str, Evaluation] = {evaluation.name: evaluation for evaluation in _ALL}
