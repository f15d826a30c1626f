"""Recorded games go the same way: every move with its score, depth and nodes.

The classics were sampled from `reports/classics/games.csv`. Players have all their options written
out, so a new default changes no game. To record another game, add a row without an outcome to a
file and run `pytest --record`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from tests.support.games import GAMES, compare_games, differences, read_games, record, replay
from tests.support.golden import FOLDER, Golden

pytestmark = pytest.mark.contract

NOT_REPLAYED = ("players", "learners-flat", "learners-small")
GROUPS = sorted(
    file.stem for file in (FOLDER / GAMES).glob("*.csv") if file.stem not in NOT_REPLAYED
)

SEARCH = "prefer_quick=yes tie_break=first ordering=centre pruning=full explore=0"
SHALLOW = f"alphabeta evaluation=rivest depth=2 {SEARCH}"
DEEP: dict[str, Any] = {
    "evaluation": "rivest", "depth": 4, "prefer_quick": True, "tie_break": "first",
    "ordering": "centre", "pruning": "full", "explore": 0.0,
}  # fmt: skip
BOOK = {"around": SHALLOW, "study": "nodes=2000 playouts=100", "surprises": True}

# Engines that learn: each game depends on those before it, so they are played as a tournament.
LEARNERS: dict[str, dict[str, Any]] = {
    "learners-flat": {
        "format": "gauntlet",
        "games": 8,
        "engines": [
            {"engine": "alphabeta", "name": "opponent", "options": DEEP},
            {"engine": "book", "name": "book", "options": BOOK},
            {"engine": "book", "name": "trusting book", "options": {**BOOK, "surprises": False}},
        ],
    },
    "learners-small": {
        "game": "5x4",
        "games": 10,
        "openings": {"random": 2},
        "engines": [
            {"engine": "random", "name": "random"},
            {"engine": "book", "name": "book", "options": BOOK},
        ],
    },
}


@pytest.mark.parametrize("group", GROUPS)
def test_recorded_games_go_the_same_way(group: str, golden: Golden) -> None:
    file = GAMES / f"{group}.csv"
    compare_games(file, replay(read_games(file)), golden)


@pytest.mark.parametrize("group", LEARNERS)
def test_learners_learn_the_same(group: str, golden: Golden, tmp_path: Path) -> None:
    tournament = arena.Tournament(name=group, seed=5, isolation="none", **LEARNERS[group])
    results = arena.run(tournament, output=tmp_path, workers=1, progress=False)
    compare_games(GAMES / f"{group}.csv", [record(game) for game in results.games], golden)


def test_a_difference_names_the_game_and_the_ply() -> None:
    (game, other, *_) = read_games(GAMES / "classics-1.csv")
    worse = replace(game, nodes=" ".join(["7", *game.nodes.split()[1:]]))
    near = replace(other, scores=other.scores.replace("0.5", "0.500001"))
    (line,) = differences([game, other], [worse, near])
    assert line.startswith(f"{game.title}, ply {len(game.opening) + 1}:\n  recorded move ")
    assert f"nodes {game.nodes.split()[0]}\n" in line
    assert line.endswith(", nodes 7")
    assert differences([game], []) == [f"{game.title}: not played now"]
