"""Which of two is the stronger, in words: the same in every view."""

from __future__ import annotations

from math import isfinite
from typing import Any

from arena.show.numbers import elo, likely
from arena.standings.evidence import Estimate, Interval, ends_of, value_of

MOST_TIMES = 50  # as many games that it is worth to say so


def elo_range(ends: Interval) -> str:
    """An interval of Elo: +12 to +40, at least +12, any."""
    low, high = (elo(end, 0) if isfinite(end) else None for end in ends)
    if low is None:
        return "any" if high is None else f"at most {high}"
    return f"at least {low}" if high is None else f"{low} to {high}"


def elo_words(difference: Estimate) -> str:
    """A difference with its interval: +26 Elo (95 %: +12 to +40)."""
    value = elo(difference.value, 0) if isfinite(difference.value) else None
    ends = f"95 %: {elo_range(difference.interval())}"
    return f"Elo unbounded ({ends})" if value is None else f"{value} Elo ({ends})"


def verdict(names: tuple[str, str], difference: Estimate) -> str:
    """Which of two is the stronger, or that the games do not tell, in a sentence."""
    one, other = names if difference.los >= 0.5 else names[::-1]
    words = elo_words(difference if difference.los >= 0.5 else difference.reversed())
    if difference.is_significant:
        return f"{one} is stronger than {other}: {words}."
    if not difference.is_known:
        return f"Undecided: too few different games of {one} and {other}."
    likeliest = likely(max(difference.los, 1 - difference.los))
    more = more_games(difference)
    return f"Undecided: {one} is {likeliest} likely to be stronger, {words}.{more}"


def more_games(difference: Estimate, confidence: float = 0.95) -> str:
    """How many games would decide, if that is worth saying; a sentence after a space."""
    times = difference.more_games(confidence)
    if not 1 < times <= MOST_TIMES:
        return ""
    if times < 1.5:
        return " A few more games would settle it."
    words = "twice" if times < 2.5 else f"{times:.0f} times"
    return f" About {words} the games would settle it."


def difference_data(difference: Estimate | None) -> dict[str, Any] | None:
    """A difference of strengths for programs."""
    if difference is None:
        return None
    low, high = ends_of(difference)
    return {
        "elo": value_of(difference),
        "elo_low": low,
        "elo_high": high,
        "los": difference.los,
        "clusters": round(difference.clusters, 1),
        "basis": "ratings" if difference.scale == "rating" else "games",
    }
