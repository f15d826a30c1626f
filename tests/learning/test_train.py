"""A run of a training: cut into pieces, stopped and taken up again, it learns the same."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from arena.errors import BadFile
from arena.journal.errors import JournalBusy
from arena.learning import train
from arena.learning.checkpoint import STATE, Checkpoint, load_checkpoint
from arena.learning.curve import curve_csv, point_of
from arena.learning.folder import CURVE, TRAJECTORY, held
from arena.learning.measure import Gauge, Strength
from arena.learning.methods import learner_of
from arena.learning.reading import load_text
from arena.learning.spec import Training
from arena.learning.train import Outcome, Progress, TrainingRun
from arena.standings.games import WDL


def trained(training: Training[Any], folder: Path, **more: Any) -> Outcome:
    with held(folder, new=False):
        return TrainingRun(training, learner_of(training), Gauge(training), folder, **more).run()


def contents(folder: Path) -> dict[str, str]:
    """The files that must be the same; the curve without its seconds."""
    lines = (folder / CURVE).read_text(encoding="utf-8").splitlines()
    curve = "\n".join(",".join(line.split(",")[:1] + line.split(",")[2:]) for line in lines)
    others = ("weights.txt", TRAJECTORY)
    return {CURVE: curve, **{name: (folder / name).read_text("utf-8") for name in others}}


def after(questions: int) -> Callable[[], bool]:
    """Asks for the end when somebody has listened so often."""
    left = [questions]

    def is_stopping() -> bool:
        left[0] -= 1
        return left[0] < 0

    return is_stopping


def test_a_training_is_measured_before_in_between_and_after(
    training: Training[Any], tmp_path: Path
) -> None:
    outcome = trained(training, tmp_path / "out")
    assert (outcome.ending, outcome.games) == ("finished", 60)
    assert [point.games for point in outcome.points] == [0, 20, 40, 60]
    for point in outcome.points:
        assert point_of(point.data()) == point
        assert point.strength.perfect is not None
        assert point.strength.perfect.games == 2
    assert (tmp_path / "out" / CURVE).read_bytes() == curve_csv(outcome.points)


def test_neither_pieces_nor_stops_change_what_is_learned(
    training: Training[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained(training, tmp_path / "whole")
    monkeypatch.setattr(train, "CHUNK", 0.0)  # a game at a time
    stops, random = 0, Random(1)
    while (
        trained(training, tmp_path / "out", is_stopping=after(random.randrange(30))).ending
        == "interrupted"
    ):
        stops += 1
    assert stops > 3
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_what_is_done_is_told(training: Training[Any], tmp_path: Path) -> None:
    told: list[Progress] = []
    trained(training, tmp_path / "out", watch=told.append)
    assert [progress.games for progress in told] == sorted(progress.games for progress in told)
    doing = {progress.doing for progress in told}
    assert {"training", "saving", "measured", "measuring against perfect play"} <= doing
    assert told[-1].left == 0


def test_a_longer_training_goes_on_with_a_shorter_one(
    training: Training[Any], tmp_path: Path
) -> None:
    trained(training, tmp_path / "out")
    longer = load_text(training.text.replace("games: 60", "games: 80"), training.path)
    assert trained(longer, tmp_path / "out").games == 80
    trained(longer, tmp_path / "at once")
    assert contents(tmp_path / "out") == contents(tmp_path / "at once")


def test_the_best_weights_are_kept_by_a_second_measurement(
    training: Training[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    won = {(0, 0): 1, (0, 1): 1, (20, 0): 9, (20, 1): 3, (40, 0): 8, (40, 1): 2, (60, 0): 2}
    learner, asked = learner_of(training), []

    def measure(self: Gauge, player: object, step: object, series: int = 0) -> Strength:
        asked.append((learner.games, series))
        return Strength(WDL(won[asked[-1]], 0, 10 - won[asked[-1]]))

    monkeypatch.setattr(Gauge, "measure", measure)
    best = load_text(f"{training.text}\nkeep: best", training.path)
    (tmp_path / "out").mkdir()
    outcome = TrainingRun(best, learner, Gauge(best), tmp_path / "out").run()
    assert asked == list(won)  # what is not better by the first is not asked again
    assert outcome.best is not None
    point, path = outcome.best
    assert (point.games, point.strength.perfect) == (20, WDL(3, 0, 7))
    (kept, strength), (last, measured) = (
        file.read_text("utf-8").split("\n") for file in (path, outcome.weights)
    )
    assert kept != last
    assert strength == "3 won, 0 drawn, 7 lost against perfect play"
    assert measured == "2 won, 0 drawn, 8 lost against perfect play"


def test_another_training_and_a_damaged_one_are_refused_and_left_alone(
    training: Training[Any], tmp_path: Path
) -> None:
    trained(training, tmp_path / "out")
    before = {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    other = load_text(f"{training.text}\nseed: 9", training.path)
    with pytest.raises(BadFile, match=r"training has changed \(seed: 1 -> 9\); undo the change"):
        trained(other, tmp_path / "out")
    assert before == {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    for data in (before[tmp_path / "out" / STATE][:300], b"", b"nothing of the kind"):
        (tmp_path / "out" / STATE).write_bytes(data)
        with pytest.raises(BadFile, match=r"is damaged.*use --new to start over"):
            trained(training, tmp_path / "out")


def test_no_flipped_byte_of_a_checkpoint_is_believed(tmp_path: Path) -> None:
    state = {"games": np.array(5), "weights": np.arange(6, dtype=np.float32)}
    path = Checkpoint({}, 5, 1.0, (), None, state).save(tmp_path)
    sound, refused = path.read_bytes(), 0
    for place, flip in product(range(len(sound)), (1, 0x80)):
        damaged = bytearray(sound)
        damaged[place] ^= flip
        path.write_bytes(damaged)
        try:
            checkpoint = load_checkpoint(tmp_path, {})
        except BadFile:
            refused += 1
            continue
        assert checkpoint is not None
        assert checkpoint.games == 5
        assert {name: each.tolist() for name, each in checkpoint.state.items()} == {
            "games": 5, "weights": [0, 1, 2, 3, 4, 5],
        }  # fmt: skip
    assert refused > len(sound) / 2


def test_two_processes_never_write_to_one_folder(training: Training[Any], tmp_path: Path) -> None:
    with held(tmp_path / "out", new=False), pytest.raises(JournalBusy, match="being written by"):
        trained(training, tmp_path / "out")


def test_a_new_training_sets_the_old_one_aside(training: Training[Any], tmp_path: Path) -> None:
    for _ in range(2):
        trained(training, tmp_path / "out")
        with held(tmp_path / "out", new=True) as folder:
            assert list(folder.iterdir()) == []
    with held(tmp_path / "out", new=True):  # there is none to set aside
        assert {path.name for path in tmp_path.iterdir()} == {"out", "out-1", "out-2", "out.lock"}
    assert (tmp_path / "out-2" / STATE).is_file()
