"""The games that FourPlay's agent learned from, where the reference data is at hand."""

from __future__ import annotations

from pathlib import Path

import yaml

from arena.game import SCORE4
from arena.game.notation import write_moves
from arena.learning.linear import LinearLearner
from arena.learning.reading import load
from tests.fourplay import columns, recorded_games

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
    games = {each["game"]: columns(each) for each in recorded_games() if each["agent"] == AGENT}
    path = folder / "games.txt"
    lines = [write_moves(games[name], SCORE4) for name in sorted(games)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def published_run(folder: Path, *, as_coded: bool) -> LinearLearner:
    """The learner of the published run, before its first recorded game."""
    write_recorded_games(folder)
    file = folder / "training.yaml"
    file.write_text(yaml.safe_dump({**PUBLISHED_RUN, "as_coded": as_coded}), encoding="utf-8")
    return LinearLearner(load(file))
