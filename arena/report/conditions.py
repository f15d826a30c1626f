"""The conditions of the games: limits in words, engines, machine, hosts and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from arena.bots.find import ignored_limits
from arena.engine.limits import LIMITS, REFERENCE, Limits
from arena.journal import Contestant, Header
from arena.report.blocks import Block, Code, Words
from arena.report.data import ReportData
from arena.show.numbers import amount
from arena.show.table import Cell, Column, Table

NO_LIMIT = str(Limits())
ON_REFERENCE = "on=reference"
TEXTS = (Column("what"), Column("value"))
MAX_RUNS = 12
FACTS = {
    "arena": "Connect Arena",
    "python": "Python",
    "system": "operating system",
    "usable_cores": "usable cores",
    "sqlite": "SQLite",
    "numpy": "NumPy",
    "numba": "Numba",
    "pyyaml": "PyYAML",
}
NOT_CORRECTED = (
    f"Seconds are those of a core that does {amount(REFERENCE)} positions a second of the standard "
    "search; each host gave the more, the slower it was by that search. It is measured by "
    "processor time on one core: other work on a host, and workers that share a core, are not "
    "corrected for."
)


def used_limits(player: Contestant) -> str:
    """The limits that its engine uses, as a journal writes them; "" if it ignores all of them."""
    ignored = ignored_limits(player.engine)
    if not ignored or not player.limits:
        return player.limits
    if ignored == LIMITS:
        return ""
    used = [part for part in player.limits.split() if part.partition("=")[0] not in ignored]
    return " ".join(used) or NO_LIMIT


def limits_differ(players: Sequence[Contestant]) -> bool:
    """Whether engines that use limits had different ones."""
    return len({used_limits(player) for player in players} - {""}) > 1


def with_limits(
    table: Table, players: Sequence[Contestant], show: Callable[[str], str] = str
) -> Table:
    """A table of engines with a column for their limits, beside their names."""
    limits: dict[str, Cell] = {each.name: show(used_limits(each)) or None for each in players}
    return table.beside("engine", Column("limits"), limits)


def with_options(table: Table, players: Sequence[Contestant]) -> Table:
    """A table of engines with a column for each option in which engines of a kind differ."""
    for option in varied_options(players):
        values: dict[str, Cell] = {
            player.name: _plain(player.options.get(option)) for player in players
        }
        table = table.beside("engine", Column(option, key=f"option_{option}"), values)
    return table


def varied_options(players: Sequence[Contestant]) -> list[str]:
    """The options that a tournament varies: those that differ between engines of one kind."""
    kinds: dict[str, list[Contestant]] = {}
    for player in players:
        kinds.setdefault(player.engine, []).append(player)
    return sorted(
        {
            option
            for group in kinds.values()
            for player in group
            for option in player.options
            if any(other.options.get(option) != player.options[option] for other in group)
        }
    )


def _plain(value: Any) -> Cell:
    return value if isinstance(value, str | int | float | None) else str(value)


def limits_in_words(limits: str) -> str:
    """ "depth=4 nodes=20000" in words: 4 plies and 20,000 nodes; strange ones as they are."""
    if "=" not in limits:
        return limits
    parts = limits.split()
    whose = " (of a reference core)" if ON_REFERENCE in parts else ""
    return " and ".join(_limit_in_words(each) for each in parts if each != ON_REFERENCE) + whose


def _limit_in_words(limit: str) -> str:
    name, _, value = limit.partition("=")
    if name == "clock":
        start, _, more = value.partition("+")
        return f"a clock of {start} s" + (f" and {more} s a move" if more not in ("", "0") else "")
    if name in ("seconds", "cpu"):
        return f"{value} s" + (" of processor time" if name == "cpu" else "")
    unit = {"depth": "ply" if value == "1" else "plies", "nodes": "nodes"}.get(name, name)
    return f"{int(value):,} {unit}" if value.isdecimal() else limit


def how_it_was_played(data: ReportData) -> Iterator[Block]:
    """The engines, the machine, and the command that plays it again."""
    yield replace(engines_table(data.header), title="How it was played")
    place = (data.sessions[-1] if data.sessions else data.header).environment
    facts = [str(place[key]) for key in ("processor", "system", "python") if key in place]
    facts += [f"Connect Arena {place['arena']}"] if "arena" in place else []
    words = f"Machine: {', '.join(facts)}. " if facts else ""
    yield Words(f"{words}Seed {data.header.seed}, fingerprint {data.header.fingerprint[:12]}.")
    if data.sessions:
        yield Words("To play it again:")
        yield Code(data.sessions[-1].command, "sh")


def environment(data: ReportData) -> Iterator[Block]:
    """What decides the games, the machine of the last run, and all runs."""
    header, sessions = data.header, data.sessions
    facts = (
        ("game", f"{header.game} ({header.rules})"),
        ("seed", str(header.seed)),
        ("tournament file, SHA-256", sha256(header.spec_text.encode()).hexdigest()),
        ("fingerprint of what decides the games", header.fingerprint),
        ("created", date(header.created)),
    )
    yield Table("Tournament", TEXTS, facts)
    yield machine((sessions[-1] if sessions else header).environment)
    if len({str(session.environment) for session in sessions}) > 1:
        yield Words("The runs had different environments; this is the last one.")
    yield from _hosts(data)
    if sessions:
        runs = [(date(run.started), date(run.ended), str(run.workers), run.why)
                for run in sessions[-MAX_RUNS:]]  # fmt: skip
        more = "" if len(runs) == len(sessions) else f", the last {len(runs)} of {len(sessions)}"
        columns = map(Column, ("started", "ended", "workers", "ended by"))
        yield Table(f"Runs{more}", tuple(columns), tuple(runs))


def engines_table(header: Header) -> Table:
    """Each engine with its options and limits."""
    rows = []
    for player in header.players:
        engine, settings = _in_short(player, header)
        options = ", ".join(f"{name}={value}" for name, value in settings.items())
        rows.append((player.name, engine, options or None, used_limits(player) or None))
    columns = map(Column, ("engine", "plugin", "options", "limits"))
    return Table("Engines", tuple(columns), tuple(rows))


def _in_short(player: Contestant, header: Header) -> tuple[str, Mapping[str, Any]]:
    """An engine and its options, with files as they are seen from the tournament's own."""
    entries = header.canonical.get("engines")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("name") == player.name and "engine" in entry:
            written = entry.get("options") or {}
            files = {name: value["file"] for name, value in written.items() if _is_file(value)}
            words = {name: value for name, value in written.items() if isinstance(value, str)}
            return str(entry["engine"]), {**player.options, **words, **files}
    return player.engine, player.options


