"""Bots for gym_connect_four and PettingZoo, which need neither of the packages."""

from __future__ import annotations

import copy
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from arena import CONNECT4, SCORE4, Limits, Position, Rules
from arena.bots.gym import ConnectFourEnv, Gym
from arena.bots.pettingzoo import Env, PettingZoo
from arena.errors import BadRules, EngineFailure

Load = Callable[..., Gym]

PLAYER = """
from gym_connect_four import ConnectFourEnv, Player

class Bot(Player):
    def __init__(self, env, name="Bot", patience=3):
        super().__init__(env, name)
        self.patience = patience
        self.states = []
        self.resets = []

    def reset(self, episode=0, side=1):
        self.resets.append((episode, side))

    def get_next_action(self, state):
        self.states.append(state.copy())
        return max(self.env.available_moves())
"""
BARE = "class Bot:\n    def __init__(self, env):\n        self.env = env\n"
BARE += "    def get_next_action(self, state):\n        return {}\n"


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def build(text: str, name: str = "") -> Gym:
        (tmp_path / "players.py").write_text(text, encoding="utf-8")
        return Gym(str(tmp_path / "players.py") + name)

    return build


def column(engine: Gym, position: Position) -> int:
    return engine.ask(position, Limits()).column


def test_a_player_sees_its_own_discs_as_1_and_row_0_on_top(load: Load) -> None:
    engine = load(PLAYER)
    engine.begin(CONNECT4, 0)
    column(engine, Position.parse("1125"))
    column(engine, Position.parse("11255"))
    first, second = engine.player.states
    assert first.shape == (6, 7)
    assert first[4:].tolist() == [[-1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, -1, 0, 0]]
    assert second[4:].tolist() == [[1, 0, 0, 0, -1, 0, 0], [-1, -1, 0, 0, 1, 0, 0]]
    assert not first[:4].any()
    engine.begin(Rules.flat(5, 4), 0)
    column(engine, Position.parse("5512", Rules.flat(5, 4)))
    assert engine.player.states[0].tolist() == [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, -1],
        [1, -1, 0, 0, 1],
    ]


@pytest.mark.parametrize(("moves", "side"), [("", 1), ("4", -1)])
def test_a_player_is_built_for_each_game_and_told_its_side(
    load: Load, moves: str, side: int
) -> None:
    engine = load(PLAYER, ":Bot")
    engine.begin(CONNECT4, 0)
    column(engine, Position.parse(moves))
    column(engine, Position.parse(moves + "11"))
    earlier = engine.player
    assert earlier.resets == [(0, side)]
    assert (earlier.name, earlier.patience) == ("Player", 3)
    engine.begin(CONNECT4, 0)
    assert engine.player is not earlier


def test_the_environment_answers_about_the_position(load: Load) -> None:
    engine = load(PLAYER)
    engine.begin(CONNECT4, 0)
    assert column(engine, Position.parse("777777")) == 5
    env = engine.env
    assert env.available_moves() == frozenset(range(6))
    assert [env.is_valid_action(column) for column in (5, 6, 7)] == [True, False, False]
    assert env.board_shape == env.observation_space.shape == (6, 7)
    assert env.action_space.n == 7
    assert env.action_space.contains(env.action_space.sample())
    assert env.board[:, 6].tolist() == [-1, 1, -1, 1, -1, 1]
    assert env.current_player == 1


def test_the_environment_can_be_copied_and_stepped() -> None:
    env = ConnectFourEnv(Position.parse("112233"))
    ahead = copy.deepcopy(env)
    board, reward, done, _ = ahead.step(np.int64(3))
    assert (reward, done, ahead.is_win_state()) == (1, True, True)
    assert board[5].tolist() == [1, 1, 1, 1, 0, 0, 0]
    assert not env.is_win_state()
    assert env.step(6)[1:3] == (0, False)
    assert not env.reset().any()


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (PLAYER, ":Bto", "has no 'Bto'; did you mean 'Bot'?"),
        ("x = 1", "", "expected a class with get_next_action, or gym:FILE.py:NAME; found none"),
        ("def Bot():\n    pass", ":Bot", "is not a class with get_next_action"),
        (PLAYER + "class Other(Bot):\n    pass\n", "", "; found Bot, Other"),
        ("import nothing_there", "", "players.py:1: ModuleNotFoundError"),
    ],
)
def test_a_file_without_a_player(load: Load, text: str, name: str, words: str) -> None:
    with pytest.raises(EngineFailure, match=re.escape(words)):
        load(text, name).begin(CONNECT4, 0)


