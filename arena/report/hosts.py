"""The table of hosts: how fast they are, what they played, and how their clocks did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from arena.engine.limits import REFERENCE, TIMES, Limits
from arena.report.blocks import Block, Words
from arena.report.limits import limits_in_words
from arena.show.numbers import amount
from arena.show.table import Column, Table
from arena.standings.hosts import HostTimes

NOT_CORRECTED = (
    f"Seconds are those of a core that does {amount(REFERENCE)} positions a second of the standard "
    "search; each host gave the more, the slower it was by that search. It is measured by "
    "processor time on one core: other work on a host, and tables that share a core, are not "
    "corrected for."
)


def hosts(times: Sequence[HostTimes], limits: Sequence[Limits]) -> Iterator[Block]:
    """All hosts; where limits are of the reference, what each gave, and what that means."""
    scaled = list(dict.fromkeys(each for each in limits if each.on is not None))
    rows = [
        (
            host.name, _speeds(host), str(host.games), str(host.time.losses.total()),
            None if host.time.ratio is None else f"{host.time.ratio:.2f}",
            "busy" if host.time.is_busy else None,
            *([_gave(host, scaled)] if scaled else []),
        )
        for host in times
    ]  # fmt: skip
    names = ["host", "standard search", "games", "lost on time", "wall over processor time", "was"]
    if scaled:
        meant = "1 s" if len(scaled) > 1 else limits_in_words(str(replace(scaled[0], on=None)))
        names.append(f"gave for {meant}")
    yield Table("Hosts", tuple(map(Column, names)), tuple(rows))
    if scaled:
        yield Words(NOT_CORRECTED)


def _speeds(host: HostTimes) -> str:
    return f"{_between(amount(min(host.speeds)), amount(max(host.speeds)))}/s"


def _gave(host: HostTimes, scaled: Sequence[Limits]) -> str:
    """What a host gave for the limits of all; where they differ, for a second."""
    meant = scaled[0] if len(scaled) == 1 else Limits(seconds=1.0, on="reference")
    given = (meant.at_speed(speed(host.speeds)) for speed in (max, min))
    return _between(*(limits_in_words(str(_rounded(each))) for each in given))


def _between(one: str, other: str) -> str:
    return one if one == other else f"{one} to {other}"


def _rounded(limits: Limits) -> Limits:
    """Times in three digits."""
    times: dict[str, Any] = {name: getattr(limits, name) for name in TIMES}
    rounded: dict[str, Any] = {name: x and float(f"{x:.3g}") for name, x in times.items()}
    return replace(limits, **rounded)
