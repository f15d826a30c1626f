"""The sections of a report: one list, from the answer to the conditions of the games.

To add a section, write a function that makes its blocks, and put a `Section` into the list; its
plots are functions in plots.py or curves.py. `arena report --sections all` has all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import BadOption, suggestion
from arena.report import curves, endings, plots, scores, search
from arena.report.accuracy import (
    accuracy_details,
    accuracy_section,
    blunders_section,
    decided_section,
)
from arena.report.blocks import Block, Code, Link, Picture
from arena.report.conditions import environment, glossary, how_it_was_played
from arena.report.data import ReportData
from arena.report.summary import head, question_section
from arena.report.verdicts import expectations_section, figures_section, published_section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALL = "all"
FILES = {
    "report.html": "this report as one page, with a board to replay games",
    "standings.csv": "the standings",
    "crosstable.csv": "every pair of engines",
    "accuracy.csv": "accuracy of each engine by phase and seat",
    "decided.csv": "for each judged game, the move that decided it",
    "blunders.csv": "every blunder, with its position and the better moves",
    "timing.csv": "time, nodes and depth",
    "games.csv": "a line for each game",
    "moves.csv": "a line for each move",
}


class Plot(NamedTuple):
    """A plot: the name of its file, what it shows, and the function that draws it."""

    name: str
    words: str
    draw: Callable[[ReportData], Figure | None]


@dataclass(frozen=True)
class Section:
    """A heading, the function that makes what is below it, and plots at its end.

    Some sections need exact scores of moves, some a board on the page to replay games. A short
    report has the brief sections, each with its first plot.
    """

    title: str
    blocks: Callable[[ReportData], Iterable[Block]]
    plots: tuple[Plot, ...] = ()
    needs_scores: bool = False
    needs_replay: bool = False
    brief: bool = True


def _files(data: ReportData) -> Iterator[Block]:
    yield from (Link(file, words) for file, words in FILES.items() if file in data.files)


def _tournament_file(data: ReportData) -> Iterator[Block]:
    yield Code(data.header.spec_text, "yaml")


SECTIONS = (
    Section("Standings", scores.standings, (
        Plot("ratings", "Ratings with 95 % intervals", plots.ratings),
        Plot("rating_over_run", "Ratings over the run", curves.over_run),
    )),
    Section("Expectations", expectations_section),
    Section("Published vs measured", published_section),
    Section("Figures", figures_section),
    Section("How the question is answered", question_section, needs_scores=True, brief=False),
    Section("Crosstable", scores.crosstable_section, (
        Plot("crosstable", "Score of each engine against each", plots.crosstable),
    )),
    Section("Head to head", scores.pairs_section, brief=False),
    Section("Accuracy", accuracy_section, (
        Plot("accuracy", "Accuracy by exact scores", plots.accuracy),
    ), needs_scores=True),
    Section("Accuracy in detail", accuracy_details, needs_scores=True, brief=False),
    Section("Worst blunders", blunders_section, needs_scores=True, needs_replay=True, brief=False),
    Section("Where games were decided", decided_section, needs_scores=True, brief=False),
    Section("Learning", scores.learning, (
        Plot("score_over_games", "Score over the games", curves.over_games),
    )),
    Section("Time and search", search.timing_section, (
        Plot("strength_by_time", "Strength against time", plots.frontier),
        Plot("time_by_move", "Time by move", curves.time_by_move),
        Plot("nodes_by_move", "Nodes by move", curves.nodes_by_move),
        Plot("depth_by_ply", "Depth by ply of the game", curves.depth_by_ply),
    )),
    Section("Search effort", search.effort, (
        Plot("nodes_by_depth", "Nodes by depth", curves.growth),
    ), brief=False),
    Section("Causes of losses", endings.causes),
    Section("Mistakes of engines", endings.mistakes),
    Section("Immediate wins missed", endings.missed_wins, brief=False),
    Section("Seats and the first move", scores.seats, brief=False),
    Section("Openings", scores.openings, brief=False),
    Section("Games", scores.games, (
        Plot("game_length", "Length of the games", plots.lengths),
    ), needs_replay=True),
    Section("Ends of games", endings.ends, (
        Plot("moves_to_win", "Moves to win and to lose", curves.moves_to_win),
        Plot("last_evaluations", "Last evaluation before the end was seen, of won and lost games",
             curves.last_evaluations),
    ), brief=False),
    Section("Notable games", endings.notable, needs_replay=True, brief=False),
    Section("How it was played", how_it_was_played),
    Section("What the numbers mean", glossary, brief=False),
    Section("Files", _files),
    Section("Environment", environment, brief=False),
    Section("The tournament file", _tournament_file, brief=False),
)  # fmt: skip
BRIEF = tuple(
    replace(section, plots=section.plots[:1]) for section in SECTIONS if section.brief
)  # a short report


def compose(
    data: ReportData, sections: Sequence[Section], drawn: Collection[str] = ()
) -> tuple[list[Block], dict[str, list[Block]]]:
    """The head of a report, and its sections by heading, but for those that are empty."""
    blocks = {
        section.title: [
            *section.blocks(data),
            *(Picture(plot.name, plot.words) for plot in section.plots if plot.name in drawn),
        ]
        for section in sections
    }
    screen = [*head(data), *([] if "Standings" in blocks else scores.conclusions(data))]
    return screen, {title: each for title, each in blocks.items() if each}


def read_sections(text: str) -> tuple[Section, ...]:
    """The sections that a list such as "standings, time-and-search" names; "all" names all."""
    by_name = {_plain(section.title): section for section in SECTIONS}
    titles = [section.title for section in SECTIONS]
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise BadOption(f"no section is named; expected all or some of {', '.join(titles)}")
    if ALL in map(_plain, names):
        return SECTIONS
    for name in names:
        if _plain(name) not in by_name:
            raise BadOption(f"unknown section {name[:60]!r}{suggestion(name, [ALL, *titles])}")
    chosen = {_plain(name) for name in names}
    return tuple(section for name, section in by_name.items() if name in chosen)


def _plain(name: str) -> str:
    """A name without capitals, its words apart by single spaces."""
    return re.sub(r"[\s_-]+", " ", name.casefold()).strip()
