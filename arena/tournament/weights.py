"""Values of options that are weights: written out, named, or in a file beside the tournament's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from arena.evaluation import Evaluation
from arena.network.option import SUFFIX
from arena.tournament.mistakes import excerpt

WEIGHTS = (".yaml", ".yml", SUFFIX)


def word_of(value: Any, place: int) -> str:
    """A value as part of a name."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return excerpt(value.get("name", f"#{place + 1}"))
    if isinstance(value, str) and value.endswith(WEIGHTS):
        return Path(value).stem
    return excerpt(value)


def with_files(value: Any, file: Callable[[str], str]) -> Any:
    """An evaluation as it is written, with the full name of its file if it has one."""
    if isinstance(value, str) and value.endswith(WEIGHTS):
        return file(value)
    if isinstance(value, Mapping):
        named = [key for key in ("evaluation", "network") if key in value]
        return {**value, **{key: with_files(value[key], file) for key in named}} if named else value
    return value


def weights_of(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation as a mapping that reads back as the same one."""
    plain = Evaluation()
    weights: dict[str, Any] = {"name": evaluation.name}
    for part in fields(Evaluation):
        value = getattr(evaluation, part.name)
        if part.name in ("own", "other", "runs", "chains"):
            if value or (part.name == "other" and evaluation.own):
                weights[part.name] = dict(value)
        elif part.name == "network" and value is not None:
            weights |= {"network": value.name, "win": evaluation.win}
        elif part.name not in ("name", "source") and value != getattr(plain, part.name):
            weights[part.name] = value
    return weights
