"""Accuracy in a report: when games are judged, its words and tables, and blunders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.errors import BadRules
from arena.game import STEAL
from arena.game.notation import play_moves, read_moves
from arena.game.rules import Rules
from arena.judge.judge import Judge
from arena.report.accuracy import (
    all_blunders,
    blunder_words,
    blunders_table,
    coverage,
    decided_by_pairing,
    decided_table,
    judged_words,
    marked_board,
    opening_lines,
)
from arena.report.sections import read_sections
from arena.standings.accuracy import Accuracy, accuracy
from tests.report.samples import judged_report, pie_report, read_csv, small
from tests.standings.test_accuracy import NAMES, RULES, accuracy_of, surveyed


def no_judge() -> Judge:
    raise AssertionError("nothing more is to be judged")


def test_what_is_judged_already_costs_nothing(tmp_path: Path) -> None:
    small(tmp_path)
    assert "## Accuracy" not in text_of(tmp_path, no_judge, 0.0)
    first = text_of(tmp_path)
    assert "## Accuracy" in first
    assert (tmp_path / "games.judged").exists()
    assert text_of(tmp_path, no_judge) == text_of(tmp_path, no_judge, 0.0) == first


def text_of(folder: Path, *judging: Any) -> str:
    return judged_report(folder, *judging).markdown.read_text(encoding="utf-8")


def test_a_board_that_cannot_be_judged_has_no_accuracy(tmp_path: Path) -> None:
    def refuse() -> Judge:
        raise BadRules("too large")

    written = judged_report(small(tmp_path), refuse)
    assert written.data.accuracy is None
    assert "## Accuracy" not in written.markdown.read_text(encoding="utf-8")


def test_a_player_who_should_have_stolen(tmp_path: Path) -> None:
    report = pie_report(tmp_path)
    rules, accuracy = report.data.rules, report.data.accuracy
    assert accuracy is not None
    games = {game.number: game.judged for game, _ in accuracy.games}
    verdict = games[2].verdict(1, rules)
    assert verdict is not None
    assert verdict.better_moves == (STEAL,)
    words = "the best move wins, column 1 loses. A steal would have kept the win."
    assert blunder_words(verdict, rules) == words
    assert "?" in marked_board(games[2].moves[:2], verdict, rules)
    stolen, later = games[1].verdict(1, rules), games[1].verdict(2, rules)
    assert stolen is not None
    assert stolen.kind == "best"
    assert later is not None
    assert (later.ply, later.discs, later.seat) == (2, 1, 0)
    assert later.outcome(later.before, rules) == "loses at disc 9"


@pytest.mark.parametrize(("section", "is_judged"), [("Accuracy", True), ("Standings", False)])
def test_moves_are_judged_where_a_section_shows_it(
    tmp_path: Path, section: str, is_judged: bool
) -> None:
    report = judged_report(small(tmp_path, 3), sections=read_sections(section))
    assert (report.data.accuracy is not None) == is_judged


def test_the_folder_of_the_journal_need_not_be_writable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: Any = Path.open

    def read_only(path: Path, mode: str = "r", *rest: Any, **options: Any) -> Any:
        if "a" in mode:
            raise PermissionError
        return opened(path, mode, *rest, **options)

    small(tmp_path)
    monkeypatch.setattr(Path, "open", read_only)
    written = judged_report(tmp_path)
    assert written.data.accuracy is not None
    assert len(written.data.accuracy.games) == 14
    assert not (tmp_path / "games.judged").exists()


def test_the_report_says_how_much_was_judged() -> None:
    whole = accuracy_of(surveyed())
    words = f"Judged all 24 games by exact scores, all {whole.moves} moves in them."
    assert judged_words(whole) == coverage(whole, "--accuracy") == words
    part = accuracy(surveyed()[:5], 1200, 20.0, NAMES, RULES)
    words = coverage(part, "--accuracy")
    assert words.startswith("Judged 5 of 1,200 games by exact scores, all ")
    assert "The time limit was 20 s per core" in words
    assert "--accuracy SECONDS" in words
    space = accuracy([], 3, 20.0, NAMES, Rules.named("score4"))
    assert "only the ends of games" in coverage(space, "--seconds")


def test_marks_stand_below_their_columns() -> None:
    blunder = accuracy_of(surveyed()).blunders(1)[0]
    lines = marked_board(blunder.moves, blunder.verdict, RULES).splitlines()
    numbers, marks = lines[-2], lines[-1]
    assert numbers == "1 2 3 4"
    assert marks.index("?") == numbers.index(str(blunder.verdict.column + 1))
    right = [numbers[at] for at, mark in enumerate(marks) if mark == "!"]
    assert right == [str(column + 1) for column in blunder.verdict.better_moves]


def test_games_are_decided_by_a_move_of_one_of_both() -> None:
    judged = accuracy_of(surveyed())
    for row in decided_table(judged).rows:
        first, second, _, _, how, disc, by = row[1:8]
        assert (how == "move") == (disc is not None)
        assert by is None or by == (first, second)[(int(str(disc)) - 1) % 2]
    pairs = [row[:2] for row in decided_by_pairing(judged, (2, 0, 1)).rows]
    assert pairs == [("gamma", "alpha"), ("gamma", "beta"), ("alpha", "beta")]
    own, other = (decided_by_pairing(judged, order).rows[0][4:6] for order in ((0, 1), (1, 0)))
    assert own == other[::-1], "mistakes change sides"


def test_every_blunder_of_an_engine_with_its_position() -> None:
    judged: Accuracy = accuracy_of(surveyed())
    table = blunders_table(judged, "beta")
    assert {row[0] for row in table.rows} == {"beta"}
    every = sum(
        count for player in judged.players for kind, count in player.kinds.items() if " to " in kind
    )
    assert len(blunders_table(judged).rows) == every > len(table.rows)
    for row in table.records():
        assert len(str(row["position"])) == int(str(row["disc"])) - 1
    lines = opening_lines(all_blunders(judged, "beta"), RULES)
    assert len(set(lines)) == len(lines) > 0
    assert all(play_moves(read_moves(line, RULES), RULES).legal for line in lines)


def test_the_verdict_of_each_move_is_in_the_table_of_moves(tmp_path: Path) -> None:
    written = judged_report(small(tmp_path))
    rows = read_csv(tmp_path / "moves.csv")
    assert written.data.accuracy is not None
    players = written.data.accuracy.players
    for kind in players[0].kinds:
        count = sum(player.kinds[kind] for player in players)
        assert sum(row["verdict"] == kind for row in rows) == count
    lost = [row["score_lost"] for row in rows if row["verdict"] == "win to loss"]
    assert all(score not in ("", "0") for score in lost)
