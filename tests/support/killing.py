"""A program that starts writers and kills them, again and again: `python -m tests.support.killing`.

Each writer is a process that opens the journal, plays the numbers that are missing in an order of
its own, and says each one's number after `write` has returned.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from arena.journal import BadJournal, Journal
from arena.journal.records import Session
from arena.machine import environment
from arena.table.game import Game
from tests.journal.examples import make_header, make_row

MOST = 80  # games of a writer

base = cache(make_row)


@cache
def game(number: int) -> Game:
    """Cheap to make, and different for each number."""
    return replace(base(number % 50), number=number, seed=number)


def write_until_killed(path: Path, games: int, seed: int, said: int, most: int) -> None:
    """What a writer does; after so many games it waits."""
    with Journal.open(path, make_header()) as journal:
        journal.begin_session("kill me", seed)
        missing = [number for number in range(games) if number not in journal.finished]
        Random(seed).shuffle(missing)
        for number in missing[:most]:
            journal.write(game(number))
            os.write(said, b"%d\n" % number)
        while len(missing) > most:
            signal.pause()
        journal.end_session("all is written")


def start_and_kill(path: Path, games: int, seed: int) -> list[int]:
    """Let a writer live for a moment; what it said."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            write_until_killed(path, games, seed, writing, MOST)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    random = Random(seed)
    patience = random.randrange(MOST) if seed % 6 else 0  # now and then while the file is created
    with os.fdopen(reading) as file:
        said = [int(file.readline() or -1) for _ in range(patience)]
        time.sleep(random.random() * (0.0005 if patience else 0.01))
        os.kill(child, signal.SIGKILL)
        said += [int(line) for line in file]
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "a writer failed"
    return [number for number in said if number >= 0]


def verify(path: Path, acknowledged: set[int]) -> int:
    """Whether what was said is there, and all that is there is whole; how many games that is."""
    try:
        journal = Journal.read(path)
    except BadJournal:  # killed before it had begun
        assert not acknowledged
        return 0
    with journal:
        there = {row.number for row in journal.rows() if row == game(row.number)}
        assert there == set(journal.finished), "a game is half written"
        assert acknowledged <= there, "a game is lost"
        (ok,) = journal._connection.execute("PRAGMA quick_check").fetchone()
        assert ok == "ok", ok
        return len(there)


def content(path: Path) -> tuple[list[Game], list[Session]]:
    """The games and the sessions of a journal."""
    with Journal.read(path) as journal:
        return list(journal.rows()), list(journal.sessions())


def main(path: Path, games: int, kills: int) -> None:
    """Kill writers, look after each, and at last let one finish."""
    acknowledged: set[int] = set()
    environment()
    for number in range(games):
        game(number)
    for seed in range(kills):
        said = start_and_kill(path, games, seed)
        assert not acknowledged & set(said), "a game was played twice"
        acknowledged |= set(said)
        verify(path, acknowledged)
    after_kills = len(acknowledged)
    write_until_killed(path, games, kills, os.open(os.devnull, os.O_WRONLY), games)
    print(kills, after_kills, verify(path, acknowledged))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
