"""Limits as a report says them: in words, beside the names of the engines where they differ."""

from __future__ import annotations

from collections.abc import Sequence

from arena.journal import Contestant
from arena.show.names import limits_in_words
from arena.show.numbers import listed

MOST_NAMED = 4  # engines named beside their limits; more are counted
MOST_LIMITS = 6  # in a sentence
TIMED = ("seconds", "clock")  # on the wall, of which a busy machine takes its share


def limits_sentence(players: Sequence[Contestant]) -> str | None:
    """Under which limits the engines played; None where a journal does not say."""
    by_limit: dict[str, list[str]] = {}
    for player in players:
        by_limit.setdefault(limits_in_words(player.limits), []).append(player.name)
    by_limit.pop("", None)
    if not by_limit:
        return None
    if len(by_limit) == 1:
        (words,) = by_limit
        return f"Every engine had {words}{'' if 'clock' in words else ' a move'}."
    if len(by_limit) > MOST_LIMITS:
        return "Their limits differ, and stand beside their names."
    parts = [f"{words} ({_those(names)})" for words, names in by_limit.items()]
    return f"Their limits a move: {'; '.join(parts)}."


def _those(names: Sequence[str]) -> str:
    return listed(names) if len(names) <= MOST_NAMED else f"{len(names)} engines"


def any_timed(players: Sequence[Contestant]) -> bool:
    """Whether somebody was limited by time, so that a busy machine changes the games."""
    names = {part.partition("=")[0] for player in players for part in player.limits.split()}
    return not names.isdisjoint(TIMED)
