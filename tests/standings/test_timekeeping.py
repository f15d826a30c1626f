"""How time was kept: losses, wall over processor time, hosts, and crowded machines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.session import CROWDED, Run, Watcher
from arena.standings.timekeeping import Hosts, Timekeeping, played_at
from arena.table.game import Game, MoveRecord, pack_telemetry
from tests.dashboard.rows import finish, row, session
from tests.journal.examples import make_row

TIMED = "engines: [random, reflex]\ngames: 8\nworkers: 1\nlimits: {seconds: 0.5}\n"


def timed_row(number: int, times: list[tuple[float, float]], **changes: Any) -> Game:
    """A game whose moves took so long on the wall and of the processor."""
    moves = [MoveRecord(3, wall, cpu) for wall, cpu in times]
    columns = bytes(move.column for move in moves)
    return row(number, moves=columns, telemetry=pack_telemetry(moves), **changes)


def test_the_ratio_is_that_of_moves_long_enough_to_tell() -> None:
    time = Timekeeping()
    assert (time.ratio, time.short(), time.is_busy) == (None, "", False)
    time.add(timed_row(1, [(0.3, 0.1), (0.5, 0.0001), (0.1, 0.1)]))
    assert time.ratio == pytest.approx(2.0)
    assert (time.short(), time.is_busy) == ("wall/CPU 2.0", True)


def test_who_lost_on_time_is_counted_in_either_seat() -> None:
    time = Timekeeping()
    time.add(row(1, 0, 1, result=-1, reason="time", seconds=0.0, telemetry=b""))
    time.add(row(2, 1, 0, result=1, reason="time"))
    time.add(row(3, 1, 0, result=-1, reason="time"))
    time.add(row(4, 0, 1))
    assert time.losses == {0: 2, 1: 1}
    assert time.short() == "3 time losses"
    assert time.sentence(["a", "b"]) == "3 games were lost on time (a 2, b 1)"
    assert Timekeeping().sentence(["a", "b"]) == "No game was lost on time"


def test_earlier_parts_of_the_same_run_count(tmp_path: Path) -> None:
    with session(tmp_path, Watcher(), TIMED) as made:
        finish(made, timed_row(1, [(0.2, 0.1), (0.2, 0.1)]))
        finish(made, row(2, 1, 0, result=-1, reason="time", seconds=0.0, telemetry=b""))
        first = made.progress.time
    with session(tmp_path, Watcher(), TIMED) as again:
        time = again.progress.time
        assert again.progress.done == 2
        assert time.losses == first.losses == {1: 1}
        assert time.ratio == first.ratio == pytest.approx(2.0)


class Warned(Watcher):
    words = ""

    def warned(self, words: str) -> None:
        self.words = words


@pytest.mark.parametrize(("limits", "told"), [("seconds: 0.5", True), ("cpu: 0.5", False)])
def test_a_crowded_machine_is_told_and_written_down_before_games_by_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: str, told: bool
) -> None:
    monkeypatch.setattr("arena.session.prepare.cores_in_use", lambda: 1.9)
    monkeypatch.setattr("arena.session.prepare.usable_cores", lambda: 2)
    watcher = Warned()
    text = f"engines: [random, reflex]\ngames: 2\nworkers: 2\nlimits: {{{limits}}}\n"
    with session(tmp_path, watcher, text) as made:
        made.run("test")
        events = [event.text for event in made.journal.events() if event.kind == CROWDED]
    assert events == ([watcher.words] if told else [])
    assert ("--workers 1" in watcher.words and "cpu: 0.5" in watcher.words) == told


def test_a_session_knows_whether_time_is_limited(tmp_path: Path) -> None:
    def timed(text: str, folder: str) -> bool:
        (tmp_path / folder).mkdir()
        with session(tmp_path / folder, Watcher(), text) as made:
            assert isinstance(made, Run)
            return made.progress.timed

    assert timed(TIMED, "seconds")
    assert timed(TIMED.replace("seconds", "cpu"), "cpu")
    assert not timed("engines: [random, reflex]\nlimits: {depth: 2}\n", "depth")


def test_games_count_where_they_were_played_last() -> None:
    rows = [replace(make_row(number), number=number, reason="line") for number in range(1, 5)]
    rows[3] = replace(rows[3], reason="time", result=1)
    events = [played_at("a", 1e6, [1, 2, 3]), played_at("b", 2e6, [3, 4]), played_at("c", 1e6, [9])]
    hosts = Hosts(events)
    hosts.add(rows)
    one, other = hosts.times
    assert (one.name, one.games, one.time.losses.total()) == ("a", 2, 0)
    assert (other.name, other.speeds, other.games) == ("b", [2_000_000], 2)
    assert other.time.losses.total() == 1


def test_without_a_cluster_there_are_no_hosts() -> None:
    hosts = Hosts([])
    hosts.add([make_row(1)])
    assert hosts.times == ()
