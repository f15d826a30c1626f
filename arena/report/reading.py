"""From a journal to what its report says: the games counted, judged, rated and measured."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from arena.errors import BadRules
from arena.journal import Journal
from arena.judge.sampling import Memory, judge_journal
from arena.machine import usable_cores
from arena.report.content import Content
from arena.report.judging import ready_judge
from arena.session import CROWDED, ENGINE_CHANGED
from arena.standings.accuracy import Accuracy
from arena.standings.accuracy import accuracy as accuracy_of
from arena.standings.ranking import rank_journal
from arena.standings.rating import Ratings
from arena.standings.results import Listener, Results, read
from arena.standings.verdicts import Measurements
from arena.tournament.claims import Aims

Announce = Callable[[str], None]  # what is being done now


def read_content(
    journal: Journal,
    judging: float | None = None,
    progress: Announce = lambda words: None,
    *,
    quiet: bool = False,
    on_interrupt: Callable[[], None] | None = None,
    listeners: Callable[[Accuracy | None], Sequence[Listener]] = lambda accuracy: (),
) -> Content:
    """The content of a journal's report; for `judging`, see `judged_accuracy`.

    Games are judged first, so that whoever listens to the games can have the verdicts.
    """
    accuracy = judged_accuracy(journal, judging, progress, quiet=quiet, on_interrupt=on_interrupt)
    progress("reading the games")
    figures = Aims.read(journal.header.aims, journal.header.names).figures()
    results = read(journal, figures, listeners(accuracy))
    ratings = rank_journal(results.scoreboard, journal)
    return content_of(journal, results, ratings, accuracy)


def judged_accuracy(
    journal: Journal,
    judging: float | None,
    progress: Announce = lambda words: None,
    *,
    quiet: bool = False,
    on_interrupt: Callable[[], None] | None = None,
) -> Accuracy | None:
    """The accuracy of the engines; games are judged for so many seconds of each core.

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
        memory = Memory.beside(journal)
        judge = partial(judge_journal, journal, memory)
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


def content_of(
    journal: Journal,
    results: Results,
    ratings: Ratings,
    accuracy: Accuracy | None = None,
) -> Content:
    """What a report of this journal says."""
    place, here = journal.path.resolve(), Path(os.getcwd()).resolve()
    header = journal.header
    aims = Aims.read(header.aims, header.names)
    return Content(
        header,
        tuple(journal.sessions()),
        results,
        ratings,
        accuracy,
        place=str(place.relative_to(here)) if place.is_relative_to(here) else journal.path.name,
        mistakes=results.mistakes,
        crowded=events_of(journal, CROWDED),
        hosts=results.hosts,
        changed=events_of(journal, ENGINE_CHANGED),
        aims=aims,
        measurements=measured(results, ratings, accuracy),
    )


def measured(results: Results, ratings: Ratings, accuracy: Accuracy | None) -> Measurements:
    """The figures that the tournament asks for."""
    if results.figures is None:
        return {}
    return results.figures.measured(results.scoreboard, ratings, accuracy)


def events_of(journal: Journal, kind: str) -> tuple[str, ...]:
    """What was said of this before the runs of a journal, each once."""
    words = [event.text for event in journal.events() if event.kind == kind]
    return tuple(dict.fromkeys(words))


def judged_figures(journal: Journal) -> bool:
    """Whether some of the figures that were asked for take exact scores."""
    aims = Aims.read(journal.header.aims, journal.header.names)
    return any(figure.is_judged for figure in aims.figures())
