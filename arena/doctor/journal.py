"""A journal examined row by row, and its sound games copied into a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any

from arena.doctor import Diagnosis
from arena.errors import ArenaError
from arena.journal import BadJournal, Event, Journal, JournalError, Session
from arena.journal.database import connect_to_read, find_damage, is_new
from arena.journal.errors import FAILURES, explaining, numbered
from arena.journal.imports import building, check_game
from arena.journal.journal import OURS, journal_file
from arena.journal.records import Record, game_of, read_header, read_records, select_games
from arena.show.numbers import how_many
from arena.table.game import Game
from arena.tournament.openings import SolvedOpening

PART = 512  # numbers of games that are read together
SMALL = 128  # bytes: no game takes less


def examine_journal(path: Path, save: Path | None = None) -> Iterator[Diagnosis]:
    """Check the checksum of every row and replay every game; copy the sound ones to `save`."""
    path = journal_file(path)
    if save is not None and save.exists():
        raise JournalError(f"{save} exists already; name a new file to save to")
    with explaining(path), closing(connect_to_read(path, is_damaged=True)) as connection:
        if is_new(connection):
            raise BadJournal(f"{path} is empty: nothing has been recorded in it")
        OURS.check(connection, path)
        yield from _Examination(connection, path).diagnoses(save)


class _Examination:
    """The sound parts of a journal, which is read as far as possible."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection, self.path = connection, path
        self.size = path.stat().st_size
        try:
            self.header = read_header(connection, path, is_damaged=True)
        except (BadJournal, *FAILURES):
            raise BadJournal(
                f"{path} is damaged, and its description of the tournament is lost; run the "
                "tournament with --new to start over"
            ) from None
        self.damaged: dict[int, str] = {}  # games, and what contradicts their moves, if anything
        self.is_unreadable = False  # a part of the table of games
        self.remedy = f"arena doctor {path} --save NEW.db copies the sound games"

    def diagnoses(self, save: Path | None) -> Iterator[Diagnosis]:
        detail = f"{self.path}, {self.size / 2**20:.1f} MB"
        if damage := find_damage(self.connection):
            yield Diagnosis("file", "problem", f"{detail}: {damage}", self.remedy)
        else:
            yield Diagnosis("file", "ok", detail, data={"bytes": self.size})
        yield self._tournament()
        sessions, lost_sessions = self._records(Session)
        events, lost_events = self._records(Event)
        openings, lost_openings = self._records(SolvedOpening)
        seen = f"{how_many(len(sessions), 'run')}, {how_many(len(events), 'event')}"
        if lost := lost_sessions + lost_events + lost_openings:
            words = f"{seen}; {how_many(lost, 'row')} damaged"
            yield Diagnosis("runs", "warning", words, self.remedy)
        else:
            yield Diagnosis("runs", "ok", seen)
        if save is None:
            yield self._games(sum(1 for _ in self._sound_games()))
            return
        with building(save) as built, Journal.open(built, self.header) as new, new.together():
            records: list[Session | Event | SolvedOpening] = [*sessions, *events, *openings]
            for record in records:
                new.add(record)
            for game in self._sound_games():
                new.write(game)
            count = len(new.finished)
        yield self._games(count)
        detail = f"{how_many(count, 'game')} copied to {save}; put it in the place of {self.path}, "
        yield Diagnosis("saved", "ok", detail + "and the same command plays the others again")

    def _tournament(self) -> Diagnosis:
        header = self.header
        about = f"{header.name}, {header.game}, {how_many(len(header.players), 'player')}"
        try:
            read_header(self.connection, self.path)
        except BadJournal:
            words = f"{about}: its description does not match its checksum"
            return Diagnosis("tournament", "problem", words, self.remedy)
        return Diagnosis("tournament", "ok", about)

    def _records(self, kind: type[Record]) -> tuple[list[Record], int]:
        """The sound records of a kind, and how many are lost, or cannot be read at all."""
        records: list[Record | None] = []
        try:
            records.extend(read_records(self.connection, kind))
        except FAILURES:
            records.append(None)
        sound = [record for record in records if record is not None]
        if kind is SolvedOpening:  # each begins where the one before was found
            sound = sound[: sum(1 for _ in takewhile(bool, records))]
        return sound, len(records) - len(sound)

    def _games(self, sound: int) -> Diagnosis:
        """The diagnosis of the games, after all were read."""
        words = [numbered(self.damaged)] if self.damaged else []
        words += [f"({why})" for why in [next(filter(None, self.damaged.values()), "")] if why]
        parts = ["a part of the file"] if self.is_unreadable else []
        lost = " and ".join(filter(None, [" ".join(words), *parts]))
        data = {"sound": sound, "damaged": sorted(self.damaged)}
        detail = how_many(sound, "sound game")
        if not lost:
            return Diagnosis("games", "ok", detail, data=data)
        return Diagnosis("games", "problem", f"{detail}; damaged: {lost}", self.remedy, data)

    def _sound_games(self) -> Iterator[Game]:
        """Every game that is what was written, and whose moves lead to its result."""
        last, players = -1, len(self.header.players)
        for row in self._rows():
            if not isinstance(row[0], int) or row[0] <= last:
                continue  # of a page that lies in the place of another
            last, game = row[0], game_of(row, players)
            try:
                if game is None:
                    self.damaged[last] = ""
                else:
                    check_game(game, self.header)
                    yield game
            except ArenaError as error:
                self.damaged[last] = str(error)

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """All rows that can be read, part by part."""
        following = "SELECT number FROM games WHERE number >= ? ORDER BY number LIMIT 1"
        first, lost = 0, 0  # lost: numbers in a row that cannot be read
        while lost <= self.size // SMALL:
            with suppress(*FAILURES):
                row = self.connection.execute(following, [first]).fetchone()
                if row is None:
                    return
                first, lost = max(first, int(row[0])), 0
            yield from self._part(first, first + PART - 1)
            first += PART
            lost += PART

    def _part(self, first: int, last: int) -> Iterator[tuple[Any, ...]]:
        """The rows between two numbers; a part that cannot be read is halved."""
        sql = f"{select_games(telemetry=True)} WHERE number BETWEEN ? AND ? ORDER BY number"
        try:
            yield from self.connection.execute(sql, [first, last]).fetchall()
        except FAILURES:
            if first == last:
                self.is_unreadable = True
                return
            middle = (first + last) // 2
            yield from self._part(first, middle)
            yield from self._part(middle + 1, last)
