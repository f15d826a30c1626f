"""What the shell offers after Tab: names of engines, games and files, found without loading any.

Where nothing fits, the shell goes on with its own file names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from glob import escape, iglob
from itertools import islice
from pathlib import Path

MOST = 200  # files offered
TOURNAMENTS, JOURNALS = (".yaml", ".yml"), (".db",)
REPORTS = "reports/"  # where runs write unless told otherwise


def engines(incomplete: str) -> list[str]:
    """Every engine that is installed, and files with engines."""
    from arena.engine.registry import names

    return [*_beginning(incomplete, names()), *_files(incomplete, (".py",), deeper=False)]


def tournaments(incomplete: str) -> list[str]:
    """Tournament files, here or one directory down, and the names of bundled ones."""
    return [*_files(incomplete, TOURNAMENTS), *bundled(incomplete)]


def bundled(incomplete: str) -> list[str]:
    """The names of bundled files."""
    from arena.tournament.bundled import bundled_names

    return _beginning(incomplete, bundled_names())


def journals(incomplete: str) -> list[str]:
    """Journals, those of finished runs too, and tournament files, which stand for theirs."""
    files = _files(incomplete, JOURNALS + TOURNAMENTS)
    if REPORTS.startswith(incomplete):
        files += _files(REPORTS, JOURNALS)
    return list(dict.fromkeys(files))


def sides(incomplete: str) -> list[str]:
    """What `arena compare` takes: engines and journals."""
    return [*engines(incomplete), *journals(incomplete)]


def games(incomplete: str) -> list[str]:
    """The games that have a name, and a few sizes that show how others are written."""
    from arena.game.rules import NAMED_GAMES

    return _beginning(incomplete, [*NAMED_GAMES, "8x7", "4x4x4", "9x6c5", "9x7+pie"])


def dialects(incomplete: str) -> list[str]:
    """What `arena speak` speaks."""
    from arena.bots.speak import SPEAKERS

    return _beginning(incomplete, SPEAKERS)


def difficulties(incomplete: str) -> list[str]:
    """How strong an opponent of `arena play` can be."""
    from arena.human.levels import AS_IT_IS, LEVELS

    return _beginning(incomplete.lower(), [*LEVELS, AS_IT_IS])


def evaluations(incomplete: str) -> list[str]:
    """The evaluations that have a name."""
    from arena.evaluation import EVALUATIONS

    return _beginning(incomplete, EVALUATIONS)


def limits(incomplete: str) -> list[str]:
    """The names of limits; the number behind them is the user's."""
    from dataclasses import fields

    from arena.engine.contract import Limits

    return _beginning(incomplete, (f"{field.name}=" for field in fields(Limits)))


def results(incomplete: str) -> list[str]:
    """How a game can end for a player."""
    from arena.cli.games import RESULTS

    return _beginning(incomplete, RESULTS)


def reasons(incomplete: str) -> list[str]:
    """Why a game can end."""
    from typing import get_args

    from arena.table.game import Reason

    return _beginning(incomplete, get_args(Reason))


def sections(incomplete: str) -> list[str]:
    """The sections of a report; what stands before the last comma is there already."""
    before, comma, start = incomplete.rpartition(",")
    source = Path(__file__).parent.with_name("report") / "sections.py"  # to import it takes long
    titles = ["all", *re.findall(r'^ +Section\("(.+?)"', source.read_text("utf-8"), re.MULTILINE)]
    words = [title.lower().replace(" ", "-") for title in titles]
    return [f"{before}{comma}{word}" for word in _beginning(start, words)]


def models(incomplete: str) -> list[str]:
    """The scales of a sequential test."""
    return _beginning(incomplete, ("logistic", "normalized"))


def _beginning(incomplete: str, words: Iterable[str]) -> list[str]:
    return [word for word in words if word.startswith(incomplete)]


def _files(incomplete: str, endings: tuple[str, ...], deeper: bool = True) -> list[str]:
    """Files with these endings whose path begins so, and those one directory further down."""
    start = escape(incomplete)
    files = (
        path
        for pattern in (f"{start}*", f"{start}*/*")[: 1 + deeper]
        for path in iglob(pattern)
        if path.endswith(endings) and os.path.isfile(path)
    )
    return sorted(islice(files, MOST))
