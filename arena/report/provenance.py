"""Where the numbers come from, how to do it again, and what the numbers mean."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from arena.report.blocks import Block, Code, Words
from arena.report.evidence import Evidence, date
from arena.show.table import Column, Table
from arena.standings.rating import Ratings

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


def environment(evidence: Evidence) -> Iterator[Block]:
    """What decided the games, the machine of the last run, and all runs."""
    header, sessions = evidence.header, evidence.sessions
    facts = (
        ("game", f"{header.game} ({header.rules})"),
        ("seed", str(header.seed)),
        ("tournament file, SHA-256", sha256(header.spec_text.encode()).hexdigest()),
        ("fingerprint of what decides the games", header.fingerprint),
        ("created", date(header.created)),
    )
    yield Table("Tournament", _columns("what", "value"), facts)
    engines = []
    for player in header.players:
        options = ", ".join(f"{name}={value}" for name, value in player.options.items())
        engines.append((player.name, player.engine, options or None, player.limits or None))
    yield Table("Engines", _columns("engine", "plugin", "options", "limits"), tuple(engines))
    place = (sessions[-1] if sessions else header).environment
    machine = [(NAMES.get(name, name), str(value)) for name, value in place.items()
               if value is not None]  # fmt: skip
    yield Table("Machine and versions", _columns("what", "value"), tuple(machine))
    if len({str(session.environment) for session in sessions}) > 1:
        yield Words("The runs did not all take place in the same environment: this is the last.")
    if sessions:
        runs = [(date(run.started), date(run.ended), str(run.workers), run.why)
                for run in sessions[-MOST_RUNS:]]  # fmt: skip
        more = "" if len(runs) == len(sessions) else f", the last {len(runs)} of {len(sessions)}"
        yield Table(f"Runs{more}", _columns("started", "ended", "workers", "ended by"), tuple(runs))
        yield Words("To play it again, with the tournament file below:")
        yield Code(sessions[-1].command, "sh")


def _columns(*names: str) -> tuple[Column, ...]:
    return tuple(map(Column, names))


def glossary(ratings: Ratings) -> Iterator[Block]:
    """How the numbers are made, for a reader who did not make them."""
    yield Words(
        "Place: in the order of the format. A knockout ranks by how far each came; a Swiss by "
        "points with byes, then by Buchholz, the points of the opponents; a round-robin by score; "
        "the others by rating. What is equal goes by rating."
    )
    yield Words(
        "Score: a win is a point, a draw half a point; points over games. Ratings: the strengths "
        "that explain all games together best (Bradley and Terry's model, maximum likelihood), "
        "on the Elo scale: 400 points ahead means ten points scored for each one lost. The worth "
        "of the first move is fitted with them. Zero is the mean of the rated engines"
        + (f", with {ratings.anchor} held at {ratings.anchor_elo:g}." if ratings.anchor else ".")
    )
    yield Words(
        f"Prior: {ratings.prior_words}. It keeps the ratings of engines that won or lost "
        "everything finite, and matters little otherwise."
    )
    yield Words(
        "±: half of the 95 % interval, from the games' own spread, draws included; games with the "
        "same opening go together (clustered variance). Intervals that overlap do not mean that "
        "two engines are equal: see “better than next”, the likelihood that an engine is stronger "
        "than the one below it."
    )
    yield Words(
        "Times are measured for each move, on the wall and on the processor; compile time is never "
        "counted. Medians and 95th percentiles (p95) are estimated to 1 %. A dash is a number that "
        "is not known: an engine need not tell its nodes or its depth. In plots by move, a point "
        "that stands for less than 2 % of an engine's games is left out."
    )
