"""The journal: games go in one at a time and stay, whatever happens to the process.

with Journal.open(path, header) as journal:  # the one writer
    journal.write(game)

with Journal.read(path) as journal:  # any process, at any time
    for game in journal.rows(player=0): ...
"""

from __future__ import annotations

import sqlite3
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from arena.journal import records
from arena.journal.database import (
    Lock,
    Owner,
    Place,
    changing,
    connect_to_read,
    find_damage,
    is_new,
    opened,
    set_aside,
)
from arena.journal.errors import (
    FAILURES,
    JournalChanged,
    JournalError,
    damaged,
    explained,
    explaining,
    numbered,
)
from arena.journal.records import AnyRecord, Event, Header, Record, Session
from arena.machine import environment
from arena.table.game import GOOD_ENDS, Game
from arena.tournament.games import GameResult
from arena.tournament.openings import SolvedOpening

GAMES = "games.db"  # the name of a journal in its directory
OURS = Owner(0x41524E41, 2, "an SQLite file of another program, not a journal")  # "ARNA"
PAGE = 500  # games read at a time, so that a slow reader never holds up a run
# The conditions of `rows`; a player may sit on either side if one is named.
WANTED = f"""
    reason = ifnull(:reason, reason) AND round = ifnull(:round, round)
    AND NOT (:bad AND reason IN {GOOD_ENDS})
    AND (first = ifnull(:player, first) AND second = ifnull(:opponent, second)
         AND result = ifnull(:result, result)
         OR :named AND second = ifnull(:player, second) AND first = ifnull(:opponent, first)
         AND result = ifnull(-:result, result))
"""

Answer = TypeVar("Answer")


