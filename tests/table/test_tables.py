"""Whatever an engine does at a table costs it that game; everything else goes on."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil
import pytest

from arena.bots.hosted import Terms
from arena.engine.contract import Limits
from arena.engine.errors import split_log
from arena.game.rules import CONNECT4, Rules
from arena.table import local, table
from arena.table.game import Game
from arena.table.local import LocalRunner
from arena.table.runner import GameOver, Seating, TableLost
from arena.tournament.agenda import Agenda
from arena.tournament.formats import RoundRobin
from arena.tournament.games import Player
from arena.tournament.openings import NoOpenings, Openings, RandomPlies
from arena.tournament.schedule import Schedule
from tests.support.playing import play_on_tables
from tests.support.stories import story

BOTS = Path(__file__).with_name("bots.py")
NO_OPENINGS = NoOpenings()

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def seating(*bots: str, **changes: Any) -> Seating:
    """A table for these bots."""
    limits = changes.pop("limits", Limits())
    players = tuple(Player(name, f"{BOTS}:{name}", {}, limits, False) for name in bots)
    allowed = {name: changes.pop(name) for name in ("margin", "patience", "memory")
               if name in changes}  # fmt: skip
    terms = Terms(**{"patience": 2.0, "memory": 1024, **allowed})
    return Seating(CONNECT4, players, terms, **changes)


def play(
    seated: Seating, games: int = 4, workers: int = 2, openings: Openings = NO_OPENINGS
) -> tuple[list[Game], list[TableLost]]:
    """All games of a round robin, in order of their numbers, and everything else that happened."""
    schedule = Schedule(RoundRobin(), len(seated.players), games, True, openings, 1)
    return play_on_tables(seated, schedule, workers)


def test_good_engines_finish_all_games() -> None:
    rows, others = play(seating("Good", "UsesSharedChance"), games=20)
    assert [row.number for row in rows] == list(range(1, 21))
    assert not others
    assert {row.reason for row in rows} <= {"line", "full board"}
    assert all(len(row.move_records()) == len(row.moves) for row in rows)


@pytest.mark.parametrize(
    ("bot", "reason", "words"),
    [
        ("Hangs", "time", "gave no answer in "),
        ("Spins", "time", "gave no answer in "),
        ("Exits", "crash", "left with exit code 5"),
        ("Segfaults", "crash", "killed by SIGSEGV"),
        ("Cheats", "illegal move", "column 100 (99 counted from 0) is not on the board"),
        ("FailsToLoad", "exception", "FailsToLoad: RuntimeError: not twice"),
        ("Raises", "exception", "RuntimeError: it did not work (naughty.py:"),
    ],
)
def test_who_misbehaves_loses_each_of_its_games(bot: str, reason: str, words: str) -> None:
    limits = Limits(seconds=0.1) if reason == "time" else Limits()
    rows, _ = play(seating("Good", bot, limits=limits), games=2)
    assert [row.reason for row in rows] == [reason, reason]
    assert all(words in row.detail and row.detail.startswith(bot) for row in rows)
    assert [(row.first, row.result) for row in rows] == [(0, 1), (1, -1)]


def test_every_table_warms_up_its_engines_before_a_clock_runs() -> None:
    """Also a table that is set anew, as after each game of Exits."""
    limits = Limits(seconds=0.05)
    names = ("greedy", "mcts", "oracle")
    players = [Player(name, f"{BOTS}:Watched", {"plays": name}, limits, False) for name in names]
    players.append(Player("Exits", f"{BOTS}:Exits", {}, limits, False))
    rules, margin = Rules.named("5x4"), 10.0  # wide: whether the machine is busy is not asked here
    seated = replace(seating(margin=margin), rules=rules, players=tuple(players))
    rows, others = play(seated)
    with_exits = [row for row in rows if 3 in (row.first, row.second)]
    assert {row.reason for row in with_exits} == {"crash"}
    assert len(others) == len(with_exits) == 12
    others_games = [row for row in rows if row not in with_exits]
    assert {row.reason for row in others_games} <= {"line", "full board"}, others_games
    by_greedy = [
        move.cpu
        for row in rows
        for ply, move in enumerate(row.move_records())
        if (row.first, row.second)[ply % 2] == 0
    ]
    assert max(by_greedy) < 0.1  # seconds of the processor; loading takes several times that


def test_an_engine_that_is_never_ready_loses_its_own_game() -> None:
    """It is told with its own opening, not with the moves of the game before on that table."""
    seated = seating("Good", "UsesSharedChance", "NeverReady", loading=0.5)
    rows, _ = play(seated, games=2, workers=1, openings=RandomPlies(CONNECT4, 3, 1))
    lost = [row for row in rows if row.reason == "time"]
    assert [2 in (row.first, row.second) for row in rows] == [row in lost for row in rows]
    assert all(row.moves == row.opening and len(row.opening) == 3 for row in lost)
    assert all(row.detail.startswith("NeverReady: was not ready in 0.") for row in lost)


def test_a_game_whose_table_is_killed_time_and_again_is_given_up_and_nobody_blamed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local, "PATIENT_ATTEMPTS", 4)
    rows, others = play(seating("Good", "KillsItself", "UsesSharedChance"), games=2)
    assert [(row.first, row.second) for row in rows] == [(0, 2), (2, 0)]
    assert {row.reason for row in rows} <= {"line", "full board"}
    assert len(others) == 16
    assert {event.game for event in others} == {None}
    given_up = [event for event in others if event.unplayed is not None]
    assert len({event.unplayed for event in given_up}) == len(given_up) == 4
    assert all(event.why == "its worker was killed by SIGKILL 4 times" for event in given_up)


@needs_proc
@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("StopsItself", "stopped for 0.5 seconds 3 times"),
        ("Garbles", "lost after a broken message (EOFError) 3 times"),
    ],
)
def test_a_worker_that_is_stopped_or_sends_nonsense_is_replaced_and_nobody_blamed(
    bot: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MAX_STOPPED", 0.5)
    rows, others = play(seating("Good", bot, "UsesSharedChance"), games=2)
    assert [(row.first, row.second) for row in rows] == [(0, 2), (2, 0)]
    assert {row.reason for row in rows} <= {"line", "full board"}
    unplayed = [event.why for event in others if event.unplayed is not None]
    assert unplayed == [f"its worker was {why}"] * 4


def test_all_workers_are_looked_at_while_some_are_removed() -> None:
    runner = LocalRunner(seating("Hangs", "Spins", patience=30.0), 2)
    runner.agenda = Agenda(Schedule(RoundRobin(), 2, 2, True, NoOpenings(), 1), set(), list)
    try:
        runner._hand_out()
        until = time.monotonic() + 30
        while not all(len(table.heartbeat.moves()) > 1 for table in runner.tables):
            assert time.monotonic() < until
            time.sleep(0.01)
        time.sleep(0.1)
        runner.seating = replace(runner.seating, terms=Terms(memory=1))  # both use more
        runner.stop()  # lost workers are removed instead of replaced
        lost = [event.table for event in runner._watch() if isinstance(event, TableLost)]
        assert lost == [0, 1]
    finally:
        runner.close()


def test_the_hash_seed_is_set_for_workers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    runner = LocalRunner(seating("Good"), 1)
    try:
        runner.tables.append(runner._new_table(0))
        assert "PYTHONHASHSEED" not in os.environ
        worker = psutil.Process(runner.tables[0].watched.pid)
        assert worker.environ()["PYTHONHASHSEED"] == "0"
    finally:
        runner.close()


def test_the_main_module_is_there_again_after_starts_in_two_threads() -> None:
    main, inside = sys.modules["__main__"], Event()

    def start(seconds: float) -> None:
        with table.clean_start():
            inside.set()
            time.sleep(seconds)

    first, second = Thread(target=start, args=(0.1,)), Thread(target=start, args=(0.2,))
    first.start()
    inside.wait(10)
    second.start()
    first.join()
    second.join()
    assert sys.modules["__main__"] is main


def test_a_run_in_which_every_table_is_killed_comes_to_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local, "MAX_KILLED", 3)
    runner = LocalRunner(seating("KilledWhenBuilt", "Good"), 1)
    agenda = Agenda(Schedule(RoundRobin(), 2, 100, True, NoOpenings(), 1), set(), list)
    try:
        events = list(chain.from_iterable(runner.play(agenda)))
    finally:
        runner.close()
    assert len(events) == 3
    assert runner.hopeless is not None
    assert runner.hopeless.startswith("3 worker processes in a row were lost by no fault")
    assert "the last one was killed by SIGTERM; if memory is short" in runner.hopeless
    assert not agenda.is_over


@needs_proc
@pytest.mark.parametrize("limits", [Limits(seconds=0.5), Limits()])
def test_a_table_that_is_stopped_from_outside_costs_no_game(limits: Limits) -> None:
    """Neither by the referee, whose clock runs on, nor by the owner, who waits for an answer."""
    seated = replace(
        seating("Stopped", "Good", limits=limits, patience=0.5), rules=Rules.named("4x4")
    )
    rows, others = play(seated, games=2)
    assert {row.reason for row in rows} <= {"line", "full board"}, rows
    assert not others
    stopped = [move for row in rows for move in row.move_records()[:2]]
    assert all(move.seconds < 1.0 for move in stopped)


@needs_proc
def test_when_the_process_that_tables_are_forked_from_is_killed_nobody_is_blamed() -> None:
    runner = LocalRunner(seating("Good", "Ponders"), 1)
    agenda = Agenda(Schedule(RoundRobin(), 2, 4, True, NoOpenings(), 1), set(), list)
    rows: list[Game] = []
    lost = 0
    try:
        for event in chain.from_iterable(runner.play(agenda)):
            if isinstance(event, TableLost):
                lost += 1
                continue
            agenda.done(event.game.number)
            rows.append(event.game)
            if len(rows) == 1:
                lost_table = runner.tables[0]
                assert lost_table.parent is not None
                for process in (lost_table.parent, lost_table.watched):
                    os.kill(process.pid, signal.SIGKILL)
    finally:
        runner.close()
    assert sorted(row.number for row in rows) == [1, 2, 3, 4]
    assert {row.reason for row in rows} <= {"line", "full board"}
    assert lost == 1


def test_a_working_directory_that_is_removed_costs_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    rows, others = play(seating("Good", "UsesSharedChance", "Exits"), games=2)
    assert len(others) == 4
    assert [row.reason for row in rows if 2 not in (row.first, row.second)] == ["line", "line"]
    assert all(row.detail == "Exits: its process left with exit code 5"
               for row in rows if row.reason == "crash")  # fmt: skip


def test_memory_is_bounded() -> None:
    rows, _ = play(seating("Good", "Eats", memory=600, patience=20.0), games=2)
    assert [row.reason for row in rows] == ["memory", "memory"]
    assert all(row.detail.startswith("Eats") for row in rows)


def test_a_hang_is_cleared_in_time_and_the_other_table_goes_on() -> None:
    begun = time.monotonic()
    rows, others = play(seating("Good", "Hangs", "Raises", limits=Limits(seconds=0.2)), games=2)
    assert time.monotonic() - begun < 30
    assert len(rows) == 6
    hung = [row for row in rows if row.reason == "time"]
    assert len(others) == len(hung) > 0
    good_against_raises = [row for row in rows if {row.first, row.second} == {0, 2}]
    assert {row.reason for row in good_against_raises} == {"exception"}


def test_the_end_of_what_was_printed_is_kept_after_a_bad_end_and_nothing_else_is_shown(
    capfd: pytest.CaptureFixture[str],
) -> None:
    rows, _ = play(seating("Good", "Raises", "UsesSharedChance", patience=20.0), games=2)
    for row in rows:
        trace, printed = split_log(row.log)
        is_bad = 1 in (row.first, row.second)
        assert printed.endswith("zzz\nthis is the end\n") == is_bad
        assert ('naughty.py", line' in trace) == is_bad
        assert bool(row.log) == is_bad
    assert capfd.readouterr() == ("", "")


def test_games_are_the_same_on_any_number_of_tables() -> None:
    seated = seating("Good", "UsesSharedChance", "Exits")
    stories = [[story(row) for row in play(seated, 6, workers)[0]] for workers in (1, 2, 4)]
    assert stories[0] == stories[1] == stories[2]


@needs_proc
@pytest.mark.parametrize(
    ("bot", "reason", "words"),
    [
        ("NeverReady", "time", "engine NeverReady: was not ready in "),
        ("EatsWhenBuilt", "memory", "engine EatsWhenBuilt: "),
        ("ExitsWhenBuilt", "crash", "left with exit code 5 (it printed 'ImportError: no weights')"),
        ("Cheats", "illegal move", "engine Cheats: column 100 (99 counted from 0) is not on"),
        ("FailsToLoad", "exception", "engine FailsToLoad: RuntimeError: not twice"),
        ("StoppedWhenBuilt", "", "its worker was stopped for 0.5 seconds 3 times"),
        ("KilledWhenBuilt", "", "its worker was killed by SIGTERM 2 times"),
    ],
)
def test_a_player_is_watched_while_it_is_checked(
    bot: str, reason: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that somebody else stops or kills may play; the others are checked in any case."""
    monkeypatch.setattr(table, "MAX_STOPPED", 0.5)
    monkeypatch.setattr(local, "PATIENT_ATTEMPTS", 2)
    seated = seating("Good", bot, "Good", memory=600, loading=1.0 if reason == "time" else 60.0)
    runner = LocalRunner(seated, 2)
    try:
        events = [*runner.check(forfeit=True), *runner.check(players=[0])]
    finally:
        runner.close()
    good, checked, *others = [event for event in events if not event.begun]
    assert [each.player for each in (good, checked, *others)] == [0, 1, 2, 0]
    assert {each.wrong for each in (good, *others)} == {None}
    assert words in str(checked.wrong or checked.unchecked)
    assert runner.seating.broken.keys() == ({1} if reason else set())
    assert not reason or checked.reason == reason


