"""What every engine must do: legal moves, wins, blocks, the same game by seed, limits, opinions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena import CONNECT4, SCORE4, Engine, Limits, Position, Rules
from arena.engine.limits import COUNTS
from arena.engine.registry import find, names, preset_of
from arena.engines.iterative import Iterative
from arena.errors import BadRules
from tests import naive
from tests.engines.positions import declines, holes, random_positions, wins_at_once
from tests.game.strategies import twin

LIMITS = Limits(depth=3, nodes=20_000, playouts=300)

BLOCKERS = ["reflex", "minimax", "alphabeta", "alphabeta-time", "iterative", "hybrid", "mcts",
            "oracle-expert", "server"]  # fmt: skip
WINNERS = [*BLOCKERS, "greedy", "oracle-beginner"]

ODD_BOARDS = [
    Rules.flat(8, 8), Rules.flat(9, 7), Rules.flat(1, 5, 4), Rules.flat(6, 1, 3),
    Rules.flat(3, 3, 3), Rules.space(2, 3, 5, 3), Rules.space(4, 4, 4, 2), Rules.flat(12, 5, 5),
]  # fmt: skip


def seated(name: str, rules: Rules, seed: int = 1) -> Engine:
    engine = find(name).build()
    engine.begin(rules, seed)
    return engine


@pytest.mark.parametrize("name", names())
def test_every_engine_plays_every_board_it_takes_to_the_end(name: str) -> None:
    for rules in ODD_BOARDS:
        try:
            engine = seated(name, rules)
        except BadRules:  # the solver has its bounds, a network its board
            assert name.startswith("perfect") or declines(name, rules)
            continue
        position = Position(rules)
        while not position.is_over:
            position = position.play(engine.ask(position, LIMITS).column)


@pytest.mark.parametrize("name", WINNERS)
@pytest.mark.parametrize("rules", [CONNECT4, SCORE4, Rules.flat(5, 4, 3)], ids=str)
def test_an_immediate_win_is_taken(name: str, rules: Rules) -> None:
    engine = seated(name, rules)
    positions = [p for p in random_positions(rules, 250, seed=13, least=5) if wins_at_once(p)][:25]
    assert positions
    for position in positions:
        assert engine.ask(position, LIMITS).column in wins_at_once(position)


@pytest.mark.parametrize("name", BLOCKERS)
@pytest.mark.parametrize("rules", [CONNECT4, SCORE4, Rules.flat(5, 4, 3)], ids=str)
def test_an_immediate_loss_is_avoided_where_it_can_be(name: str, rules: Rules) -> None:
    engine = seated(name, rules)
    tested = 0
    for position in random_positions(rules, 120, seed=17, least=5):
        lost = holes(position)
        if wins_at_once(position) or not lost or lost == set(position.legal):
            continue
        tested += 1
        assert engine.ask(position, LIMITS).column not in lost
    assert tested >= 10


def test_greedy_is_the_best_of_one_ply() -> None:
    for name in ("window", "gaiceanu", "rivest", "fourplay-td", "counts"):
        evaluate = naive.BY_NAME[name]
        for rules in (CONNECT4, SCORE4):
            engine = find("greedy").build({"evaluation": name})
            engine.begin(rules, 0)
            for position in random_positions(rules, 15, seed=19):
                board = twin(position)
                me = board.to_move()
                values = {c: round(evaluate(board.drop(c), me), 2) for c in board.legal()}
                assert engine.ask_opinions(position, Limits()) == pytest.approx(values)
                best = max(values, key=lambda c: values[c])
                assert engine.ask(position, Limits()).column == best


def test_probabilities_is_the_best_of_h1() -> None:
    for options, vertical, diagonals in (({}, -1, False), ({"vertical": "up"}, 1, False),
                                         ({"diagonals": True}, -1, True)):  # fmt: skip
        engine = find("probabilities").build(options)
        engine.begin(CONNECT4, 0)
        for position in random_positions(CONNECT4, 20, seed=23):
            board = twin(position)
            me = board.to_move()
            for column, value in engine.ask_opinions(position, Limits()).items():
                after = board.drop(column)
                if after.winner() is None and not after.is_full():
                    assert value == naive.h1(after, me, vertical, diagonals)


FEW = Limits(depth=2, nodes=50, playouts=5)
IGNORING = [
    name
    for name in names()
    if preset_of(find(name).engine) is None and set(COUNTS) & find(name).engine.ignores
]


@pytest.mark.parametrize("name", IGNORING)
def test_a_limit_that_is_ignored_changes_no_move(name: str) -> None:
    engine = find(name).build({})
    ignored: dict[str, Any] = {limit: 1 for limit in COUNTS if limit in engine.ignores}
    for moves in ("", "444", "1223343"):
        position = Position.parse(moves)
        engine.begin(CONNECT4, 1)
        free = engine.ask(position, FEW)
        engine.begin(CONNECT4, 1)
        assert engine.ask(position, replace(FEW, **ignored)) == free


DEEPER = Limits(depth=5, nodes=2000, playouts=100)
SMALL = Rules.flat(6, 5)


def moves(engine: Engine, rules: Rules, curious: bool) -> list[tuple[int, float | None]]:
    """The moves of a game against chance, with or without questions before each of them."""
    engine.begin(rules, 3)
    chance = find("random").build()
    chance.begin(rules, 4)
    position = Position(rules).play(rules.columns // 2)
    made: list[tuple[int, float | None]] = []
    while not position.is_over and len(made) < 7:
        if curious:
            ask(engine, position)
        choice = engine.ask(position, DEEPER)
        made.append((choice.column, choice.score))
        position = position.play(choice.column)
        if not position.is_over:
            if curious:  # about the other side's move as well
                ask(engine, position)
            position = position.play(chance.choose(position, DEEPER).column)
    return made


def ask(engine: Engine, position: Position) -> None:
    engine.ask_opinions(position, DEEPER)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("rules", [SMALL, SCORE4], ids=str)
def test_questions_change_no_move(name: str, rules: Rules) -> None:
    if declines(name, rules):
        pytest.skip("it does not play on this board")
    options = find(name).engine.options
    engine = find(name).build({word: 1 for word in ("table", "memory") if word in options})
    assert moves(engine, rules, curious=True) == moves(engine, rules, curious=False)


def test_a_deepening_engine_tells_what_it_finished() -> None:
    """With nodes alone to stop it, it has an opinion of every column."""
    engine = Iterative(table=1)
    for position in random_positions(CONNECT4, 8, seed=37):
        engine.begin(CONNECT4, 1)
        assert set(engine.ask_opinions(position, Limits(nodes=1000))) == set(position.legal)
