"""Figures are what an obvious loop over the same games finds; intervals cover what they claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import mean, median
from typing import Any

import numpy as np
import pytest
from scipy import stats

from arena.errors import IllegalMove
from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.standings.counters import Measured, Ratio
from arena.standings.figures import FigureCounter, measure
from arena.standings.intervals import clustered_wilson, student, wilson
from arena.standings.rating import rate_scoreboard
from arena.standings.scoreboard import Scoreboard
from arena.table.game import GOOD_ENDS, Game, MoveRecord
from arena.tournament.figures import Figure
from tests.journal.examples import make_row
from tests.standings.test_results import NAMES, some_rows

ROWS = some_rows(7, 200)


def measured(figure: Figure, rows: list[Game] = ROWS, rules: Rules = CONNECT4) -> Measured:
    board = Scoreboard(NAMES)
    for row in rows:
        board.append(row.first, row.second, row.result, row.opening, row.round)
    ratings = rate_scoreboard(board)
    return measure([figure], rows, board, ratings, rules)[figure]


def games_of(name: str, against: tuple[str, ...] = (), seat: str = "") -> list[tuple[Game, int]]:
    """The games of a player, with its seat in each."""
    found = []
    for row in ROWS:
        for place, (own, other) in enumerate(((row.first, row.second), (row.second, row.first))):
            fits = NAMES[own] == name and (not against or NAMES[other] in against)
            if fits and seat in ("", ("first", "second")[place]):
                found.append((row, place))
    return found


def points(row: Game, seat: int) -> float:
    return ((-row.result if seat else row.result) + 1) / 2


def own_moves(row: Game, seat: int) -> list[MoveRecord]:
    moves = enumerate(row.move_records(), start=len(row.opening))
    return [move for ply, move in moves if ply % 2 == seat]


@pytest.mark.parametrize("against", [(), ("beta",), ("beta", "gamma")])
@pytest.mark.parametrize("seat", ["", "first", "second"])
def test_scores_and_counts_are_those_of_a_loop(against: tuple[str, ...], seat: Any) -> None:
    games = games_of("alpha", against, seat)
    where = {"of": "alpha", "against": against, "seat": seat}
    assert measured(Figure("score", **where)).value == pytest.approx(
        mean(points(*game) for game in games)
    )
    for name, wanted in (("wins", 1), ("draws", 0.5), ("losses", 0)):
        count = sum(points(*game) == wanted for game in games)
        assert measured(Figure(name, take="count", **where)).value == pytest.approx(count)
        share = measured(Figure(name, take="share", **where))
        assert share.value == pytest.approx(count / len(games))
        assert share.games == len(games)
    assert measured(Figure("games", **where)).value == len(games)
    different = len({row.moves for row, _ in games}) / len(games)
    assert measured(Figure("distinct", **where)).value == different


@pytest.mark.parametrize("by", ["time", "crash", "fault", "line", "row", "column", "diagonal"])
def test_ends_are_those_of_the_board_and_the_record(by: str) -> None:
    def is_so(row: Game) -> bool:
        if by == "fault":
            return row.reason not in GOOD_ENDS
        if by in ("time", "crash", "line"):
            return row.reason == by
        try:
            line = play_moves(row.moves, CONNECT4).winning_line
        except IllegalMove:  # moves of one game after the opening of another
            return False
        return row.reason == "line" and line is not None and by in line.direction

    for name, wanted in (("wins", 1), ("losses", 0)):
        count = sum(points(*game) == wanted and is_so(game[0]) for game in games_of("beta"))
        assert measured(Figure(name, "beta", take="count", by=by)).value == pytest.approx(count)


PICKS: dict[Any, Callable[[list[Any]], list[Any]]] = {
    None: lambda moves: moves,
    "first": lambda moves: moves[:1],
    "last": lambda moves: moves[-1:],
    3: lambda moves: moves[2:3],
}


@pytest.mark.parametrize("move", PICKS)
@pytest.mark.parametrize("name", ["time", "cpu", "nodes", "depth"])
def test_telemetry_is_that_of_the_players_own_moves(name: str, move: Any) -> None:
    field = {"time": "seconds"}.get(name, name)
    values = [
        value
        for row, seat in games_of("gamma")
        for each in PICKS[move](own_moves(row, seat))
        if (value := getattr(each, field)) is not None
    ]
    around: dict[str, Any] = {"mean": mean, "median": median, "max": max}
    for take, statistic in around.items():
        figure = Figure(name, "gamma", take=take, move=move)
        assert measured(figure).value == pytest.approx(statistic(values), rel=0.01)


def test_lengths_are_plies_by_outcome() -> None:
    for when, wanted in (("won", 1), ("lost", 0)):
        plies = [len(row.moves) for row, seat in games_of("beta") if points(row, seat) == wanted]
        figure = Figure("length", "beta", take="mean", when=when)  # type: ignore[arg-type]
        assert measured(figure).value == pytest.approx(mean(plies))
    everything = measured(Figure("length", take="mean"))
    assert everything.value == pytest.approx(mean(len(row.moves) for row in ROWS))
    assert everything.games == len(ROWS)


def test_nodes_a_second_are_all_nodes_over_all_processor_time() -> None:
    moves = [
        move
        for row, seat in games_of("beta")
        for move in own_moves(row, seat)
        if move.nodes is not None and move.cpu >= 0
    ]
    expected = sum(move.nodes or 0 for move in moves) / sum(move.cpu for move in moves)
    assert measured(Figure("nodes_per_second", "beta")).value == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("game", ["connect4", "score4"])
def test_wins_at_once_that_were_missed(game: str) -> None:
    rules = Rules.named(game)
    rows = [make_row(number, game) for number in range(1, 40)]
    chances = missed = 0
    for row in rows:
        position = Position(rules)
        for ply, column in enumerate(row.moves):
            own = row.first if ply % 2 == 0 else row.second
            wins = [each for each in position.legal if position.wins_with(each)]
            if ply >= len(row.opening) and NAMES[own] == "alpha" and wins:
                chances += 1
                missed += column not in wins
            position = position.play(column)
    assert missed > 3
    assert measured(Figure("missed_wins", "alpha", take="count"), rows, rules).value == missed
    share = measured(Figure("missed_wins", "alpha", take="share"), rows, rules)
    assert share.value == pytest.approx(missed / chances)


def test_a_ratio_is_one_figure_over_another_and_its_interval_holds_both() -> None:
    below = Figure("nodes", "beta", take="mean")
    figure = replace(Figure("nodes", "alpha", take="mean"), over=below)
    one, two = measured(replace(figure, over=None)), measured(below)
    ratio = measured(figure)
    assert one.value is not None
    assert two.value is not None
    assert ratio.value == pytest.approx(one.value / two.value)
    low, high = ratio.interval() or (None, None)
    assert low is not None
    assert high is not None
    assert low < one.value / two.value < high


def test_elo_is_the_score_on_another_scale_and_unbounded_where_all_is_won() -> None:
    won = [
        replace(make_row(number), number=number, first=0, second=1, result=1)
        for number in range(1, 9)
    ]
    figure = Figure("elo", "alpha", ("beta",))
    every = measured(figure, won)
    low, high = every.interval() or (0, 0)
    assert high is None
    assert low is not None
    assert every.value is not None
    assert 0 < low < every.value < 3000
    rating = measured(Figure("elo", "alpha"))
    low, high = rating.interval() or (None, None)
    assert low is not None
    assert high is not None
    assert rating.value == pytest.approx((low + high) / 2)


def test_nothing_is_measured_of_no_games() -> None:
    for name in ("score", "wins", "length", "time", "missed_wins", "elo", "accuracy", "blunders"):
        nothing = measured(Figure(name, "alpha"), [])
        assert nothing.value is None
        assert nothing.interval() is None


# ---- intervals


@pytest.mark.parametrize("degrees", [1, 2, 3, 7, 30, 400, 9000])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999, 0.99999])
def test_students_quantiles_are_those_of_scipy(degrees: int, confidence: float) -> None:
    expected = stats.t.ppf((1 + confidence) / 2, degrees)
    assert student(degrees, confidence) == pytest.approx(expected, rel=1e-4)


def test_copies_of_a_game_are_no_evidence() -> None:
    row = make_row(3, first=0, second=1)
    copies = [replace(row, number=number, opening=b"") for number in range(1, 60)]
    figure = Figure("score", "alpha")
    assert measured(figure, copies).interval() == pytest.approx(wilson(float(row.result > 0), 1))


def test_many_copies_of_two_games_are_two() -> None:
    low, high = clustered_wilson(1.0, 0.0, 2, 40.0)
    assert (low, high) == pytest.approx(wilson(2, 2))


@pytest.mark.parametrize("together", [0.0, 0.6])
def test_the_interval_of_a_score_covers_it_also_where_openings_decide(together: float) -> None:
    """Games of one opening end alike with this share: 95 % of intervals still hold the truth."""
    chance = np.random.default_rng(3)
    inside, trials = 0, 400
    for _ in range(trials):
        ratio = Ratio()
        for _ in range(20):
            shared = chance.random() < 0.7
            alike = chance.random(2) < together
            own = chance.random(2) < 0.7
            ratio.see(2, float(np.where(alike, shared, own).sum()))
        low, high = ratio.share(40.0, 0.95)
        assert low is not None
        assert high is not None
        inside += low <= 0.7 <= high
    assert 0.92 <= inside / trials <= 0.985


def test_the_interval_of_a_mean_covers_it() -> None:
    chance = np.random.default_rng(5)
    inside, trials = 0, 400
    for _ in range(trials):
        ratio = Ratio()
        for _ in range(12):
            length = int(chance.integers(5, 20))
            ratio.see(length, float((3 + chance.normal() + chance.normal(size=length)).sum()))
        low, high = ratio.interval(0.95)
        assert low is not None
        assert high is not None
        inside += low <= 3 <= high
    assert 0.92 <= inside / trials <= 0.98


# ---- what no game can change


def test_what_is_certain_stays_so_whatever_comes() -> None:
    rows = [make_row(number) for number in range(1, 61)]
    pairs: dict[tuple[int, int], int] = {}
    for row in rows:
        pairs[row.first, row.second] = pairs.get((row.first, row.second), 0) + 1
    takes: list[tuple[str, Any]] = [
        ("score", ""), ("wins", "count"), ("wins", "share"), ("draws", "share"), ("games", ""),
        ("distinct", ""), ("missed_wins", "count"), ("nodes", "max"),
    ]  # fmt: skip
    figures = [Figure(name, "alpha", take=take) for name, take in takes]
    final = {figure: measured(figure, rows).value for figure in figures}
    counter = FigureCounter(figures, NAMES, CONNECT4)
    for row in rows:
        counter.add(row)
        for figure, known in counter.certain(pairs).items():
            low, high = known.interval() or (None, None)
            value = final[figure]
            assert value is not None
            assert low is None or low <= value + 1e-9, (figure, row.number)
            assert high is None or value <= high + 1e-9, (figure, row.number)
    low, high = counter.certain(pairs)[figures[0]].interval() or (None, None)
    assert (low, high) == pytest.approx((final[figures[0]], final[figures[0]]))


def test_the_order_of_games_does_not_matter() -> None:
    shuffled = ROWS[:]
    Random(1).shuffle(shuffled)
    for figure in (Figure("score", "alpha"), Figure("time", "beta", take="mean")):
        one, other = measured(figure), measured(figure, shuffled)
        assert one.value == pytest.approx(other.value)
        assert one.interval() == pytest.approx(other.interval())
