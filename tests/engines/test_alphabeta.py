"""Alpha-beta finds what minimax finds, with fewer nodes, whatever the switches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arena import CONNECT4, SCORE4, Limits, Position, Rules
from arena.engines.alphabeta import AlphaBeta
from arena.engines.iterative import Iterative
from arena.engines.minimax import Minimax
from arena.engines.search import SearchEngine
from arena.errors import BadOption
from tests import naive
from tests.engines.positions import BOARDS, SMALL, random_positions
from tests.game.strategies import twin

RIVEST_WITHOUT_TEMPO = {"evaluation": "rivest", "tempo": 0}

OFF = {"ordering": "centre", "killers": False, "history": False, "table": 0, "deepening": False}

SWITCHES: list[dict[str, Any]] = [
    {},
    {"ordering": "left"},
    {"ordering": "value"},
    {"pruning": "parent"},
    {"pruning": "absolute"},
    {"killers": True},
    {"history": True},
    {"table": 1},
    {"deepening": True},
    {"tie_break": "random"},
    {"table": 1, "killers": True, "history": True, "deepening": True, "ordering": "value"},
]

EVALUATIONS: dict[str, tuple[naive.Evaluate, float | None]] = {
    "h2": (naive.h2, 1),
    "rivest": (naive.rivest, 1_000_000),
    "rivest-512": (naive.rivest_512, 512),
    "gaiceanu": (naive.gaiceanu, None),
    "window": (naive.window, 1_000_000),
    "window-100": (naive.window_100, 100),
    "fourplay-td": (naive.fourplay_td, 1_000_000),
    "counts": (naive.counts, 1_000_000),
    "h1": (naive.h1, 1_000_000),
}


def refined(**options: Any) -> SearchEngine:
    """Alpha-beta with the options of its own page, or with some refinements."""
    if {"pruning", "tie_break"} & options.keys() or options.get("ordering") == "left":
        return AlphaBeta(**options)
    return Iterative(**{**OFF, **options})


def search(engine: SearchEngine, position: Position, depth: int) -> tuple[float, int, int]:
    """The score, the column and the nodes of a search."""
    engine.begin(position.rules, seed=7)
    choice = engine.ask(position, Limits(depth=depth))
    assert choice.score is not None
    assert choice.nodes is not None
    return choice.score, choice.column, choice.nodes


@pytest.mark.parametrize("name", EVALUATIONS)
@pytest.mark.parametrize(
    ("rules", "depth"), [(CONNECT4, 2), (Rules.flat(5, 4), 3), (Rules.space(2, 2, 4), 4)], ids=str
)
def test_minimax_finds_the_naive_value_of_every_column(name: str, rules: Rules, depth: int) -> None:
    evaluate, win = EVALUATIONS[name]
    engine = Minimax(evaluation=name, prefer_quick=False)
    engine.begin(rules, 0)
    for position in random_positions(rules, 5, least=1):
        expected = naive.root_values(twin(position), depth, evaluate, win=win, quick=False)
        assert engine.ask_opinions(position, Limits(depth=depth)) == pytest.approx(expected)


@pytest.mark.parametrize("options", SWITCHES, ids=str)
@pytest.mark.parametrize("name", ["h2", "rivest", "counts", "fourplay"])
def test_every_switch_returns_the_value_of_minimax(name: str, options: dict[str, Any]) -> None:
    for rules in BOARDS:
        minimax = Minimax(evaluation=name)
        engine = refined(evaluation=name, **options)
        for position in random_positions(rules, 12, seed=3):
            score, _, nodes = search(minimax, position, 4)
            found, column, fewer = search(engine, position, 4)
            assert found == score
            assert minimax.ask_opinions(position, Limits(depth=4))[column] == score
            if not options.get("deepening"):
                assert fewer <= nodes


@pytest.mark.parametrize(
    ("rules", "nodes"),
    [
        (CONNECT4, dict(enumerate((23, 81, 238, 1174, 2418, 6685, 14151, 64895), start=2))),
        (SCORE4, {5: 39659, 6: 110094, 8: 3146842}),
    ],
    ids=str,
)
def test_nodes_of_full_pruning_are_the_published_ones(rules: Rules, nodes: dict[int, int]) -> None:
    engine = AlphaBeta(evaluation=RIVEST_WITHOUT_TEMPO)
    assert {depth: search(engine, Position(rules), depth)[2] for depth in nodes} == nodes


def test_nodes_from_left_to_right_are_the_published_ones() -> None:
    engine = AlphaBeta(evaluation=RIVEST_WITHOUT_TEMPO, ordering="left")
    assert search(engine, Position(), 9)[2] == 927904


def test_nodes_of_minimax_are_the_published_ones() -> None:
    published = dict(enumerate((56, 399, 2800, 19607, 137256, 960792, 6634026), start=2))
    engine = Minimax(evaluation=RIVEST_WITHOUT_TEMPO)
    assert {depth: search(engine, Position(), depth)[2] for depth in published} == published


def test_the_parents_bound_alone_prunes_less_than_all_bounds() -> None:
    full, parent = (
        search(AlphaBeta(pruning=pruning), Position(SCORE4), 5)[2] for pruning in ("full", "parent")
    )
    assert full < parent < search(Minimax(), Position(SCORE4), 5)[2]


@pytest.mark.parametrize(
    "options", [{"table": 1}, {"killers": True}, {"ordering": "value"}], ids=str
)
def test_a_refinement_saves_nodes(options: dict[str, Any]) -> None:
    assert search(refined(**options), Position(), 9)[2] < search(AlphaBeta(), Position(), 9)[2]


def test_a_beam_tries_only_so_many_moves() -> None:
    engine = refined(beam=2, evaluation="counts")
    full = search(AlphaBeta(evaluation="counts"), Position(SCORE4), 4)[2]
    narrow = search(engine, Position(SCORE4), 4)[2]
    assert narrow < full
    assert narrow <= 16 * (1 + 2 + 4 + 4 * 16)


@pytest.mark.parametrize("make", [Minimax, AlphaBeta, Iterative])
def test_the_quicker_of_two_wins_is_taken(make: Callable[..., SearchEngine]) -> None:
    position = Position.parse("112233")  # column 4 wins now; much else wins later
    engine = make(evaluation="h2", prefer_quick=True, tie_break="random")
    for seed in range(10):
        engine.begin(CONNECT4, seed)
        assert engine.ask(position, Limits(depth=5)).column == 3


def test_the_way_to_a_win_never_grows() -> None:
    """Against any defence, each own move brings the end at least two plies nearer (S4.4)."""
    engine = AlphaBeta(evaluation="h2")
    for position in random_positions(SMALL, 30, seed=2):
        engine.begin(SMALL, 0)
        score = engine.ask(position, Limits(depth=16)).score
        assert score is not None
        while score > 0 and not position.is_over:
            move = engine.ask(position, Limits(depth=16))
            assert move.score is not None
            assert move.score >= score
            score = move.score
            position = position.play(move.column)
            if not position.is_over:
                position = position.play(position.legal[0])


def test_the_principal_line_is_playable_and_starts_with_the_move() -> None:
    engine, longest = Iterative(table=1), 0
    for rules in (CONNECT4, SCORE4):
        engine.begin(rules, 0)
        for position in random_positions(rules, 20, seed=4):
            choice = engine.ask(position, Limits(depth=5))
            assert choice.line is not None
            assert choice.line[0] == choice.column
            longest = max(longest, len(choice.line))
            for column in choice.line:
                position = position.play(column)
    assert longest >= 4


def test_a_table_knows_whose_evaluation_it_holds() -> None:
    """What is good for X by `window` is not as bad for O: a value holds for one side alone.

    Positions of the other side come first, so that the table has deep entries of its children.
    """
    used, fresh = Iterative(evaluation="window", table=1), Iterative(evaluation="window", table=1)
    used.begin(CONNECT4, 0)
    for position in random_positions(CONNECT4, 30, seed=6, most=30):
        for asked in (*(position.play(c) for c in position.legal[:2]), position):
            if not asked.is_over:
                fresh.begin(CONNECT4, 0)
                both = [engine.ask(asked, Limits(depth=4)).score for engine in (used, fresh)]
                assert both[0] == both[1], asked.notation


def test_a_removed_option_may_still_be_given_as_off() -> None:
    assert AlphaBeta(table=0, killers="no", deepening=False).settings() == AlphaBeta().settings()
    with pytest.raises(BadOption, match="unknown option 'table'"):
        AlphaBeta(table=16)


# . . . . . . .     X wins in column 4. In column 3 its rows, columns and diagonals have more value:
# . . . . . . .     101, where a win has the value 100 as printed.
# . . O . O . .
# X . X X X . .
# O . X X O . O
# O O X X X O O
PROMISING = Position.parse("315237374555414613")


def test_a_win_as_small_as_printed_is_not_always_the_best() -> None:
    assert PROMISING.wins_with(3)
    for name, column, value in (("window-100", 2, 101), ("window", 3, 1_000_000)):
        engine = Minimax(evaluation=name, prefer_quick=False)
        choice = engine.ask(PROMISING, Limits(depth=1))
        assert (choice.column, choice.score) == (column, value)
    after = twin(PROMISING).drop(2)
    assert naive.window_100(after, naive.FIRST) == 101


def test_a_value_as_large_as_a_small_win_is_no_reason_to_stop() -> None:
    """A search that deepens goes on to the depth it was asked for, as a fixed one does."""
    for name in ("window-100", "rivest-512"):
        minimax, engine = Minimax(evaluation=name), Iterative(evaluation=name)
        for position in random_positions(CONNECT4, 150, seed=4, least=16):
            assert search(engine, position, 4)[0] == search(minimax, position, 4)[0]
