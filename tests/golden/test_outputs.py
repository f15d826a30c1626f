"""Help texts, the shapes of all JSON outputs, explained positions, and the events of a run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.golden import FOLDER, Golden
from tests.support.outputs import command_names, rounded, shape

pytestmark = pytest.mark.contract

TOURNAMENT = """
name: small
games: 2
seed: 7
workers: 1
isolation: none
game: 5x4
engines:
  - random
  - reflex
  - {engine: minimax, options: {evaluation: rivest}, limits: {depth: 2}}
expect:
  - {score: reflex against random, at_least: 0.5}
"""
GRADING = """
name: class
games: 2
isolation: none
game: 5x4
engines: [student, random]
expect:
  - {losses: student, by: fault, at_most: 0, points: 3}
"""
BOT = """
from arena import Choice, Engine

class Bot(Engine):
    def choose(self, position, limits):
        return Choice(position.legal[0])
"""
TRAINING = """
name: tiny
method: ntuple
game: 4x4
games: 20
seed: 1
"""
RATED = "first,second,result\nann,bob,1-0\nbob,ann,1/2-1/2\nann,bob,0-1\n"
PLAYED = "play random reflex --game 5x4 --pause 0 --seed 1"
EXPLAINED = """
reflex
greedy evaluation=window
minimax depth=4
alphabeta depth=5 evaluation=counts tie_break=first
hybrid evaluation=h2 depth=3
iterative evaluation=rivest nodes=2000
mcts playouts=200
ntuple
puct iterations=50
"""
SLOW = {"bench cluster", "bench solver"}  # the keys of `doctor` alone depend on the machine
COMMANDS = """
analyse 44444412
analyse games.db 1
bench harness --games 100
bench kernels --seconds 0.01 --repeats 1
bench clocks random reflex --games 1 --limit seconds=0.01 --busy 0 --workers 1
bench strength random --positions 3 --budget nodes=10
book 4x4
check random
check small.yaml
doctor games.db
engines
engines alphabeta
explain 4453 --engine alphabeta --limit depth=2 --tree
export reflex -o reflex.py --untried
explain 414141
help figures
games
games 1
games games.db 1
games games.db --player mcts --result loss
grade students --with grading.yaml --out grades
match random reflex --games 4 --game 5x4 --sprt 0,100
rate rated.csv
rate games.db --players mcts minimax
rate games.db games.db
report games.db --out report --no-plots --accuracy 0
run small.yaml --accuracy 0
run small.yaml --dry-run
run --list
analyse reports/small --seconds 60
train training.yaml
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the commands read, as the current directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_HISTORY", str(tmp_path / "history.db"))
    shutil.copy(FOLDER / "report" / "games.db", tmp_path)
    (tmp_path / "small.yaml").write_text(TOURNAMENT, encoding="utf-8")
    (tmp_path / "grading.yaml").write_text(GRADING, encoding="utf-8")
    (tmp_path / "training.yaml").write_text(TRAINING, encoding="utf-8")
    (tmp_path / "rated.csv").write_text(RATED, encoding="utf-8")
    (tmp_path / "students").mkdir()
    (tmp_path / "students" / "ann.py").write_text(BOT, encoding="utf-8")
    return tmp_path


def test_help(cli: Callable[..., Any], golden: Golden) -> None:
    parts = []
    for words in command_names():
        result = cli(*words, "--help")
        assert result.exit_code == 0, result.output
        parts.append(f"$ {' '.join(['arena', *words, '--help'])}\n\n{result.stdout.rstrip()}\n")
    golden("help.txt", "\n\n".join(parts))


def test_every_command_with_json_is_listed() -> None:
    listed = {" ".join(words) for words in command_names("--json")}
    assert {each for each in listed if f"\n{each} " in COMMANDS or f"\n{each}\n" in COMMANDS} == (
        listed - SLOW
    )


def test_json_shapes(files: Path, cli: Callable[..., Any], golden: Golden) -> None:
    played = cli(*PLAYED.split())
    assert played.exit_code == 0, played.output
    parts = []
    for line in COMMANDS.strip().splitlines():
        result = cli(*line.split(), "--json")
        assert result.exit_code == 0, f"{line}: {result.output}"
        data: Any = (
            [json.loads(each) for each in result.stdout.splitlines()]
            if line.startswith("games games.db --")
            else json.loads(result.stdout)
        )
        parts.append("\n".join([f"$ arena {line} --json", *shape(data), ""]))
    golden("json-shapes.txt", "\n".join(parts))


def test_explain(cli: Callable[..., Any], golden: Golden) -> None:
    """What engines say about a position: their opinions, and the line they expect."""
    parts = []
    for engine in EXPLAINED.strip().splitlines():
        words, _, limit = engine.partition(" nodes=")
        limits = ["--limit", f"nodes={limit}"] if limit else []
        result = cli("explain", "44534126", "--engine", words, *limits)
        assert result.exit_code == 0, result.output
        shown = "\n".join(line.rstrip() for line in result.stdout.rstrip().splitlines())
        parts.append(f"$ arena explain 44534126 --engine {engine!r}\n\n{shown}\n")
    golden("explain.txt", "\n\n".join(parts))


def test_events(files: Path, cli: Callable[..., Any], golden: Golden) -> None:
    result = cli("run", "small.yaml", "--events", "events.jsonl", "--no-report")
    assert result.exit_code == 0, result.output
    lines = (files / "events.jsonl").read_text(encoding="utf-8").splitlines()
    events = [_without_times(json.loads(line)) for line in lines]
    golden("events.jsonl", "".join(f"{json.dumps(rounded(event))}\n" for event in events))


def _without_times(event: dict[str, Any]) -> dict[str, Any]:
    """An event with 0 for its times and the same host everywhere."""
    times = {"compiled", "seconds", "first_seconds", "second_seconds"}
    fixed = {**dict.fromkeys(times, 0), "at": "TIME", "started": "TIME", "host": "HOST"}
    return {key: fixed.get(key, value) for key, value in event.items()}
