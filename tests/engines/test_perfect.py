"""The perfect engine gives nothing away; perfect-eps errs as often as its option says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt

import pytest

from arena import CONNECT4, SCORE4, Choice, Engine, Limits, Position, Rules
from arena.bots.find import build_engine
from arena.engine.registry import find
from arena.errors import BadRules
from arena.solver.flat.search import Solver
from arena.solver.solver import winning_disc
from arena.table.check import check_engine, plan_for
from arena.table.referee import play_game
from tests.engines.exhaustive import best, column_scores, exact_score, keeping_columns, sign
from tests.engines.positions import random_positions
from tests.support.solver import best_columns

SMALL = Rules.flat(4, 4)
BOARDS = (SMALL, Rules.flat(4, 4, 3), Rules.flat(5, 4), Rules.flat(6, 3, 3))


def seated(words: str, rules: Rules, seed: int = 1) -> Engine:
    engine = build_engine(words)
    engine.begin(rules, seed)
    return engine


def late(rules: Rules, count: int, seed: int = 1) -> list[Position]:
    """Positions that are quickly solved: at most twelve cells are free."""
    return list(random_positions(rules, count, seed, least=max(0, rules.cells - 12)))


def games_against_all(engine: Engine, rules: Rules, seat: int) -> Iterator[tuple[Position, Choice]]:
    """Every decision of an engine against every line of play, each position once."""
    waiting, seen = [Position(rules)], set()
    while waiting:
        position = waiting.pop()
        if position in seen or position.is_over:
            continue
        seen.add(position)
        if position.to_move == seat:
            choice = engine.ask(position, Limits())
            yield position, choice
            waiting.append(position.play(choice.column))
        else:
            waiting += [position.play(column) for column in position.legal]


@pytest.mark.parametrize(("seat", "prefer"), [(0, "quick"), (1, "quick"), (1, "value")])
def test_nothing_is_ever_given_away(seat: int, prefer: str) -> None:
    """4x4 from the first disc on, against every line of play."""
    engine = seated(f"perfect prefer={prefer}", SMALL)
    decisions = 0
    for position, choice in games_against_all(engine, SMALL, seat):
        decisions += 1
        scores = column_scores(position)
        assert choice.score == scores[choice.column]
        assert sign(scores[choice.column]) == sign(max(scores.values()))
        if prefer == "quick":
            assert scores[choice.column] == max(scores.values())
    assert decisions > 500


@pytest.mark.parametrize("limits", [Limits(), Limits(nodes=10**7)], ids=str)
@pytest.mark.parametrize("prefer", ["quick", "value"])
def test_all_columns_that_are_as_good_are_played(prefer: str, limits: Limits) -> None:
    for rules in BOARDS:
        engine = seated(f"perfect memory=1 prefer={prefer}", rules)
        for position in late(rules, 8):
            expected = best(position) if prefer == "quick" else keeping_columns(position)
            chosen = {engine.ask(position, limits).column for _ in range(40)}
            assert chosen == expected


@pytest.mark.parametrize("opponent", ["mcts", "alphabeta", "iterative"])
def test_a_won_position_is_won_in_time(opponent: str) -> None:
    solver, found = Solver(CONNECT4, 16), 0
    for position in random_positions(CONNECT4, 60, seed=7, least=16, most=24):
        score = solver.score(position)
        if score <= 0 or any(map(position.wins_with, position.legal)):
            continue
        found += 1
        seat = position.to_move
        engines = [build_engine(opponent), build_engine(opponent)]
        engines[seat] = build_engine("perfect")
        limits = [Limits(nodes=2000), Limits(nodes=2000)]
        limits[seat] = Limits()
        record = play_game(
            (engines[0], engines[1]), CONNECT4, (limits[0], limits[1]), 1, position.moves
        )
        assert record.winner == seat
        last = winning_disc(score, position.ply, CONNECT4.cells)
        assert last is not None
        assert record.plies <= last
        if found == 3:
            return
    pytest.fail("too few positions")


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 6])
def test_a_depth_limit_is_all_that_it_sees(depth: int) -> None:
    rules = Rules.flat(5, 4)
    engine = seated("perfect memory=1", rules)
    for position in random_positions(rules, 40, seed=depth, least=10, most=14):
        choice = engine.ask(position, Limits(depth=depth))
        score = exact_score(position)
        end = winning_disc(score, position.ply, rules.cells) or rules.cells
        seen = end - position.ply <= depth
        assert (choice.score is not None) == seen
        if seen:
            assert choice.score == score
            assert choice.column in best(position)
        elif any(not _loses_within(position, column, depth) for column in position.legal):
            assert not _loses_within(position, choice.column, depth)


def _loses_within(position: Position, column: int, plies: int) -> bool:
    score = column_scores(position)[column]
    end = winning_disc(score, position.ply, position.rules.cells)
    return score < 0 and end is not None and end - position.ply <= plies


@pytest.mark.parametrize("nodes", [1, 10, 100, 1000])
def test_under_a_node_limit_a_score_is_a_proven_one(nodes: int) -> None:
    solver, engine, known = Solver(CONNECT4, 16), build_engine("perfect memory=4"), 0
    for position in random_positions(CONNECT4, 15, seed=2, least=14, most=34):
        engine.begin(CONNECT4, 1)
        choice = engine.ask(position, Limits(nodes=nodes))
        assert choice.nodes is not None
        assert choice.nodes <= nodes
        if choice.score is None:
            assert choice.depth is None
            continue
        known += 1
        assert choice.score == solver.score(position)
        assert choice.column in best_columns(solver, position)
    assert known > 0


def test_with_time_enough_the_limits_change_nothing() -> None:
    for words in ("perfect memory=4", "perfect memory=4 prefer=value"):
        engine = build_engine(words)
        for position in random_positions(CONNECT4, 12, seed=9, least=18):
            told = []
            for limits in (Limits(), Limits(nodes=10**9), Limits(seconds=60), Limits(clock=900)):
                engine.begin(CONNECT4, 1)
                choice = engine.ask(position, limits)
                told.append((choice.column, choice.score))
            assert len(set(told)) == 1


@pytest.mark.parametrize("nodes", [30, 100])
def test_a_win_within_a_few_plies_is_looked_for_first(nodes: int) -> None:
    """It wins with disc 23; to prove who wins by way of other columns takes more nodes."""
    position = Position.parse("631723711126353357")
    engine = find("perfect").build({"memory": 1})
    engine.begin(CONNECT4, 1)
    choice = engine.ask(position, Limits(nodes=nodes))
    assert choice.score == 10
    assert winning_disc(10, position.ply, CONNECT4.cells) == 23


def test_what_was_found_under_limits_is_forgotten_with_the_game() -> None:
    positions = list(random_positions(CONNECT4, 8, seed=6, least=8, most=16))
    engine = seated("perfect", CONNECT4)
    once = [engine.ask(position, Limits(nodes=300)) for position in positions]
    for position in positions:
        engine.ask(position, Limits(nodes=20_000))
    engine.begin(CONNECT4, 1)
    assert [engine.ask(position, Limits(nodes=300)) for position in positions] == once


def test_an_opinion_does_not_depend_on_the_one_before() -> None:
    rules, few = Rules.flat(6, 5), Limits(nodes=3000)
    one, other = Position.parse("12334451", rules), Position.parse("123344512", rules)
    engine = seated("perfect", rules)
    after = [engine.ask_opinions(position, few) for position in (other, one, one)]
    alone = [seated("perfect", rules).ask_opinions(position, few) for position in (other, one, one)]
    assert after == alone
    assert len(alone[1]) == 2  # of six columns; what it had found before would tell the others


def test_opinions_are_exact_and_change_nothing() -> None:
    rules = Rules.flat(5, 4)
    engine, silent = seated("perfect", rules), seated("perfect", rules)
    for position in late(rules, 20):
        assert engine.ask_opinions(position, Limits()) == column_scores(position)
        some = engine.ask_opinions(position, Limits(nodes=20))
        assert some.items() <= column_scores(position).items()
        near = engine.ask_opinions(position, Limits(depth=2))
        assert near.items() <= column_scores(position).items()
        few = Limits(nodes=50)
        assert engine.ask(position, few) == silent.ask(position, few)


@pytest.mark.parametrize(
    ("rules", "words"), [(SCORE4, "is in space"), (Rules.flat(9, 7), "is too large")]
)
def test_boards_that_cannot_be_solved_are_refused(rules: Rules, words: str) -> None:
    engine = build_engine("perfect")
    with pytest.raises(BadRules, match=words):
        engine.begin(rules, 1)
    with pytest.raises(BadRules, match=words):
        engine.get_ready(rules)


def test_it_keeps_the_contract() -> None:
    boards = tuple(map(Rules.named, ("7x6", "5x4", "9x7", "4x4x4")))
    found = check_engine("perfect", plan=plan_for("perfect")._replace(boards=boards))
    # Times depend on how busy the machine is; what it does when they run out is tested above.
    timed = ("keeps the time of a move", "keeps the clock of a game")
    assert not [each for each in found if each.failed and each.title not in timed]
    declined = [finding.title for finding in found if finding.detail.startswith("declined")]
    assert declined == ["plays on 9x7 connect 4", "plays on 4x4x4 connect 4"]


RULES = Rules.flat(5, 4)
PRESETS = {"perfect-eps-5": 0.05, "perfect-eps-10": 0.1, "perfect-eps-25": 0.25,
           "perfect-eps-50": 0.5}  # fmt: skip


def positions(count: int, seed: int = 1) -> list[Position]:
    return list(random_positions(RULES, count, seed, least=11))


def errors(words: str, asked: list[Position], good: str = "quick") -> tuple[int, int]:
    """How often an engine erred, of how many times it could have."""
    engine = build_engine(f"{words} memory=1 prefer={good}")
    wrong = could = 0
    for number, position in enumerate(asked):
        engine.begin(RULES, number)
        right = best(position) if good == "quick" else keeping_columns(position)
        if len(right) < len(position.legal):
            could += 1
            wrong += engine.ask(position, Limits()).column not in right
    return wrong, could


@pytest.mark.parametrize(
    ("words", "share", "good"),
    [*((words, share, "quick") for words, share in PRESETS.items()), ("perfect-eps", 0.1, "value")],
)
def test_it_errs_as_often_as_it_should(words: str, share: float, good: str) -> None:
    wrong, could = errors(words, positions(400), good)
    assert could > 150
    assert abs(wrong - share * could) < 3.5 * sqrt(share * (1 - share) * could)


def test_every_error_is_equally_likely_and_has_its_score() -> None:
    position = next(p for p in positions(200, seed=4) if len(p.legal) - len(best(p)) == 3)
    engine, chosen = build_engine("perfect-eps error=1"), Counter[int]()
    engine.begin(RULES, 1)
    for _ in range(600):
        choice = engine.ask(position, Limits())
        assert choice.score == column_scores(position)[choice.column]
        chosen[choice.column] += 1
    assert set(chosen) == set(position.legal) - best(position)
    assert all(abs(count - 200) < 3.5 * sqrt(600 * 2 / 9) for count in chosen.values())


def test_without_a_proof_any_other_column_is_an_error() -> None:
    start = Position(RULES)
    chosen = set()
    engine = build_engine("perfect-eps error=1")
    for seed in range(60):
        engine.begin(RULES, seed)
        choice = engine.ask(start, Limits(nodes=1))
        assert choice.score is None
        chosen.add(choice.column)
    assert len(chosen) == RULES.columns - 1