class Journal:
    """The games of one tournament in one file; `open` it to write, `read` it to look."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, header: Header, lock: Lock | None
    ) -> None:
        """Use `open` or `read` instead, which check the file."""
        self.path = path
        self.header = header
        self.on_wait: Callable[[str], None] = lambda words: None  # called with why a game waits
        self._connection = connection
        self._lock = lock
        self._insert = connection.cursor().executemany
        self._guard = RLock()  # threads may share a journal
        self._session: tuple[int, Session] | None = None
        self._place = Place(path, connection) if lock is not None else None

    # ---- opening and closing

    @classmethod
    def open(cls, path: Path, header: Header, new: bool = False) -> Journal:
        """Begin a journal, or resume the one of the same tournament that is there.

        One of another tournament raises JournalChanged, unless it has no games yet; with `new`,
        whatever is there is set aside under a free name first. The lock is held until `close` or
        the end of the process. A damaged journal is refused.
        """
        path = journal_file(path)
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
            if is_new(connection):
                with changing(connection):
                    for statement in records.TABLES.split(";"):
                        connection.execute(statement)
                    records.write_header(connection, header)
                    OURS.claim(connection)
            elif damage := find_damage(connection):
                raise damaged(path, damage)
            mine = records.read_header(connection, path)
            journal = cls(path, connection, mine, lock)
            if header.fingerprint != mine.fingerprint:
                if journal.finished:
                    raise JournalChanged(path, _changes(mine, header))
                with changing(connection):
                    records.write_header(connection, header)
                    connection.execute("DELETE FROM events")  # of the other tournament
                    connection.execute("DROP TABLE IF EXISTS openings")
                journal.header = records.read_header(connection, path)
            elif (wording := _wording(header)) != _wording(mine):
                journal.header = replace(mine, **wording)  # the last wording is kept
                with changing(connection):
                    records.write_header(connection, journal.header)
            return journal

    @classmethod
    def read(cls, path: Path) -> Journal:
        """Look into a journal, also while a run writes to it; a directory means its games.db."""
        path = journal_file(path)
        with opened(path, OURS, writing=False) as connection:
            return cls(path, connection, records.read_header(connection, path), None)

    def close(self) -> None:
        """Close the file and release the lock; a second time does nothing."""
        try:
            self.check_place()
        finally:
            self._place = None
            if self._lock is not None:
                with suppress(sqlite3.Error):  # leaves one file, unless it is being read
                    self._connection.execute("PRAGMA busy_timeout = 0")
                    self._connection.execute("PRAGMA journal_mode = DELETE")
            self._connection.close()
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ---- writing

    def write(self, *games: Game) -> None:
        """Record games by one commit; when this returns they outlive the process."""
        try:
            rows = sorted([records.row_of(game) for game in games])  # so they lie side by side
            with self._guard:
                self._patiently(lambda: self._insert_rows(rows))
                self.finished.update([game.number for game in games])
                self.check_place()
        except sqlite3.IntegrityError as error:
            is_there = error.sqlite_errorname == "SQLITE_CONSTRAINT_PRIMARYKEY"
            game = next((game for game in games if game.number in self.finished), games[0])
            why = "it is in the journal already" if is_there else str(error)
            raise JournalError(f"game {game.number} was not recorded: {why}") from None
        except UnicodeEncodeError:  # half a character in what an engine said
            self.write(*map(records.without_surrogates, games))
        except (*FAILURES, ValueError, TypeError, struct.error) as error:
            raise explained(error, self.path) from error

    def _insert_rows(self, rows: list[tuple[Any, ...]]) -> None:
        if len(rows) == 1 or self._connection.in_transaction:
            self._insert(records.INSERT, rows)
        else:
            with changing(self._connection):
                self._insert(records.INSERT, rows)

    def _patiently(self, statement: Callable[[], Answer]) -> Answer:
        """Repeat a statement as long as another program locks the file: no game is given up."""
        is_waiting = False
        while True:
            try:
                return statement()
            except sqlite3.OperationalError as error:
                if self._lock is None or not error.sqlite_errorname.startswith("SQLITE_BUSY"):
                    raise
            if not is_waiting:
                self.on_wait(f"another program has locked {self.path}; the run waits for it")
            is_waiting = True

    def check_place(self) -> None:
        """A writer whose file was taken away puts its games back, and raises a JournalError."""
        if self._place is not None:
            self._place.check()

    def verify(self) -> None:
        """Raise a JournalError unless other programs can read all games that were written."""
        self.check_place()
        with explaining(self.path), closing(connect_to_read(self.path)) as other:
            readable = {number for (number,) in other.execute("SELECT number FROM games")}
        if missing := self.finished - readable:
            raise JournalError(
                f"another program has removed {numbered(missing)} from {self.path} during the run; "
                "the same command plays them again"
            )

    def begin_session(self, command: str, workers: int) -> None:
        """A run of the tournament begins on this machine."""
        session = Session(command, workers, environment(), time.time())
        self._session = self.add(session), session

    def end_session(self, why: str) -> None:
        """The run that `begin_session` began is over."""
        if self._session is not None:
            number, session = self._session
            self._put(number, replace(session, ended=time.time(), why=why))
            self._session = None

    def write_event(self, kind: str, text: str) -> None:
        """Record something else that happened, at this time."""
        self.add(Event(time.time(), kind, text))

    def add(self, record: AnyRecord) -> int:
        """Record a run, an event or a solved opening; its number."""
        with self._guard:
            if isinstance(record, SolvedOpening):
                self._fetch(records.OPENINGS)
            last = self._fetch(f"SELECT max(number) FROM {records.TABLE_OF[type(record)][0]}")[0][0]
            number = 1 if last is None else int(last) + 1
            self._put(number, record)
        return number

    def _put(self, number: int, record: AnyRecord) -> None:
        with explaining(self.path), self._guard:
            self._patiently(lambda: records.write_record(self._connection, number, record))

    @contextmanager
    def together(self) -> Iterator[None]:
        """Commit all that is written inside at once, or nothing if something fails."""
        try:
            with explaining(self.path), changing(self._connection):
                yield
        except BaseException:
            self.__dict__.pop("finished", None)
            raise

    # ---- reading

    @cached_property
    def finished(self) -> set[int]:
        """The numbers of the games in the journal; a writer keeps it up to date."""
        return {number for (number,) in self._fetch("SELECT number FROM games")}

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
        bad: bool = False,  # only those that a player lost by a fault
        numbers: Iterable[int] | None = None,
        limit: int | None = None,
        telemetry: bool = True,
    ) -> Iterator[Game]:
        """The games that meet all these conditions, in order of their number.

        Players are numbers in the line-up, and None matches everything. The result is that of
        the player, or of the first player where neither player nor opponent is named. Games are
        read a few at a time, so a million of them cost no memory. A damaged game raises BadJournal.
        """
        wanted = {
            "player": player, "opponent": opponent, "result": result, "reason": reason,
            "round": round, "bad": bad, "named": player is not None or opponent is not None,
        }  # fmt: skip
        return islice(self._games(records.select_games(telemetry), wanted, numbers), limit)

    def _games(
        self, select: str, wanted: Mapping[str, object], numbers: Iterable[int] | None
    ) -> Iterator[Game]:
        last, players = -1, len(self.header.players)
        for page in self._pages(select, wanted, numbers):
            for row in page:
                game = records.game_of(row, players)
                if game is None or game.number <= last:
                    raise damaged(self.path, f"game {row[0]} is not what was written")
                last = game.number
                yield game

    def _pages(
        self, select: str, wanted: Mapping[str, object], numbers: Iterable[int] | None
    ) -> Iterator[list[Any]]:
        if numbers is not None:
            chosen = sorted(set(numbers))
            for start in range(0, len(chosen), PAGE):
                some = ", ".join(map(str, chosen[start : start + PAGE]))
                sql = f"{select} WHERE number IN ({some}) AND {WANTED} ORDER BY number"
                yield self._fetch(sql, wanted)
            return
        sql = f"{select} WHERE number > :last AND {WANTED} ORDER BY number LIMIT {PAGE}"
        last, is_more = -1, True
        while is_more:
            page = self._fetch(sql, {**wanted, "last": last})
            yield page
            is_more = len(page) == PAGE
            last = page[-1][0] if page else last

    def row(self, number: int) -> Game:
        """One game with everything about it."""
        for game in self.rows(numbers=[number]):
            return game
        sql = "SELECT min(number), max(number), count(*) FROM games"
        first, last, count = self._fetch(sql)[0]
        words = f"its {count} games are {first} to {last}" if count else "it has no games yet"
        raise JournalError(f"game {number} is not in {self.path}; {words}")

    def count(self) -> int:
        """How many games there are now."""
        return int(self._fetch("SELECT count(*) FROM games")[0][0])

    def sessions(self) -> list[Session]:
        """Every run so far, the first one first."""
        return self._records(Session)

    def events(self) -> list[Event]:
        """What happened besides games, the first thing first."""
        return self._records(Event)

    def solved_openings(self) -> list[SolvedOpening]:
        """The openings that a solver has found for this tournament, in their order."""
        return self._records(SolvedOpening)

    def _records(self, kind: type[Record]) -> list[Record]:
        with explaining(self.path), self._guard:
            every = list(records.read_records(self._connection, kind))
        sound = [record for record in every if record is not None]
        if len(sound) < len(every):
            raise damaged(self.path, f"a row of the table {records.TABLE_OF[kind][0]}")
        return sound

    def _fetch(self, sql: str, values: Mapping[str, Any] | tuple[()] = ()) -> list[Any]:
        with explaining(self.path), self._guard:
            return self._patiently(lambda: self._connection.execute(sql, values).fetchall())


def journal_file(path: Path) -> Path:
    """The file of a journal, which may be given by its directory."""
    return path / GAMES if path.is_dir() else path


def _changes(mine: Header, other: Header) -> list[str]:
    """The differences between the tournament of a journal and another."""
    from arena.tournament.identity import changes  # seldom needed

    prints = f"fingerprint: {mine.fingerprint[:12]} -> {other.fingerprint[:12]}"
    return changes(mine.canonical, other.plain()["canonical"]) or [prints]


def _wording(header: Header) -> dict[str, Any]:
    """The parts of a header that may change between two runs of a tournament."""
    data = header.plain()
    return {key: data[key] for key in ("spec_text", "question", "aims")}
