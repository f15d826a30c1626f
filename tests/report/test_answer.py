"""The first paragraph of a report: who won, under which limits, what is certain, what is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from arena.journal import Contestant, Session
from arena.report.blocks import Caution
from arena.report.conditions import limits_differ, limits_in_words, used_limits
from arena.report.data import ReportData
from arena.report.summary import answer, chain, facts, limits_sentence, pairs_sentence
from arena.report.summary import cautions as cautions_of
from arena.standings.games import LOSS, WIN, Games
from arena.standings.rating import rate, rate_games
from arena.standings.results import Results
from arena.standings.timekeeping import Timekeeping
from arena.tournament.formats import Ranking
from tests.journal.examples import make_header
from tests.report.samples import made_results, scoreboard_of

Score = tuple[int, int, int]  # won, drawn, lost, seats shared evenly


def contestants(names: Sequence[str], limits: Sequence[str]) -> tuple[Contestant, ...]:
    return tuple(Contestant(name, "x", {}, one) for name, one in zip(names, limits, strict=True))


def played(names: Sequence[str], scores: dict[tuple[int, int], Score], **more: Any) -> Results:
    """Results of these matches; each is played from both seats."""
    outcomes = np.zeros((len(names), len(names), 3), dtype=np.int64)
    for (one, other), (won, drawn, lost) in scores.items():
        as_first = np.array([lost // 2, drawn // 2, won // 2])
        outcomes[one, other] = as_first
        outcomes[other, one] = (np.array([lost, drawn, won]) - as_first)[::-1]
    given = {"scoreboard": scoreboard_of(names, outcomes), **more}
    return replace(made_results(names, 2), **given)


def data_of(
    results: Results,
    why: str = "all games are played",
    ranking: Ranking | None = None,
    **header: Any,
) -> ReportData:
    players = contestants(results.names, ["depth=4"] * len(results.names))
    ratings = rate_games(results.scoreboard)
    if ranking is not None:
        ratings = replace(ratings, order=ranking.order, ranking=ranking)
    sessions = (Session("arena run x.yaml", 2, {}, 1.0, 9.0, why),)
    return ReportData(make_header(players=players, **header), sessions, results, ratings)


def paragraph(*given: Any, **more: Any) -> str:
    """The answer, which never has more than 60 words."""
    words = answer(data_of(*given, **more))
    assert len(words.split()) <= 60
    return words


def cautions(results: Results, limit: str = "") -> list[Caution]:
    header = make_header(players=contestants(results.names, [limit] * len(results.names)))
    ratings = rate(results.scoreboard.outcomes, names=results.names)
    return cautions_of(ReportData(header, (), results, ratings))


def test_a_clear_winner() -> None:
    scores = {(0, 1): (40, 4, 16), (0, 2): (56, 0, 4), (1, 2): (48, 2, 10)}
    results = played(("ann", "bob", "cid"), scores)
    text = paragraph(results)
    assert text.startswith("ann came first of 3 engines, with 98 of 120 points (81.7 %), ")
    assert text.endswith("ann is significantly stronger than every other engine.")
    assert pairs_sentence(data_of(results)) == (
        "3 of 3 pairs differ significantly (all pairs together at 95 %): ann > bob > cid."
    )
    assert facts(data_of(results)) == (
        "180 games of 7x6 connect 4, 3 engines, 1970-01-01. Every engine had 4 plies per move. "
        "Finished."
    )


def test_a_leader_who_may_not_be_the_best() -> None:
    scores = {(0, 1): (16, 0, 14), (0, 2): (30, 0, 2), (1, 2): (30, 0, 4)}
    results = played(("ann", "bob", "cid"), scores)
    text = paragraph(results)
    assert text.startswith("ann came first of 3 engines")
    assert text.endswith("No clear winner: ann and bob are within error.")
    assert str(pairs_sentence(data_of(results))).endswith("at 95 %): ann, bob > cid.")


def test_places_that_are_shared() -> None:
    scores = {(0, 1): (10, 0, 10), (0, 2): (16, 0, 4), (1, 2): (16, 0, 4)}
    text = paragraph(played(("ann", "bob", "cid"), scores))
    assert text.startswith("ann and bob share first place of 3 engines, with 26 of 40 points")


@pytest.mark.parametrize(
    ("score", "parts"),
    [
        ((30, 0, 10), ("ann beat bob by 30 to 10 points (30 won, 0 drawn, 10 lost).",
                       "ann is stronger than bob: +191 Elo (95 %: +")),
        ((22, 0, 18), ("ann beat bob by 22 to 18 points",
                       "Undecided: ann is 7", "likely to be stronger, +35 Elo",
                       "times the games would settle it.")),
        ((18, 0, 22), ("bob beat ann by 22 to 18 points",)),
        ((10, 20, 10), ("ann and bob ended level, 20 to 20 points",
                        "Undecided: ann is 50.0 % likely to be stronger")),
        ((0, 40, 0), ("ended level", "Undecided")),
        ((2, 0, 0), ("ann beat bob by 2 to 0", "Undecided")),
        ((40, 0, 0), ("ann beat bob by 40 to 0",)),
    ],
)  # fmt: skip
def test_two_engines(score: Score, parts: tuple[str, ...]) -> None:
    text = paragraph(played(("ann", "bob"), {(0, 1): score}))
    assert [part for part in parts if part not in text] == [], text


def test_the_verdict_of_a_test_stands_alone() -> None:
    """A difference that was waited for is less certain than the ratings say: only the test is."""
    why = "SPRT: H1 accepted, ann is at least about +20 Elo (LLR 2.95, bounds -2.94 2.94)"
    text = paragraph(played(("ann", "bob"), {(0, 1): (60, 10, 30)}), why=why)
    assert "The sequential test ended the run: H1 accepted, ann is at least about +20 Elo (" in text
    assert "is stronger than" not in text
    asked = {"stop": {"sprt": {"elo0": 0, "elo1": 20}}}
    text = paragraph(played(("ann", "bob"), {(0, 1): (11, 10, 10)}), canonical=asked)
    assert "The sequential test is not decided. Undecided: ann is" in text


def test_nothing_yet_and_not_yet_over() -> None:
    assert paragraph(played(("ann", "bob"), {})) == "No game has been played yet."
    scores = {(0, 1): (10, 0, 2), (0, 2): (9, 0, 2), (1, 2): (6, 0, 4)}
    text = paragraph(played(("ann", "bob", "cid"), scores), why="interrupted")
    assert text.startswith("ann is first of 3 engines so far, with ")
    assert "Unfinished" in facts(
        data_of(played(("ann", "bob"), {(0, 1): (3, 0, 1)}), "interrupted")
    )
    text = paragraph(played(("ann", "bob"), {(0, 1): (30, 0, 10)}), why="interrupted")
    assert text.startswith("ann leads against bob by 30 to 10")


def test_groups_that_never_met_have_no_common_winner() -> None:
    scores = {(0, 1): (30, 0, 10), (2, 3): (20, 0, 4)}
    text = paragraph(played(("ann", "bob", "cid", "dan"), scores))
    assert text.startswith("There is no overall winner: 2 groups of engines never met")
    assert "First in them: ann and cid." in text
    assert "significantly" not in text


def kind(name: str) -> dict[str, Any]:
    return {"canonical": {"format": {"kind": name}}}


def test_a_knockout_is_won_by_its_champion_and_not_by_points() -> None:
    scores = {(0, 2): (3, 0, 2), (1, 3): (9, 0, 0), (0, 1): (2, 0, 2)}  # level: the better seed
    names = ("ann", "bob", "cid", "dan")
    words = ("champion", "final", "semi-finals", "semi-finals")
    ranking = Ranking((0, 1, 2, 3), {"reached": words}, 0)
    text = paragraph(played(names, scores), ranking=ranking, **kind("knockout"))
    assert text.startswith("ann won the knockout of 4 engines, with 5 of 9 points")
    assert text.endswith("By rating: the top 4 are within error.")
    going_on = Ranking((1, 0, 2, 3), {"reached": ("final", "final", "last 4", "last 4")})
    text = paragraph(played(names, scores), why="interrupted", ranking=going_on, **kind("knockout"))
    assert text.startswith("bob is first of 4 engines so far")


def test_a_swiss_counts_byes_and_shares_places_only_where_all_is_equal() -> None:
    scores = {(0, 1): (2, 0, 0), (1, 2): (4, 0, 0)}
    results = played(("ann", "bob", "cid"), scores)
    own = {"with byes": (4.0, 4.0, 2.0), "Buchholz": (7.0, 6.0, 5.0)}
    text = paragraph(results, ranking=Ranking((0, 1, 2), own), **kind("swiss"))
    assert text.startswith("ann came first of 3 engines, with 2 of 2 points (100.0 %), 4 with byes")
    own = {"with byes": (4.0, 4.0, 2.0), "Buchholz": (7.0, 7.0, 5.0)}
    text = paragraph(results, ranking=Ranking((0, 1, 2), own), **kind("swiss"))
    assert text.startswith("ann and bob share first place of 3 engines")


def test_equal_points_share_a_place_in_a_round_robin_whatever_the_ratings_say() -> None:
    scores = {(0, 1): (6, 0, 4), (0, 2): (6, 0, 4), (1, 2): (8, 0, 2)}
    results = played(("ann", "bob", "cid"), scores)
    ann, bob, _ = results.scoreboard.scores
    assert ann.points == bob.points
    ranking = Ranking((0, 1, 2))
    text = paragraph(results, ranking=ranking, **kind("round-robin"))
    assert text.startswith("ann and bob share first place")


def test_an_engine_without_games_takes_no_place() -> None:
    text = paragraph(played(("ann", "bob", "cid"), {(0, 1): (30, 0, 10)}))
    assert text.startswith("ann beat bob by 30 to 10")


def test_forfeits_are_told_with_engine_number_and_kind() -> None:
    scores = {(0, 1): (10, 0, 0), (0, 2): (10, 0, 0), (1, 2): (6, 0, 4)}
    results = played(("ann", "bob", "cid"), scores)
    games = results.scoreboard
    games.reasons = ["line", "time", "crash"]
    losses = {1: [1] * 6 + [2], 2: [2] * 2}  # of bob and cid, by reason
    for player, reasons in losses.items():
        lost = ((games.first == player) & (games.result == LOSS)) | (
            (games.second == player) & (games.result == WIN)
        )
        games.rows["reason"][np.flatnonzero(lost)[: len(reasons)]] = reasons
    caution, *_ = cautions(results)
    assert caution.topic == "forfeited games"
    assert caution.text.startswith(
        "9 games of 30 were forfeited (bob: 6 on time and 1 by a crash, of 20 games; "
        "cid: 2 by a crash, of 20 games). "
    )


@pytest.mark.parametrize(
    ("limit", "part"),
    [
        ("depth=4", "the games are not affected"),
        ("seconds=0.1", "Engines with a time limit"),
        ("clock=10+0", "Engines with a time limit"),
        ("cpu=0.1", "Limits of processor time"),
    ],
)
def test_a_busy_machine_matters_where_time_does(limit: str, part: str) -> None:
    results = played(("ann", "bob"), {(0, 1): (40, 0, 10)}, time=Timekeeping(wall=2.0, cpu=1.0))
    (caution,) = cautions(results, limit)
    assert caution.topic == "busy machine"
    assert part in caution.text


def test_engines_that_leave_most_of_their_time_unused_are_named() -> None:
    results = played(("ann", "bob", "cid"), {(0, 1): (40, 0, 10), (0, 2): (30, 0, 10)})
    used = zip(results.moves, (0.9, 0.2, 0.04), strict=True)
    results = replace(results, moves=tuple(replace(moves, used=share) for moves, share in used))
    assert [caution.text for caution in cautions(results) if caution.topic == "unused time"] == [
        "Most of the allowed time was left unused: cid 4 % and bob 20 %."
    ]


def test_limits_of_all_engines_in_a_sentence() -> None:
    names = ("ann", "bob", "cid")
    same = contestants(names, ["depth=4"] * 3)
    assert limits_sentence(same) == "Every engine had 4 plies per move"
    mixed = contestants(names, ["depth=4", "depth=4", "seconds=2"])
    assert limits_sentence(mixed) == "Limits differ"
    assert limits_sentence(contestants(names, ["no limit"] * 3)) == "No engine was limited"
    assert limits_sentence(contestants(names, [""] * 3)) is None
    assert not limits_differ(same)
    assert limits_differ(mixed)


def test_an_engine_is_not_labelled_with_a_limit_that_it_ignores() -> None:
    random, minimax, mcts = (
        Contestant(name, name, {}, "nodes=9 playouts=5") for name in ("random", "minimax", "mcts")
    )
    assert [used_limits(each) for each in (random, minimax, mcts)] == [
        "", "nodes=9", "nodes=9 playouts=5"
    ]  # fmt: skip
    assert used_limits(replace(minimax, limits="playouts=5")) == "no limit"
    assert used_limits(replace(random, engine="gone.py")) == "nodes=9 playouts=5"
    assert limits_sentence((random, minimax)) == (
        "Every engine had 9 nodes per move, except random without a limit"
    )


@pytest.mark.parametrize("count", [12, 60])
def test_many_engines_are_told_in_groups(count: int) -> None:
    results = made_results([f"engine {number}" for number in range(count)], 20)
    assert paragraph(results).startswith("engine ")
    pairs = pairs_sentence(data_of(results))
    assert f" of {count * (count - 1) // 2:,} pairs differ significantly" in str(pairs)
    assert len(str(pairs)) < 1000


def test_a_chain_names_the_ends_of_large_tiers() -> None:
    names = [f"e{number}" for number in range(30)]
    assert chain([(0,), (1, 2), (3, 4, 5, 6)], names) == "e0 > e1, e2 > e3 to e6 (4)"
    assert chain([(number,) for number in range(30)], names).endswith("e6 > e7 > 22 more")


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ("depth=4", "4 plies"), ("depth=1", "1 ply"), ("nodes=20000", "20,000 nodes"),
        ("playouts=2000", "2,000 playouts"), ("seconds=0.1", "0.1 s"),
        ("cpu=0.1", "0.1 s of processor time"), ("clock=60+0", "a clock of 60 s"),
        ("clock=60+0.5", "a clock of 60 s and 0.5 s a move"),
        ("depth=6 seconds=0.5", "6 plies and 0.5 s"),
        ("no limit", "no limit"), ("", ""), ("wishes=three", "wishes=three"),
    ],
)  # fmt: skip
def test_limits_in_words(limits: str, words: str) -> None:
    assert limits_in_words(limits) == words


def test_games_of_an_engine_against_itself_tell_nothing() -> None:
    games = Games(("ann", "bob"))
    games.append(0, 0, 1)
    results = replace(made_results(("ann", "bob"), 2), scoreboard=games)
    assert "stronger" not in paragraph(results)
    assert pairs_sentence(data_of(results)) is None
