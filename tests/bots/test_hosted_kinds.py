"""Python code of every kind in a host process of its own: games to the end, and to a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena import CONNECT4, Rules
from arena.bots.find import build_engine
from arena.bots.hosted import PipedEngine
from arena.errors import EngineFailure
from arena.table.referee import play_game

FIRST = "[c for c in range(config.columns) if obs.board[c] == 0][0]"
FILES = {
    "kaggle": f"def agent(obs, config):\n    return {FIRST}\n",
    "gym": "from gym_connect_four import Player\nclass Bot(Player):\n"
    "    def get_next_action(self, state):\n        return min(self.env.available_moves())\n",
    "pettingzoo": "def policy(observation, action_mask):\n    return action_mask.argmax()\n",
    "openspiel": "class Bot:\n    def step(self, state):\n"
    "        return state.legal_actions()[0]\n",
}
NAUGHTY = {
    "1 / 0": ("exception", "ZeroDivisionError: division by zero (bot.py:2)"),
    "'3'": ("illegal move", "answered '3', which is not a whole number"),
    "7": ("illegal move", "column 8 (7 counted from 0) is not on the board"),
    "__import__('os')._exit(3)": ("crash", "exit code 3"),
}


def hosted(folder: Path, kind: str, text: str) -> PipedEngine:
    file = folder / "bot.py"
    file.write_text(text, encoding="utf-8")
    engine = build_engine(f"'{kind}:{file}'")
    assert isinstance(engine, PipedEngine)
    return engine


@pytest.mark.parametrize("kind", FILES)
def test_a_game_is_played_through_the_pipe(tmp_path: Path, kind: str) -> None:
    if kind == "openspiel":
        pytest.importorskip("pyspiel")
    engine, other = hosted(tmp_path, kind, FILES[kind]), build_engine("random")
    rules = Rules.flat(5, 4)
    engine.get_ready(rules)
    record = play_game((engine, other), rules, seed=5)
    engine.close()
    assert record.reason in ("line", "full board")
    assert record.columns[0] == 0


@pytest.mark.parametrize("answer", NAUGHTY)
def test_a_naughty_one_loses_its_game_for_the_right_reason(tmp_path: Path, answer: str) -> None:
    text = f"def agent(obs, config):\n    return {answer} if obs.step else 3\n"
    engine, other = hosted(tmp_path, "kaggle", text), build_engine("random")
    engine.get_ready(CONNECT4)
    record = play_game((other, engine), CONNECT4)
    engine.close()
    reason, detail = NAUGHTY[answer]
    assert (record.result, record.reason) == (1, reason)
    assert detail in record.detail


def test_what_is_wrong_with_a_file_is_told_before_the_first_game(tmp_path: Path) -> None:
    text = "def my_agent(obs, config):\n    return 3\nclass Node:\n    pass\n"
    with pytest.raises(EngineFailure, match=r"the class Node of bot\.py.*callable=my_agent"):
        hosted(tmp_path, "kaggle", text)
