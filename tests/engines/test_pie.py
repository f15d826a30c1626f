"""Our engines play by the pie rule; perfect gets from it what minimax says, from both seats."""

from __future__ import annotations

from functools import cache

import pytest

from arena import STEAL, Limits, Position, Rules
from arena.bots.find import build_engine
from arena.game.notation import play_moves
from arena.table.referee import play_game
from tests import naive_pie
from tests.game.strategies import empty

BOARDS = ("4x3c3+pie", "5x2c3+pie", "3x4c3+pie")
FEW = Limits(depth=3, playouts=30, nodes=2000)
PLAYERS = (
    "random", "reflex", "greedy", "minimax depth=2", "alphabeta depth=3", "iterative depth=3",
    "mcts playouts=30", "puct iterations=30", "probabilities", "ntuple", "book", "hybrid",
    "perfect", "perfect-eps",
)  # fmt: skip


@cache
def known(name: str) -> dict[naive_pie.State, int]:
    return {}


def sign(expected: int) -> int:
    return (expected > 0) - (expected < 0)


def naively(position: Position) -> naive_pie.PieGame:
    game = naive_pie.PieGame(empty(position.rules))
    for move in position.moves:
        game = game.after(naive_pie.STEAL if move == STEAL else move)
    return game


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("prefer", ["quick", "value"])
def test_perfect_gives_nothing_away(name: str, prefer: str) -> None:
    rules = Rules.named(name)
    perfect = build_engine(f"perfect prefer={prefer}")
    for position in (Position(rules).play(column) for column in range(rules.columns)):
        expected = naively(position).score(known(name))
        choice = perfect.ask(position, Limits())
        after = -naively(position.play(choice.column)).score(known(name))
        assert sign(after) == sign(expected)
        if prefer == "quick":
            assert choice.score == after == expected


@pytest.mark.parametrize("name", BOARDS)
def test_a_perfect_game_ends_as_minimax_says(name: str) -> None:
    rules = Rules.named(name)
    for opening in ((column,) for column in range(rules.columns)):
        position = play_moves(opening, rules)
        expected = naively(position).score(known(name)) * (-1) ** len(opening)
        pair = build_engine("perfect"), build_engine("perfect")
        assert play_game(pair, rules, opening=opening).result == sign(expected)


def test_perfect_on_the_usual_board_begins_beside_the_middle_and_takes_what_wins() -> None:
    rules = Rules.named("connect4+pie")
    perfect = build_engine("perfect")
    assert perfect.ask(Position(rules), Limits()).column in (2, 4)  # these two draw
    answers = [perfect.ask(Position(rules).play(column), Limits()) for column in range(7)]
    assert [choice.column == STEAL for choice in answers] == [c == 3 for c in range(7)]
    assert [choice.score for choice in answers] == [2, 1, 0, 1, 0, 1, 2]


@pytest.mark.parametrize("player", PLAYERS)
def test_everybody_plays_by_the_rule(player: str) -> None:
    rules = Rules.named("7x6+pie" if player.startswith(("ntuple", "puct")) else "5x4+pie")
    engine, other = build_engine(player), build_engine("reflex")
    for seat in (0, 1):
        pair = (engine, other) if seat == 0 else (other, engine)
        record = play_game(pair, rules, FEW, seed=seat)
        assert record.reason in ("line", "full board"), record.detail


@pytest.mark.parametrize("player", ["mcts playouts=2000", "alphabeta depth=6"])
def test_searchers_steal_the_middle_and_not_the_edge(player: str) -> None:
    rules = Rules.named("7x6+pie")
    engine = build_engine(player)
    assert engine.ask(Position(rules).play(3), Limits()).column == STEAL
    assert engine.ask(Position(rules).play(0), Limits()).column != STEAL
    assert engine.ask(Position(rules), Limits()).column != 3


def test_in_space_too() -> None:
    rules = Rules.named("score4+pie")
    record = play_game((build_engine("greedy"), build_engine("mcts playouts=20")), rules)
    assert record.reason in ("line", "full board"), record.detail
