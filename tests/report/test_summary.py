"""The first screen of a report: facts, the question, who won, what is certain, and cautions."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from arena.journal import Contestant
from arena.report.cautions import cautions
from arena.report.conditions import limits_differ, limits_in_words, used_limits
from arena.report.data import ReportData
from arena.report.programs import key_figures
from arena.report.sections import SECTIONS, compose
from arena.report.summary import answer, chain, facts, limits_sentence, pairs_sentence, question
from arena.show.table import Table
from arena.standings.accuracy import accuracy
from arena.standings.games import LOSS, WIN, Games
from arena.standings.sprt import DecidedTest
from arena.standings.timekeeping import Timekeeping
from arena.tournament.formats import Ranking
from arena.tournament.sprt import Sprt
from tests.report.samples import Score, contestants, data_of, made_results, played
from tests.standings.test_accuracy import RULES, surveyed

NAMES = ("ann", "bob", "cid")
MATCHES: dict[tuple[int, int], Score] = {(0, 1): (60, 10, 30), (0, 2): (70, 10, 20),
                                         (1, 2): (60, 0, 40)}  # fmt: skip


def paragraph(*given: Any, **more: Any) -> str:
    """The answer, which never has more than 60 words."""
    words = answer(data_of(*given, **more))
    assert len(words.split()) <= 60
    return words


# ---- the answer


def test_a_clear_winner() -> None:
    results = played(NAMES, {(0, 1): (40, 4, 16), (0, 2): (56, 0, 4), (1, 2): (48, 2, 10)})
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
    results = played(NAMES, {(0, 1): (16, 0, 14), (0, 2): (30, 0, 2), (1, 2): (30, 0, 4)})
    text = paragraph(results)
    assert text.startswith("ann came first of 3 engines")
    assert text.endswith("No clear winner: ann and bob are within error.")
    assert str(pairs_sentence(data_of(results))).endswith("at 95 %): ann, bob > cid.")


@pytest.mark.parametrize(
    ("score", "parts"),
    [
        ((30, 0, 10), ("ann beat bob by 30 to 10 points (30 won, 0 drawn, 10 lost).",
                       "ann is stronger than bob: +191 Elo (95 %: +")),
        ((22, 0, 18), ("ann beat bob by 22 to 18 points", "Undecided: ann is 7",
                       "likely to be stronger, +35 Elo", "times the games would settle it.")),
        ((0, 40, 0), ("ended level", "Undecided")),
        ((2, 0, 0), ("ann beat bob by 2 to 0", "Undecided")),
        ((40, 0, 0), ("ann beat bob by 40 to 0",)),
    ],
)  # fmt: skip
def test_two_engines(score: Score, parts: tuple[str, ...]) -> None:
    text = paragraph(played(("ann", "bob"), {(0, 1): score}))
    assert [part for part in parts if part not in text] == [], text


def test_the_verdict_of_a_sequential_test_stands_alone() -> None:
    """The difference that ended a test is overstated, so no other verdict stands beside it."""
    why = "SPRT: H1 accepted, ann is at least about +20 Elo (LLR 2.95, bounds -2.94 2.94)"
    text = paragraph(played(("ann", "bob"), {(0, 1): (60, 10, 30)}), why=why)
    assert "The sequential test ended the run: H1 accepted, ann is at least about +20 Elo (" in text
    assert "is stronger than" not in text
    asked = {"stop": {"sprt": {"elo0": 0, "elo1": 20}}}
    text = paragraph(played(("ann", "bob"), {(0, 1): (11, 10, 10)}), canonical=asked)
    assert "The sequential test is not decided. Undecided: ann is" in text


def test_a_run_that_is_not_over() -> None:
    assert paragraph(played(("ann", "bob"), {})) == "No game has been played yet."
    data = data_of(
        played(NAMES, {(0, 1): (10, 0, 2), (0, 2): (9, 0, 2), (1, 2): (6, 0, 4)}), "interrupted"
    )
    assert answer(data).startswith("ann is first of 3 engines so far, with ")
    assert "Unfinished" in facts(data)
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
    unfinished = Ranking((1, 0, 2, 3), {"reached": ("final", "final", "last 4", "last 4")})
    text = paragraph(played(names, scores), "interrupted", unfinished, **kind("knockout"))
    assert text.startswith("bob is first of 4 engines so far")


def test_places_are_shared_only_where_all_that_ranks_is_equal() -> None:
    level = {(0, 1): (10, 0, 10), (0, 2): (16, 0, 4), (1, 2): (16, 0, 4)}
    text = paragraph(played(NAMES, level))
    assert text.startswith("ann and bob share first place of 3 engines, with 26 of 40 points")
    unlike = played(NAMES, {(0, 1): (6, 0, 4), (0, 2): (6, 0, 4), (1, 2): (8, 0, 2)})
    text = paragraph(unlike, ranking=Ranking((0, 1, 2)), **kind("round-robin"))
    assert text.startswith("ann and bob share first place")
    swiss = played(NAMES, {(0, 1): (2, 0, 0), (1, 2): (4, 0, 0)})
    own = {"with byes": (4.0, 4.0, 2.0), "Buchholz": (7.0, 6.0, 5.0)}
    text = paragraph(swiss, ranking=Ranking((0, 1, 2), own), **kind("swiss"))
    assert text.startswith("ann came first of 3 engines, with 2 of 2 points (100.0 %), 4 with byes")
    own |= {"Buchholz": (7.0, 7.0, 5.0)}
    text = paragraph(swiss, ranking=Ranking((0, 1, 2), own), **kind("swiss"))
    assert text.startswith("ann and bob share first place of 3 engines")


def test_an_engine_without_games_takes_no_place() -> None:
    assert paragraph(played(NAMES, {(0, 1): (30, 0, 10)})).startswith("ann beat bob by 30 to 10")


def test_games_of_an_engine_against_itself_tell_nothing() -> None:
    games = Games(("ann", "bob"))
    games.append(0, 0, 1)
    results = replace(made_results(("ann", "bob"), 2), scoreboard=games)
    assert paragraph(results) == "Only ann has played, against itself."
    assert pairs_sentence(data_of(results)) is None


@pytest.mark.parametrize("count", [12, 60])
def test_many_engines_are_named_in_groups(count: int) -> None:
    results = made_results([f"engine {number}" for number in range(count)], 20)
    assert paragraph(results).startswith("engine ")
    pairs = str(pairs_sentence(data_of(results)))
    assert f" of {count * (count - 1) // 2:,} pairs differ significantly" in pairs
    assert len(pairs) < 1000
    names = [f"e{number}" for number in range(30)]
    assert chain([(0,), (1, 2), (3, 4, 5, 6)], names) == "e0 > e1, e2 > e3 to e6 (4)"
    assert chain([(number,) for number in range(30)], names).endswith("e6 > e7 > 22 more")


# ---- the question


def asked(scores: dict[tuple[int, int], Score], limit: str = "cpu=0.05", **more: Any) -> ReportData:
    ask = {"ask": "Is it better?", "better": ["ann"], "than": ["bob", "cid"]}
    header = {key: more.pop(key) for key in ("players",) if key in more}
    return data_of(played(NAMES, scores), limit=limit, question={**ask, **more}, **header)


def test_yes_with_its_numbers_in_a_sentence_that_stands_first() -> None:
    data = asked(MATCHES)
    assert question(data) == (
        "Is it better? Yes: ann scores 65.0 % (54\N{EN DASH}75 %) in 100 games against bob "
        "(the best of 2) at equal time (0.05 s of processor time a move): +108 Elo "
        "(95 %: +28 to +189), 99.6 % likely to be stronger.",
    )
    head, sections = compose(data, SECTIONS)
    assert [getattr(block, "text", "") for block in head[1:-1]] == list(question(data))
    words, table = sections["How the question is answered"]
    assert "as there are 2 pairs to choose from." in str(words)
    assert isinstance(table, Table)
    assert [row[:4] for row in table.rows] == [("ann", "bob", 100, 65.0), ("ann", "cid", 100, 75.0)]


def test_no_and_not_decided() -> None:
    (no,) = question(asked(MATCHES, better=["cid"], than=["ann", "bob"]))
    assert no.startswith("Is it better? No: cid scores 25.0 % (17\N{EN DASH}35 %) in 100 games ")
    assert "< 0.1 % likely to be stronger" in no
    (undecided,) = question(asked({**MATCHES, (0, 1): (44, 20, 36)}))
    assert undecided.startswith("Is it better? Not decided by these games: ann scores 54.0 %")
    assert undecided.endswith("times the games would settle it.")


def test_limits_that_differ_and_players_who_never_met() -> None:
    limits = contestants(NAMES, ("depth=4", "nodes=2000", "depth=4"))
    (unlike,) = question(asked(MATCHES, players=limits))
    assert "against bob (the best of 2) (4 plies against 2,000 nodes):" in unlike
    assert " at equal limits (4 plies a move):" in question(asked(MATCHES, "depth=4"))[0]
    for unlimited in ("", "no limit"):
        assert "against bob (the best of 2): " in question(asked(MATCHES, unlimited))[0]
    apart = asked({(0, 1): (60, 10, 30), (1, 2): (60, 0, 40)}, than=["cid"])
    assert "ann has not met cid, but they have common opponents: +" in question(apart)[0]
    assert question(asked({(0, 1): (60, 10, 30)}, than=["cid"])) == (
        "Is it better? Not answered yet: ann and cid have not met and have no common opponents.",
    )


def test_a_test_that_ended_the_run_makes_it_less_certain() -> None:
    plain, tested = asked(MATCHES), asked(MATCHES)
    tested.results.scoreboard.ended_by = DecidedTest(0, 1, Sprt(elo0=0, elo1=20))
    *blocks, _ = compose(tested, SECTIONS)[1]["How the question is answered"]
    assert "overstates" in str(blocks[-1])
    figures: list[Any] = [key_figures(each)["question"] for each in (plain, tested)]
    before, after = (each["difference"]["elo"] for each in figures)
    assert after < before
    assert "(95 %: +28 to +189)" in question(plain)[0]
    assert "(95 %: +28 to +189)" not in question(tested)[0]


def test_exact_scores_are_in_the_figures_of_the_answer() -> None:
    data = asked(MATCHES)
    judged = replace(data, accuracy=accuracy(surveyed(), 24, 20.0, NAMES, RULES))
    figures: Any = json.loads(json.dumps(key_figures(judged)))["question"]
    assert figures["verdict"] == "yes"
    assert (figures["better"], figures["than"], figures["score"]) == ("ann", "bob", 0.65)
    assert figures["answer"] in question(judged)[0]
    assert figures["critical_value_kept"].keys() == {"better", "than"}
    assert "question" not in key_figures(data_of(played(NAMES, MATCHES)))


# ---- limits


def test_limits_of_all_engines_in_a_sentence() -> None:
    same, mixed = (contestants(NAMES, ["depth=4", "depth=4", one]) for one in ("depth=4", "cpu=2"))
    assert limits_sentence(same) == "Every engine had 4 plies per move"
    assert limits_sentence(mixed) == "Limits differ"
    assert limits_sentence(contestants(NAMES, ["no limit"] * 3)) == "No engine was limited"
    assert limits_sentence(contestants(NAMES, [""] * 3)) is None
    assert (limits_differ(same), limits_differ(mixed)) == (False, True)


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


# ---- cautions


def test_forfeits_are_named_with_engine_number_and_kind() -> None:
    results = played(NAMES, {(0, 1): (10, 0, 0), (0, 2): (10, 0, 0), (1, 2): (6, 0, 4)})
    games = results.scoreboard
    games.reasons = ["line", "time", "crash"]
    losses = {1: [1] * 6 + [2], 2: [2] * 2}  # of bob and cid, by reason
    for player, reasons in losses.items():
        lost = ((games.first == player) & (games.result == LOSS)) | (
            (games.second == player) & (games.result == WIN)
        )
        games.rows["reason"][np.flatnonzero(lost)[: len(reasons)]] = reasons
    caution, *_ = cautions(data_of(results))
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
    (caution,) = cautions(data_of(results, limit=limit))
    assert caution.topic == "busy machine"
    assert part in caution.text


def test_engines_that_leave_most_of_their_time_unused_are_named() -> None:
    results = played(NAMES, {(0, 1): (40, 0, 10), (0, 2): (30, 0, 10)})
    used = zip(results.moves, (0.9, 0.2, 0.04), strict=True)
    results = replace(results, moves=tuple(replace(moves, used=share) for moves, share in used))
    told = [each.text for each in cautions(data_of(results)) if each.topic == "unused time"]
    assert told == ["Most of the allowed time was left unused: cid 4 % and bob 20 %."]


def test_copies_are_no_evidence() -> None:
    games = Games(["a", "b"])
    for number in range(10):
        games.append(0, 1, 1, b"\3", number, b"\3" if number < 9 else b"\4")
    results = replace(made_results(("a", "b"), 2), scoreboard=games)
    told = {caution.topic: caution.text for caution in cautions(data_of(results))}
    assert told["repeated games"].startswith("Only 20.0 % of the games are different: copies add")