def test_boards_that_the_environment_cannot_have_are_refused(load: Load) -> None:
    with pytest.raises(BadRules, match="flat boards, not on 4x4x4"):
        load(PLAYER).begin(SCORE4, 0)
    with pytest.raises(BadRules, match="connect 4, not 3"):
        load(PLAYER).begin(Rules.flat(5, 4, 3), 0)


# ---- PettingZoo


LoadPolicy = Callable[..., PettingZoo]

LAST = "import numpy as np\ndef policy(observation, action_mask):\n"
LAST += "    return np.flatnonzero(action_mask)[-1]\n"


@pytest.fixture
def load_policy(tmp_path: Path) -> LoadPolicy:
    def build(text: str, name: str = "") -> PettingZoo:
        (tmp_path / "policies.py").write_text(text, encoding="utf-8")
        return PettingZoo(str(tmp_path / "policies.py") + name)

    return build


@pytest.fixture(scope="module")
def real_env() -> Any:
    pytest.importorskip("pettingzoo")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pygame, which is there to draw
        try:
            from pettingzoo.classic.connect_four.connect_four import env
        except ImportError as error:
            pytest.skip(f"PettingZoo's board cannot be imported: {error}")
        return env()


def policy_column(engine: PettingZoo, position: Position) -> int:
    return engine.ask(position, Limits()).column


@pytest.mark.parametrize("seed", range(5))
def test_a_policy_sees_what_the_environment_shows(real_env: Any, seed: int) -> None:
    random, position = Random(seed), Position()
    real_env.reset(seed=seed)
    while not position.is_over:
        shown, _, done, _, _ = real_env.last()
        seen = Env(position).observe()
        assert not done
        for name in ("observation", "action_mask"):
            assert seen[name].dtype == shown[name].dtype
            assert np.array_equal(seen[name], shown[name])
        move = random.choice(position.legal)
        position = position.play(move)
        real_env.step(move)
    assert real_env.last()[2]


@pytest.mark.parametrize(
    "text",
    [
        LAST,
        "def policy(seen):\n    return 5 if seen['action_mask'][6] == 0 else seen['observation']\n",
        "class Policy:\n    count = 4\n    def __call__(self, observation, mask):\n"
        "        self.count += 1\n        return self.count\n",
        "def policy(observation, action_mask, more=None):\n    return observation.shape[0] - 1\n",
    ],
)
def test_policies_are_called_as_they_are_written(load_policy: LoadPolicy, text: str) -> None:
    engine, full = load_policy(text), Position.parse("777777")
    for _ in range(2):
        engine.begin(CONNECT4, 0)
        assert policy_column(engine, full) == 5


def test_a_policy_is_named_or_the_only_one(load_policy: LoadPolicy) -> None:
    text = LAST + "def other(observation, action_mask):\n    return 1\n"
    assert policy_column(load_policy(text, ":other"), Position()) == 1
    words = "expected a function (observation, action_mask) or a class with one, or pettingzoo:"
    with pytest.raises(EngineFailure, match=re.escape(words)):
        load_policy(text).begin(CONNECT4, 0)
    with pytest.raises(EngineFailure, match="did you mean 'other'"):
        load_policy(text, ":othr").begin(CONNECT4, 0)
    with pytest.raises(EngineFailure, match=r"x of .* is not a function"):
        load_policy("x = 1\n" + LAST, ":x").begin(CONNECT4, 0)


@pytest.mark.parametrize(
    ("text", "played"),
    [
        ("class Agent:\n    def __init__(self, env):\n        self.env = env\n"
         "    def act(self, observation, action_mask):\n"
         "        return self.env.action_space(self.env.agent_selection).n - 2\n", 5),
        ("class Agent:\n    def __init__(self, environment, depth=4):\n        self.depth = depth\n"
         "    def __call__(self, observation):\n        return self.depth\n", 4),
        ("class Agent:\n    def __init__(self, depth=2):\n        self.depth = depth\n"
         "    def choose_action(self, observation, mask):\n        return self.depth\n", 2),
        ("class Agent:\n    def __init__(self, env=None):\n        self.env = env\n"
         "    def get_action(self, seen):\n        observation, reward, *over = self.env.last()\n"
         "        space = self.env.action_space('player_0')\n"
         "        return space.sample(observation['action_mask'] * [0, 0, 0, 1, 0, 0, 0])\n", 3),
    ],
)  # fmt: skip
def test_classes_are_built_with_the_environment_if_they_ask_for_it(
    load_policy: LoadPolicy, text: str, played: int
) -> None:
    engine = load_policy(text)
    for seed in (0, 1):
        engine.begin(CONNECT4, seed)
        assert policy_column(engine, Position.parse("4")) == played
