"""The games that FourPlay's agent learned from, where the reference data is at hand."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
import yaml

from arena.learning.linear import LinearLearner
from arena.learning.reading import load

GAMES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "fourplay_games.csv"
AGENT = "alpha depth 1"  # 100 games, in which the published weights were learned
PUBLISHED_RUN = {
    "method": "td",
    "game": "score4",
    "features": "fourplay",
    "records": "games.txt",
    "opponent": "oracle-hard",
    "side": "second",
    "games": 100,
    "epsilon": 0,
    "step": {"from": 0.01, "shape": "1/game"},
    "gamma": 0.9,
    "lambda": 0,
    "reward": 100_000,
}


def write_recorded_games(folder: Path) -> Path:
    """A file of those games, by the names of their files (game1, game10, ...): as it read them."""
    if not GAMES.exists():
        pytest.skip("the reference games are not there")
    with GAMES.open(encoding="utf-8", newline="") as file:
        games = {
            record["game"]: record["moves_xy"].split()
            for record in csv.DictReader(file)
            if record["agent"] == AGENT
        }
    path = folder / "games.txt"
    path.write_text("\n".join(_columns(games[name]) for name in sorted(games)), encoding="utf-8")
    return path


def _columns(moves: list[str]) -> str:
    """Two digits a move, row and base column, as columns in notation."""
    return ",".join(str(4 * int(move[0]) + int(move[1]) + 1) for move in moves)


def published_run(folder: Path, *, as_coded: bool) -> LinearLearner:
    """The learner of the published run, before its first recorded game."""
    write_recorded_games(folder)
    file = folder / "training.yaml"
    file.write_text(yaml.safe_dump({**PUBLISHED_RUN, "as_coded": as_coded}), encoding="utf-8")
    return LinearLearner(load(file))
