"""Players of gym_connect_four, with a stand-in for their environment and, if need be, package."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from arena import CONNECT4, SCORE4, Limits, Position, Rules
from arena.bots.gym import ConnectFourEnv, Gym
from arena.engine.errors import Fault
from arena.errors import BadRules, EngineFailure
from arena.table.referee import play_game

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


def test_a_player_whose_disc_is_stolen_is_told_its_new_side(load: Load) -> None:
    engine, rules = load(PLAYER, ":Bot"), Rules.flat(7, 6, pie=True)
    engine.begin(rules, 0)
    for moves in ("", "6s", "6s71"):
        column(engine, Position.parse(moves, rules))
    assert engine.player.resets == [(0, 1), (0, -1)]
    assert engine.player.states[1][5].tolist() == [0, 0, 0, 0, 0, -1, 0]


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


def test_signatures_are_taken_as_they_are(load: Load) -> None:
    text = BARE.format(3) + "    def reset(self):\n        self.is_reset = True\n"
    engine = load(text)
    assert column(engine, Position.parse("4")) == 3
    assert engine.player.is_reset
    text = "class Bot:\n    def __init__(self, *given):\n        self.given = given\n"
    engine = load(text + "    def get_next_action(self, state):\n        return len(self.given)\n")
    assert column(engine, Position()) == 2


def test_an_opponent_that_a_file_brings_along_is_not_taken_for_its_player(load: Load) -> None:
    text = "from gym_connect_four.envs.connect_four_env import RandomPlayer\n"
    assert column(load(text + PLAYER), Position()) == 6
    engine = load(text + PLAYER, ":RandomPlayer")
    assert column(engine, Position.parse("4")) in range(7)


@pytest.mark.parametrize("answer", ["None", "'3'", "2.0", "True", "state[0]"])
def test_what_is_no_whole_number_is_an_illegal_move(load: Load, answer: str) -> None:
    with pytest.raises(Fault, match="not a whole number") as told:
        column(load(BARE.format(answer)), Position())
    assert told.value.reason == "illegal move"


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
def test_a_file_without_its_player_is_told(load: Load, text: str, name: str, words: str) -> None:
    with pytest.raises(EngineFailure, match=re.escape(words)):
        load(text, name).begin(CONNECT4, 0)


def test_boards_that_the_environment_does_not_know_are_refused(load: Load) -> None:
    with pytest.raises(BadRules, match="flat boards, not on 4x4x4"):
        load(PLAYER).begin(SCORE4, 0)
    with pytest.raises(BadRules, match="connect 4, not 3"):
        load(PLAYER).begin(Rules.flat(5, 4, 3), 0)


def test_a_whole_game_is_played(load: Load) -> None:
    engine = load(PLAYER)
    engine.get_ready(CONNECT4)
    other = load(PLAYER)
    record = play_game((engine, other), CONNECT4)
    assert record.columns[:8] == (6, 6, 6, 6, 6, 6, 5, 5)
    assert record.reason == "line"