def test_without_forfeits_the_check_ends_with_the_first_broken_player() -> None:
    runner = LocalRunner(seating("Cheats", "FailsToLoad", "Good"), 2)
    try:
        (checked,) = [event for event in runner.check() if not event.begun]
    finally:
        runner.close()
    assert "engine Cheats: column 100" in str(checked.wrong)


def test_stopping_finishes_the_games_on_the_tables_and_begins_no_other() -> None:
    seated = seating("Good", "UsesSharedChance")
    schedule = Schedule(RoundRobin(), 2, 100_000, True, NoOpenings(), 1)
    runner = LocalRunner(seated, 2)
    agenda = Agenda(schedule, set(), list)
    rows = []
    try:
        for event in chain.from_iterable(runner.play(agenda)):
            assert isinstance(event, GameOver)
            agenda.done(event.game.number)
            rows.append(event.game)
            if len(rows) == 10:
                runner.stop()
    finally:
        runner.close()
    assert 10 <= len(rows) < 200
    assert not agenda.is_over


def test_nothing_depends_on_private_names_of_multiprocess() -> None:
    private = re.compile(
        r"\b(multiprocess|multiprocessing|forkserver|resource_tracker)[\w.]*\._\w+"
    )
    sources = Path(local.__file__).parents[1].rglob("*.py")
    found = {file.name: names for file in sources if (names := private.findall(file.read_text()))}
    assert found == {}
