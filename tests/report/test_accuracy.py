"""The accuracy part of a report: its words and tables, its files, its pictures."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BadRules
from arena.game.notation import play_moves, read_moves
from arena.game.rules import Rules
from arena.journal import Journal
from arena.judge.judge import Judge
from arena.report.accuracy import (
    accuracy_figures,
    all_blunders,
    blunders_table,
    coverage,
    decided_by_pairing,
    decided_table,
    group_table,
    judged_words,
    marked_board,
    opening_lines,
    phases_in_words,
)
from arena.report.canvas import can_plot
from arena.report.sections import SECTIONS
from arena.report.write import Report, write_report
from arena.standings.accuracy import Accuracy, accuracy
from tests.journal.examples import ended, fill, make_header, make_row
from tests.judge.minimax import Minimax, random_game
from tests.standings.test_accuracy import NAMES, RULES, accuracy_of, surveyed

JUDGE = Minimax()


def small(folder: Path, games: int = 14) -> Path:
    """A journal of random games on 4x4, with openings so long that minimax ends soon."""
    rules = Rules.named("4x4")
    with Journal.open(folder, make_header("4x4")) as journal:
        for number in range(games):
            moves = random_game(rules, number)
            end = ended(play_moves(moves, rules))
            record = {"moves": moves, "opening": moves[:7], "telemetry": b"", **end}
            journal.write(make_row(number, "4x4", **record))
    return folder


def report(folder: Path, judge: Callable[[], Judge], seconds: float = 60.0, **more: Any) -> Report:
    with Journal.read(folder) as journal, pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.report.data.ready_judge", lambda rules, quiet: judge())
        options: dict[str, Any] = {"formats": (), "judging": seconds, "sections": SECTIONS}
        return write_report(journal, folder, **{**options, **more})


def section(text: str, title: str) -> str:
    (part,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return str(part)


def test_files_and_key_figures(tmp_path: Path) -> None:
    written = report(small(tmp_path), lambda: JUDGE, html=True)
    assert {"accuracy.csv", "decided.csv", "blunders.csv"} <= {
        table.name for table in written.tables
    }
    with (tmp_path / "accuracy.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * 7
    for row in rows:
        if int(row["moves"]):
            assert float(row["keeps_value_low"]) <= float(row["keeps_value"])
            assert float(row["keeps_score"]) <= float(row["keeps_score_high"])
    with (tmp_path / "decided.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 14
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'id="section-worst-blunders"' in page
    links = re.findall(r"\]\(([^)]+)\)", written.markdown.read_text(encoding="utf-8"))
    assert {"accuracy.csv", "decided.csv"} <= set(links)


@pytest.mark.skipif(not can_plot(), reason="matplotlib is not installed")
def test_pictures_come_and_go(tmp_path: Path) -> None:
    written = report(small(tmp_path), lambda: JUDGE, formats=("svg",))
    names = {plot.name for plot in written.plots}
    assert "accuracy.svg" in names
    assert "plots/accuracy.svg" in written.markdown.read_text(encoding="utf-8")
    (tmp_path / "games.judged").unlink()
    off = report(tmp_path, lambda: JUDGE, 0.0, formats=("svg",))
    assert "accuracy.svg" not in {plot.name for plot in off.plots}
    assert not (tmp_path / "plots" / "accuracy.svg").exists()
    assert not (tmp_path / "accuracy.csv").exists()


def test_a_second_report_asks_nobody(tmp_path: Path) -> None:
    first = report(small(tmp_path), lambda: JUDGE)
    before = first.markdown.read_text(encoding="utf-8")

    def nobody() -> Judge:
        raise AssertionError("all of it was judged before")

    again = report(tmp_path, nobody)
    assert again.markdown.read_text(encoding="utf-8") == before
    assert (tmp_path / "games.judged").exists()


def test_without_more_time_what_is_judged_already_is_shown(tmp_path: Path) -> None:
    def nobody() -> Judge:
        raise AssertionError("nothing more is to be judged")

    small(tmp_path)
    assert "## Accuracy" not in report(tmp_path, nobody, 0.0).markdown.read_text(encoding="utf-8")
    whole = report(tmp_path, lambda: JUDGE).markdown.read_text(encoding="utf-8")
    assert report(tmp_path, nobody, 0.0).markdown.read_text(encoding="utf-8") == whole


def test_a_board_that_nobody_can_judge_is_passed_over(tmp_path: Path) -> None:
    def refuse() -> Judge:
        raise BadRules("too large")

    written = report(small(tmp_path), refuse)
    assert written.data.accuracy is None
    assert "## Accuracy" not in written.markdown.read_text(encoding="utf-8")


def test_off_means_that_nothing_is_asked_or_kept(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 3)
    with Journal.read(tmp_path) as journal:
        written = write_report(journal, tmp_path / "out", formats=())
    assert written.data.accuracy is None
    assert not (tmp_path / "games.judged").exists()


def test_where_the_journal_lies_nothing_need_be_writable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: Any = Path.open

    def read_only(path: Path, mode: str = "r", *rest: Any, **options: Any) -> Any:
        if "a" in mode:
            raise PermissionError
        return opened(path, mode, *rest, **options)

    small(tmp_path)
    monkeypatch.setattr(Path, "open", read_only)
    written = report(tmp_path, lambda: JUDGE)
    assert written.data.accuracy is not None
    assert len(written.data.accuracy.games) == 14
    assert not (tmp_path / "games.judged").exists()


def example() -> Accuracy:
    return accuracy_of(surveyed())


def test_how_much_was_judged_is_said() -> None:
    whole = example()
    assert (
        judged_words(whole)
        == f"Judged all 24 games by exact scores, all {whole.moves} moves in them."
    )
    assert coverage(whole, "--accuracy") == judged_words(whole)
    part = accuracy(surveyed()[:5], 1200, 20.0, NAMES, RULES)
    words = coverage(part, "--accuracy")
    assert words.startswith("Judged 5 of 1,200 games by exact scores, all ")
    assert "The time limit was 20 s per core" in words
    assert "--accuracy SECONDS" in words
    space = accuracy([], 3, 20.0, NAMES, Rules.named("score4"))
    assert "only the ends of games" in coverage(space, "--seconds")


def test_phases_in_words() -> None:
    assert "discs 1 to 14 are the opening, 15 to 28 the middle" in phases_in_words(
        Rules.named("connect4")
    )
    assert "discs 1 to 6 are the opening, 7 to 11 the middle" in phases_in_words(RULES)


def test_figures_for_programs() -> None:
    judged = example()
    figures = accuracy_figures(judged)
    assert figures["judged_games"] == figures["games"] == 24
    assert len(figures["engines"]) == 3 * 7
    first = figures["engines"][0]
    assert (first["engine"], first["positions"]) == ("alpha", "all")
    assert first["moves"] == judged.players[0].groups["all"].moves
    assert [len(row) for row in group_table("All", judged, (2, 0)).values()] == [13] * 14
    for row in decided_table(judged).rows:
        first_name, second_name, _, _, how, disc, by = row[1:8]
        assert (how == "move") == (disc is not None)
        assert by is None or by == (first_name, second_name)[(int(str(disc)) - 1) % 2]


def test_marks_stand_below_their_columns() -> None:
    blunder = example().blunders(1)[0]
    lines = marked_board(blunder.moves, blunder.verdict, RULES).splitlines()
    numbers, marks = lines[-2], lines[-1]
    assert numbers == "1 2 3 4"
    assert marks.index("?") == numbers.index(str(blunder.verdict.column + 1))
    right = [numbers[at] for at, mark in enumerate(marks) if mark == "!"]
    assert right == [str(column + 1) for column in blunder.verdict.better_moves]


def test_pairings_stand_in_the_order_of_the_standings() -> None:
    judged = example()
    pairs = [row[:2] for row in decided_by_pairing(judged, (2, 0, 1)).rows]
    assert pairs == [("gamma", "alpha"), ("gamma", "beta"), ("alpha", "beta")]
    (own, other) = (decided_by_pairing(judged, order).rows[0][4:6] for order in ((0, 1), (1, 0)))
    assert own == other[::-1], "mistakes change sides"


def test_every_blunder_of_an_engine_with_its_position() -> None:
    judged = example()
    table = blunders_table(judged, "beta")
    assert {row[0] for row in table.rows} == {"beta"}
    every = sum(
        sum(player.kinds[kind] for kind in ("win to draw", "draw to loss", "win to loss"))
        for player in judged.players
    )
    assert len(blunders_table(judged).rows) == every > len(table.rows)
    for row in table.records():
        assert len(str(row["position"])) == int(str(row["disc"])) - 1
    lines = opening_lines(all_blunders(judged, "beta"), RULES)
    assert len(set(lines)) == len(lines) > 0
    assert all(play_moves(read_moves(line, RULES), RULES).legal for line in lines)


def test_the_verdict_of_each_move_is_in_the_table_of_moves(tmp_path: Path) -> None:
    written = report(small(tmp_path), lambda: JUDGE)
    with (tmp_path / "moves.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    accuracy = written.data.accuracy
    assert accuracy is not None
    counts = {kind: 0 for player in accuracy.players for kind in player.kinds}
    for player in accuracy.players:
        for kind, count in player.kinds.items():
            counts[kind] += count
    for kind, count in counts.items():
        assert sum(row["verdict"] == kind for row in rows) == count
    assert all(
        row["score_lost"] not in ("", "0") for row in rows if row["verdict"] == "win to loss"
    )
