"""The data of a report, read from a journal in one pass: games, ratings, accuracy, verdicts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from arena.bots.find import learns
from arena.bots.hosted import MEMORY, Terms
from arena.errors import BadRules
from arena.game.rules import Rules
from arena.journal import Header, Journal, Session
from arena.judge.judge import Blunder
from arena.judge.sampling import Memory, judge_journal
from arena.machine import usable_cores
from arena.session import CROWDED, ENGINE_CHANGED
from arena.show.progress import ready_judge
from arena.solver.solver import refuse
from arena.standings.accuracy import Accuracy
from arena.standings.accuracy import accuracy as accuracy_of
from arena.standings.branching import Family, Pruned, search_costs
from arena.standings.measures import Measured
from arena.standings.question import Answer
from arena.standings.question import answer as answer_question
from arena.standings.ranking import rank_journal
from arena.standings.rating import Ratings
from arena.standings.results import Listener, Results, read
from arena.standings.verdicts import Comparison, Grade, Measurements, compare, grade
from arena.tournament.claims import NO_AIMS, Aims, Question

SECONDS = 10.0  # of each core, for judging the games of a report, where nothing else is said
MAX_CELLS = 49  # of a board on which that is enough to say something
MAX_BLUNDERS = 5  # shown with boards

BROKEN_OFF = ("interrupted", "the run was broken off")
UNPLAYED = ("could not be played", "from outside")  # of runs with unplayed games; the second: 1.0

Announce = Callable[[str], None]  # the step that begins


@dataclass(frozen=True)
class ReportData:
    """The contents of a journal, and all that follows from its games."""

    header: Header
    sessions: tuple[Session, ...]
    results: Results
    ratings: Ratings
    accuracy: Accuracy | None = None  # None where no exact scores were asked for, or can be had
    place: str = ""  # the journal, as a command names it
    crowded: tuple[str, ...] = ()  # notices about the machine before the games
    changed: tuple[str, ...] = ()  # and about engines that differ from those of earlier runs
    aims: Aims = NO_AIMS  # what the games are held against
    measurements: Measurements = field(default_factory=dict)  # of all figures that these name
    files: list[str] = field(default_factory=list)  # that were written beside the report

    @property
    def order(self) -> Sequence[int]:
        """The players in the order of the standings."""
        return self.ratings.order

    @property
    def names(self) -> tuple[str, ...]:
        """The line-up."""
        return self.results.names

    @property
    def rules(self) -> Rules:
        """The board that is played on."""
        return self.header.rules

    @property
    def is_unfinished(self) -> bool:
        """Whether the last run is still going, was cut short, or left games unplayed."""
        if not self.sessions:
            return False
        last = self.sessions[-1]
        why = last.why or ""
        return last.ended is None or why in BROKEN_OFF or any(words in why for words in UNPLAYED)

    @property
    def format(self) -> str | None:
        """The kind of tournament, where the journal says so."""
        return (self.header.canonical.get("format") or {}).get("kind")

    @property
    def champion(self) -> int | None:
        """The player who won the tournament, if its format has a champion."""
        return None if self.ratings.ranking is None else self.ratings.ranking.champion

    @property
    def ranked_by(self) -> Mapping[str, Sequence[float | str]]:
        """The figures besides points and ratings by which the format ranks, by player."""
        return {} if self.ratings.ranking is None else self.ratings.ranking.columns

    @property
    def sprt(self) -> Mapping[str, Any]:
        """The sequential test that can end the run, as the tournament file has it."""
        return (self.header.canonical.get("stop") or {}).get("sprt") or {}

    @cached_property
    def learners(self) -> tuple[int, ...]:
        """The players whose engines learn from their games."""
        terms = Terms(memory=self.header.canonical.get("memory") or MEMORY)
        players = enumerate(self.header.players)
        return tuple(number for number, player in players if learns(player.engine, terms))

    @property
    def figures(self) -> list[Measured]:
        """The figures without an expectation."""
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
    def answer(self) -> Answer | None:
        """The answer to the tournament's question, if it has one."""
        question = Question.read(self.header.question, self.names)
        if question is None:
            return None
        return answer_question(question, self.results.scoreboard, self.ratings, self.accuracy)

    @cached_property
    def costs(self) -> tuple[list[Pruned], list[Family]]:
        """The nodes saved by pruning, and the growth of nodes with depth."""
        return search_costs(self.header.players, self.results, self.rules)

    @property
    def blunders(self) -> list[Blunder]:
        """The worst blunders, which a report shows with their boards."""
        return [] if self.accuracy is None else self.accuracy.blunders(MAX_BLUNDERS)


