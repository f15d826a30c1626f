"""All that a report is made from: where it comes from, and what to be careful about in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from typing import Any

from arena.bots.find import learns
from arena.bots.hosted import MEMORY, Terms
from arena.engine.errors import EngineMistake
from arena.journal import Contestant, Header, Session
from arena.report.blocks import Block, Code, Words
from arena.report.hosts import hosts
from arena.report.limits import used_limits
from arena.show.numbers import how_many, listed, percent
from arena.show.table import Column, Table
from arena.standings.accuracy import Accuracy
from arena.standings.hosts import HostTimes
from arena.standings.measures import Measured
from arena.standings.moves import BUSY, WHY_LONG
from arena.standings.question import DecidedTest
from arena.standings.rating import Ratings
from arena.standings.results import Results, read_limits
from arena.standings.sprt import DECIDED
from arena.standings.verdicts import Comparison, Grade, Measurements, compare, grade
from arena.table.game import GOOD_ENDS
from arena.tournament.claims import NO_AIMS, Aims
from arena.tournament.sprt import Sprt

BROKEN_OFF = ("interrupted", "the run was broken off")
UNPLAYED = ("could not be played", "from outside")  # of runs with unplayed games; the second: 1.0
FEW_GAMES = 20  # of an engine
MOST_NAMED = 5  # engines in a sentence
TIMED = {"seconds", "clock"}  # on the wall, of which a busy machine takes its share
HOW = {"time": "on time", "exception": "by an exception", "illegal move": "by an illegal move",
       "memory": "by using too much memory", "crash": "by a crash"}  # fmt: skip
MOST_RUNS = 12
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

Caution = tuple[str, str]  # a topic to be careful about, and what there is to know


@dataclass(frozen=True)
class Evidence:
    """What the journal of a tournament tells, and what follows from its games."""

    header: Header
    sessions: tuple[Session, ...]
    results: Results
    ratings: Ratings
    accuracy: Accuracy | None = None  # None where no exact scores were asked for, or can be had
    place: str = ""  # the journal, as a command names it
    mistakes: tuple[EngineMistake, ...] = ()
    crowded: tuple[str, ...] = ()  # what was said of the machine before the games
    hosts: tuple[HostTimes, ...] = ()  # where games depend on their speed
    changed: tuple[str, ...] = ()  # and of engines that are not those of earlier runs
    aims: Aims = NO_AIMS  # what the games are held against
    measurements: Measurements = field(default_factory=dict)  # of all figures that these name

    @property
    def summary(self) -> str:
        """The tournament in a sentence."""
        games, when = how_many(self.results.games, "game"), ""
        if self.sessions:
            ended = self.sessions[-1].ended or self.sessions[-1].started
            first, last = str(date(self.sessions[0].started))[:10], str(date(ended))[:10]
            when = f", played on {first}" if first == last else f", played from {first} to {last}"
        return f"{len(self.results.names)} engines, {games} of {self.header.rules}{when}."

    @property
    def decided_test(self) -> DecidedTest | None:
        """The sequential test that has ended the last run, if one has."""
        sprt = (self.header.canonical.get("stop") or {}).get("sprt")
        why = self.sessions[-1].why if self.sessions else None
        if not sprt or not str(why).startswith(DECIDED):
            return None
        names = self.results.names
        player, other = map(names.index, sprt.get("engines") or names[:2])
        keys = "elo0", "elo1", "alpha", "beta", "model"
        return DecidedTest(player, other, Sprt(**{key: sprt[key] for key in keys}))

    @property
    def unfinished(self) -> str | None:
        """A sentence if the tournament has not come to its end."""
        if not self.sessions:
            return None
        last = self.sessions[-1]
        if last.ended is None:
            return "This tournament is unfinished: its last run still goes on or was cut short."
        if last.why is not None and (
            last.why in BROKEN_OFF or any(words in last.why for words in UNPLAYED)
        ):
            return f"This tournament is unfinished: its last run ended with “{last.why}”."
        return None

    @cached_property
    def learners(self) -> tuple[int, ...]:
        """The players whose engines learn from their games."""
        terms = Terms(memory=self.header.canonical.get("memory") or MEMORY)
        players = enumerate(self.header.players)
        return tuple(number for number, player in players if learns(player.engine, terms))

    @property
    def shown(self) -> list[Measured]:
        """The figures that are told alone."""
        return [self.measurements[figure] for figure in self.aims.shown]

    @cached_property
    def grade(self) -> Grade:
        """The expectations with their verdicts."""
        return grade(self.aims, self.measurements)

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Published figures beside ours."""
        return tuple(compare(each, self.measurements) for each in self.aims.published)

    @cached_property
    def cautions(self) -> tuple[Caution, ...]:
        """Everything to be careful about, the most serious first."""
        return tuple(cautions(self))


