"""Engines of ours in the frameworks of others: Kaggle's ConnectX and OpenSpiel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import arena
from arena import Position, Rules
from arena.bots.boards import NUMBERS, flat_board
from arena.bots.kaggle import Kaggle, Struct, configure
from arena.bots.openspiel import load_game, replay
from arena.errors import BadOption, BadRules, UnknownName
from arena.table.referee import play_game


def asked(agent: Any, position: Position) -> int:
    observation = Struct(
        board=flat_board(position, NUMBERS),
        mark=position.to_move + 1,
        step=position.ply,
        remainingOverageTime=60,
    )
    column = agent(observation, configure(position.rules))
    assert type(column) is int  # all else is invalid at Kaggle
    return column


def test_our_engines_are_agents_of_kaggle() -> None:
    agent = arena.kaggle_agent("reflex")
    assert asked(agent, Position.parse("1223344")) == 4
    assert asked(agent, Position.parse("71727")) == 6
    assert asked(agent, Position.parse("5544", Rules.flat(5, 3, 3))) in range(5)
    with pytest.raises(UnknownName, match="did you mean 'reflex'"):
        arena.kaggle_agent("reflx")


def test_an_agent_of_ours_plays_by_the_rules_for_submissions(tmp_path: Path) -> None:
    file = tmp_path / "submission.py"
    file.write_text("import arena\nagent = arena.kaggle_agent('reflex')\n", encoding="utf-8")
    engines = [Kaggle(str(file), strict="kaggle") for _ in range(2)]
    record = play_game((engines[0], engines[1]), Rules.flat(5, 4))
    assert record.reason in ("line", "full board")


def test_our_engines_are_bots_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    bot = arena.openspiel_bot("reflex", limits="seconds=0.5")
    assert isinstance(bot, pyspiel.Bot)
    game = load_game(Rules.flat(7, 6))
    assert bot.step(replay(game, (0, 1, 1, 2, 2, 3, 3))) == 4
    assert bot.step(replay(game, (6, 0, 6, 1, 6))) == 6
    for size in ("7x6", "5x4", "6x5c3"):
        state = load_game(Rules.named(size)).new_initial_state()
        bots = [bot, arena.openspiel_bot("random", seed=3)]
        assert sum(pyspiel.evaluate_bots(state, bots, 5)) == 0
        assert state.is_terminal()


def test_a_bot_of_ours_follows_a_game_and_knows_a_new_one() -> None:
    pytest.importorskip("pyspiel")
    bot, games = arena.openspiel_bot("reflex"), []
    begin = bot.spoken.new_game

    def note(rules: Rules) -> None:
        games.append(rules.name)
        begin(rules)

    bot.spoken.new_game = note
    game = load_game(Rules.flat(7, 6))
    column = bot.step(replay(game, (3,)))
    bot.step(replay(game, (3, column, 0)))
    assert len(games) == 1
    bot.step(replay(game, (3,)))
    bot.restart_at(replay(game, (3, column, 0)))
    bot.step(replay(game, (3, column, 0)))
    bot.step(replay(load_game(Rules.flat(5, 4)), ()))
    assert games == ["connect4"] * 3 + ["connect4-5x4"]


def test_what_cannot_be_played_is_told() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    with pytest.raises(BadOption, match="unknown limit 'second'"):
        arena.openspiel_bot("reflex", limits="second=1")
    bot = arena.openspiel_bot("reflex")
    with pytest.raises(BadRules, match="play OpenSpiel's connect_four, not tic_tac_toe"):
        bot.step(pyspiel.load_game("tic_tac_toe").new_initial_state())
