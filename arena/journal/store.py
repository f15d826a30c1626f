"""The journal: games go in one at a time and stay, whatever happens to the process.

with Journal.open(path, header) as journal:  # the one writer
    journal.write(row)

with Journal.read(path) as journal:  # anybody, at any time
    for row in journal.rows(player=0): ...
"""

from __future__ import annotations

import json
import sqlite3
import struct
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any
from warnings import warn
from zlib import crc32

from arena.errors import ArenaWarning
from arena.journal import layout, tables
from arena.journal.checksums import of_game
from arena.journal.damage import Damage, is_plausible
from arena.journal.errors import (
    FAILURES,
    BadJournal,
    JournalChanged,
    JournalError,
    damaged,
    explained,
)
from arena.journal.header import Event, Header, Session, plain
from arena.journal.lock import Lock
from arena.journal.numbers import LEAF, SHIFT, Numbers
from arena.journal.place import Place
from arena.journal.query import Filter, Reader, select
from arena.journal.tables import CHECKSUMS
from arena.machine import environment
from arena.play.record import GameRow

GAMES = "games.db"  # what a journal is called in its directory
WORDS = ("reason", "detail", "log")

INSERT = (
    f"INSERT INTO games ({select(True)}, {', '.join(CHECKSUMS)}) VALUES ({', '.join('?' * 16)})"
)


