from __future__ import annotations

import random
import time
from functools import cache
from itertools import islice, product
from typing import Any

import numpy as np
import pytest

from arena import CONNECT4, SCORE4, Choice, Limits, Position, Rules
from arena.bots.find import build_engine
from arena.engines import tree as tree_page
from arena.engines.mcts import MCTS
from arena.engines.tree import NODE
from arena.errors import BadOption
from arena.game.bits import Board, free_cells, record_of, safe_cells
from arena.game.playouts import State, next_state, state_of, win_block_playout
from tests.engines.positions import holes, random_positions, wins_at_once
from tests.engines.trees import Tree

OPTIONS: list[dict[str, Any]] = [
    {"expand": expand, "playout": playout, "solver": solver}
    for expand, playout, solver in product((1, 2, 4, "all"), ("light", "winblock"), (False, True))
]
BOARDS = [CONNECT4, SCORE4, Rules.flat(5, 4, 3), Rules.space(3, 3, 3, 3)]
ODD_BOARDS = [
    Rules.flat(8, 8), Rules.flat(9, 7), SCORE4, Rules.flat(1, 6), Rules.flat(1, 2, 2),
    Rules.flat(64, 1), Rules.flat(1, 64), Rules.space(8, 8, 1), Rules.space(2, 2, 16, 5),
    Rules.flat(10, 6, 5), Rules.flat(4, 4, 2), Rules.space(4, 4, 4, 2), Rules.flat(32, 2, 6),
]  # fmt: skip


def seated(rules: Rules, seed: int = 1, **options: Any) -> MCTS:
    engine = MCTS(**options)
    engine.begin(rules, seed)
    return engine


def children(tree: Tree, node: int = 0) -> dict[int, int]:
    return {tree.column(child): child for child in tree.children(node)}


def visits(tree: Tree) -> dict[int, int]:
    """How often each column was tried at the root."""
    return {column: int(tree.nodes[node]["visits"]) for column, node in children(tree).items()}


@cache
def value(position: Position) -> int:
    """The result of perfect play for the player to move, by trying everything."""
    if position.is_over:
        return 0 if position.is_draw else -1
    return max(-value(position.play(column)) for column in position.legal)


def quiet_position(rules: Rules, ply: int, seed: int) -> Position:
    """A position that nobody has won, although so many discs are on the board."""
    chance = random.Random(seed)
    position = Position(rules)
    while position.ply < ply:
        quiet = [column for column in position.legal if not position.wins_with(column)]
        position = position.play(chance.choice(quiet)) if quiet else Position(rules)
    return position


def forcing(position: Position) -> set[int]:
    """The columns that win with the third disc from now on, whatever the opponent does."""
    return {
        column
        for column in position.legal
        if not position.wins_with(column)
        and not wins_at_once(after := position.play(column))
        and not after.is_over
        and all(wins_at_once(after.play(reply)) for reply in after.legal)
    }


def completing(position: Position, discs: int) -> set[int]:
    """The columns where one more disc would complete a line of these discs."""
    masks = [line.mask for line in position.rules.lines]
    return {
        column
        for column in position.legal
        if any((discs | position.landing(column)) & mask == mask for mask in masks)
    }


def win_or_block_game(position: Position, chance: random.Random) -> int:
    """One game by the rule of `winblock`: 1, 0 or -1 for the player to move."""
    mover = position.to_move
    while not position.is_over:
        urgent = completing(position, position.own) or completing(position, position.opponent)
        position = position.play(chance.choice(sorted(urgent) or position.legal))
    return 0 if position.is_draw else 1 if position.winner == mover else -1


def seen(position: Position) -> tuple[Board, State]:
    """A position as the kernels see it."""
    board = record_of(position.rules.board)
    own, opp, mine, theirs = map(np.uint64, state_of(board, *position.words))
    return board, (own, opp, mine, theirs)


def columns_of(position: Position, cells: int) -> set[int]:
    return {column for column in position.legal if cells & position.landing(column)}


