"""The journal: games go in one at a time and stay, whatever happens to the process.

with Journal.open(path, header) as journal:  # the one writer
    journal.write(row)

with Journal.read(path) as journal:  # anybody, at any time
    for row in journal.rows(player=0): ...
"""

from __future__ import annotations

import json
import sqlite3
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

from arena.environment import environment
from arena.journal import layout
from arena.journal.errors import FAILURES, JournalChanged, JournalError, explained
from arena.journal.header import Event, Header, Session, differences, plain
from arena.journal.lock import Lock
from arena.journal.numbers import LEAF, SHIFT, Numbers
from arena.journal.query import Filter, read_rows, select
from arena.play.row import GameRow

GAMES = "games.db"  # what a journal is called in its directory
WORDS = ("reason", "detail", "log")

INSERT = f"INSERT INTO games ({select(True)}) VALUES ({', '.join('?' * 14)})"


class Journal:
    """The games of one tournament in one file; `open` it to write, `read` it to look."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, header: Header, lock: Lock | None
    ) -> None:
        """Take the parts on trust: `open` and `read` are the ways to get a journal."""
        self.path = path
        self.header = header
        self._connection = connection
        self._lock = lock
        self._insert = connection.cursor().execute
        self._guard = RLock()  # threads may share a journal
        self._session: int | None = None

    @classmethod
    def open(cls, path: Path, header: Header, new: bool = False) -> Journal:
        """Begin a journal, or go on with the one of the same tournament that is there.

        One of another tournament raises JournalChanged; with `new`, whatever is there is set aside
        under a free name first. The lock is held until `close` or the end of the process.
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
            if layout.is_new(connection):
                layout.create(connection, header)
            journal = cls(path, connection, layout.read_header(connection, path), lock)
            journal._compare(header)
            len(journal.finished)  # which loads them
            return journal

    @classmethod
    def read(cls, path: Path) -> Journal:
        """Look into a journal, also while a run writes to it; a directory stands for its games."""
        path = _within_directory(path)
        with layout.connected(layout.open_reader, path) as connection:
            return cls(path, connection, layout.read_header(connection, path), None)

    @cached_property
    def finished(self) -> Numbers:
        """The numbers of the games in the journal; a writer keeps it up to date."""
        numbers = Numbers()
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
                    row.telemetry, row.log,
                ))  # fmt: skip
                self.finished.add(row.number)
        except sqlite3.IntegrityError as error:
            raise JournalError(f"game {row.number} was not recorded: {_misfit(error)}") from None
        except UnicodeEncodeError:  # half a character in what an engine said
            words: dict[str, Any] = {name: _whole(getattr(row, name)) for name in WORDS}
            self.write(replace(row, **words))
        except FAILURES as error:
            raise explained(error, self.path) from error

    def write_event(self, kind: str, text: str) -> None:
        """Record something else that happened, at this time."""
        self.add_event(Event(time.time(), kind, text))

    def add_event(self, event: Event) -> None:
        """Record an event as it is."""
        values = [event.at, _whole(event.kind), _whole(event.text)]
        self._change("INSERT INTO events (at, kind, text) VALUES (?, ?, ?)", values)

    def begin_session(self, command: str, workers: int) -> None:
        """A run of the tournament begins on this machine."""
        self._session = self.add_session(Session(command, workers, environment(), time.time()))

    def add_session(self, session: Session) -> int:
        """Record a session as it is; its number is for `end_session`."""
        place = json.dumps(session.environment, default=str)
        values = [_whole(session.command), session.workers, place, session.started]
        number = self._change(
            "INSERT INTO sessions (command, workers, environment, started, ended, why) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            [*values, session.ended, session.why],
        )
        assert number is not None
        return number

    def end_session(self, why: str) -> None:
        """The run that `begin_session` began is over."""
        if self._session is not None:
            values = [time.time(), _whole(why), self._session]
            self._change("UPDATE sessions SET ended = ?, why = ? WHERE number = ?", values)
            self._session = None

    def results(self, before_round: int | None = None) -> list[tuple[int, int, int, int, int]]:
        """Number, round, first, second and result of each game, sorted by number."""
        sql = "SELECT number, round, first, second, result FROM games"
        if before_round is None:
            return self._fetch(f"{sql} ORDER BY number")
        return self._fetch(f"{sql} WHERE round < ? ORDER BY number", [before_round])

    def outcomes(self) -> list[tuple[int, int, int, int, int, bytes]]:
        """The same of all games, and the opening of each."""
        sql = "SELECT number, round, first, second, result, opening FROM games ORDER BY number"
        return self._fetch(sql)

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
        for whoever looks at them. Without telemetry it goes faster.
        """
        wanted = Filter(player, opponent, result, reason, round, bad)
        return islice(read_rows(self._fetch, wanted, numbers, telemetry), limit)

    def row(self, number: int) -> GameRow:
        """One game with everything about it."""
        for row in self.rows(numbers=[number]):
            return row
        held = self._fetch("SELECT min(number), max(number), count(*) FROM games")[0]
        told = (
            f"its {held[2]} games are {held[0]} to {held[1]}" if held[2] else "it has no games yet"
        )
        raise JournalError(f"game {number} is not in {self.path}; {told}")

    def count(self) -> int:
        """How many games there are now."""
        return int(self._fetch("SELECT count(*) FROM games")[0][0])

    def sessions(self) -> list[Session]:
        """Every run so far, the first one first."""
        sql = "SELECT command, workers, environment, started, ended, why FROM sessions"
        return [
            Session(command, workers, json.loads(place), *rest)
            for command, workers, place, *rest in self._fetch(f"{sql} ORDER BY number")
        ]

    def events(self) -> list[Event]:
        """What happened besides games, the first thing first."""
        return [
            Event(*row) for row in self._fetch("SELECT at, kind, text FROM events ORDER BY number")
        ]

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
        """Refuse a tournament whose games are not those of this journal."""
        mine = self.header
        if header.fingerprint == mine.fingerprint:
            return
        changes = list(differences(mine.canonical, plain(header.canonical)))
        prints = f"fingerprint: {mine.fingerprint[:12]} -> {header.fingerprint[:12]}"
        raise JournalChanged(self.path, changes or [prints])

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


def _misfit(error: sqlite3.IntegrityError) -> str:
    """Why SQLite does not take a row."""
    if error.sqlite_errorname == "SQLITE_CONSTRAINT_PRIMARYKEY":
        return "it is in the journal already"
    return str(error)


def _whole(text: str) -> str:
    """The text with halves of characters spelt out, as UTF-8 cannot hold them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