def read_data(
    journal: Journal,
    judging: float | None = None,
    progress: Announce = lambda words: None,
    *,
    quiet: bool = False,
    on_interrupt: Callable[[], None] | None = None,
    listeners: Callable[[Accuracy | None], Sequence[Listener]] = lambda accuracy: (),
) -> ReportData:
    """Read a journal; for `judging`, see `judged_accuracy`.

    Games are judged first, so that listeners to the one pass over the games can have the verdicts.
    """
    accuracy = judged_accuracy(journal, judging, progress, quiet=quiet, on_interrupt=on_interrupt)
    progress("reading the games")
    header = journal.header
    aims = Aims.read(header.aims, header.names)
    results = read(journal, aims.figures(), listeners(accuracy))
    ratings = rank_journal(results.scoreboard, journal)
    figures = results.figures
    assert figures is not None, "they are read with the games"
    place, here = journal.path.resolve(), Path.cwd().resolve()
    return ReportData(
        header,
        tuple(journal.sessions()),
        results,
        ratings,
        accuracy,
        place=str(place.relative_to(here)) if place.is_relative_to(here) else journal.path.name,
        crowded=events_of(journal, CROWDED),
        changed=events_of(journal, ENGINE_CHANGED),
        aims=aims,
        measurements=figures.measured(results.scoreboard, ratings, accuracy),
    )


def judged_accuracy(
    journal: Journal,
    judging: float | None,
    progress: Announce = lambda words: None,
    *,
    quiet: bool = False,
    on_interrupt: Callable[[], None] | None = None,
) -> Accuracy | None:
    """The accuracy of the engines; games are judged for this many seconds of each core.

    It is None without seconds, or where no judge takes the board. With 0 only games that were
    judged before are counted. Ctrl-C ends the judging alone if `on_interrupt` is given, and calls
    it; `quiet` hides that the judge is being compiled.
    """
    if judging is None or not journal.count():
        return None

    how_to_stop = "" if on_interrupt is None else " (Ctrl-C stops judging)"

    def report(done: int, of: int, left: float) -> None:
        progress(f"judging games {done:,}/{of:,}, at most {left:.0f} s left{how_to_stop}")

    header = journal.header
    make_judge = partial(ready_judge, header.rules, quiet)
    try:
        judge = partial(judge_journal, journal, Memory.beside(journal))
        try:
            games = judge(judging, make_judge, usable_cores(), report)
        except KeyboardInterrupt:
            if on_interrupt is None:
                raise
            on_interrupt()
            judging = 0.0  # the report has the games that are judged so far
            games = judge(judging, make_judge)
    except BadRules:
        return None
    if not games and not judging:
        return None
    return accuracy_of(games, len(journal.finished), judging, header.names, header.rules)


def judging_seconds(rules: Rules, seconds: float | None) -> float | None:
    """How long a report judges games; None, and a warning, where no game ever can be.

    By default no more games are judged on boards that are too large to say much in a short time.
    Games that were judged before are shown in any case.
    """
    if seconds is None:
        return SECONDS if rules.is_flat and rules.cells <= MAX_CELLS else 0.0
    if seconds > 0 and rules.is_flat:
        try:
            refuse(rules)
        except BadRules as error:
            print(f"arena: no accuracy: {error}", file=sys.stderr)
            return None
    return seconds


def events_of(journal: Journal, kind: str) -> tuple[str, ...]:
    """The events of a kind, each text once."""
    words = [event.text for event in journal.events() if event.kind == kind]
    return tuple(dict.fromkeys(words))


def has_judged_figures(journal: Journal) -> bool:
    """Whether some of the figures that were asked for take exact scores."""
    aims = Aims.read(journal.header.aims, journal.header.names)
    return any(figure.is_judged for figure in aims.figures())