class Journal:
    """The games of one tournament in one file; `open` it to write, `read` it to look."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        header: Header,
        lock: Lock | None,
        damage: Damage,
    ) -> None:
        """Take the parts on trust: `open` and `read` are the ways to get a journal."""
        self.path = path
        self.header = header
        self.damage = damage  # what a reader has found so far and left out
        self.has_checksums = layout.layout_of(connection) > 1
        self._connection = connection
        self._lock = lock
        self._insert = connection.cursor().execute
        self._guard = RLock()  # threads may share a journal
        self._session: tuple[int, Session] | None = None
        self._place = Place(path, connection) if lock is not None else None

    @classmethod
    def open(cls, path: Path, header: Header, new: bool = False) -> Journal:
        """Begin a journal, or go on with the one of the same tournament that is there.

        One of another tournament raises JournalChanged, unless it has no games yet; with `new`,
        whatever is there is set aside under a free name first. The lock is held until `close` or
        the end of the process. A damaged journal is refused.
        """
        path = _within_directory(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"{path.parent} cannot be created: {error.strerror}") from None
        lock = Lock(path)
        try:
            if new and path.exists():
                layout.set_aside(path)
            return cls._opened(path, header, lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def _opened(cls, path: Path, header: Header, lock: Lock) -> Journal:
        with layout.connected(layout.open_writer, path) as connection:
            damage = Damage()
            if layout.is_new(connection):
                tables.create(connection, header)
            elif problems := layout.structure(connection):
                raise damaged(path, problems[0])
            known = tables.read_header(connection, path, damage)
            if damage:
                raise damaged(path, str(damage))
            journal = cls(path, connection, known, lock, damage)
            len(journal.finished)  # which loads them
            journal._compare(header)
            if not journal.has_checksums:
                journal._upgrade()
            return journal

    @classmethod
    def read(cls, path: Path) -> Journal:
        """Look into a journal, also while a run writes to it; a directory stands for its games."""
        path = _within_directory(path)
        with layout.connected(layout.open_reader, path) as connection:
            damage = Damage()
            header = tables.read_header(connection, path, damage)
            if problems := layout.structure(connection):
                damage.note(f"the structure of the file ({problems[0]})")
            return cls(path, connection, header, None, damage)

    @cached_property
    def finished(self) -> Numbers:
        """The numbers of the games in the journal; a writer keeps it up to date."""
        numbers = Numbers()
        if self.damage:  # then only what can be read is there
            for row in Journal.rows(self, telemetry=False):  # whoever counts them on the way
                numbers.add(row.number)
            return numbers
        leaf = self._first_leaf(0)
        while leaf is not None:
            first, after = leaf << SHIFT, (leaf + 1) << SHIFT
            within = f"FROM games WHERE number >= {first} AND number < {after}"
            if self._fetch(f"SELECT count(*) {within}")[0][0] == LEAF:
                numbers.fill(leaf)
            else:
                for (number,) in self._fetch(f"SELECT number {within}"):
                    numbers.add(number)
            leaf = self._first_leaf(after)
        return numbers

    def write(self, row: GameRow) -> None:
        """Record a game; when this returns it outlives the process."""
        try:
            with self._guard:
                self._insert(INSERT, (
                    row.number, row.round, row.first, row.second, row.opening, row.moves,
                    row.result, row.reason, row.detail, row.seed, row.started, row.seconds,
                    row.telemetry, row.log, of_game(row), crc32(row.telemetry),
                ))  # fmt: skip
                self.finished.add(row.number)
                self.check_place()
        except sqlite3.IntegrityError as error:
            raise JournalError(f"game {row.number} was not recorded: {_misfit(error)}") from None
        except UnicodeEncodeError:  # half a character in what an engine said
            words: dict[str, Any] = {name: _whole(getattr(row, name)) for name in WORDS}
            self.write(replace(row, **words))
        except (*FAILURES, ValueError, TypeError, struct.error) as error:
            raise explained(error, self.path) from error

    def check_place(self) -> None:
        """A writer whose file was taken away puts its games back, and raises a JournalError."""
        if self._place is not None:
            self._place.check()

    def write_event(self, kind: str, text: str) -> None:
        """Record something else that happened, at this time."""
        self.add_event(Event(time.time(), kind, text))

    def add_event(self, event: Event) -> None:
        """Record an event as it is."""
        self._add("events", [float(event.at), _whole(event.kind), _whole(event.text)])

    def begin_session(self, command: str, workers: int) -> None:
        """A run of the tournament begins on this machine."""
        session = Session(command, workers, environment(), time.time())
        self._session = self.add_session(session), session

    def add_session(self, session: Session) -> int:
        """Record a session as it is; its number is for `end_session`."""
        return self._add("sessions", _values(session))

    def end_session(self, why: str) -> None:
        """The run that `begin_session` began is over."""
        if self._session is not None:
            number, session = self._session
            ended = replace(session, ended=time.time(), why=why)
            self._write("sessions", [number, *_values(ended)])
            self._session = None

    def results(self, before_round: int | None = None) -> list[tuple[int, int, int, int, int]]:
        """Number, round, first, second and result of each game, sorted by number."""
        return [
            (row.number, row.round, row.first, row.second, row.result)
            for row in self.rows(telemetry=False)
            if before_round is None or row.round < before_round
        ]

    def outcomes(self) -> Iterator[tuple[int, int, int, int, int, bytes]]:
        """The same of all games, and the opening of each."""
        for row in self.rows(telemetry=False):
            yield row.number, row.round, row.first, row.second, row.result, row.opening

    def rows(
        self,
        *,
        player: int | None = None,
        opponent: int | None = None,
        result: int | None = None,
        reason: str | None = None,
        round: int | None = None,
        bad: bool = False,
        numbers: Iterable[int] | None = None,
        limit: int | None = None,
        telemetry: bool = True,
    ) -> Iterator[GameRow]:
        """The games that meet all these conditions (see Filter), in order of their number.

        They are read a few at a time, so a million of them cost no memory and no run has to wait
        for whoever looks at them. Without telemetry it goes faster. A damaged game is left out and
        noted in `damage`; who writes to the journal is told by BadJournal.
        """
        wanted = Filter(player, opponent, result, reason, round, bad)
        header = self.header
        reader = Reader(
            self._fetch, telemetry, self.has_checksums, len(header.players),
            lambda row: is_plausible(row, header),
            self._note_game, self._note_part,
        )  # fmt: skip
        return islice(filter(wanted.takes, reader.rows(numbers)), limit)

    def row(self, number: int) -> GameRow:
        """One game with everything about it."""
        for row in self.rows(numbers=[number]):
            return row
        if self.damage:
            raise damaged(self.path, str(self.damage))
        held = self._fetch("SELECT min(number), max(number), count(*) FROM games")[0]
        told = (
            f"its {held[2]} games are {held[0]} to {held[1]}" if held[2] else "it has no games yet"
        )
        raise JournalError(f"game {number} is not in {self.path}; {told}")

    def count(self) -> int:
        """How many games there are now."""
        if self.damage.others:
            return len(self.finished)
        return int(self._fetch("SELECT count(*) FROM games")[0][0])

    def sessions(self) -> list[Session]:
        """Every run so far, the first one first."""
        known: list[Session] = []
        for _, command, workers, place, *rest in self._words("sessions"):
            try:
                known.append(Session(command, workers, dict(json.loads(place)), *rest))
            except (ValueError, TypeError, RecursionError):
                self.damage.note("a row of the table sessions")
        return known

    def events(self) -> list[Event]:
        """What happened besides games, the first thing first."""
        return [Event(*row) for _, *row in self._words("events")]

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is written inside is recorded at once, or, if something fails, not at all."""
        self._change("BEGIN IMMEDIATE")
        try:
            yield
            self._change("COMMIT")
        except BaseException:
            self.__dict__.pop("finished", None)
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Let go of the file and of the lock; a second time does nothing."""
        if self._lock is not None:
            layout.fold(self._connection)
        elif self.damage:
            told, self.damage = self.damage, Damage()
            warn(
                f"{self.path} is damaged, and this is left out: {told}; arena doctor {self.path} "
                "tells what is sound",
                ArenaWarning,
                stacklevel=3,
            )
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def _compare(self, header: Header) -> None:
        """Refuse a tournament whose games are not those of this journal; without any, it may be."""
        mine = self.header
        if header.fingerprint == mine.fingerprint:
            return
        if not len(self.finished):
            self._begin_again(header)
            return
        from arena.tournament.spec.canonical import changes as all_changes  # seldom needed

        changes = all_changes(mine.canonical, plain(header.canonical))
        prints = f"fingerprint: {mine.fingerprint[:12]} -> {header.fingerprint[:12]}"
        raise JournalChanged(self.path, changes or [prints])

    def _begin_again(self, header: Header) -> None:
        """Another tournament takes the place of one of which no game was played."""
        try:
            with tables.changing(self._connection):
                if not self.has_checksums:
                    tables.add_checksums(self._connection)
                tables.write_header(self._connection, header)
                self._connection.execute("DELETE FROM events")  # they told of the other one
        except FAILURES as error:
            raise explained(error, self.path) from error
        self.has_checksums = True
        self.header = tables.read_header(self._connection, self.path, self.damage)

    def _upgrade(self) -> None:
        """A journal from before checksums gets them, if there is nothing wrong with it."""
        for _ in self.rows():
            pass
        try:
            with tables.changing(self._connection):
                tables.add_checksums(self._connection)
        except FAILURES as error:
            raise explained(error, self.path) from error
        self.has_checksums = True

    def _note_game(self, number: int) -> None:
        self.damage.games.add(number)
        if self._lock is not None:
            raise damaged(self.path, str(self.damage))

    def _note_part(self, number: int, error: BadJournal) -> None:
        """A part of the file cannot be read, behind the game of this number."""
        if self._lock is not None:
            raise error
        self.damage.note(f"a part of the file behind game {number}" if number >= 0 else "its start")

    def _words(self, table: str) -> list[tuple[Any, ...]]:
        """The rows of another table than that of the games."""
        try:
            with self._guard:
                return list(tables.read_words(self._connection, table, self.damage))
        except FAILURES as error:
            raise explained(error, self.path) from error

    def _add(self, table: str, values: list[Any]) -> int:
        """A new row at the end of another table than that of the games; its number."""
        with self._guard:
            last = self._fetch(f"SELECT max(number) FROM {table}")[0][0]
            number = 1 if last is None else int(last) + 1
            self._write(table, [number, *values])
        return number

    def _write(self, table: str, values: list[Any]) -> None:
        try:
            with self._guard:
                tables.write_words(self._connection, table, values)
        except (*FAILURES, ValueError, TypeError) as error:
            raise explained(error, self.path) from error

    def _first_leaf(self, start: int) -> int | None:
        """The leaf of the first game from this number on."""
        sql = "SELECT number FROM games WHERE number >= ? ORDER BY number LIMIT 1"
        found = self._fetch(sql, [start])
        return found[0][0] >> SHIFT if found else None

    def _fetch(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        try:
            with self._guard:
                return self._connection.execute(sql, tuple(values)).fetchall()
        except FAILURES as error:
            raise explained(error, self.path) from error

    def _change(self, sql: str, values: Iterable[Any] = ()) -> int | None:
        try:
            with self._guard:
                return self._connection.execute(sql, tuple(values)).lastrowid
        except FAILURES as error:
            raise explained(error, self.path) from error


def _within_directory(path: Path) -> Path:
    return path / GAMES if path.is_dir() else path


def _values(session: Session) -> list[Any]:
    """A session as a row without its number."""
    place = json.dumps(session.environment, default=str)
    ended = None if session.ended is None else float(session.ended)
    why = None if session.why is None else _whole(session.why)
    return [_whole(session.command), session.workers, place, float(session.started), ended, why]


def _misfit(error: sqlite3.IntegrityError) -> str:
    """Why SQLite does not take a row."""
    if error.sqlite_errorname == "SQLITE_CONSTRAINT_PRIMARYKEY":
        return "it is in the journal already"
    return str(error)


def _whole(text: str) -> str:
    """The text with halves of characters spelt out, as UTF-8 cannot hold them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