def _is_file(value: Any) -> bool:
    """Whether this is a file with its digest, as it stands in what decides the games."""
    return isinstance(value, dict) and value.keys() == {"file", "sha256"}


def machine(place: Mapping[str, Any]) -> Table:
    """The machine and the versions that figures depend on."""
    facts = [(FACTS.get(name, name), str(value)) for name, value in place.items()
             if value is not None]  # fmt: skip
    return Table("Machine and versions", TEXTS, tuple(facts))


def _hosts(data: ReportData) -> Iterator[Block]:
    """How fast each host is, what it played, and how its clock did, where games depend on it."""
    if not data.results.hosts:
        return
    columns = (
        Column("host"), Column("standard search"), Column("games"), Column("lost on time"),
        Column("wall over processor time"), Column("was"),
    )  # fmt: skip
    rows = []
    for host in data.results.hosts:
        slow, fast = (f"{amount(end(host.speeds))}" for end in (min, max))
        rows.append(
            (host.name, f"{slow}/s" if slow == fast else f"{slow} to {fast}/s", str(host.games),
             str(host.time.losses.total()),
             None if host.time.ratio is None else f"{host.time.ratio:.2f}",
             "busy" if host.time.is_busy else None)
        )  # fmt: skip
    yield Table("Hosts", columns, tuple(rows))
    if any(ON_REFERENCE in player.limits.split() for player in data.header.players):
        yield Words(NOT_CORRECTED)


def date(at: float | None) -> str | None:
    """A time as people read it, in UTC."""
    if at is None:
        return None
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