@pytest.mark.parametrize("rules", [*BOARDS, *ODD_BOARDS], ids=str)
def test_threats_are_the_wins_of_either_side(rules: Rules) -> None:
    for position in random_positions(rules, 10, seed=7):
        board, state = seen(position)
        own, opp, mine, theirs = state
        free = int(free_cells(board, own | opp))
        assert free == sum(position.landing(column) for column in position.legal)
        assert columns_of(position, int(mine)) == wins_at_once(position)
        assert columns_of(position, int(theirs)) == completing(position, position.opponent)
        if not wins_at_once(position):
            safe = int(safe_cells(board, np.uint64(free), theirs))
            assert columns_of(position, safe) == set(position.legal) - holes(position)
        for column in set(position.legal) - wins_at_once(position):
            after = next_state(board, state, np.uint64(position.landing(column)))
            anew = seen(position.play(column))[1]
            empty = ~(position.first | position.second | position.landing(column))
            assert after[:2] == anew[:2]
            assert [int(cells) & empty for cells in after] == [int(cells) & empty for cells in anew]


@pytest.mark.parametrize("rules", [Rules.flat(5, 4), Rules.space(3, 3, 3, 3)], ids=str)
def test_win_block_playouts_are_those_of_the_plain_rule(rules: Rules) -> None:
    chance, word = random.Random(1), np.array([1], np.uint64)
    for position in random_positions(rules, 2, seed=15, most=8):
        board, state = seen(position)
        plain = [win_or_block_game(position, chance) for _ in range(200)]
        fast = [win_block_playout(board, state, word) for _ in range(2000)]
        for result in (-1, 0, 1):
            share = fast.count(result) / len(fast)
            assert plain.count(result) / len(plain) == pytest.approx(share, abs=0.1)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_wins_are_taken_and_with_the_solver_losses_blocked(options: dict[str, Any]) -> None:
    for rules in BOARDS:
        engine = seated(rules, **options)
        for position in random_positions(rules, 30, seed=3, least=4):
            wins = wins_at_once(position)
            safe = set(position.legal) - holes(position)
            for playouts in (1, 20):
                choice = engine.ask(position, Limits(playouts=playouts))
                assert choice.column in (wins or position.legal)
                assert choice.score == 1.0 or not wins
                if engine.solver and not wins:
                    assert choice.column in (safe or position.legal)
                    assert safe or choice.score == -1.0


def test_a_lost_position_is_still_defended() -> None:
    position = Position.parse("44553")  # the row 3 4 5 is open at both ends
    choice = seated(CONNECT4).ask(position, Limits(playouts=100))
    assert choice.column in {1, 5}
    assert choice.score == -1.0
    assert choice.nodes == 0  # seen without a playout


@pytest.mark.parametrize("playout", ["light", "winblock"])
def test_the_solver_proves_a_win_in_three_plies(playout: str) -> None:
    row = Position.parse("4455")
    assert forcing(row) == {2, 5}
    choice = seated(CONNECT4, playout=playout).ask(row, Limits(playouts=2000))
    assert choice.column in {2, 5}
    assert choice.score == 1.0
    assert choice.nodes is not None
    assert choice.nodes < 2000  # a proof ends the search
    for rules in (CONNECT4, SCORE4):
        many = random_positions(rules, 150, seed=4, least=8, most=24)
        found = [p for p in many if not wins_at_once(p) and forcing(p)]
        assert found
        for position in islice(found, 5):
            choice = seated(rules, playout=playout).ask(position, Limits(playouts=20_000))
            assert choice.score == 1.0
            after = position.play(choice.column)  # a longer win may be found first
            reply = seated(rules, playout=playout).ask(after, Limits(playouts=20_000))
            assert reply.score == -1.0


