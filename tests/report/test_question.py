"""The question of a tournament in its report: the sentence, what it rests on, and the figures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.journal import Journal, Session
from arena.report.data import ReportData
from arena.report.sections import SECTIONS, compose
from arena.report.summary import question
from arena.report.verdicts import verdict_data
from arena.report.write import key_figures, write_report
from arena.show.table import Table
from arena.standings.accuracy import accuracy
from arena.standings.rating import rate_games
from arena.standings.sprt import DecidedTest
from arena.tournament.sprt import Sprt
from tests.journal.examples import fill, make_header
from tests.report.test_answer import Score, contestants, played
from tests.standings.test_accuracy import RULES, surveyed

NAMES = ("ann", "bob", "cid")
ASK = {"ask": "Is it better?", "better": ["ann"], "than": ["bob", "cid"]}
SCORES = {(0, 1): (60, 10, 30), (0, 2): (70, 10, 20), (1, 2): (60, 0, 40)}


def content(
    scores: dict[tuple[int, int], Score],
    limits: tuple[str, ...] = ("cpu=0.05",) * 3,
    **question: Any,
) -> ReportData:
    results = played(NAMES, scores)
    header = make_header(players=contestants(NAMES, limits), question={**ASK, **question})
    sessions = (Session("arena run x.yaml", 2, {}, 1.0, 9.0, "all games are played"),)
    return ReportData(header, sessions, results, rate_games(results.scoreboard))


def asked(*given: Any, **more: Any) -> str:
    (paragraph,) = question(content(*given, **more))
    return paragraph


def test_yes_with_its_numbers_in_a_sentence_that_stands_first() -> None:
    told = content(SCORES)
    assert question(told) == (
        "Is it better? Yes: ann scores 65.0 % (54\N{EN DASH}75 %) in 100 games against bob "
        "(the best of 2) at equal time (0.05 s of processor time a move): +108 Elo "
        "(95 %: +28 to +189), 99.6 % likely to be stronger.",
    )
    head, sections = compose(told, SECTIONS)
    assert [getattr(block, "text", "") for block in head[1:-1]] == list(question(told))
    words, table = sections["How the question is answered"]
    assert "as there are 2 pairs to choose from." in str(words)
    assert isinstance(table, Table)
    assert [row[:4] for row in table.rows] == [("ann", "bob", 100, 65.0), ("ann", "cid", 100, 75.0)]


def test_no_and_not_decided() -> None:
    no = asked(SCORES, better=["cid"], than=["ann", "bob"])
    assert no.startswith("Is it better? No: cid scores 25.0 % (17\N{EN DASH}35 %) in 100 games ")
    assert "< 0.1 % likely to be stronger" in no
    near = {**SCORES, (0, 1): (44, 20, 36)}
    open_ = asked(near)
    assert open_.startswith("Is it better? Not decided by these games: ann scores 54.0 %")
    assert open_.endswith("times the games would settle it.")


def test_limits_that_differ_and_players_who_never_met() -> None:
    unlike = asked(SCORES, limits=("depth=4", "nodes=2000", "depth=4"))
    assert "against bob (the best of 2) (4 plies against 2,000 nodes):" in unlike
    assert " at equal limits (4 plies a move):" in asked(SCORES, limits=("depth=4",) * 3)
    for unlimited in ("", "no limit"):
        told = asked(SCORES, limits=(unlimited,) * 3)
        assert "in 100 games against bob (the best of 2): " in told
    apart = {(0, 1): (60, 10, 30), (1, 2): (60, 0, 40)}
    assert "ann has not met cid, but they have common opponents: +" in asked(apart, than=["cid"])
    alone = asked({(0, 1): (60, 10, 30)}, than=["cid"])
    assert alone == (
        "Is it better? Not answered yet: ann and cid have not met and have no common opponents."
    )


def test_a_test_that_ended_the_run_makes_it_less_certain() -> None:
    plain, told = content(SCORES), content(SCORES)
    told.results.scoreboard.ended_by = DecidedTest(0, 1, Sprt(elo0=0, elo1=20))
    *blocks, _ = compose(told, SECTIONS)[1]["How the question is answered"]
    assert "overstates" in str(blocks[-1])
    before, after = (each.answer for each in (plain, told))
    assert before is not None
    assert after is not None
    assert before.best.difference is not None
    assert after.best.difference is not None
    assert after.best.difference.value < before.best.difference.value
    assert "(95 %: +28 to +189)" in question(plain)[0]
    assert "(95 %: +28 to +189)" not in question(told)[0]


def test_exact_scores_are_in_the_answer_and_the_figures() -> None:
    told = content(SCORES)
    judged = replace(told, accuracy=accuracy(surveyed(), 24, 20.0, NAMES, RULES))
    (sentence,) = question(judged)
    figures: Any = json.loads(json.dumps(key_figures(judged)))["question"]
    assert figures["verdict"] == "yes"
    assert (figures["better"], figures["than"], figures["score"]) == ("ann", "bob", 0.65)
    assert figures["answer"] in sentence
    assert figures["critical_value_kept"].keys() == {"better", "than"}
    silent = replace(told.header, question=None)
    assert "question" not in key_figures(replace(told, header=silent))


def test_every_form_of_the_report_has_it(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 12)
    question = {"ask": "Is <b>it</b> better?", "better": ["alpha"], "than": ["beta"]}
    Journal.open(tmp_path, make_header(question=question)).close()
    with Journal.read(tmp_path) as journal:
        report = write_report(
            journal, tmp_path, html=True, latex=True, formats=(), sections=SECTIONS
        )
    paragraph = "Is &lt;b&gt;it&lt;/b&gt; better? Not decided by these games: alpha scores"
    assert report.html is not None
    assert f"<p>{paragraph}" in report.html.read_text(encoding="utf-8")
    assert report.markdown.read_text(encoding="utf-8").splitlines()[4].startswith("Is &lt;b")
    assert verdict_data(report.data)["question"]["games"] > 0
