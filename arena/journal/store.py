"""The journal: games go in one at a time and stay, whatever happens to the process.

with Journal.open(path, header) as journal:  # the one writer
    journal.write(row)

with Journal.read(path) as journal:  # anybody, at any time
    for row in journal.rows(player=0): ...
"""

from __future__ import annotations

import sqlite3
import struct
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import astuple, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import Any
from warnings import warn

from arena.errors import ArenaWarning
from arena.journal import games, records
from arena.journal.database import Owner, changing, is_new, layout_of, opened, set_aside, structure
from arena.journal.errors import (
    FAILURES,
    Damage,
    JournalChanged,
    JournalError,
    damaged,
    explained,
    explaining,
)
from arena.journal.games import Numbers, Reader
from arena.journal.lock import Lock, Place
from arena.journal.records import Event, Header, Session, read_header, write_header
from arena.machine import environment
from arena.table.game import GOOD_ENDS, Game
from arena.tournament.balanced import SolvedOpening
from arena.tournament.formats import GameResult

GAMES = "games.db"  # what a journal is called in its directory
OURS = Owner(0x41524E41, 2, "an SQLite file of another program, not a journal")  # "ARNA"
OPENING_FOUND = "opening found"  # an event that stood for a solved opening, and does in exports


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
        self.damage = damage  # what was left out of all that has been read so far
        self.has_checksums = layout_of(connection) > 1  # the first layout had none
        self._connection = connection
        self._lock = lock
        self._insert = connection.cursor().executemany
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
                set_aside(path)
            return cls._opened(path, header, lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def _opened(cls, path: Path, header: Header, lock: Lock) -> Journal:
        with opened(path, OURS, writing=True) as connection:
            damage = Damage()
            if is_new(connection):
                with changing(connection):
                    for statement in (games.TABLE, *records.TABLES.split(";")):
                        connection.execute(statement)
                    write_header(connection, header)
                    OURS.claim(connection)
            elif problems := structure(connection):
                raise damaged(path, problems[0])
            mine = read_header(connection, path, damage)
            if damage:
                raise damaged(path, damage)
            journal = cls(path, connection, mine, lock, damage)
            is_other = header.fingerprint != mine.fingerprint
            if len(journal.finished) and is_other:
                raise JournalChanged(path, _changes(mine, header))
            if not journal.has_checksums:
                journal._upgrade()
            if is_other:
                journal._begin_again(header)
            elif _wording(header) != _wording(mine):
                journal._reword(header)
            return journal

    @classmethod
    def read(cls, path: Path) -> Journal:
        """Look into a journal, also while a run writes to it; a directory stands for its games."""
        path = _within_directory(path)
        with opened(path, OURS, writing=False) as connection:
            damage = Damage()
            header = read_header(connection, path, damage)
            if problems := structure(connection):
                damage.note(f"the structure of the file ({problems[0]})")
            return cls(path, connection, header, None, damage)

    @cached_property
    def finished(self) -> Numbers:
        """The numbers of the games in the journal; a writer keeps it up to date."""
        if not self.damage:
            return games.read_numbers(self._fetch)
        numbers = Numbers()  # only what can be read is there
        for row in Journal.rows(self, telemetry=False):  # whoever counts them on the way
            numbers.add(row.number)
        return numbers

    def write(self, *rows: Game) -> None:
        """Record games by one commit; when this returns they outlive the process."""
        try:
            values = sorted([games.values_of(row) for row in rows])  # so they lie side by side
            with self._guard:
                if len(rows) == 1 or self._connection.in_transaction:
                    self._insert(games.INSERT, values)
                else:
                    with changing(self._connection):
                        self._insert(games.INSERT, values)
                self.finished.add(*[row.number for row in rows])
                self.check_place()
        except sqlite3.IntegrityError as error:
            is_there = error.sqlite_errorname == "SQLITE_CONSTRAINT_PRIMARYKEY"
            row = next((row for row in rows if row.number in self.finished), rows[0])
            why = "it is in the journal already" if is_there else str(error)
            raise JournalError(f"game {row.number} was not recorded: {why}") from None
        except UnicodeEncodeError:  # half a character in what an engine said
            self.write(*map(games.with_whole_words, rows))
        except (*FAILURES, ValueError, TypeError, struct.error) as error:
            raise explained(error, self.path) from error

    def check_place(self) -> None:
        """A writer whose file was taken away puts its games back, and raises a JournalError."""
        if self._place is not None:
            self._place.check()

    def write_event(self, kind: str, text: str) -> None:
        """Record something else that happened, at this time."""
        self.add(Event(time.time(), kind, text))

    def begin_session(self, command: str, workers: int) -> None:
        """A run of the tournament begins on this machine."""
        session = Session(command, workers, environment(), time.time())
        self._session = self.add(session), session

    def end_session(self, why: str) -> None:
        """The run that `begin_session` began is over."""
        if self._session is not None:
            number, session = self._session
            ended = replace(session, ended=time.time(), why=why)
            self._write("sessions", [number, *astuple(ended)])
            self._session = None

    def add(self, record: Session | Event) -> int:
        """Record a run or an event as it is; its number."""
        return self._append("events" if isinstance(record, Event) else "sessions", astuple(record))

    def add_opening(self, opening: SolvedOpening) -> None:
        """Record an opening that a solver has found; the next run need not look for it."""
        self._fetch(records.OPENINGS)
        moves = None if opening.line is None else " ".join(map(str, opening.line))
        self._append("openings", (opening.tried, moves))

    def outcomes(self) -> Iterator[GameResult]:
        """How each game ended, sorted by number."""
        return (game.outcome for game in self.rows(telemetry=False))

    def rows(
        self,
        *,
        player: int | None = None,
        opponent: int | None = None,
        result: int | None = None,
        reason: str | None = None,
        round: int | None = None,
        bad: bool = False,  # only those that ended by somebody's fault
        numbers: Iterable[int] | None = None,
        limit: int | None = None,
        telemetry: bool = True,
    ) -> Iterator[Game]:
        """The games that meet all these conditions, in order of their number.

        Players are numbers in the line-up, and what is None does not matter. The result is that of
        the player, or of the first player where neither player nor opponent is named. Games are
        read a few at a time, so a million of them cost no memory and no run has to wait
        for whoever looks at them. Without telemetry it goes faster. A damaged game is left out and
        noted in `damage`; who writes to the journal is told by BadJournal.
        """
        is_named = player is not None or opponent is not None

        def fits(mine: int, theirs: int, points: int) -> bool:
            return (
                player in (None, mine) and opponent in (None, theirs) and result in (None, points)
            )

        def is_wanted(row: Game) -> bool:
            return (
                reason in (None, row.reason)
                and round in (None, row.round)
                and not (bad and row.reason in GOOD_ENDS)
                and (
                    fits(row.first, row.second, row.result)
                    or (is_named and fits(row.second, row.first, -row.result))
                )
            )

        reader = Reader(
            self._fetch, self.path, self.header, self.damage, self.has_checksums, telemetry,
            strict=self._lock is not None,
        )  # fmt: skip
        return islice(filter(is_wanted, reader.rows(numbers)), limit)

    def row(self, number: int) -> Game:
        """One game with everything about it."""
        for row in self.rows(numbers=[number]):
            return row
        if self.damage:
            raise damaged(self.path, self.damage)
        sql = "SELECT min(number), max(number), count(*) FROM games"
        first, last, count = self._fetch(sql)[0]
        words = f"its {count} games are {first} to {last}" if count else "it has no games yet"
        raise JournalError(f"game {number} is not in {self.path}; {words}")

    def count(self) -> int:
        """How many games there are now."""
        if self.damage.others:
            return len(self.finished)
        return int(self._fetch("SELECT count(*) FROM games")[0][0])

    def sessions(self) -> list[Session]:
        """Every run so far, the first one first."""
        return [Session(*values) for _, *values in self._rows_of("sessions")]

    def events(self) -> list[Event]:
        """What happened besides games, the first thing first."""
        return [Event(*values) for _, *values in self._rows_of("events")]

    def solved_openings(self) -> list[SolvedOpening]:
        """The openings that a solver has found for this tournament, in their order.

        In journals of before, and in what was imported, they are events.
        """
        texts = [event.text for event in self.events() if event.kind == OPENING_FOUND]
        openings = [SolvedOpening.parse(text) for text in texts]
        if self._fetch("SELECT 1 FROM sqlite_master WHERE name = 'openings'"):
            for _, tried, moves in self._rows_of("openings"):
                line = None if moves is None else tuple(map(int, moves.split()))
                openings.append(SolvedOpening(tried, line))
        return openings

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is written inside is recorded at once, or, if something fails, not at all."""
        self._fetch("BEGIN IMMEDIATE")
        try:
            yield
            self._fetch("COMMIT")
        except BaseException:
            self.__dict__.pop("finished", None)
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Let go of the file and of the lock; a second time does nothing."""
        if self._lock is not None:
            with suppress(sqlite3.Error):  # one file is left, unless somebody reads just now
                self._connection.execute("PRAGMA busy_timeout = 0")
                self._connection.execute("PRAGMA journal_mode = DELETE")
        elif self.damage:
            damage, self.damage = self.damage, Damage()
            warn(
                f"{self.path} is damaged, and this is left out: {damage}; arena doctor {self.path} "
                "tells what is sound",
                ArenaWarning,
                stacklevel=3,
            )
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _upgrade(self) -> None:
        """A journal from before checksums gets them, if there is nothing wrong with it."""
        for _ in self.rows():
            pass
        with changing(self._connection):
            games.add_checksums(self._connection)
            OURS.claim(self._connection)
        self.has_checksums = True

    def _begin_again(self, header: Header) -> None:
        """Another tournament takes the place of one of which no game was played."""
        with changing(self._connection):
            write_header(self._connection, header)
            self._connection.execute("DELETE FROM events")  # they told of the other one
            self._connection.execute("DROP TABLE IF EXISTS openings")
        self.header = read_header(self._connection, self.path, self.damage)

    def _reword(self, header: Header) -> None:
        """The same tournament in other words, perhaps with other aims, keeps the last."""
        self.header = replace(self.header, **_wording(header))
        with changing(self._connection):
            write_header(self._connection, self.header)

    def _rows_of(self, table: str) -> list[tuple[Any, ...]]:
        """The rows of another table than that of the games."""
        with explaining(self.path), self._guard:
            return list(records.read_rows(self._connection, table, self.damage))

    def _append(self, table: str, values: Iterable[Any]) -> int:
        """A new row at the end of another table than that of the games; its number."""
        with self._guard:
            last = self._fetch(f"SELECT max(number) FROM {table}")[0][0]
            number = 1 if last is None else int(last) + 1
            self._write(table, [number, *values])
        return number

    def _write(self, table: str, values: list[Any]) -> None:
        with explaining(self.path, ValueError, TypeError), self._guard:
            records.write_row(self._connection, table, values)

    def _fetch(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        with explaining(self.path), self._guard:
            return self._connection.execute(sql, tuple(values)).fetchall()


def _within_directory(path: Path) -> Path:
    return path / GAMES if path.is_dir() else path


def _changes(mine: Header, other: Header) -> list[str]:
    """In what a tournament differs from that of a journal."""
    from arena.tournament.identity import changes  # seldom needed

    prints = f"fingerprint: {mine.fingerprint[:12]} -> {other.fingerprint[:12]}"
    return changes(mine.canonical, other.plain()["canonical"]) or [prints]


def _wording(header: Header) -> dict[str, Any]:
    """What may change between two runs of a tournament, as it is kept."""
    data = header.plain()
    return {key: data[key] for key in ("spec_text", "question", "aims")}
