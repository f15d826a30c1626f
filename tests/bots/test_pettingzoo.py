"""Policies for PettingZoo, which see what PettingZoo itself would show them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from arena import CONNECT4, SCORE4, Limits, Position, Rules
from arena.bots.pettingzoo import Env, PettingZoo
from arena.engine.errors import Fault
from arena.errors import BadRules, EngineFailure
from arena.table.referee import play_game

Load = Callable[..., PettingZoo]

LAST = "import numpy as np\ndef policy(observation, action_mask):\n"
LAST += "    return np.flatnonzero(action_mask)[-1]\n"


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def build(text: str, name: str = "") -> PettingZoo:
        (tmp_path / "policies.py").write_text(text, encoding="utf-8")
        return PettingZoo(str(tmp_path / "policies.py") + name)

    return build


@pytest.fixture(scope="module")
def env() -> Any:
    pytest.importorskip("pettingzoo")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pygame, which is there to draw
        try:
            from pettingzoo.classic.connect_four.connect_four import env
        except ImportError as error:
            pytest.skip(f"PettingZoo's board cannot be imported: {error}")
        return env()


def column(engine: PettingZoo, position: Position) -> int:
    return engine.ask(position, Limits()).column


@pytest.mark.parametrize("seed", range(5))
def test_a_policy_sees_what_the_environment_shows(env: Any, seed: int) -> None:
    random, position = Random(seed), Position()
    env.reset(seed=seed)
    while not position.is_over:
        shown, _, done, _, _ = env.last()
        seen = Env(position).observe()
        assert not done
        for name in ("observation", "action_mask"):
            assert seen[name].dtype == shown[name].dtype
            assert np.array_equal(seen[name], shown[name])
        move = random.choice(position.legal)
        position = position.play(move)
        env.step(move)
    assert env.last()[2]


def test_other_boards_are_shown_in_their_own_shape() -> None:
    wide = Rules.flat(5, 4)
    seen = Env(Position.parse("5555441", wide)).observe()
    assert seen["observation"].shape == (4, 5, 2)
    own, other = np.moveaxis(seen["observation"], 2, 0)
    assert other.tolist() == [[0] * 5, [0, 0, 0, 0, 1], [0] * 5, [1, 0, 0, 1, 1]]
    assert own.tolist() == [[0, 0, 0, 0, 1], [0] * 5, [0, 0, 0, 1, 1], [0] * 5]
    assert seen["action_mask"].tolist() == [1, 1, 1, 1, 0]


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
def test_policies_are_called_as_they_are_written(load: Load, text: str) -> None:
    engine, full = load(text), Position.parse("777777")
    for _ in range(2):
        engine.begin(CONNECT4, 0)
        assert column(engine, full) == 5


def test_a_policy_is_named_or_the_only_one(load: Load) -> None:
    text = LAST + "def other(observation, action_mask):\n    return 1\n"
    assert column(load(text, ":other"), Position()) == 1
    words = "expected a function (observation, action_mask) or a class with one, or pettingzoo:"
    with pytest.raises(EngineFailure, match=re.escape(words)):
        load(text).begin(CONNECT4, 0)
    with pytest.raises(EngineFailure, match="did you mean 'other'"):
        load(text, ":othr").begin(CONNECT4, 0)
    with pytest.raises(EngineFailure, match=r"x of .* is not a function"):
        load("x = 1\n" + LAST, ":x").begin(CONNECT4, 0)


def test_naughty_policies_lose_by_their_own_fault(load: Load) -> None:
    with pytest.raises(Fault, match=r"answered array.*not a whole number"):
        column(load("def policy(observation, action_mask):\n    return action_mask\n"), Position())
    with pytest.raises(ZeroDivisionError):
        column(load("def policy(observation, action_mask):\n    return 1 // 0\n"), Position())


def test_boards_that_an_observation_cannot_tell_are_refused(load: Load) -> None:
    with pytest.raises(BadRules, match="flat boards"):
        load(LAST).begin(SCORE4, 0)
    with pytest.raises(BadRules, match="connect 4, not 5"):
        load(LAST).begin(Rules.flat(9, 6, 5), 0)


def test_a_whole_game_is_played(load: Load) -> None:
    engine = load(LAST)
    engine.get_ready(CONNECT4)
    record = play_game((engine, load(LAST)), CONNECT4)
    assert record.columns[:8] == (6, 6, 6, 6, 6, 6, 5, 5)


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
    load: Load, text: str, played: int
) -> None:
    engine = load(text)
    for seed in (0, 1):
        engine.begin(CONNECT4, seed)
        assert column(engine, Position.parse("4")) == played


def test_a_class_without_a_method_is_refused(load: Load) -> None:
    with pytest.raises(EngineFailure, match=r"Agent of .* is not a function"):
        load("class Agent:\n    pass\n", ":Agent").begin(CONNECT4, 0)
