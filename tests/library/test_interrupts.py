"""Runs of scripts that are interrupted or killed: what is left on disk, and that nothing else is.

The scripts have no `if __name__ == "__main__"`, and define their engines themselves.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

import arena
from tests.library.session import SOURCE

SCRIPT = f"""{SOURCE}
import os, signal, sys, arena

print("begun", flush=True)
deed, at = sys.argv[1], int(sys.argv[2])

def on_game(game):
    print("game", flush=True)
    if deed != "go on" and len(seen) + 1 == at:
        children()
        os.kill(os.getpid(), getattr(signal, deed))
    seen.append(game)

def children():
    import psutil
    for child in psutil.Process().children(recursive=True):
        print("child", child.pid, child.create_time(), flush=True)

seen = []
tournament = arena.Tournament(
    name="walk", engines=[Wandering, Steady(shift=1), "random"], games=20, openings={{"random": 2}})
results = arena.run(tournament, on_game=on_game, workers=2, output="out", progress=False)
children()
print("games", len(results), [game.notation for game in results.games])
"""


FAR = f"""{SOURCE}
import arena

here, far = (arena.match(Wandering, "greedy", games=6, cluster=cluster, progress=False)
             for cluster in (None, "local:1"))
print([game.columns for game in far.games] == [game.columns for game in here.games], len(far))
"""


def test_a_script_plays_on_workers_of_a_cluster(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(FAR, encoding="utf-8")
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True,
                          text=True, timeout=300, check=False)  # fmt: skip
    assert (done.stdout, done.stderr) == ("True 6\n", "")


def run_script(folder: Path, deed: str, at: int) -> subprocess.CompletedProcess[str]:
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "script.py", deed, str(at)],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "PYTHONHASHSEED": "random"},
    )  # fmt: skip


def alive(output: str) -> list[psutil.Process]:
    """The processes that the script had and that are still there, given a moment to end."""
    processes = []
    for line in output.splitlines():
        if line.startswith("child "):
            _, pid, created = line.split()
            try:
                process = psutil.Process(int(pid))
                if process.create_time() == float(created):
                    processes.append(process)
            except psutil.NoSuchProcess:
                continue
    return psutil.wait_procs(processes, timeout=30)[1]


@pytest.mark.parametrize("deed", ["SIGINT", "SIGKILL", "SIGTERM"])
def test_a_script_goes_on_where_it_was_stopped_and_leaves_nothing_behind(
    deed: str, tmp_path: Path
) -> None:
    (tmp_path / "whole").mkdir()
    stopped = run_script(tmp_path, deed, 5)
    assert stopped.returncode != 0
    assert stopped.stdout.count("begun") == 1  # no table ran the script again
    assert "child " in stopped.stdout
    assert not alive(stopped.stdout)
    done = len(arena.open_journal(tmp_path / "out"))
    assert 4 <= done < 60
    if deed == "SIGINT":
        last = stopped.stderr.strip().splitlines()[-1]
        sentence = f"interrupted after {done} of 60 games; the same call resumes the run"
        assert last == f"KeyboardInterrupt: {sentence}"
    gone_on = run_script(tmp_path, "go on", 0)
    assert gone_on.returncode == 0, gone_on.stderr
    assert gone_on.stdout.count("game\n") == 60 - done
    assert not alive(gone_on.stdout)
    whole = run_script(tmp_path / "whole", "go on", 0)
    assert gone_on.stdout.splitlines()[-1] == whole.stdout.splitlines()[-1]


def test_the_same_object_goes_on_without_a_place_of_its_own() -> None:
    heard = []

    def interrupt(game: arena.Game) -> None:
        heard.append(game.number)
        if len(heard) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    tournament = arena.Tournament(engines=["random", "greedy"], games=400)
    with pytest.raises(KeyboardInterrupt, match="the same call resumes the run"):
        arena.run(tournament, on_game=interrupt, workers=1, progress=False)
    before = len(heard)
    assert 3 <= before < 400
    results = arena.run(tournament, on_game=lambda game: heard.append(game.number), progress=False)
    assert len(results) == len(set(heard)) == len(heard) == 400


def test_an_error_of_whoever_listens_ends_the_run_and_its_tables() -> None:
    def complain(game: arena.Game) -> None:
        raise ValueError("enough")

    before = set(psutil.Process().children(recursive=True))
    with pytest.raises(ValueError, match="enough"):
        arena.match("random", "greedy", games=40, on_game=complain, progress=False)
    names = [child.cmdline() for child in set(psutil.Process().children(recursive=True)) - before]
    tables = [words for words in names if "forkserver" not in " ".join(words)]
    assert [words for words in tables if "resource_tracker" not in " ".join(words)] == []