def date(at: float | None) -> str | None:
    """A time as people read it, in UTC."""
    if at is None:
        return None
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def cautions(evidence: Evidence) -> Iterator[Caution]:
    """What was said before the games of a crowded machine and of changed engines is said again."""
    results, accuracy = evidence.results, evidence.accuracy
    if evidence.unfinished:
        so_far = f"The numbers are those of the {how_many(results.games, 'game')} so far."
        yield "an unfinished tournament", f"{evidence.unfinished} {so_far}"
    if not results.games:
        return
    yield from _forfeits(results)
    for words in evidence.changed:
        yield "a changed engine", f"Before a later run it was said: {words}."
    for words in evidence.crowded:
        yield "a crowded machine", f"Before the games it was said: {words}."
    yield from _busy(evidence.header.players, results.time.ratio)
    games = [score.games for score in results.scoreboard.scores if score.games]
    if min(games) < FEW_GAMES:
        some = how_many(min(games), "game")
        each = f"{some} each" if min(games) == max(games) else f"only {some} of some engines"
        yield "few games", f"There are few games, {each}: the ratings are rough."
    if results.distinct < 0.5:
        words = (
            f"Only {percent(results.distinct)} of the games are different: copies add no evidence, "
            "and the intervals allow for that."
        )
        yield "repeated games", words
    yield from _perfect(results)
    if accuracy is not None and accuracy.unjudged:
        share = accuracy.unjudged / (accuracy.moves + accuracy.unjudged)
        words = (
            f"{percent(share)} of the moves in the judged games are unjudged: the accuracy tables "
            "do not include their value."
        )
        yield "unjudged moves", words


def _forfeits(results: Results) -> Iterator[Caution]:
    """The games that players lost by their own fault, by reason; the worst first."""
    lost_by: dict[int, dict[str, int]] = {}
    for reason, lost in results.causes.items():
        if reason not in GOOD_ENDS:
            for player, games in enumerate(lost.tolist()):
                if games:
                    lost_by.setdefault(player, {})[reason] = games
    if not lost_by:
        return
    worst_first = sorted(lost_by.items(), key=lambda item: -sum(item[1].values()))
    sentences = []
    for player, reasons in worst_first[:MOST_NAMED]:
        many = sorted(reasons.items(), key=lambda item: -item[1])
        each = [f"{count:,} {HOW.get(reason, f'by {reason}')}" for reason, count in many]
        played = how_many(results.scoreboard.scores[player].games, "game")
        sentences.append(f"{results.names[player]}: {listed(each)}, of {played}")
    rest = len(lost_by) - len(sentences)
    sentences += [f"{how_many(rest, 'other engine')} as well"] if rest else []
    total = sum(sum(reasons.values()) for reasons in lost_by.values())
    words = (
        f"{how_many(total, 'game')} of {results.games:,} "
        f"{'was' if total == 1 else 'were'} forfeited ({'; '.join(sentences)}). Such a game shows "
        "that an engine failed, not how well it or its opponent plays."
    )
    yield "forfeited games", words


def _busy(players: Sequence[Contestant], ratio: float | None) -> Iterator[Caution]:
    """A machine that had other things to do, which changes games only where time limits them."""
    if ratio is None or ratio <= BUSY:
        return
    limits = {part.partition("=")[0] for player in players for part in player.limits.split()}
    if limits & TIMED:
        effect = "Engines with a time limit could search less, so their results and losses on time "
        effect += "are doubtful."
    elif "cpu" in limits:
        effect = "Limits of processor time are not affected; compare processor times."
    else:
        effect = "No engine had a time limit, so the games are not affected; compare processor "
        effect += "times."
    words = f"Moves took {ratio:.1f} times their processor time: {WHY_LONG}. {effect}"
    yield "a busy machine", words


def _perfect(results: Results) -> Iterator[Caution]:
    """Engines that won, or lost, every game: only the prior holds their ratings."""
    scores = list(enumerate(results.scoreboard.scores))
    sentences = []
    won = [player for player, score in scores if score.games and score.won == score.games]
    lost = [player for player, score in scores if score.games and score.lost == score.games]
    for words, all_so in (("won", won), ("lost", lost)):
        if all_so:
            names = [results.names[player] for player in all_so[:MOST_NAMED]]
            names += ["others"] if len(all_so) > MOST_NAMED else []
            sentences.append(f"{listed(names)} {words} every game")
    if all(score.drawn == score.games for _, score in scores):
        yield "drawn games", "Every game was drawn, so these games do not separate any engines."
    elif sentences:
        words = (
            f"{' and '.join(sentences)}. Only the prior keeps such a rating finite: the engine may "
            "be much further from the others than shown."
        )
        yield "perfect scores", words


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
        engine, settings = _in_short(player, header)
        options = ", ".join(f"{name}={value}" for name, value in settings.items())
        engines.append((player.name, engine, options or None, used_limits(player) or None))
    yield Table("Engines", _columns("engine", "plugin", "options", "limits"), tuple(engines))
    yield machine((sessions[-1] if sessions else header).environment)
    if len({str(session.environment) for session in sessions}) > 1:
        yield Words("The runs had different environments; this is the last one.")
    if evidence.hosts:
        limits = [read_limits(player.limits) for player in header.players]
        yield from hosts(evidence.hosts, limits)
    if sessions:
        runs = [(date(run.started), date(run.ended), str(run.workers), run.why)
                for run in sessions[-MOST_RUNS:]]  # fmt: skip
        more = "" if len(runs) == len(sessions) else f", the last {len(runs)} of {len(sessions)}"
        yield Table(f"Runs{more}", _columns("started", "ended", "workers", "ended by"), tuple(runs))
        yield Words("To play it again, with the tournament file below:")
        yield Code(sessions[-1].command, "sh")


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
    return Table("Machine and versions", _columns("what", "value"), tuple(facts))


def _columns(*names: str) -> tuple[Column, ...]:
    return tuple(map(Column, names))
