"""The conditions of the games: limits in words, engines, machine, hosts and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from arena.standings.timekeeping import HostTimes

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
    varied = {
        option
        for player in players
        for other in players
        if player.engine == other.engine
        for option in player.options
        if player.options[option] != other.options.get(option)
    }
    for option in sorted(varied):
        values = {player.name: _cell(player.options.get(option)) for player in players}
        table = table.beside("engine", Column(option, key=f"option_{option}"), values)
    return table


def _cell(value: Any) -> Cell:
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
    header = data.header
    rows = []
    for player in header.players:
        engine, settings = _as_written(player, header)
        options = ", ".join(f"{name}={value}" for name, value in settings.items())
        rows.append((player.name, engine, options or None, used_limits(player) or None))
    columns = map(Column, ("engine", "plugin", "options", "limits"))
    yield Table("How it was played", tuple(columns), tuple(rows))
    place = (data.sessions[-1] if data.sessions else header).environment
    facts = [str(place[key]) for key in ("processor", "system", "python") if key in place]
    facts += [f"Connect Arena {place['arena']}"] if "arena" in place else []
    words = f"Machine: {', '.join(facts)}. " if facts else ""
    yield Words(f"{words}Seed {header.seed}, fingerprint {header.fingerprint[:12]}.")
    if data.sessions:
        yield Words("To play it again:")
        yield Code(data.sessions[-1].command, "sh")


def _as_written(player: Contestant, header: Header) -> tuple[str, Mapping[str, Any]]:
    """An engine and its options, with files as the tournament file names them."""
    entries = header.canonical.get("engines")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("name") == player.name and "engine" in entry:
            written = {
                name: value["file"] if isinstance(value, dict) else value
                for name, value in (entry.get("options") or {}).items()
                if isinstance(value, str)
                or (isinstance(value, dict) and value.keys() == {"file", "sha256"})
            }
            return str(entry["engine"]), {**player.options, **written}
    return player.engine, player.options


def glossary(data: ReportData) -> Iterator[Block]:
    """The meaning of the numbers, a paragraph for each kind."""
    ratings = data.ratings
    anchor = f", with {ratings.anchor} fixed at {ratings.anchor_elo:g}" if ratings.anchor else ""
    yield Words(
        "Place: the order of the format. A knockout ranks by the round reached; a Swiss by points "
        "with byes, then by Buchholz (the points of the opponents); a round-robin by score; other "
        "formats by rating. Ties are broken by rating."
    )
    yield Words(
        "Score: points per game; a win is one point, a draw half a point. Rating: the strengths "
        "that best explain all games together (Bradley and Terry's model, maximum likelihood), on "
        "the Elo scale: 400 points ahead means ten points scored for each one lost. The advantage "
        f"of the first move is fitted with them. The mean of the rated engines is 0{anchor}."
    )
    yield Words(
        f"Prior: {ratings.prior_words}. It keeps the ratings of engines that won or lost every "
        "game finite, and has little effect otherwise."
    )
    yield Words(
        "±: half of the 95 % interval, estimated from the spread of the games, draws included. "
        "Games with the same opening count as one cluster. Overlapping intervals do not mean that "
        "two engines are equal: see “better than next”, the probability that an engine is stronger "
        "than the one below it. It follows from the ratings, so from the games of all engines; the "
        "answer to a question follows from the games of the two engines with each other."
    )
    yield Words(
        "Time: measured for each move, as wall time and processor time, without compilation. "
        "Medians and 95th percentiles (p95) are accurate to 1 %. The interval of a mean time is "
        "too narrow where a few moves take most of the time: the median tells more. A dash means "
        "unknown: engines need not report nodes or depth. Plots by move leave out points that "
        "stand for less than 2 % of an engine's games."
    )


def environment(data: ReportData) -> Iterator[Block]:
    """The seed and fingerprint, the machine of the last run, and all runs."""
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
    if data.results.hosts:
        yield hosts_table(data.results.hosts)
        if any(ON_REFERENCE in player.limits.split() for player in header.players):
            yield Words(NOT_CORRECTED)
    if sessions:
        last = sessions[-MAX_RUNS:]
        rows = [(date(run.started), date(run.ended), str(run.workers), run.why) for run in last]
        more = "" if len(last) == len(sessions) else f", the last {len(last)} of {len(sessions)}"
        columns = map(Column, ("started", "ended", "workers", "ended by"))
        yield Table(f"Runs{more}", tuple(columns), tuple(rows))


def machine(place: Mapping[str, Any]) -> Table:
    """The machine and the versions that figures depend on."""
    facts = [(FACTS.get(name, name), str(value)) for name, value in place.items()
             if value is not None]  # fmt: skip
    return Table("Machine and versions", TEXTS, tuple(facts))


def hosts_table(hosts: Sequence[HostTimes]) -> Table:
    """How fast each host is, what it played, and how its clock did."""
    names = ("host", "standard search", "games", "lost on time", "wall over processor time", "was")
    rows = []
    for host in hosts:
        slow, fast = amount(min(host.speeds)), amount(max(host.speeds))
        ratio = host.time.ratio
        rows.append(
            (
                host.name,
                f"{slow}/s" if slow == fast else f"{slow}/s to {fast}/s",
                str(host.games),
                str(host.time.losses.total()),
                None if ratio is None else f"{ratio:.2f}",
                "busy" if host.time.is_busy else None,
            )
        )
    return Table("Hosts", tuple(map(Column, names)), tuple(rows))


def date(at: float | None) -> str | None:
    """A time as people read it, in UTC."""
    if at is None:
        return None
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
