"""Which round is being played, in the words of its format, and who is out."""

from __future__ import annotations

from collections.abc import Sequence

from arena.tournament.formats import (
    GameResult,
    Knockout,
    Pyramid,
    StaticFormat,
    Swiss,
    stage_name,
)
from arena.tournament.schedule import Schedule, before


def round_in_words(
    schedule: Schedule, round_: int, results: Sequence[GameResult], names: Sequence[str]
) -> str:
    """The round as a viewer wants to hear it; results matter to a knockout only."""
    kind = schedule.format
    if isinstance(kind, Knockout):
        return _stage(schedule, kind, round_, results)
    if isinstance(kind, Pyramid):
        return f"{names[round_]} joins, {round_} of {kind.rounds(schedule.field)}"
    if isinstance(kind, StaticFormat):
        return f"round {round_} of {kind.rounds(schedule.field)}"
    return f"round {round_} of {kind.rounds}" if isinstance(kind, Swiss) else f"round {round_}"


def _stage(schedule: Schedule, kind: Knockout, round_: int, results: Sequence[GameResult]) -> str:
    *_, stage = kind.bracket(schedule.field, before(round_, results))
    name = stage_name(len(stage))
    is_tiebreak = any(match.due and match.games for match in stage)
    return f"{name}, tiebreaks" if is_tiebreak else name


def knocked_out(schedule: Schedule, round_: int, results: Sequence[GameResult]) -> dict[int, int]:
    """Who is out, with the stage, from 1, that was too much; nobody but in a knockout."""
    kind = schedule.format
    if not isinstance(kind, Knockout):
        return {}
    found = {}
    stages = kind.bracket(schedule.field, before(round_, results))
    for number, stage in enumerate(stages, start=1):
        for match in stage:
            if match.winner is not None and match.worse is not None:
                found[match.better + match.worse - match.winner] = number
    return found
