"""The lines of UCI and its relatives, read and written: limits, and what a search found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite
from typing import Any, Literal

from arena.engine.contract import Choice, Limits
from arena.engine.limits import MOST_SECONDS

Greeting = Literal["uci", "ugi", "none"]

MATE = 1_000_000  # the score of a line that is complete; one in three moves is worth 3 less
HUNDREDTHS = 100  # `score cp` counts them


@dataclass(frozen=True)
class Handshake:
    """What a program and its user say to each other before a game; empty words are not said."""

    greeting: str
    answer: str
    new_game: str
    clocks: tuple[str, str] = ("wtime", "btime")  # what is left, of both players
    increments: tuple[str, str] = ("winc", "binc")


HANDSHAKES: dict[Greeting, Handshake] = {
    "uci": Handshake("uci", "uciok", "ucinewgame"),
    "ugi": Handshake("ugi", "ugiok", "uginewgame", ("p1time", "p2time"), ("p1inc", "p2inc")),
    "none": Handshake("", "", ""),
}


def write_go(limits: Limits, handshake: Handshake) -> str:
    """The line that asks for a move; of processor time, as much as of time on the wall.

    The opponent's clock is not known here, and is told to be the same.
    """
    words: list[object] = ["go"]
    if limits.clock is not None:
        clock, more = _milliseconds(limits.clock), round(1000 * limits.increment)
        for names, value in ((handshake.clocks, clock), (handshake.increments, more)):
            words += [names[0], value, names[1], value]
    seconds = [limit for limit in (limits.seconds, limits.cpu) if limit is not None]
    if seconds:
        words += ["movetime", _milliseconds(min(seconds))]
    for name in ("depth", "nodes"):
        if getattr(limits, name) is not None:
            words += [name, getattr(limits, name)]
    return " ".join(map(str, words))


def read_go(line: str, to_move: int) -> Limits:
    """The limits that a line asks to keep, for the player to move; what is unknown is passed by."""
    words = line.split()
    given = {word: read_count(value) for word, value in pairwise(words)}
    read: dict[str, Any] = {
        name: max(1, count) for name in ("depth", "nodes") if (count := given.get(name)) is not None
    }
    for handshake in HANDSHAKES.values():
        clock = given.get(handshake.clocks[to_move])
        if clock is not None:
            read["clock"] = _seconds(clock)
            read["increment"] = _seconds(given.get(handshake.increments[to_move]) or 0, least=0)
    if (move_time := given.get("movetime")) is not None:
        read["seconds"] = _seconds(move_time)
    return Limits(**read)


@dataclass(frozen=True)
class Report:
    """What a program tells of its search, line by line."""

    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    line: tuple[str, ...] = ()

    def with_line(self, line: str) -> Report:
        """The report with what one more `info` line says."""
        words = line.split()
        if "string" in words:
            return self
        news: dict[str, Any] = {}
        for name in ("depth", "nodes"):
            count = read_count(_after(words, name))
            if count is not None and count >= 0:
                news[name] = count
        score = _read_score(words)
        if score is not None:
            news["score"] = score
        if "pv" in words:
            news["line"] = tuple(words[words.index("pv") + 1 :])
        return replace(self, **news)


def rank_of(line: str) -> int:
    """Which line of play an `info` line is about, the best being 1."""
    rank = read_count(_after(line.split(), "multipv"))
    return 1 if rank is None else rank


def write_info(choice: Choice, line: Sequence[str], seconds: float) -> str:
    """What an engine knows of its move as an `info` line; its score counts in hundredths."""
    words: list[object] = ["info"]
    if choice.depth is not None:
        words += ["depth", choice.depth]
    if choice.score is not None and isfinite(choice.score):
        words += ["score", "cp", round(HUNDREDTHS * choice.score)]
    if choice.nodes is not None:
        words += ["nodes", choice.nodes]
    return " ".join(map(str, [*words, "time", round(1000 * seconds), "pv", *line]))


def read_count(text: str | None) -> int | None:
    """A whole number, if the text is one of ordinary size."""
    return int(text) if text is not None and re.fullmatch(r"-?[0-9]{1,15}", text) else None


def _milliseconds(seconds: float) -> int:
    return max(1, int(1000 * seconds))


def _seconds(milliseconds: int, least: int = 1) -> float:
    """Seconds in the range of limits: users send clocks below zero."""
    return min(max(least, milliseconds) / 1000, MOST_SECONDS)


def _after(words: Sequence[str], name: str) -> str | None:
    """The word that follows another one."""
    return next((value for word, value in pairwise(words) if word == name), None)


def _read_score(words: Sequence[str]) -> float | None:
    """The score in hundredths, also of a sure end; one that is only a bound is none."""
    if "lowerbound" in words or "upperbound" in words:
        return None
    hundredths, moves = read_count(_after(words, "cp")), read_count(_after(words, "mate"))
    if hundredths is not None:
        return hundredths
    if moves is None:
        return None
    return MATE - moves if moves > 0 else -MATE - moves
