"""What a scene makes of a run: fed as a session feeds it, without playing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.dashboard.scene import Scene
from arena.run import Run
from arena.runners.local import TableLost
from tests.dashboard.rows import finish, row, session
from tests.dashboard.test_watched import FakeTable

ENGINES = "engines: [random, reflex, {engine: random, name: other}]\n"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def run(tmp_path: Path, clock: Clock) -> Iterator[tuple[Scene, Run]]:
    scene = Scene(clock)
    with session(tmp_path, scene, f"{ENGINES}games: 4\nworkers: 2\n") as made:
        scene.began(made)
        made.progress.began = clock.now
        yield scene, made


def test_before_the_first_game(run: tuple[Scene, Run], clock: Clock) -> None:
    scene, _ = run
    scene.checking("reflex", 2, 3)
    clock.now += 5
    shown = scene.snapshot()
    assert (shown.done, shown.total, shown.eta, shown.round) == (0, 12, None, "")
    assert shown.about == ("connect4", "round-robin of 3", "2 tables")
    assert shown.checking is not None
    assert (shown.checking.name, shown.checking.number, shown.checking.seconds) == ("reflex", 2, 5)
    assert [table.position for table in shown.tables] == [None, None]
    scene.checked("reflex", None)
    assert scene.snapshot().checking is None


def test_games_are_counted_rated_and_listed(run: tuple[Scene, Run], clock: Clock) -> None:
    scene, made = run
    finish(made, row(1, 0, 1, seconds=2.0), table=0)
    finish(made, row(2, 1, 2, result=0, reason="full board", detail="the board is full"), table=1)
    shown = scene.snapshot()
    assert shown.done == 2
    assert shown.standings[0].name == "random"
    assert [(g.number, g.result, g.cause) for g in shown.ended] == [
        (1, 1, "row"), (2, 0, "full board"),
    ]  # fmt: skip
    assert [table.game for table in shown.tables] == [1, 2]
    assert shown.eta == pytest.approx((3 * 2.0 + 3 * 1.0 + 4 * 1.5) / 2)


def test_faults_and_lost_tables_are_told(run: tuple[Scene, Run]) -> None:
    scene, made = run
    scene.table_lost(TableLost(1, "killed by SIGKILL", None), made.progress)
    scene.table_lost(TableLost(1, "killed by SIGKILL 10 times", None, 4), made.progress)
    finish(made, row(1, reason="crash", detail="reflex: its process was killed by SIGSEGV"))
    scene.stopping("interrupted")
    shown = scene.snapshot()
    told = [(event.text, event.grave) for event in shown.happenings]
    assert told == [
        ("table 2 is set anew, its game is played again: killed by SIGKILL", False),
        ("game 4 is given up as unplayed: its table was killed by SIGKILL 10 times", True),
        ("game 1: crash: reflex: its process was killed by SIGSEGV", True),
        ("stopping: interrupted", False),
    ]
    assert shown.stopping == "interrupted"
    assert shown.ended[0].at_fault
    assert scene.faults == 1


def test_live_tables_and_their_round_are_seen(run: tuple[Scene, Run], clock: Clock) -> None:
    scene, _ = run
    table = FakeTable(1)
    table.begin(5)
    table.think(b"\3", since=clock.now - 2)
    shown = scene.snapshot([table])  # type: ignore[list-item]
    assert shown.round == "round 1 of 2"
    assert (shown.tables[0].position, shown.tables[1].game) == (None, 5)


def test_a_run_that_goes_on_learns_from_the_journal(tmp_path: Path) -> None:
    text = f"{ENGINES}games: 4\nworkers: 1\n"
    with session(tmp_path, Scene(), text) as made:
        made.journal.write(row(1, 0, 1, seconds=50.0))
    scene = Scene()
    with session(tmp_path, scene, text) as made:
        scene.began(made)
        shown = scene.snapshot()
    assert shown.done == 1
    assert shown.eta == pytest.approx(11 * 50.0)
    assert shown.happenings[0].text == "going on after 1 game"


def test_a_time_budget_ends_the_forecast(tmp_path: Path, clock: Clock) -> None:
    scene = Scene(clock)
    text = f"{ENGINES}games: 4\nworkers: 1\nstop: {{seconds: 10}}\n"
    with session(tmp_path, scene, text) as made:
        scene.began(made)
        made.rules.begin(lambda: clock.now)
        made.rules.begun = clock.now - 4
        finish(made, row(1, seconds=100.0))
        assert scene.snapshot().eta == pytest.approx(6.0)


def test_a_knockout_says_its_stage_and_who_is_out(tmp_path: Path, clock: Clock) -> None:
    scene = Scene(clock)
    with session(tmp_path, scene, f"{ENGINES}games: 2\nformat: knockout\nworkers: 1\n") as made:
        scene.began(made)
        assert scene.snapshot().is_estimate
        finish(made, row(1, 1, 2, result=1))
        finish(made, row(2, 2, 1, result=-1))
        table = FakeTable()
        game = made.agenda.take()
        assert game is not None
        table.games.append(game)
        clock.now += 10
        shown = scene.snapshot([table])  # type: ignore[list-item]
    assert shown.round == "final"
    assert [(s.name, s.out) for s in shown.standings] == [
        ("reflex", False), ("random", False), ("other", True),
    ]  # fmt: skip
    assert scene.forecast.left == {(0, 1): 2}


def test_a_sequential_test_is_shown(tmp_path: Path, clock: Clock) -> None:
    scene = Scene(clock)
    sprt = "stop: {sprt: {engines: [reflex, random], elo0: 0, elo1: 10}}\n"
    with session(tmp_path, scene, f"engines: [random, reflex]\ngames: 4\n{sprt}") as made:
        scene.began(made)
        finish(made, row(1, 0, 1, result=-1))
        finish(made, row(2, 1, 0, result=1))
        shown = scene.snapshot()
    assert shown.may_end_early
    assert shown.test is not None
    assert (shown.test.one, shown.test.other, shown.test.outcomes) == ("reflex", "random", 1)
    assert shown.test.state.llr > 0


def test_time_losses_are_told_and_a_warning_is_grave(run: tuple[Scene, Run]) -> None:
    scene, made = run
    assert (scene.snapshot().time, scene.snapshot().is_late) == ("", False)
    finish(made, row(1, 0, 1, result=-1, reason="time", detail="random: took 9 s"))
    assert (scene.snapshot().time, scene.snapshot().is_late) == ("1 time loss", True)
    scene.warned("2 tables leave none of 2 cores free")
    assert scene.happenings[-1].grave
