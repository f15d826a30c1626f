"""What of a journal is sound and what is not: its file, its description, its runs, its games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena.doctor import Diagnosis
from arena.errors import ArenaError
from arena.journal import Journal
from arena.journal.errors import Damage, numbered
from arena.journal.exchange import check_game
from arena.show.numbers import how_many


def examine_journal(path: Path) -> Iterator[Diagnosis]:
    """Every row of a journal is read and held against its checksum."""
    with Journal.read(path) as journal:
        remedy = (
            f"arena games {journal.path} --export sound.jsonl, then arena games --import "
            "sound.jsonl --into NEW.db saves what is sound; a run plays the rest again"
        )
        try:
            yield _file(journal)
            yield from _tables(journal, remedy)
            yield _games(journal, remedy)
        finally:
            journal.damage = Damage()  # all has been told


def _file(journal: Journal) -> Diagnosis:
    size = journal.path.stat().st_size / 2**20
    detail = f"{journal.path}, {size:.1f} MB"
    problems = [what for what in journal.damage.others if what.startswith("the structure")]
    if problems:
        return Diagnosis("file", "problem", f"{detail}: {problems[0]}", "see below")
    return Diagnosis("file", "ok", detail, data={"bytes": journal.path.stat().st_size})


def _tables(journal: Journal, remedy: str) -> Iterator[Diagnosis]:
    """The description of the tournament, and what is told about its runs."""
    header, before = journal.header, list(journal.damage.others)
    lost = [what for what in before if not what.startswith("the structure")]
    about = f"{header.name}, {header.game}, {how_many(len(header.players), 'player')}"
    if lost:
        yield Diagnosis("tournament", "problem", f"{about}: damaged: {', '.join(lost)}", remedy)
    else:
        yield Diagnosis("tournament", "ok", about)
    runs, events = journal.sessions(), journal.events()
    seen = f"{how_many(len(runs), 'run')}, {how_many(len(events), 'event')}"
    new = [what for what in journal.damage.others if what not in before]
    if new:
        yield Diagnosis("runs", "warning", f"{seen}; damaged: {', '.join(new)}", remedy)
    else:
        yield Diagnosis("runs", "ok", seen)


def _games(journal: Journal, remedy: str) -> Diagnosis:
    sound = 0
    for row in journal.rows():
        try:
            if not journal.has_checksums:
                check_game(row, journal.header)  # can it have been played?
            sound += 1
        except ArenaError:
            journal.damage.games.add(row.number)
    how = "by checksum" if journal.has_checksums else "by replaying: there were no checksums yet"
    bad = journal.damage.games
    parts = [what for what in journal.damage.others if what.startswith("a part of the file")]
    data = {"sound": sound, "damaged": sorted(bad), "checksums": journal.has_checksums}
    if not bad and not parts:
        return Diagnosis("games", "ok", f"{how_many(sound, 'sound game')}, {how}", data=data)
    lost = ", ".join([*([numbered(bad)] if bad else []), *parts])
    detail = f"{how_many(sound, 'sound game')}, {how}; damaged: {lost}"
    return Diagnosis("games", "problem", detail, remedy, data)
