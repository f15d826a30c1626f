"""What every engine must do: legal moves, wins taken, losses blocked, same seed same moves."""

from __future__ import annotations

import pytest

from arena import CONNECT4, SCORE4, Engine, Limits, Position, Rules
from arena.engine.registry import find, names
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


@pytest.mark.parametrize("name", names())
def test_same_seed_same_moves(name: str) -> None:
    for rules in (CONNECT4, Rules.flat(5, 4) if name.startswith("perfect") else SCORE4):
        games = []
        for _ in range(2):
            engine = seated(name, rules, seed=5)
            chosen = [engine.ask(p, LIMITS) for p in random_positions(rules, 6, seed=8)]
            games.append(chosen)
        assert games[0] == games[1]


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


def test_random_plays_every_column() -> None:
    engine = seated("random", CONNECT4)
    chosen = [engine.ask(Position(), Limits()).column for _ in range(700)]
    assert all(60 <= chosen.count(column) <= 140 for column in range(7))


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
