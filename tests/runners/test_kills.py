"""Kill anything at any moment: no game is missing, none is double, and all are the same games."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.journal import Journal
from tests.play.stories import story

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


def start(folder: Path, *options: str, text: str = TOURNAMENT) -> subprocess.Popen[str]:
    """A run in a session of its own, so that all its processes can be found."""
    file = folder / "kills.yaml"
    file.write_text(text + f"output: {folder}\n")
    command = [sys.executable, "-m", "arena", "run", str(file), "--no-report", *options]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=folder,
    )


def finish(run: subprocess.Popen[str], code: int = 0) -> str:
    """Wait for the end of a run; what it said on stdout."""
    out, err = run.communicate(timeout=120)
    assert run.returncode == code, err
    assert "Traceback" not in err
    return out


def stories(folder: Path) -> list[tuple[object, ...]]:
    """What must be the same in every run of the tournament."""
    with Journal.read(folder / "games.db") as journal:
        return [story(row) for row in journal.rows()]


def processes(session: int) -> dict[int, int]:
    """The living processes of a session, each with its parent."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, _, its_session = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(its_session) == session and state != "Z":
            found[int(stat.parent.name)] = int(parent)
    return found


def tables(session: int) -> list[int]:
    """The processes in which games are played: the grandchildren of the run."""
    living = processes(session)
    return [pid for pid, parent in living.items() if living.get(parent) == session]


def played(folder: Path) -> int:
    """How many games are recorded so far."""
    try:
        with Journal.read(folder / "games.db") as journal:
            return journal.count()
    except Exception:  # it may not be there yet, or be in the making
        return 0


def wait_for_games(run: subprocess.Popen[str], folder: Path, wanted: int = 1) -> None:
    """Wait until so many games are recorded; a run that dies before has failed."""
    deadline = time.monotonic() + 60
    while played(folder) < wanted:
        assert run.poll() is None, run.communicate()[1]
        assert time.monotonic() < deadline, f"{played(folder)} of {wanted} games after 60 s"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    """The games of a run that nobody disturbs."""
    folder = tmp_path_factory.mktemp("undisturbed")
    finish(start(folder, "--workers", "1"))
    return stories(folder)


def test_a_run_has_all_its_games(undisturbed: list[tuple[object, ...]]) -> None:
    assert [story[0] for story in undisturbed] == list(range(1, GAMES + 1))


@pytest.mark.parametrize("workers", [2, 4])
def test_the_games_do_not_depend_on_the_tables(
    workers: int, tmp_path: Path, undisturbed: list[tuple[object, ...]]
) -> None:
    finish(start(tmp_path, "--workers", str(workers)))
    assert stories(tmp_path) == undisturbed


@needs_proc
def test_killing_the_run_again_and_again_loses_nothing(
    tmp_path: Path, undisturbed: list[tuple[object, ...]]
) -> None:
    chance = random.Random(3)
    for _ in range(6):
        run = start(tmp_path)
        before, wanted = played(tmp_path), chance.randint(1, 25)
        deadline = time.monotonic() + 30
        while played(tmp_path) < before + wanted and run.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(chance.random() * 0.02)
        os.kill(run.pid, signal.SIGKILL)
        run.communicate()
        _wait_until_gone(run.pid)
    finish(start(tmp_path))
    assert stories(tmp_path) == undisturbed


def _wait_until_gone(session: int) -> None:
    """Orphans leave by themselves."""
    deadline = time.monotonic() + 10
    while processes(session):
        assert time.monotonic() < deadline, "a process outlived its run"
        time.sleep(0.02)


@needs_proc
def test_killing_the_tables_again_and_again_changes_nothing(
    tmp_path: Path, undisturbed: list[tuple[object, ...]]
) -> None:
    chance = random.Random(5)
    run = start(tmp_path)
    killed, next_at = 0, 1
    deadline = time.monotonic() + 120
    while run.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(chance.random() * 0.01)
        living = tables(run.pid) if (now := played(tmp_path)) >= next_at else []
        if living:
            os.kill(chance.choice(living), signal.SIGKILL)
            killed, next_at = killed + 1, now + 20
    finish(run)
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
    finish(start(alone, "--workers", "1", text=LEARNING))
    for wanted in (4, 10, 16):
        run = start(killed, "--workers", "2", text=LEARNING)
        wait_for_games(run, killed, wanted)
        os.kill(run.pid, signal.SIGKILL)
        run.communicate()
        _wait_until_gone(run.pid)
    assert 16 <= played(killed) < 30
    finish(start(killed, "--workers", "2", text=LEARNING))
    assert stories(killed) == stories(alone)


@needs_proc
def test_one_interrupt_finishes_the_running_games_and_says_how_to_go_on(
    tmp_path: Path, undisturbed: list[tuple[object, ...]]
) -> None:
    run = start(tmp_path)
    wait_for_games(run, tmp_path)
    os.kill(run.pid, signal.SIGINT)
    out = finish(run, code=3)
    assert "Go on with: arena run" in out
    assert 0 < played(tmp_path) < GAMES
    _wait_until_gone(run.pid)
    finish(start(tmp_path))
    assert stories(tmp_path) == undisturbed
    assert "all games are played already" in finish(start(tmp_path))


@needs_proc
def test_a_second_run_of_the_same_tournament_is_refused(tmp_path: Path) -> None:
    run = start(tmp_path)
    wait_for_games(run, tmp_path)
    os.kill(run.pid, signal.SIGSTOP)  # or a fast machine finishes before the second begins
    out, err = start(tmp_path).communicate(timeout=60)
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
    run = start(tmp_path, text=PONDERING)
    wait_for_games(run, tmp_path)
    for _ in range(2):
        os.killpg(run.pid, signal.SIGSTOP)
        time.sleep(3.0)  # longer than patience and limits: nothing can be waited for here
        os.killpg(run.pid, signal.SIGCONT)
        time.sleep(0.3)
    finish(run)
    with Journal.read(tmp_path / "games.db") as journal:
        rows = list(journal.rows())
    assert len(rows) == 20
    assert {row.reason for row in rows} <= {"line", "full board"}, [row.detail for row in rows]
    assert max(move.seconds for row in rows for move in row.move_records()) < 2.0
