"""Kill anything at any moment: no game is missing, none is double, and all are the same games."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

import arena
from tests.support.runs import (
    count_games,
    finish_run,
    start_run,
    stories,
    table_processes,
    wait_for_games,
    wait_until_gone,
)

pytestmark = pytest.mark.contract

BOTS = Path(__file__).with_name("bots.py")
PUPILS = Path(__file__).with_name("pupils.py")
GAMES = 240

TOURNAMENT = f"""
name: kills
games: {GAMES // 3}
openings: {{random: 2}}
limits: {{depth: 4, playouts: 100}}
engines:
  - alphabeta
  - {{engine: mcts, options: {{playout: light}}}}
  - {{engine: "{BOTS}:UsesSharedChance"}}
seed: 11
workers: 2
"""

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    """The games of a run that nobody disturbs."""
    folder = tmp_path_factory.mktemp("undisturbed")
    finish_run(start_run(folder, TOURNAMENT, "--workers", "1"))
    return stories(folder)


def test_a_run_has_all_its_games(undisturbed: list[tuple[object, ...]]) -> None:
    assert [story[0] for story in undisturbed] == list(range(1, GAMES + 1))


def test_the_games_do_not_depend_on_the_tables(
    tmp_path: Path, undisturbed: list[tuple[object, ...]]
) -> None:
    finish_run(start_run(tmp_path, TOURNAMENT, "--workers", "4"))
    assert stories(tmp_path) == undisturbed


@needs_proc
def test_killing_the_run_again_and_again_loses_nothing(
    tmp_path: Path, undisturbed: list[tuple[object, ...]]
) -> None:
    chance = random.Random(3)
    for _ in range(6):
        run = start_run(tmp_path, TOURNAMENT)
        before, wanted = count_games(tmp_path), chance.randint(1, 25)
        deadline = time.monotonic() + 30
        while count_games(tmp_path) < before + wanted and run.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(chance.random() * 0.02)
        os.kill(run.pid, signal.SIGKILL)
        run.communicate()
        wait_until_gone(run.pid)
    finish_run(start_run(tmp_path, TOURNAMENT))
    assert stories(tmp_path) == undisturbed


@needs_proc
def test_killing_the_tables_again_and_again_changes_nothing(
    tmp_path: Path, undisturbed: list[tuple[object, ...]]
) -> None:
    chance = random.Random(5)
    run = start_run(tmp_path, TOURNAMENT)
    killed, next_at = 0, 1
    deadline = time.monotonic() + 120
    while run.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(chance.random() * 0.01)
        living = table_processes(run.pid) if (now := count_games(tmp_path)) >= next_at else []
        if living:
            os.kill(chance.choice(living), signal.SIGKILL)
            killed, next_at = killed + 1, now + 20
    finish_run(run)
    assert killed >= 3
    assert stories(tmp_path) == undisturbed


LEARNING = f"""
name: learning
game: 4x4c3
games: 10
engines:
  - {{engine: "{PUPILS}:Diary"}}
  - {{engine: "{PUPILS}:Other"}}
  - {{engine: "{BOTS}:Ponders"}}
seed: 11
"""


@needs_proc
def test_what_was_learned_survives_three_kills(tmp_path: Path) -> None:
    """What these learners are told, and in which order, decides all their moves."""
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    for folder in (alone, killed):
        folder.mkdir()
    finish_run(start_run(alone, LEARNING, "--workers", "1"))
    for wanted in (4, 10, 16):
        run = start_run(killed, LEARNING, "--workers", "2")
        wait_for_games(run, killed, wanted)
        os.kill(run.pid, signal.SIGKILL)
        run.communicate()
        wait_until_gone(run.pid)
    assert 16 <= count_games(killed) < 30
    finish_run(start_run(killed, LEARNING, "--workers", "2"))
    assert stories(killed) == stories(alone)


@needs_proc
def test_one_interrupt_finishes_the_running_games_and_says_how_to_go_on(
    tmp_path: Path, undisturbed: list[tuple[object, ...]]
) -> None:
    run = start_run(tmp_path, TOURNAMENT)
    wait_for_games(run, tmp_path)
    os.kill(run.pid, signal.SIGINT)
    out = finish_run(run, code=3)
    assert "Resume with: arena run" in out
    assert 0 < count_games(tmp_path) < GAMES
    wait_until_gone(run.pid)
    finish_run(start_run(tmp_path, TOURNAMENT))
    assert stories(tmp_path) == undisturbed
    assert "all games are played already" in finish_run(start_run(tmp_path, TOURNAMENT))


@needs_proc
def test_a_second_run_of_the_same_tournament_is_refused(tmp_path: Path) -> None:
    run = start_run(tmp_path, TOURNAMENT)
    wait_for_games(run, tmp_path)
    os.kill(run.pid, signal.SIGSTOP)  # or a fast machine finishes before the second begins
    out, err = start_run(tmp_path, TOURNAMENT).communicate(timeout=60)
    assert out == ""
    assert err.count("\n") == 1
    assert str(run.pid) in err
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()


PONDERING = f"""
name: paused
games: 20
patience: 1
engines:
  - {{engine: "{BOTS}:Ponders"}}
  - {{engine: "{BOTS}:Ponders", name: timed, limits: {{seconds: 1}}}}
workers: 2
"""


@needs_proc
def test_a_run_that_is_stopped_as_a_whole_loses_no_game(tmp_path: Path) -> None:
    """As by Ctrl-Z: time in which nobody ran is not thinking time."""
    run = start_run(tmp_path, PONDERING)
    wait_for_games(run, tmp_path)
    for _ in range(2):
        os.killpg(run.pid, signal.SIGSTOP)
        time.sleep(3.0)  # longer than patience and limits: nothing can be waited for here
        os.killpg(run.pid, signal.SIGCONT)
        time.sleep(0.3)
    finish_run(run)
    games = list(arena.open_journal(tmp_path).games)
    assert len(games) == 20
    assert {game.reason for game in games} <= {"line", "full board"}, [g.detail for g in games]
    assert max(move.seconds for game in games for move in game.moves) < 2.0
