"""Seconds of a reference core: what engines get on hosts of other speeds, and what is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.engine import timing
from arena.engine.limits import REFERENCE
from arena.journal import Journal
from arena.report.data import read_data
from arena.session import Run, RunProgress, Watcher, header_of
from arena.standings.results import read
from arena.table.runner import GameOver
from arena.tournament.load import load_text
from arena.tournament.spec import Tournament
from tests.cli.running import assert_one_sentence, run
from tests.report.samples import markdown

BOT = """
from arena import Choice, Engine

class Tells(Engine):
    def choose(self, position, limits):
        assert limits.on is None
        return Choice(position.legal[0], score=limits.seconds)
"""
FILE = """
games: 40
workers: 1
limits: {seconds: 0.5, on: reference}
engines: [bot.py:Tells, {engine: bot.py:Tells, name: own, limits: {seconds: 3}}]
"""


class HostBreaksDown(Exception):
    """The host of a run is gone after its second game."""


class Breaker(Watcher):
    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        if progress.done == 2:
            raise HostBreaksDown


@pytest.fixture(autouse=True)
def _measured_anew() -> Iterator[None]:
    yield
    timing.speed_of_this_host.cache_clear()


def this_host(monkeypatch: pytest.MonkeyPatch, name: str, faster: float) -> None:
    """Play on a host that is so many times as fast as the reference."""
    monkeypatch.setattr(timing, "positions_a_second", lambda: faster * REFERENCE)
    monkeypatch.setattr("socket.gethostname", lambda: name)
    timing.speed_of_this_host.cache_clear()


@pytest.fixture
def tournament(tmp_path: Path) -> Tournament:
    (tmp_path / "bot.py").write_text(BOT)
    return load_text(f"{FILE}output: {tmp_path / 'out'}\n", tmp_path / "reference.yaml")


def test_a_run_goes_on_on_a_slower_host_which_gives_more_time(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tournament.output / "games.db"
    this_host(monkeypatch, "laptop", 2.0)
    with Journal.open(path, header_of(tournament)) as journal, pytest.raises(HostBreaksDown):
        Run(tournament, journal, Breaker()).run("test")
    this_host(monkeypatch, "old box", 0.5)
    with Journal.open(path, header_of(tournament)) as journal:
        assert Run(tournament, journal, Watcher()).run("test").ending == "finished"
    with Journal.read(tournament.output) as journal:
        assert [player.limits for player in journal.header.players] == [
            "seconds=0.5 on=reference", "seconds=3"
        ]  # fmt: skip
        given = [
            {move.score for move in row.move_records() if move.score != 3} for row in journal.rows()
        ]
        before = given.count({0.25})
        assert 2 <= before < 40
        assert given == [{0.25}] * before + [{1.0}] * (40 - before)
        assert read(journal).moves[0].used is not None
        page = markdown(read_data(journal))
    assert "seconds=0.5 on=reference" in page
    assert f"| laptop | 20 M/s | {before} |" in page
    assert f"| old box | 5 M/s | {40 - before} |" in page
    assert "0.5 s (of a reference core)" in page


@pytest.mark.parametrize(
    ("limits", "parts"),
    [
        ("{seconds: 1, on: referense}", ("limits.on", "did you mean 'reference'?")),
        ("{depth: 2, on: reference}", ("no time is limited", "expected seconds, cpu or clock")),
    ],
)
def test_a_mistake_in_a_file_is_a_sentence(
    limits: str, parts: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(f"limits: {limits}\nengines: [random, greedy]\n")
    assert_one_sentence(run("run", str(file)), "wrong.yaml:1:", *parts)
