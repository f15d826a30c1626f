"""The ends of games: figures by hand, and what a learner says of its games."""

from __future__ import annotations

import numpy as np
import pytest

from arena.game import Position
from arena.learning import linear
from arena.learning.outcome_plots import draw_outcomes
from arena.learning.outcomes import (
    LOST,
    SAMPLE,
    WON,
    Ending,
    Outcomes,
    endings_csv,
    outcomes_table,
)
from arena.report.canvas import can_plot, picture
from tests.evaluation.values import value_of
from tests.learning.trainings import learner, ready

FLOOR = Position.parse("4455667")  # X wins along the floor


def test_without_won_or_without_lost_games_there_is_no_area() -> None:
    assert Outcomes.of("none", []).auc is None
    assert Outcomes.of("none", []).auc_interval is None


def test_figures_of_a_few_games_by_hand() -> None:
    outcomes = Outcomes.of(
        "by hand", [Ending(5.0, WON, FLOOR), Ending(1.0, WON, FLOOR), Ending(1.0, LOST, FLOOR)]
    )
    assert outcomes.auc == 0.75  # 5 is above 1, 1 is level with it
    assert outcomes.plies(WON).tolist() == [7, 7]
    assert outcomes.low_lines == 1.0
    assert endings_csv([outcomes]).decode().splitlines()[:2] == [
        "weights,result,plies,value",
        "by hand,won,7,5.0",
    ]
    table = outcomes_table([outcomes])
    assert table.rows[0][:4] == ("by hand", 3, 2 / 3, 0.75)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """All the games are played, however busy the machine is."""
    monkeypatch.setattr(linear, "SAMPLE_SECONDS", 1e6)


@pytest.mark.usefixtures("unhurried")
def test_training_on_the_recorded_games_makes_fourplay_win_more() -> None:
    """S3.11: trained weights win more, and tell won games from lost ones better, than 2 and 2."""
    one = ready("fourplay.yaml")
    one.play(100)
    untrained, trained = one.outcomes()
    assert len(trained.plies(WON)) > len(untrained.plies(WON)) + 20
    assert (trained.auc or 0) > (untrained.auc or 0) + 0.1


@pytest.mark.usefixtures("unhurried")
def test_a_learner_tells_untrained_games_from_trained_ones() -> None:
    one = learner(game="5x4", features="counts", reward=100, step=0.0001, depth=1, epsilon=0.3)
    one.play(20)
    state = {key: np.array(value) for key, value in one.state().items()}
    untrained, trained = one.outcomes()
    assert len(untrained.endings) == len(trained.endings) == SAMPLE
    assert [e.value for e in untrained.endings] != [e.value for e in trained.endings]
    assert all(np.array_equal(state[key], value) for key, value in one.state().items())
    for ending in untrained.endings[:20]:
        before = Position(ending.end.rules)
        for column in ending.end.moves[:-1]:
            before = before.play(column)
        values = [value_of(one.parameters.evaluation, before, player) for player in (0, 1)]
        assert ending.value in values


@pytest.mark.skipif(not can_plot(), reason="matplotlib is not there")
def test_both_plots_are_drawn_of_whatever_there_is() -> None:
    few = Outcomes.of("few", [Ending(5.0, WON, FLOOR)])
    lost = Outcomes.of("lost", [Ending(5.0, LOST, FLOOR)])
    assert [name for name, _ in draw_outcomes([few, lost])] == ["endings", "moves_to_win"]
    assert [name for name, _ in draw_outcomes([lost])] == ["endings"]
    assert not list(draw_outcomes([Outcomes.of("none", [])]))
    for _, figure in draw_outcomes([few, lost]):
        assert picture(figure, "svg").startswith(b"<?xml")
