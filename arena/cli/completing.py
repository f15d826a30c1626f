"""What the shell offers after Tab: names of engines, levels and files, found without loading any.

Where nothing fits, the shell goes on with its own file names.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from glob import escape, iglob
from itertools import islice

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


def difficulties(incomplete: str) -> list[str]:
    """How strong an opponent of `arena play` can be."""
    from arena.human.levels import AS_IT_IS, LEVELS

    return _beginning(incomplete.lower(), [*LEVELS, AS_IT_IS])


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
