"""What the state of a run knows: fed as a run feeds it, without playing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.dashboard.hosts import HostState
from arena.dashboard.plain import line_of
from arena.dashboard.state import RunState, at_fault, cause
from arena.session import Run
from arena.table.runner import GameOver, TableLost
from tests.dashboard.rows import finish, row, session
from tests.dashboard.test_table_view import FakeTable

ENGINES = "engines: [random, reflex, {engine: random, name: other}]\n"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def run(tmp_path: Path, clock: Clock) -> Iterator[tuple[RunState, Run]]:
    state = RunState(clock)
    with session(tmp_path, state, f"{ENGINES}games: 4\nworkers: 2\n") as made:
        state.began(made)
        made.progress.began = clock.now
        yield state, made


def test_before_the_first_game(run: tuple[RunState, Run], clock: Clock) -> None:
    state, _ = run
    state.checking("reflex", 2, 3)
    clock.now += 5
    shown = state.snapshot()
    assert (shown.done, shown.total, shown.eta, shown.round) == (0, 12, None, "")
    assert shown.about == ("connect4", "round-robin of 3", "2 workers")
    assert shown.checking is not None
    assert (shown.checking.name, shown.checking.number, shown.checking.seconds) == ("reflex", 2, 5)
    assert [table.position for table in shown.tables] == [None, None]
    state.checked("reflex", None)
    assert state.snapshot().checking is None


def test_games_are_counted_rated_and_listed(run: tuple[RunState, Run], clock: Clock) -> None:
    state, made = run
    finish(made, row(1, 0, 1, seconds=2.0), table=0)
    finish(made, row(2, 1, 2, result=0, reason="full board", detail="the board is full"), table=1)
    shown = state.snapshot()
    assert shown.done == 2
    assert shown.standings[0].name == "random"
    assert [(g.number, g.result, cause(g)) for g in shown.games] == [
        (1, 1, "row"), (2, 0, "full board"),
    ]  # fmt: skip
    assert [table.game for table in shown.tables] == [1, 2]
    assert shown.eta == pytest.approx((3 * 2.0 + 3 * 1.0 + 4 * 1.5) / 2)


def test_faults_and_lost_tables_are_told(run: tuple[RunState, Run]) -> None:
    state, made = run
    state.table_lost(TableLost(1, "killed by SIGKILL", None), made.progress)
    state.table_lost(
        TableLost(1, "its worker was killed by SIGKILL 10 times", None, 4), made.progress
    )
    finish(made, row(1, reason="crash", detail="reflex: its process was killed by SIGSEGV"))
    state.stopping("interrupted")
    shown = state.snapshot()
    texts = [(notice.text, notice.is_grave) for notice in shown.notices]
    assert texts == [
        ("worker 2 is replaced and its game repeated: killed by SIGKILL", False),
        ("game 4 stays unplayed: its worker was killed by SIGKILL 10 times", True),
        ("game 1: crash: reflex: its process was killed by SIGSEGV", True),
        ("stopping: interrupted", False),
    ]
    assert shown.stopping == "interrupted"
    assert at_fault(shown.games[0])
    assert [mistake.count for mistake in state.mistakes] == [1]


def test_hosts_are_counted_by_their_tables_and_games(
    run: tuple[RunState, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    state, made = run
    monkeypatch.setattr(made, "cluster", object())
    tables = [FakeTable(number) for number in (0, 1, 3)]
    for table, place in zip(tables, (("b", "b:1"), ("a", "a:1"), ("b", "b:1")), strict=True):
        host, worker = place
        speed = None if host == "a" else 5e6
        table.view = table.view._replace(host=host, worker=worker, speed=speed)
    state.game_over(GameOver(3, row(1), "b"), made.progress)
    state.game_over(GameOver(0, row(2), "gone"), made.progress)
    lost = row(3, reason="time", detail="reflex: took long")
    state.game_over(GameOver(1, lost, "a"), made.progress)
    state.table_lost(TableLost(2, "worker c:1 on gone is gone", None, host="gone"), made.progress)
    shown = state.snapshot([table.view for table in tables])
    assert shown.hosts == (
        HostState("a", 1, 1, 1), HostState("b", 1, 2, 1, 5e6), HostState("gone", 0, 0, 1)
    )  # fmt: skip
    assert [(table.number, table.host) for table in shown.tables] == [(1, "b"), (2, "a"), (4, "b")]
    assert [notice.text for notice in shown.notices] == [
        "game 3 on a: time: reflex: took long",
        "worker c:1 on gone is gone, its games are played elsewhere",
    ]
    assert "3 tables on 2 hosts" in line_of(shown)
    assert state.forecast.tables == 2  # no more are wanted


def test_live_tables_and_their_round_are_seen(run: tuple[RunState, Run], clock: Clock) -> None:
    state, _ = run
    table = FakeTable(1)
    table.begin(5)
    table.think(b"\3", since=clock.now - 2)
    shown = state.snapshot([table.view])
    assert shown.round == "round 1 of 2"
    assert (shown.tables[0].position, shown.tables[1].game) == (None, 5)


def test_a_run_that_goes_on_learns_from_the_journal(tmp_path: Path) -> None:
    text = f"{ENGINES}games: 4\nworkers: 1\n"
    with session(tmp_path, RunState(), text) as made:
        made.journal.write(row(1, 0, 1, seconds=50.0))
    state = RunState()
    with session(tmp_path, state, text) as made:
        state.began(made)
        shown = state.snapshot()
    assert shown.done == 1
    assert shown.eta == pytest.approx(11 * 50.0)
    assert shown.notices[0].text == "resumed after 1 game"


def test_a_time_budget_ends_the_forecast(tmp_path: Path, clock: Clock) -> None:
    state = RunState(clock)
    text = f"{ENGINES}games: 4\nworkers: 1\nstop: {{seconds: 10}}\n"
    with session(tmp_path, state, text) as made:
        state.began(made)
        made.rules.begin(lambda: clock.now)
        made.rules.begun = clock.now - 4
        finish(made, row(1, seconds=100.0))
        assert state.snapshot().eta == pytest.approx(6.0)


def test_a_knockout_says_its_stage_and_who_is_out(tmp_path: Path, clock: Clock) -> None:
    state = RunState(clock)
    with session(tmp_path, state, f"{ENGINES}games: 2\nformat: knockout\nworkers: 1\n") as made:
        state.began(made)
        assert state.snapshot().is_estimate
        finish(made, row(1, 1, 2, result=1))
        finish(made, row(2, 2, 1, result=-1))
        table = FakeTable()
        game = made.agenda.take()
        assert game is not None
        table.view = table.view._replace(game=game)
        clock.now += 10
        shown = state.snapshot([table.view])
    assert shown.round == "final"
    assert [(s.name, s.out) for s in shown.standings] == [
        ("reflex", False), ("random", False), ("other", True),
    ]  # fmt: skip
    assert state.forecast.left == {(0, 1): 2}


def test_a_sequential_test_is_shown(tmp_path: Path, clock: Clock) -> None:
    state = RunState(clock)
    sprt = "stop: {sprt: {engines: [reflex, random], elo0: 0, elo1: 10}}\n"
    with session(tmp_path, state, f"engines: [random, reflex]\ngames: 4\n{sprt}") as made:
        state.began(made)
        finish(made, row(1, 0, 1, result=-1))
        finish(made, row(2, 1, 0, result=1))
        shown = state.snapshot()
    assert shown.may_end_early
    assert shown.test is not None
    assert (shown.test.player, shown.test.other, sum(shown.test.counts)) == (1, 0, 1)
    assert shown.test.state.llr > 0


def test_time_losses_are_told_and_a_warning_is_grave(run: tuple[RunState, Run]) -> None:
    state, made = run
    assert (state.snapshot().time, state.snapshot().is_late) == ("", False)
    finish(made, row(1, 0, 1, result=-1, reason="time", detail="random: took 9 s"))
    assert (state.snapshot().time, state.snapshot().is_late) == ("1 time loss", True)
    state.warned("2 workers leave none of 2 cores free")
    assert state.notices[-1].is_grave
