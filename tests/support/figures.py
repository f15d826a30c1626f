"""Figures, expectations and published values as a tournament has them, without a file."""

from __future__ import annotations

from typing import Any

from arena.tournament.claims import Bound, Expectation, Published
from arena.tournament.figures import Figure


def figure_of(measure: str, of: str = "", against: tuple[str, ...] = (), **keys: Any) -> Figure:
    """A figure of a player, or of all games."""
    rest = {key: value for key, value in keys.items() if value not in ("", None)}
    opponents = {"against": against} if against else {}
    return Figure.model_validate({measure: of or "all", **opponents, **rest})


def expectation_of(
    figure: Figure, bound: Bound, confidence: float | None = None, **keys: Any
) -> Expectation:
    """What is expected of a figure."""
    sure = {"confidence": confidence}
    return Expectation.model_validate({**_keys(figure, bound), **sure, **keys})


def published_of(
    figure: Figure,
    source: str,
    value: float | None = None,
    of: int | None = None,
    bound: Bound | None = None,
    **keys: Any,
) -> Published:
    """What a source says of a figure."""
    given = {"source": source, "value": value, "of": of}
    return Published.model_validate({**_keys(figure, bound or Bound()), **given, **keys})


def _keys(figure: Figure, bound: Bound) -> dict[str, Any]:
    given = {key: value for key, value in bound._asdict().items() if value is not None}
    return {**figure.model_dump(exclude_defaults=True), **given}
