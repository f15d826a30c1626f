"""The body of `arena studies`: the ready studies listed, and all that came of them on one page."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from os.path import relpath
from pathlib import Path
from typing import Any

from rich.padding import Padding

from arena.cli.actions.bundled import first_comment, folder_of
from arena.errors import ArenaError
from arena.files import disk_errors, write_atomic
from arena.journal import GAMES, Journal
from arena.report.data import ReportData, read_data
from arena.report.programs import verdict_data
from arena.report.studies import ANSWERS, Study, many_studies, studies_page
from arena.show.numbers import how_many
from arena.show.progress import Progress
from arena.show.terminal import console, print_json
from arena.tournament.bundled import name_of
from arena.tournament.load import load
from arena.tournament.spec import Tournament

STUDIES = "studies"


def ready_studies() -> list[tuple[Path, Tournament]]:
    """Every bundled study, with its file."""
    return [(path, load(path)) for path in sorted(folder_of(STUDIES).glob("*.yaml"))]


def list_studies(as_json: bool) -> None:
    """What each asks, how long it takes, and what came of it here."""
    studies = ready_studies()
    if as_json:
        print_json([_as_data(path, tournament) for path, tournament in studies])
        return
    out = console()
    for path, tournament in studies:
        out.print(name_of(path), style="bold", soft_wrap=True)
        out.print(Padding(first_comment(tournament.text), (0, 0, 0, 2)))
        if (data := _data(tournament)) is not None:
            out.print(Padding(f"Here: {_outcome(data)}", (0, 0, 0, 2)), style="green")
        out.print()
    out.print("Run one with arena run NAME; --full plays as much as its source did.", style="dim")


def _data(tournament: Tournament) -> ReportData | None:
    """What a study's games say, if there are any here."""
    if not (tournament.output / GAMES).is_file():
        return None
    with Journal.read(tournament.output) as journal:
        return read_data(journal, judging=0.0) if journal.count() else None


def _outcome(data: ReportData) -> str:
    study = Study(data, "")
    counts = {words: study.count(answer) for answer, words in ANSWERS.items()}
    parts = [f"{count} x {words}" for words, count in counts.items() if count]
    return f"{how_many(data.results.games, 'game')}; claims: {', '.join(parts) or 'none'}"


def _as_data(path: Path, tournament: Tournament) -> dict[str, Any]:
    data = _data(tournament)
    return {
        "file": name_of(path),
        "name": tournament.name,
        "about": tournament.aims.about,
        "games": tournament.schedule().expected(),
        "published": len(tournament.aims.published),
        "games_here": 0 if data is None else data.results.games,
        **({} if data is None else verdict_data(data)),
    }


def write_summary(path: Path) -> None:
    """The page of all studies that were run here."""
    studies = list(_studies(path.parent))
    if not studies:
        raise ArenaError("no study has been run here; run one with: arena run studies/NAME")
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, studies_page(studies).encode())
    print(f"{path} sums up {many_studies(len(studies))}",
          file=sys.stderr)  # fmt: skip


def _studies(folder: Path) -> Iterator[Study]:
    ready = ready_studies()
    with Progress("reading studies", len(ready)) as progress:
        for number, (_, tournament) in enumerate(ready, start=1):
            progress.at(number, tournament.name)
            if (data := _data(tournament)) is not None:
                report = tournament.output / "report.md"
                yield Study(data, Path(relpath(report, folder)).as_posix())