@pytest.mark.parametrize(
    ("rules", "least"),
    [(Rules.flat(4, 4, 3), 4), (Rules.flat(5, 4), 11), (Rules.space(2, 2, 3, 3), 2),
     (Rules.space(3, 3, 2, 3), 8), (Rules.flat(1, 5), 0)],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("expand", [1, "all"])
def test_proven_values_are_the_true_ones(rules: Rules, least: int, expand: int | str) -> None:
    proven = 0
    for position in random_positions(rules, 25, seed=5, least=least):
        engine = seated(rules, expand=expand)
        choice = engine.ask(position, Limits(playouts=20_000))
        if choice.nodes == 20_000:
            continue
        proven += 1
        assert choice.score == value(position)
        assert -value(position.play(choice.column)) == value(position)
        for column, opinion in engine.ask_opinions(position, Limits(playouts=50_000)).items():
            if opinion in (-1.0, 1.0):  # proven
                assert opinion == -value(position.play(column))
    assert proven > 18


def test_without_the_solver_values_come_near_the_true_ones() -> None:
    for position in random_positions(Rules.flat(4, 4, 3), 20, seed=6, least=6):
        choice = seated(position.rules, solver=False).ask(position, Limits(playouts=20_000))
        assert choice.score == pytest.approx(value(position), abs=0.15)


@pytest.mark.parametrize("options", OPTIONS[::2], ids=str)
def test_same_seed_same_choices_in_any_chunks(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = list(random_positions(CONNECT4, 4, seed=8, most=12))

    def choices(limits: Limits) -> list[Choice]:
        engine = seated(CONNECT4, seed=9, **options)
        return [engine.ask(position, limits) for position in positions]

    once = choices(Limits(playouts=1001))
    assert choices(Limits(playouts=1001, seconds=60.0)) == once
    monkeypatch.setattr(tree_page, "CHUNK", 7)
    assert choices(Limits(nodes=1001, playouts=5000)) == once


def test_another_seed_plays_other_games() -> None:
    scores = {seated(CONNECT4, seed).ask(Position(), Limits()).score for seed in range(5)}
    assert len(scores) == 5


def test_limits_are_counted_in_playouts() -> None:
    engine = seated(CONNECT4, playouts=123, expand=4)
    assert engine.ask(Position(), Limits()).nodes == 123
    assert engine.ask(Position(), Limits(depth=3)).nodes == 123
    assert engine.ask(Position(), Limits(playouts=50)).nodes == 50
    assert engine.ask(Position(), Limits(nodes=70, playouts=500)).nodes == 70
    assert (engine.ask(Position(), Limits(seconds=0.05)).nodes or 0) > 500
    assert engine.ask(Position(), Limits(clock=10.0, playouts=60)).nodes == 60


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_the_depth_limit_keeps_the_tree_low(depth: int) -> None:
    choice = seated(CONNECT4).ask(Position(), Limits(depth=depth, playouts=20_000))
    assert choice.depth == depth
    assert choice.nodes == 20_000
    assert choice.line is not None
    assert len(choice.line) <= depth


def test_a_choice_tells_what_it_rests_on() -> None:
    engine = seated(CONNECT4)
    choice = engine.ask(Position(), Limits(playouts=5000))
    assert choice.line is not None
    assert choice.depth is not None
    assert choice.score is not None
    assert choice.line[0] == choice.column
    assert 3 <= len(choice.line) <= choice.depth
    assert -1 < choice.score < 1
    position = Position()
    for column in choice.line:
        position = position.play(column)
    counted = visits(Tree(engine))
    assert sum(counted.values()) == 5000
    assert counted[choice.column] == max(counted.values())


@pytest.mark.parametrize("rules", [CONNECT4, SCORE4], ids=str)
@pytest.mark.parametrize("seconds", [0.005, 0.05, 0.3])
def test_the_time_limit_is_kept(rules: Rules, seconds: float) -> None:
    engine = MCTS()
    engine.get_ready(rules)
    engine.begin(rules, 1)
    position = Position(rules)
    for _ in range(3):
        began, used = time.perf_counter(), time.process_time()
        choice = engine.ask(position, Limits(seconds=seconds))
        spent, used = time.perf_counter() - began, time.process_time() - used
        position = position.play(choice.column)
        assert used < seconds + max(0.02, 0.1 * seconds)  # a busy machine may take more time
        assert spent > 0.5 * seconds - 0.002  # and who came back late stops earlier next time


def test_nothing_leaks_into_a_new_game() -> None:
    engine = seated(CONNECT4, seed=4)
    position = Position.parse("4453")
    once = engine.ask(position, Limits(playouts=700))
    engine.ask(position.play(0).play(1), Limits(playouts=500))
    engine.begin(SCORE4, 5)
    engine.ask(Position(SCORE4), Limits(playouts=100))
    engine.begin(CONNECT4, 4)
    assert engine.ask(position, Limits(playouts=700)) == once


def test_expand_and_c_change_the_tree() -> None:
    shapes = {}
    for expand, c in product((1, 2, 4, "all"), (0.2, 0.6, 1.5)):
        engine = seated(CONNECT4, expand=expand, c=c)
        engine.ask(Position(), Limits(playouts=4000))
        shapes[expand, c] = visits(Tree(engine)), int(Tree(engine).search.used)
    assert len({str(shape) for shape in shapes.values()}) == len(shapes)
    assert max(shapes[1, 0.2][0].values()) > max(shapes[1, 1.5][0].values())
    assert shapes["all", 0.6][1] < shapes[1, 0.6][1]  # no room is left for later


def test_expand_all_visits_all_children_of_a_node_at_once() -> None:
    engine = seated(CONNECT4, expand="all", solver=False)
    engine.ask(Position(), Limits(playouts=14))
    tree = Tree(engine)
    assert sorted(visits(tree).values()) == [1, 1, 1, 1, 1, 1, 8]


@pytest.mark.parametrize("solver", [False, True])
def test_a_full_tree_stops_growing_but_not_searching(solver: bool) -> None:
    engine = seated(SCORE4, memory=1, solver=solver)
    position = Position(SCORE4)
    for _ in range(3):
        choice = engine.ask(position, Limits(playouts=60_000))
        tree = Tree(engine)
        assert choice.nodes == 60_000
        assert tree.nodes.size * NODE.itemsize <= 2**20
        assert tree.nodes.size - 16 <= int(tree.search.used) <= tree.nodes.size
        position = position.play(choice.column).play(choice.column)


@pytest.mark.parametrize("rules", ODD_BOARDS, ids=str)
def test_every_board_is_played_to_the_end(rules: Rules) -> None:
    for options in OPTIONS[:: len(OPTIONS) - 1]:
        engine = seated(rules, **options)
        position = Position(rules)
        while not position.is_over:
            position = position.play(engine.ask(position, Limits(playouts=60)).column)


@pytest.mark.parametrize("rules", [CONNECT4, SCORE4, Rules.flat(9, 7)], ids=str)
def test_nearly_full_boards_are_played_perfectly(rules: Rules) -> None:
    for seed in range(8):
        position = quiet_position(rules, rules.cells - 1 - seed, seed)
        choice = seated(rules).ask(position, Limits(playouts=5000))
        assert choice.score == value(position) == -value(position.play(choice.column))


def test_the_first_move_is_the_centre() -> None:
    for seed in range(4):
        engine = seated(CONNECT4, seed, playout="light", solver=False)
        assert engine.ask(Position(), Limits(playouts=30_000)).column == 3


def test_opinions_cover_all_columns_or_those_that_win() -> None:
    limits = Limits(playouts=2000)
    for position in random_positions(CONNECT4, 15, seed=12, least=6):
        engine, silent = seated(CONNECT4), seated(CONNECT4)
        values = engine.ask_opinions(position, limits)
        wins = wins_at_once(position)
        assert set(values) == (wins or set(position.legal))
        assert all(-1 <= value <= 1 for value in values.values())
        assert all(values[column] == 1.0 for column in wins)
        assert wins or all(values[column] == -1.0 for column in holes(position))
        assert engine.ask(position, limits) == silent.ask(position, limits)


def test_opinions_keep_the_limits() -> None:
    engine = seated(CONNECT4)
    began = time.process_time()
    assert len(engine.ask_opinions(Position(), Limits(seconds=0.2))) == 7
    assert time.process_time() - began < 0.4
    assert engine.ask_opinions(Position(), Limits(clock=1.0, increment=0.1))
    assert len(engine.ask_opinions(Position(), Limits(nodes=1))) == 7


@pytest.mark.parametrize("rules", [CONNECT4, SCORE4], ids=str)
def test_mcts_beats_random(rules: Rules) -> None:
    engine, other = build_engine("mcts"), build_engine("random")
    for seed in range(20):
        for player in (engine, other):
            player.begin(rules, seed)
        position = Position(rules)
        while not position.is_over:
            mover = (engine, other)[(position.to_move + seed) % 2]
            position = position.play(mover.ask(position, Limits(playouts=500)).column)
        assert position.winner == seed % 2


@pytest.mark.parametrize(
    "wrong", ["expand=3", "playout=heavy", "c=-1", "playouts=0", "memory=0", "solver=perhaps"]
)
def test_wrong_options_are_refused(wrong: str) -> None:
    with pytest.raises(BadOption, match=wrong.partition("=")[0]):
        build_engine(f"mcts {wrong}")
