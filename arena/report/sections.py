"""The sections of a report from the top down, and how somebody chooses from them by name.

First what a reader came for, then the details, and last how it was made. Nothing here is heavy:
the command line names the sections without loading a report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from arena.errors import BadOption, suggestion

EXPECTATIONS, PUBLISHED, FIGURES = "Expectations", "Published and here", "Figures"
SECTIONS = (
    EXPECTATIONS,
    PUBLISHED,
    FIGURES,
    "Standings",
    "How the question is answered",
    "Crosstable",
    "Head to head",
    "Accuracy",
    "Worst blunders",
    "Where games were decided",
    "Learning",
    "Time and search",
    "Search effort",
    "Causes of losses",
    "Immediate wins missed",
    "Mistakes of engines",
    "Seats and the first move",
    "Openings",
    "Games",
    "Ends of games",
    "Notable games",
    "What the numbers mean",
    "Files",
    "Environment",
    "The tournament file",
)
JUDGED = frozenset({"How the question is answered", "Accuracy", "Worst blunders",
                    "Where games were decided"})  # which exact scores are needed for  # fmt: skip
REPLAYED = frozenset({"Worst blunders", "Games", "Notable games"})  # with a board on the page
BETWEEN = re.compile(r"[\s_-]+")


def read_sections(text: str) -> tuple[str, ...]:
    """The titles that a list such as "standings, time-and-search" names, in the report's order."""
    titles = {_plain(title): title for title in SECTIONS}
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise BadOption(f"no section is named; expected one of {', '.join(SECTIONS)}")
    for name in names:
        if _plain(name) not in titles:
            raise BadOption(f"unknown section {name[:60]!r}{suggestion(name, SECTIONS)}")
    return in_order(titles[_plain(name)] for name in names)


def in_order(titles: Iterable[str]) -> tuple[str, ...]:
    """These titles as they stand in a report, each once."""
    chosen = set(titles)
    return tuple(title for title in SECTIONS if title in chosen)


def word_of(title: str) -> str:
    """A title as one word of a command: time-and-search."""
    return title.lower().replace(" ", "-")


def _plain(name: str) -> str:
    """A name without capitals, its words apart by single spaces."""
    return BETWEEN.sub(" ", name.strip().casefold()).strip()
