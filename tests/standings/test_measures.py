"""Figures are what an obvious loop over the same games finds; intervals cover what they claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import mean, median
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.engine.contract import Limits
from arena.errors import IllegalMove
from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.standings.batch import batches
from arena.standings.games import WIN, Games
from arena.standings.measures import Figures, Measured
from arena.standings.rating import rate_games
from arena.standings.results import collect
from arena.standings.sketch import Sketch
from arena.table.game import GOOD_ENDS, Game, MoveRecord, pack_telemetry
from arena.tournament.figures import Figure
from tests.journal.examples import make_row
from tests.standings.test_results import NAMES, some_rows
from tests.support.figures import figure_of

ROWS = some_rows(7, 200)


def measured(figure: Figure, rows: list[Game] = ROWS, rules: Rules = CONNECT4) -> Measured:
    games, figures = Games(NAMES), Figures([figure], NAMES, rules)
    for batch in batches(rows, rules):
        games.extend(batch.games)
        figures.add(batch)
    return figures.measured(games, rate_games(games))[figure]


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
    assert measured(figure_of("score", **where)).value == pytest.approx(
        mean(points(*game) for game in games)
    )
    for name, wanted in (("wins", 1), ("draws", 0.5), ("losses", 0)):
        count = sum(points(*game) == wanted for game in games)
        assert measured(figure_of(name, take="count", **where)).value == pytest.approx(count)
        share = measured(figure_of(name, take="share", **where))
        assert share.value == pytest.approx(count / len(games))
        assert share.games == len(games)
    assert measured(figure_of("games", **where)).value == len(games)
    keys = {(row.first, row.second, row.opening, row.moves) for row, _ in games}
    different = len(keys) / len(games)
    assert measured(figure_of("distinct", **where)).value == different


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
        assert measured(figure_of(name, "beta", take="count", by=by)).value == pytest.approx(count)


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
        figure = figure_of(name, "gamma", take=take, move=move)
        assert measured(figure).value == pytest.approx(statistic(values), rel=0.01)


def test_lengths_are_plies_by_outcome() -> None:
    for when, wanted in (("won", 1), ("lost", 0)):
        plies = [
            len(row.moves)
            for row, seat in games_of("beta")
            if points(row, seat) == wanted and row.reason in GOOD_ENDS
        ]
        figure = figure_of("length", "beta", take="mean", when=when)
        assert measured(figure).value == pytest.approx(mean(plies))
    everything = measured(figure_of("length", take="mean"))
    whole = [len(row.moves) for row in ROWS if row.reason in GOOD_ENDS]
    assert everything.value == pytest.approx(mean(whole))
    assert everything.games == len(whole)


def test_plies_to_win_are_those_of_the_table_of_ends() -> None:
    """A game that the opponent forfeits was not won in so few plies."""
    forfeited = make_row(2, first=0, second=1, result=1, reason="crash", telemetry=b"",
                         moves=b"\0", opening=b"")  # fmt: skip
    whole = replace(make_row(1), first=0, second=1, result=1, reason="line")
    rows = [whole, forfeited]
    figure = figure_of("length", "alpha", take="mean", when="won")
    assert measured(figure, rows).value == len(whole.moves)
    results = collect(iter(rows), Games(NAMES), [Limits()] * 3, CONNECT4)
    assert results.endings[0].plies(WIN) == len(whole.moves)


def lost_on_time(detail: str) -> Game:
    told = pack_telemetry([MoveRecord(0, 0.02, 0.02), MoveRecord(1, 0.03, 0.03)])
    return make_row(1, first=0, second=1, opening=b"", moves=b"\0\1", telemetry=told, result=-1,
                    reason="time", detail=detail, seconds=0.4)  # fmt: skip


def test_a_move_that_lost_on_time_is_a_measured_move() -> None:
    """It lasted 0.35 s where 0.25 s were allowed; an answer that never came took at least that."""
    late = lost_on_time("took 0.350 s where 0.25 s were allowed")
    figure = figure_of("time", "alpha", take="max")
    found = measured(figure, [late])
    assert found.value == pytest.approx(0.35)
    assert found.missing == 0
    moves = collect(iter([late]), Games(NAMES), [Limits()] * 3, CONNECT4).moves[0]
    assert moves.seconds is not None
    assert moves.count == 2
    assert moves.seconds.most == pytest.approx(0.35)
    last = measured(figure_of("time", "alpha", take="mean", move="last"), [late])
    assert last.value == pytest.approx(0.35)
    none = measured(figure, [lost_on_time("gave no answer in 0.350 s")])
    assert none.value == pytest.approx(0.35)
    assert none.missing == 1
    unready = measured(figure, [lost_on_time("was not ready in 0.350 s")])
    assert unready.value == pytest.approx(0.02)
    assert unready.missing == 1


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
    assert measured(figure_of("missed_wins", "alpha", take="count"), rows, rules).value == missed
    share = measured(figure_of("missed_wins", "alpha", take="share"), rows, rules)
    assert share.value == pytest.approx(missed / chances)


def test_a_ratio_is_one_figure_over_another_and_its_interval_holds_both() -> None:
    below = figure_of("nodes", "beta", take="mean")
    figure = figure_of("nodes", "alpha", take="mean", over=below)
    one, two = measured(figure.model_copy(update={"over": None})), measured(below)
    ratio = measured(figure)
    assert one.value is not None
    assert two.value is not None
    assert ratio.value == pytest.approx(one.value / two.value)
    low, high = ratio.interval() or (0, 0)
    assert low < one.value / two.value < high


def test_nothing_is_measured_of_no_games() -> None:
    for name in ("score", "wins", "length", "time", "missed_wins", "elo", "accuracy", "blunders"):
        nothing = measured(figure_of(name, "alpha"), [])
        assert nothing.value is None
        assert nothing.interval() is None


def test_the_order_of_games_does_not_matter() -> None:
    shuffled = ROWS[:]
    Random(1).shuffle(shuffled)
    for figure in (figure_of("score", "alpha"), figure_of("time", "beta", take="mean")):
        one, other = measured(figure), measured(figure, shuffled)
        assert one.value == pytest.approx(other.value)
        assert one.interval() == pytest.approx(other.interval(), rel=0.1)


@pytest.mark.parametrize(
    ("measure", "numbers", "off"),
    [
        ("time", st.one_of(st.just(0.0), st.floats(1e-6, 1e5)), 0.01),
        ("depth", st.integers(0, 127), 1e-12),
        ("nodes", st.integers(0, 2**63 - 1), 0.01),
    ],
)
@given(data=st.data())
def test_percentiles_are_those_of_numpy(measure: str, numbers: Any, off: float, data: Any) -> None:
    values = np.array(data.draw(st.lists(numbers, min_size=1, max_size=50)), float)
    sketch = Sketch(2, measure)
    sketch.add(np.ones(len(values), int), values)
    spread = sketch.spread(1)
    assert sketch.spread(0) is None
    assert spread is not None
    assert spread.median == pytest.approx(np.percentile(values, 50), rel=off)
    assert spread.p95 == pytest.approx(np.percentile(values, 95), rel=off)
    assert (spread.most, spread.count) == (values.max(), len(values))
    assert spread.mean == pytest.approx(values.mean())
