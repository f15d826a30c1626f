"""Journals of earlier runs are read, exported and resumed, and new ones have the same format.

`killed` and `learner` are of runs that were killed, with games still in the write-ahead log.
`cluster` was played on a Dask cluster.
"""

from __future__ import annotations

import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import arena
from tests.support.games import RecordedGame, compare_games, differences, record
from tests.support.golden import FOLDER, Golden

pytestmark = pytest.mark.contract

JOURNALS = Path("journals")
PLAYED = {"finished": 24, "cluster": 24, "killed": 7, "learner": 4}
OF_THE_RUN = ("environment", "created")  # keys of `meta` that differ from run to run
PRAGMAS = ("application_id", "user_version")

Cli = Callable[..., Any]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current directory is empty but for the tournament files."""
    monkeypatch.chdir(tmp_path)
    for file in (FOLDER / JOURNALS).glob("*.yaml"):
        shutil.copy(file, tmp_path)


def copy_journal(name: str, to: str) -> Path:
    """A copy to work with; the last games may be in the file beside the database."""
    target = Path("reports", to)
    target.mkdir(parents=True)
    for file in (FOLDER / JOURNALS / name).glob("games.db*"):
        shutil.copy(file, target)
    return target


def run(cli: Cli, file: str) -> None:
    """Play a tournament, or the rest of it, as a user does."""
    result = cli("run", file, "--no-report", "--workers", "1")
    assert result.exit_code == 0, result.output


def games_of(journal: Path) -> list[RecordedGame]:
    return [record(game) for game in arena.open_journal(journal).games]


def raw_content(journal: Path) -> dict[str, Any]:
    """What any SQLite client reads, without times and versions."""
    with closing(sqlite3.connect(journal / "games.db")) as db:
        meta = dict(db.execute("SELECT key, value FROM meta"))
        games = db.execute(
            "SELECT number, round, first, second, hex(opening), hex(moves), result, reason, detail,"
            " seed, log, length(moves) - length(opening), telemetry FROM games ORDER BY number"
        )
        return {
            "meta": {key: value for key, value in meta.items() if key not in OF_THE_RUN},
            "players": db.execute("SELECT * FROM players ORDER BY number").fetchall(),
            "games": [(*game, *figures(count, data)) for *game, count, data in games],
        }


def figures(count: int, telemetry: bytes) -> list[float]:
    """The scores (rounded), nodes and depths of so many moves; their times come first."""
    values = struct.unpack(f"={2 * count}f{count}d{count}q{count}h", telemetry)[2 * count :]
    return [*(round(score, 6) for score in values[:count]), *values[count:]]


def schema(journal: Path) -> list[str]:
    """The format of a database: its numbers, and the statements that create its tables."""
    with closing(sqlite3.connect(journal / "games.db")) as db:
        numbers = [f"{name} {db.execute(f'PRAGMA {name}').fetchone()[0]}" for name in PRAGMAS]
        tables = db.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name")
        return [*numbers, *(" ".join(sql.split()) for (sql,) in tables)]


@pytest.mark.parametrize("name", PLAYED)
def test_a_journal_is_read_and_exported(name: str, cli: Cli, golden: Golden) -> None:
    journal = copy_journal(name, name)
    assert len(arena.open_journal(journal).games) == PLAYED[name]
    for file in ("games.jsonl", "games.csv"):
        result = cli("games", str(journal), "--export", file)
        assert result.exit_code == 0, result.output
        golden(JOURNALS / name / file, Path(file).read_bytes().decode())
    golden(JOURNALS / name / "games.txt", cli("games", str(journal)).stdout)


def test_an_export_is_read_back(cli: Cli) -> None:
    shutil.copy(FOLDER / JOURNALS / "killed" / "games.jsonl", "killed.jsonl")
    result = cli("games", "--import", "killed.jsonl", "--into", "games.db")
    assert result.exit_code == 0, result.output
    assert cli("games", "games.db", "--export", "again.jsonl").exit_code == 0
    assert Path("again.jsonl").read_bytes() == Path("killed.jsonl").read_bytes()


@pytest.mark.parametrize("name", ["finished", "killed", "cluster"])
def test_a_run_is_resumed_to_the_same_games(name: str, cli: Cli) -> None:
    journal = copy_journal(name, "journal")
    run(cli, "journal.yaml")
    assert differences(games_of(copy_journal("finished", "whole")), games_of(journal)) == []
    assert cli("doctor", str(journal)).exit_code == 0


def test_the_run_of_a_learner_is_resumed(cli: Cli, golden: Golden) -> None:
    journal = copy_journal("learner", "learner")
    run(cli, "learner.yaml")
    compare_games(JOURNALS / "learner" / "resumed.csv", games_of(journal), golden)


def test_a_new_journal_has_the_same_format(cli: Cli) -> None:
    """For a new layout, keep `finished` under another name and add a journal in the new format."""
    run(cli, "journal.yaml")
    new, old = Path("reports", "journal"), copy_journal("finished", "old")
    assert schema(new) == schema(old)
    assert raw_content(new) == raw_content(old)
