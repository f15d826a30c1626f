"""Our engines as Kaggle calls them."""

from __future__ import annotations

from typing import Any

import pytest

from arena import CONNECT4, Choice, Engine, Limits, Position, Rules
from arena.bots.find import build_engine
from arena.bots.kaggle import configure
from arena.engine.limits import counts_in
from arena.errors import BadNotation, BadRules
from arena.export.agent import KaggleAgent, read_observation

Asked = list[tuple[Position, Limits]]


class Leftmost(Engine):
    """Plays the leftmost column, and notes what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Asked = []
        self.games: list[tuple[Rules, int]] = []

    def new_game(self) -> None:
        self.games.append((self.rules, self.seed_of_game))

    def warm_up(self) -> None:
        if self.rules.connect == 3:
            raise BadRules("not on this board")

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.asked.append((position, limits))
        return Choice(position.legal[0])


def observed(moves: str, rules: Rules = CONNECT4) -> dict[str, Any]:
    """What Kaggle shows after these moves, drawn by hand: the top row first."""
    stacks: list[list[int]] = [[] for _ in range(rules.columns)]
    for ply, digit in enumerate(moves):
        stacks[int(digit) - 1].append(ply % 2 + 1)
    board = [
        stack[level] if level < len(stack) else 0
        for level in reversed(range(rules.height))
        for stack in stacks
    ]
    return {"board": board, "mark": len(moves) % 2 + 1}


@pytest.mark.parametrize("rules", [CONNECT4, Rules.flat(5, 4), Rules.flat(8, 8, 5)])
def test_a_board_is_read_the_right_way_up_and_round(rules: Rules) -> None:
    position = read_observation(observed("11253", rules), rules)
    assert position == Position.parse("11253", rules)
    assert position != position.mirrored()


def test_the_moves_of_a_game_are_found_on_its_boards() -> None:
    engine = Leftmost()
    agent, configuration = KaggleAgent(engine), configure(CONNECT4)
    for moves in ("7", "717", "71716"):
        assert agent(observed(moves), configuration) == 0
        assert engine.asked[-1][0].notation == moves
    assert engine.games[1:] == [(CONNECT4, 0)]


def test_another_game_begins_anew() -> None:
    engine = Leftmost()
    agent, configuration = KaggleAgent(engine), configure(CONNECT4)
    for moves in ("", "17", "", "1234", "123412", "7"):
        agent(observed(moves), {**configuration, "randomSeed": 5})
    assert [len(position.moves) for position, _ in engine.asked] == [0, 2, 0, 0, 2, 1]
    assert engine.games[1:] == [(CONNECT4, 5)] * 4


def test_one_agent_may_play_both_sides() -> None:
    engine = Leftmost()
    agent, moves = KaggleAgent(engine), ""
    while not Position.parse(moves).is_over:
        moves += str(agent(observed(moves), configure(CONNECT4)) + 1)
    assert engine.asked[-1][0].notation == moves[:-1]


@pytest.mark.parametrize(
    ("allowed", "own", "seconds"), [(2, None, 1.85), (0.1, None, 0.05), (2, 0.5, 0.5)]
)
def test_it_thinks_for_what_the_configuration_allows(
    allowed: float, own: float | None, seconds: float
) -> None:
    engine = Leftmost()
    KaggleAgent(engine, own, {"playouts": "100"})(observed(""), configure(CONNECT4, allowed))
    limits = engine.asked[0][1]
    assert limits.playouts == 100
    assert limits.seconds == pytest.approx(seconds)


def test_what_was_said_of_depth_holds_besides_the_time() -> None:
    assert counts_in({"depth": "4", "evaluation": "rivest", "nodes": "0"}) == {"depth": 4}
    words = {"playouts": "50"}
    agent = KaggleAgent(build_engine("mcts playouts=50"), options=words)
    expected = build_engine("mcts playouts=50").ask(Position.parse("4453"), Limits())
    assert agent(observed("4453"), configure(CONNECT4, 60)) == expected.column


def test_a_board_that_cannot_be_is_refused() -> None:
    agent = KaggleAgent(Leftmost())
    with pytest.raises(BadNotation, match="mark is 1, but after 3 discs it is the other"):
        agent({**observed("445"), "mark": 1}, configure(CONNECT4))
    with pytest.raises(BadNotation, match="has 42 cells"):
        agent({"board": [0] * 41, "mark": 1}, configure(CONNECT4))
    with pytest.raises(BadRules, match="not on this board"):
        agent(observed(""), configure(Rules.flat(7, 6, 3)))
