"""Limits as a report says them: in words, beside the names of the engines where they differ."""

from __future__ import annotations

from collections.abc import Sequence

from arena.journal import Contestant
from arena.show.numbers import listed

MOST_NAMED = 4  # engines named beside their limits; more are counted
MOST_LIMITS = 6  # in a sentence
TIMED = ("seconds", "clock")  # on the wall, of which a busy machine takes its share


def limits_in_words(limits: str) -> str:
    """ "depth=4 nodes=20000" as people say it: 4 plies, 20,000 nodes; strange ones as they are."""
    return " and ".join(map(_in_words, limits.split())) if "=" in limits else limits


def _in_words(limit: str) -> str:
    name, _, value = limit.partition("=")
    if name == "clock":
        start, _, more = value.partition("+")
        return f"a clock of {start} s" + (f" and {more} s a move" if more not in ("", "0") else "")
    if name in ("seconds", "cpu"):
        return f"{value} s" + (" of processor time" if name == "cpu" else "")
    counted = {"depth": "ply" if value == "1" else "plies", "nodes": "nodes"}.get(name, name)
    return f"{int(value):,} {counted}" if value.isdecimal() else limit


def labels(players: Sequence[Contestant]) -> tuple[str, ...]:
    """The names of engines, with their limits where these are not the same for all.

    A name that says its limit already is left as it is. An engine need not use all it may.
    """
    if len({player.limits for player in players}) < 2:
        return tuple(player.name for player in players)
    return tuple(
        player.name
        if not player.limits or player.limits in player.name
        else f"{player.name} ({_as_a_limit(limits_in_words(player.limits))})"
        for player in players
    )


def _as_a_limit(words: str) -> str:
    return words if words.startswith("a clock") else f"limit {words}"


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
