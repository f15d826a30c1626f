"""The reports of one recorded journal: tournaments/quickstart.yaml with a question and aims.

The journal in tests/golden/report never changes, and games.judged has the exact scores of its
games. `reports/example`, which README links, is the short report of it with its plots and tables;
tests/golden/report has all sections.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.golden import FOLDER, TOP, Golden
from tests.support.outputs import as_json, page_outline, plot_text, rounded_text

pytestmark = pytest.mark.contract

EXAMPLE = TOP / "reports" / "example"
JOURNAL = "reports/quickstart"  # as the commands in the report name it
JUDGED = ("--accuracy", "300")  # seconds; none are needed, as games.judged has all scores
ALL = ("--sections", "all")


def test_the_reports_of_a_journal(
    tmp_path: Path, cli: Callable[..., Any], golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(JOURNAL).mkdir(parents=True)
    for name in ("games.db", "games.judged"):
        shutil.copy(FOLDER / "report" / name, JOURNAL)
    words = (*JUDGED, *ALL, "--no-plots", "--html", "--json")
    result = cli("report", JOURNAL, "--out", "all", *words)
    assert result.exit_code == 0, result.output
    check_all_sections(golden, tmp_path / "all", json.loads(result.stdout))
    result = cli("report", JOURNAL, *JUDGED, "--out", "some", "--no-moves")
    assert result.exit_code == 0, result.output
    check_example(golden, tmp_path / "some")


def test_the_journal_has_the_games_of_quickstart(cli: Callable[..., Any]) -> None:
    """Otherwise the example is out of date: record a new journal."""
    result = cli("check", str(TOP / "tournaments" / "quickstart.yaml"), "--json")
    (quickstart,) = json.loads(result.stdout)
    assert quickstart["fingerprint"] in read(FOLDER / "report" / "report.md")


def check_all_sections(golden: Golden, report: Path, figures: object) -> None:
    golden("report/report.md", read(report / "report.md"))
    golden("report/figures.json", as_json(figures))
    golden("report/outline.txt", page_outline(read(report / "report.html")))
    moves = read(report / "moves.csv").splitlines(keepends=True)
    golden("report/moves.csv", rounded_text("".join(moves[:20])))


def check_example(golden: Golden, report: Path) -> None:
    """Plots are compared by their words and colours, as versions of matplotlib draw differently."""
    golden(EXAMPLE / "report.md", read(report / "report.md"))
    plots = sorted((report / "plots").glob("*.svg"))
    for plot in plots:
        golden(EXAMPLE / "plots" / plot.name, read(plot), plot_text)
    tables = sorted(report.rglob("*.csv"))
    for table in tables:
        golden(EXAMPLE / table.relative_to(report), read(table), rounded_text)
    kept = {path.relative_to(EXAMPLE) for path in EXAMPLE.rglob("*.*")}
    files = [report / "report.md", *plots, *tables]
    assert kept == {path.relative_to(report) for path in files}


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
