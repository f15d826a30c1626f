"""What every method of learning has to keep: it can be cut, saved and restored, and it plays."""

from __future__ import annotations

from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.game.rules import Rules
from arena.learning.learner import Learner
from arena.learning.methods import METHODS, learner_of
from arena.learning.reading import load_text
from arena.learning.spec import FILES, Training
from arena.table.game import GOOD_ENDS
from arena.table.referee import NO_LIMITS, play_game

BOARDS = ("5x4", "3x3x3c3")


def training_of(method: str, game: str, more: str = "") -> Training[Any]:
    return load_text(f"method: {method}\ngame: {game}\ngames: 30\n{more}")


def restored(learner: Learner, training: Training[Any]) -> Learner:
    """Another learner that goes on from what the first one has on disk."""
    file = BytesIO()
    state: dict[str, Any] = dict(learner.state())
    np.savez(file, **state)
    file.seek(0)
    other = learner_of(training)
    with np.load(file, allow_pickle=False) as arrays:
        other.restore({name: arrays[name] for name in arrays.files})
    return other


def saved(learner: Learner, folder: Path) -> bytes:
    folder.mkdir()
    return learner.save(folder).read_bytes()


def test_every_method_of_a_file_is_there() -> None:
    assert set(METHODS) == set(FILES)


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("method", METHODS)
def test_pieces_and_saving_change_nothing(method: str, game: str, tmp_path: Path) -> None:
    training = training_of(method, game)
    one, other = learner_of(training), learner_of(training)
    one.play(12)
    for games in (1, 4, 7):
        other.play(games)
        other.player()
        other = restored(other, training)
    assert other.games == one.games == 12
    assert other.figures() == one.figures()
    assert all(isfinite(figure) for figure in one.figures().values())
    assert saved(one, tmp_path / "one") == saved(other, tmp_path / "other")


@pytest.mark.parametrize("method", METHODS)
def test_another_seed_learns_something_else(method: str, tmp_path: Path) -> None:
    weights = []
    for seed in (1, 2):
        learner = learner_of(training_of(method, "5x4", f"seed: {seed}"))
        learner.play(12)
        weights.append(saved(learner, tmp_path / str(seed)))
    assert weights[0] != weights[1]


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("method", METHODS)
def test_the_player_plays_and_playing_teaches_nothing(
    method: str, game: str, tmp_path: Path
) -> None:
    learner = learner_of(training_of(method, game))
    learner.play(3)
    before = saved(learner, tmp_path / "before")
    record = play_game((learner.player(), learner.player()), Rules.named(game), NO_LIMITS, seed=3)
    assert record.reason in GOOD_ENDS, record.detail
    assert saved(learner, tmp_path / "after") == before
