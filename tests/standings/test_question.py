"""Are some players better than others: the best of both sides, and how sure the answer is."""

from __future__ import annotations

import pytest

from arena.game.rules import CONNECT4
from arena.show.strength import verdict
from arena.standings.batch import batches
from arena.standings.evidence import elo, expected_score, of_outcomes
from arena.standings.games import Games
from arena.standings.measures import Figures
from arena.standings.question import Answer, answer
from arena.standings.rating import rate_games
from arena.standings.sprt import DecidedTest, after_stop
from arena.standings.verdicts import Ruling, rule
from arena.table.game import Game
from arena.tournament.claims import Bound, Question
from arena.tournament.sprt import Sprt
from tests.journal.examples import make_row
from tests.support.figures import expectation_of, figure_of

NAMES = ("ann", "bob", "cid", "dee")


def match(board: Games, one: int, other: int, won: int, drawn: int, lost: int) -> None:
    """Games in turns from both seats, no two of them of one opening."""
    for result, games in ((1, won), (0, drawn), (-1, lost)):
        for _ in range(games):
            first, second, mine = (one, other, result) if board.games % 2 else (other, one, -result)
            number = board.games
            board.append(first, second, mine, (number // 2).to_bytes(2), number // 2)


def asked(board: Games, better: tuple[str, ...], than: tuple[str, ...]) -> Answer:
    return answer(Question(ask="Is it?", better=better, than=than), board, rate_games(board))


@pytest.mark.parametrize(
    ("score", "verdict"),
    [((40, 10, 10), "yes"), ((10, 10, 40), "no"), ((26, 10, 24), "open"), ((4, 0, 0), "open")],
)
def test_two_players_by_their_games(score: tuple[int, int, int], verdict: str) -> None:
    board = Games(NAMES[:2])
    match(board, 0, 1, *score)
    told = asked(board, ("ann",), ("bob",))
    assert told.verdict == verdict
    assert tuple(told.best.games) == score
    assert told.confidence == 0.95
    mirrored = {"yes": "no", "no": "yes", "open": "open"}[verdict]
    assert asked(board, ("bob",), ("ann",)).verdict == mirrored


def test_the_best_of_each_side_come_first() -> None:
    board = Games(NAMES)
    for strong in (0, 1):
        for weak in (2, 3):
            match(board, strong, weak, 21, 0, 9)
    match(board, 1, 0, 16, 0, 14)
    match(board, 2, 3, 16, 0, 14)
    told = asked(board, ("ann", "bob"), ("dee", "cid"))
    assert (told.best.player, told.best.other) == (1, 2)
    assert [(each.player, each.other) for each in told.comparisons] == [
        (1, 2), (1, 3), (0, 2), (0, 3),
    ]  # fmt: skip
    assert told.confidence == 1 - 0.05 / 4


def test_a_pick_needs_more_than_a_pair_named_beforehand() -> None:
    board = Games(NAMES)
    for weak in (1, 2, 3):
        match(board, 0, weak, 38, 0, 16)
    assert asked(board, ("ann",), ("bob",)).verdict == "yes"
    assert asked(board, ("ann",), ("bob", "cid", "dee")).verdict == "open"


def test_players_who_have_not_met_are_compared_through_others() -> None:
    board = Games(NAMES)
    match(board, 0, 1, 45, 0, 15)
    match(board, 1, 2, 45, 0, 15)
    told = asked(board, ("ann",), ("cid",))
    assert told.best.games.games == 0
    assert told.best.difference is not None
    assert told.best.difference.scale == "rating"
    assert told.verdict == "yes"
    nobody = asked(board, ("dee",), ("cid",))
    assert nobody.best.difference is None
    assert nobody.verdict == "open"


PAIR_RESULTS = ((-1, 1), (-1, 0), (1, 1), (1, 0), (1, -1))  # of the first mover, by points


def paired(pairs: list[int]) -> list[Game]:
    """Games of two players: how often the first made 0, 1/2, ... 2 points of a new opening."""
    games: list[Game] = []
    openings = [outcome for outcome, count in enumerate(pairs) for _ in range(count)]
    for place, outcome in enumerate(openings):
        for first, result in enumerate(PAIR_RESULTS[outcome]):
            opening = bytes([place % 7, place // 7])
            games.append(make_row(
                len(games) + 1, first=first, second=1 - first, result=result, reason="line",
                opening=opening, moves=opening + bytes([first]), round=place, telemetry=b"",
            ))  # fmt: skip
    return games


@pytest.mark.parametrize(
    ("pairs", "is_sure"),
    [([1, 2, 5, 5, 5], False), ([5, 0, 35, 0, 10], False), ([0, 2, 5, 6, 9], True)],
)
def test_one_pair_has_one_answer_in_all_views(pairs: list[int], is_sure: bool) -> None:
    """Question, `compare`, expectation, rating and pentanomial counts of the same games."""
    rows, figures = paired(pairs), [figure_of("score", "a", ("b",)), figure_of("elo", "a", ("b",))]
    games, counted = Games("ab"), Figures(figures, "ab", CONNECT4)
    for batch in batches(rows, CONNECT4):
        games.extend(batch.games)
        counted.add(batch)
    ratings = rate_games(games)
    by_pairs, score = of_outcomes(pairs), games.score(0, 1)
    told = asked_of(games, Question(ask="?", better=("a",), than=("b",)))
    assert by_pairs is not None
    assert score is not None
    assert told.best.difference is not None
    ends = by_pairs.interval()
    measured = counted.measured(games, ratings)
    for interval in (score.interval(), measured[figures[0]].interval()):
        assert interval == pytest.approx(ends)
    for interval in (told.best.difference.interval(), measured[figures[1]].interval()):
        assert [*map(expected_score, interval or ())] == pytest.approx(ends)
    assert ratings.los[0, 1] == pytest.approx(told.best.difference.los)
    assert (told.verdict == "yes") == is_sure
    expected: Ruling = "holds" if is_sure else "not decided"
    for figure, least in zip(figures, (0.5, 0.0), strict=True):
        expectation = expectation_of(figure, Bound(at_least=least), confidence=0.95)
        assert rule(expectation, measured).verdict == expected
    assert ("a is stronger than b" in verdict(("a", "b"), told.best.difference)) == is_sure


def asked_of(games: Games, question: Question) -> Answer:
    return answer(question, games, rate_games(games))


def test_after_a_test_every_view_allows_for_the_stop() -> None:
    """Most tests of equals stop at 0; the plain estimate would call one of ten the weaker."""
    test, rows = Sprt(elo0=0, elo1=20), paired([40, 0, 60, 0, 14])
    measures = [figure_of(name, "a", ("b",)) for name in ("score", "elo")]
    counted = Figures(measures, "ab", CONNECT4)
    plain = Games("ab")
    for batch in batches(rows, CONNECT4):
        plain.extend(batch.games)
        counted.add(batch)
    stopped = after_stop(plain.evidence(0, 1), test)
    assert stopped is not None
    assert stopped.value > (plain.score(0, 1) or stopped).as_elo().value
    games = Games("ab", rows, ended_by=DecidedTest(0, 1, test))
    score = games.score(0, 1)
    told = asked_of(games, Question(ask="?", better=("a",), than=("b",)))
    assert score is not None
    assert told.best.difference is not None
    measured = counted.measured(games, rate_games(games))
    assert score.value == games.versus(0, 1).share
    for view in (told.best.difference, score.as_elo(), measured[measures[1]]):
        assert view.value == stopped.value
        assert view.interval() == stopped.interval()
    for shares in (score, measured[measures[0]]):
        assert [*map(elo, shares.interval() or ())] == pytest.approx(stopped.interval())
    assert score.los == stopped.los == rate_games(games).los[0, 1]
    expected = expectation_of(measures[0], Bound(at_least=score.interval().low), confidence=0.95)
    assert rule(expected, measured).verdict == "holds"


def test_a_stopped_test_has_one_answer_from_both_sides() -> None:
    test = DecidedTest(0, 1, Sprt(elo0=0, elo1=20))
    games = Games("ab", paired([60, 0, 40, 0, 10]), ended_by=test)
    one, other = (
        asked_of(games, Question(ask="?", better=(name,), than=(than,))).best.difference
        for name, than in ("ab", "ba")
    )
    assert one is not None
    assert other is not None
    assert other.value == pytest.approx(-one.value, abs=1e-6)
    assert other.los == pytest.approx(1 - one.los, abs=1e-6)
    assert other.interval() == pytest.approx([-end for end in one.interval()][::-1], abs=1e-6)
    assert verdict(("a", "b"), one) == verdict(("b", "a"), other)
    assert verdict(("a", "b"), one).startswith("b is stronger than a: +")


def test_a_test_that_ended_says_nothing_of_others() -> None:
    board = Games("abc")
    match(board, 0, 1, 12, 0, 4)
    match(board, 1, 2, 12, 0, 4)
    question = Question(ask="?", better=("b",), than=("c",))
    plain = asked_of(board, question)
    board.ended_by = DecidedTest(0, 1, Sprt(elo0=0, elo1=20))
    assert asked_of(board, question).best.difference == plain.best.difference
