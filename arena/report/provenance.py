"""Where the numbers come from: the runs, the machine, the versions, and how to do it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from arena.journal import Header, Session
from arena.report.blocks import Block, Code, Words
from arena.show.table import Column, Table

BROKEN_OFF = ("interrupted", "the run was broken off")
FROM_OUTSIDE = "from outside"  # killed again and again: some games are left unplayed
MOST_RUNS = 12
NAMES = {
    "arena": "Connect Arena",
    "python": "Python",
    "system": "operating system",
    "usable_cores": "usable cores",
    "sqlite": "SQLite",
    "numpy": "NumPy",
    "numba": "Numba",
    "pyyaml": "PyYAML",
}


def date(at: float | None) -> str | None:
    """A time as people read it, in UTC."""
    if at is None:
        return None
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def when(sessions: Sequence[Session]) -> str:
    """The days of the runs, as the end of a sentence."""
    if not sessions:
        return ""
    ended = sessions[-1].ended or sessions[-1].started
    first, last = str(date(sessions[0].started))[:10], str(date(ended))[:10]
    return f", played on {first}" if first == last else f", played from {first} to {last}"


def unfinished(sessions: Sequence[Session]) -> str | None:
    """A sentence if the tournament has not come to its end."""
    if not sessions:
        return None
    last = sessions[-1]
    if last.ended is None:
        return "This tournament is unfinished: its last run still goes on or was cut short."
    if last.why is not None and (last.why in BROKEN_OFF or FROM_OUTSIDE in last.why):
        return f"This tournament is unfinished: its last run ended with “{last.why}”."
    return None


def environment(header: Header, sessions: Sequence[Session]) -> Iterator[Block]:
    """What decided the games, the machine of the last run, and all runs."""
    yield _facts("Tournament", _tournament(header))
    yield _engines(header)
    place = sessions[-1].environment if sessions else header.environment
    yield _facts("Machine and versions", _machine(place))
    if len({str(session.environment) for session in sessions}) > 1:
        yield Words("The runs did not all take place in the same environment: this is the last.")
    if sessions:
        yield _runs(sessions)
        yield Words("To play it again, with the tournament file below:")
        yield Code(sessions[-1].command, "sh")


def _tournament(header: Header) -> Iterator[tuple[str, str]]:
    yield "game", f"{header.game} ({header.rules})"
    yield "seed", str(header.seed)
    yield "tournament file, SHA-256", sha256(header.spec_text.encode()).hexdigest()
    yield "fingerprint of what decides the games", header.fingerprint
    yield "created", str(date(header.created))


def _engines(header: Header) -> Table:
    columns = tuple(Column(name) for name in ("engine", "plugin", "options", "limits"))
    rows = []
    for player in header.players:
        options = ", ".join(f"{name}={value}" for name, value in player.options.items())
        rows.append((player.name, player.engine, options or None, player.limits or None))
    return Table("Engines", columns, tuple(rows))


def _machine(place: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in place.items():
        if value is not None:
            yield NAMES.get(name, name), str(value)


def _facts(title: str, facts: Iterator[tuple[str, str]]) -> Table:
    return Table(title, (Column("what"), Column("value")), tuple(facts))


def _runs(sessions: Sequence[Session]) -> Table:
    columns = tuple(Column(name) for name in ("started", "ended", "workers", "ended by"))
    rows = [
        (date(each.started), date(each.ended), str(each.workers), each.why)
        for each in sessions[-MOST_RUNS:]
    ]
    more = "" if len(rows) == len(sessions) else f", the last {len(rows)} of {len(sessions)}"
    return Table(f"Runs{more}", columns, tuple(rows))
