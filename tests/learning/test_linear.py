"""Linear TD against arithmetic by hand, a naive run, and the weights that FourPlay published."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena.bots.find import build_engine
from arena.engine.contract import Limits
from arena.engine.registry import find
from arena.errors import ArenaError
from arena.evaluation import Evaluation
from arena.game import SCORE4, Position, Rules
from arena.learning.linear import LinearLearner
from arena.learning.linear_kernels import DRAW, best_column
from arena.learning.linear_play import Game
from arena.learning.trajectory import MOST_ROWS, Trajectory
from arena.table.match import Side, play_match
from tests import naive
from tests.game.strategies import empty, random_games
from tests.learning.recorded import published_run
from tests.learning.trainings import learner, ready

PUBLISHED = {40: (1002.61, 2002.25), 76: (3737.75, 2929.64), 102: (5654.36, 3468.62)}
PUBLISHED_END = (4554.46, 6986.67)


# ---- steps by hand


def test_two_steps_by_hand() -> None:
    """On 4x1 connect 2 a disc beside a disc wins: X 2, O 4, X 3; runs of 3 are single discs there.

    phi after 2 is X: `m.` and `.m` of the three windows (1 2), (2 3): 2 lines; to O it is -2.
    After 4: O adds the window (3 4): -2 + 1 = -1. V = w phi with w = 2.
    """
    one = learner(
        game="4x1c2", features={"runs": {3: 2}}, step=0.1, gamma=0.5, reward=10, opponent="random"
    )
    one.learn(Game(np.array([1, 3, 2]), seat=1, winner=0))
    rows = one.path.rows[:, 0].tolist()
    first = 2.0  # phi is 0 on the empty board: no step
    second = first - 0.1 * (first * -2 - 0.5 * first * -1) * -2
    third = second - 0.1 * (second * -1 - (-10)) * -1
    assert rows == pytest.approx([2.0, first, second, third])


def naive_run_counts(position: Position, player: int = 1) -> np.ndarray:
    board = naive.play(empty(position.rules), position.moves)
    words = list(naive.windows(board, player))
    twos = {"mm..": 1, "..mm": 1, ".mm.": 1, "tt..": -1, "..tt": -1, ".tt.": -1}
    threes = {"mmm.": 1, ".mmm": 1, "ttt.": -1, ".ttt": -1}
    return np.array([sum(kind.get(word, 0) for word in words) for kind in (twos, threes)], float)


def naive_learning(columns: list[int], result: int, decay: float) -> tuple[float, float]:
    """The formula with eligibility traces on 4x4x4, step 0.001, gamma 0.9, as the second player."""
    weights, trace = np.array([2.0, 2.0]), np.zeros(2)
    position = Position(SCORE4)
    for column in columns:
        before = naive_run_counts(position)
        position = position.play(column)
        target = 100 * result if position.is_over else 0.9 * weights @ naive_run_counts(position)
        trace = 0.9 * decay * trace + before
        weights = weights - 0.001 * (weights @ before - target) * trace
    return float(weights[0]), float(weights[1])


@pytest.mark.parametrize("decay", [0.0, 0.7])
def test_a_game_by_the_formula_is_what_a_naive_run_learns(decay: float) -> None:
    for game in random_games(SCORE4, 30, seed=2):
        position = game.position
        if not position.is_over:
            continue
        one = learner(
            game="score4", opponent="random", side="second", step=0.001, reward=100,
            **{"lambda": decay},
        )  # fmt: skip
        winner = DRAW if position.winner is None else position.winner
        played = Game(np.array(position.moves), seat=1, winner=winner)
        one.learn(played)
        assert tuple(one.weights) == pytest.approx(
            naive_learning(list(position.moves), played.result, decay)
        )


# ---- the published run


def test_the_code_of_fourplay_learns_its_published_weights(tmp_path: Path) -> None:
    """3,722 rows of weights were published, the first of them the start."""
    one = published_run(tmp_path, as_coded=True)
    one.play(100)
    names, steps, rows = one.trajectory()
    assert steps.tolist() == list(range(3722))
    assert names == ["run 2", "run 3"]
    assert len(rows) == 3722
    for step, weights in PUBLISHED.items():
        assert rows[step] == pytest.approx(weights, abs=0.005)
    assert rows[-1] == pytest.approx(PUBLISHED_END, abs=0.005)


def test_the_formula_learns_from_the_same_games_that_three_are_worth_more(tmp_path: Path) -> None:
    one = published_run(tmp_path, as_coded=False)
    one.play(100)
    two, three = one.weights
    assert three > 2 * two > 0
    assert len(one.trajectory().rows) == 3722


def test_the_ready_file_learns_while_it_plays_and_beats_where_it_began() -> None:
    one = ready("fourplay.yaml")
    one.play(100)
    two, three = one.weights
    assert three > 2 * two > 0
    began = Side("began", build_engine("fourplay-1"))
    games = list(play_match((Side("trained", one.player()), began), SCORE4, 60, 3, 2))
    won = sum(game.result * (1 - 2 * game.first) > 0 for game in games)
    assert won > 33


@pytest.mark.parametrize("seed", [1, 2])
def test_playing_learns_it_too(seed: int) -> None:
    one = learner(
        game="score4", opponent="oracle-medium", side="second", epsilon=0.1, seed=seed,
        **{"lambda": 0.9},
    )  # fmt: skip
    one.play(60)
    two, three = one.weights
    assert three > two
    assert 1500 < one.path.steps < 3000


# ---- repeatable


def same(one: LinearLearner, other: LinearLearner) -> bool:
    first, second = one.state(), other.state()
    return all(np.array_equal(first[key], second[key]) for key in first)


@pytest.mark.parametrize("opponent", ["self", "oracle-medium"])
def test_it_goes_on_to_the_byte(opponent: str) -> None:
    keys = {"game": "score4", "opponent": opponent, "epsilon": {"from": 0.5, "to": 0.1}}
    whole, cut, resumed = learner(**keys), learner(**keys), learner(**keys)
    whole.play(12)
    for games in (1, 4, 2):
        cut.play(games)
    resumed.restore({key: np.array(value) for key, value in cut.state().items()})
    resumed.play(5)
    cut.play(5)
    assert same(whole, cut)
    assert same(whole, resumed)
    other = learner(**keys, seed=2)
    other.play(12)
    assert not same(whole, other)


def test_the_rows_of_a_trajectory_do_not_depend_on_how_they_came() -> None:
    steps = np.arange(3 * MOST_ROWS, dtype=np.float64).reshape(-1, 1) + 1
    whole, cut = Trajectory(np.zeros(1)), Trajectory(np.zeros(1))
    whole.add(steps)
    for part in np.array_split(steps, 97):
        cut.add(part)
    assert np.array_equal(whole.rows, cut.rows)
    assert whole.every == cut.every == 4
    assert whole.rows[:, 0].tolist() == whole.course(["w"]).steps.tolist()
    assert len(whole.rows) <= MOST_ROWS


# ---- what comes of it


@pytest.mark.parametrize(
    ("game", "features"), [("score4", "fourplay"), ("7x6", "gaiceanu"), ("6x5c3", "rivest")]
)
def test_the_weights_file_is_an_evaluation_that_searches_take(
    game: str, features: str, tmp_path: Path
) -> None:
    one = learner(game=game, features=features, reward=100, step=0.001)
    one.play(10)
    path = one.save(tmp_path, "9 won")
    evaluation = Evaluation.from_option(str(path))
    engine = find("alphabeta").build({"evaluation": str(path), "depth": 2})
    rules = Rules.named(game)
    engine.begin(rules, 1)
    assert engine.ask(Position(rules), Limits()).column in range(rules.columns)
    player = one.player()
    assert player.settings()["evaluation"].table(4) == evaluation.table(4)
    assert path.read_text(encoding="utf-8").startswith("# Learned by Connect Arena")
    assert "\n# Measured: 9 won.\n" in path.read_text(encoding="utf-8")


def test_weights_without_bound_are_told_in_a_sentence() -> None:
    one = learner(game="7x6", features="counts", step=1e6)
    with pytest.raises(ArenaError, match="grew without bound in game"):
        one.play(200)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_chooses_as_alpha_beta_does(depth: int) -> None:
    one = learner(game="score4", features="counts", depth=depth)
    engine = build_engine(f"alphabeta evaluation=counts depth={depth} prefer_quick=false")
    for number, game in enumerate(random_games(SCORE4, 12, seed=depth)):
        position = game.position
        if position.is_over:
            continue
        worths = engine.ask_opinions(position, Limits())
        node = np.uint64(position.own), np.uint64(position.opponent), depth
        table, state = one.table, np.array([number], dtype=np.uint64)
        chosen = {
            int(best_column(table.board, table.features, one.weights, node, state))
            for _ in range(60)
        }
        assert chosen <= {c for c, worth in worths.items() if worth == max(worths.values())}


def test_exploring_moves_are_as_often_as_asked() -> None:
    """With epsilon 1 every column is open to chance: all first moves come up."""
    one = learner(game="7x6", features="counts", depth=1)
    games = [one.table.game(one.weights, 1.0, 0, seed) for seed in range(100)]
    assert {int(game.moves[0]) for game in games} == set(range(7))
    greedy = {int(one.table.game(one.weights, 0.0, 0, seed).moves[0]) for seed in range(20)}
    assert greedy == {3}
