"""A report as a whole: its files, its links, and journals at the edges."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ArenaError
from arena.journal import Journal
from arena.report import write
from arena.report.canvas import can_plot
from arena.report.sections import SECTIONS
from arena.report.write import Report, write_report
from tests.journal.examples import fill, make_header, short_row


def written(place: Path, folder: Path, **options: Any) -> Report:
    with Journal.read(place) as journal:
        return write_report(journal, folder, **{"sections": SECTIONS, **options})


def test_every_link_leads_somewhere(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 20)
    report = written(tmp_path, tmp_path / "out", html=True)
    text = report.markdown.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert {"standings.csv", "games.csv", "moves.csv"} <= set(links)
    assert all((report.folder / link).is_file() for link in links)
    assert sorted(f for f in report.folder.rglob("*") if f.is_file()) == sorted(report.files)
    if can_plot():
        assert len(report.plots) == 20
        assert "plots/ratings.svg" in links


def test_without_plots_there_are_none(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 3)
    report = written(tmp_path, tmp_path, formats=())
    assert report.plots == ()
    assert report.html is None
    assert "plots/" not in report.markdown.read_text(encoding="utf-8")


def test_files_of_engines_are_told_as_their_tournament_sees_them(tmp_path: Path) -> None:
    header = make_header()
    options = {"variants": "/srv/somebody/cup/our.ini", "depth": 4}
    player = replace(header.players[0], engine="uci:/srv/somebody/cup/fish", options=options)
    entry = {"name": player.name, "engine": "uci:fish",
             "options": {"variants": {"file": "our.ini", "sha256": "0"}, "depth": 4}}  # fmt: skip
    header = replace(header, players=(player, *header.players[1:]), canonical={"engines": [entry]})
    with Journal.open(tmp_path / "games.db", header) as journal:
        journal.write(short_row(1, "4455667"))
    text = written(tmp_path, tmp_path, formats=()).markdown.read_text(encoding="utf-8")
    assert "uci:fish | variants=our.ini, depth=4" in text
    assert "/srv/somebody" not in text


@pytest.mark.parametrize("words", ["reading the games", "writing tables", "writing the page"])
@pytest.mark.parametrize("replaced", [False, True])
def test_a_folder_that_is_cleared_away_meanwhile_is_told(
    tmp_path: Path, words: str, replaced: bool
) -> None:
    folder = tmp_path / "out"
    fill(folder / "games.db", 3)

    def clear(step: str) -> None:
        if step == words:
            shutil.rmtree(folder)
            if replaced:
                folder.write_text("a file where the folder was")

    sentence = "(cannot be written|was removed while the report was written)"
    with pytest.raises(ArenaError, match=rf"^{folder}.* {sentence}"):
        written(folder, folder, html=True, formats=(), progress=clear)


def test_a_table_that_is_removed_meanwhile_is_told(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 3)

    def remove(step: str) -> None:
        if step == "writing the page":
            (tmp_path / "games.csv").unlink()

    with pytest.raises(ArenaError, match=r"games.csv was removed .* arena report writes it again"):
        written(tmp_path, tmp_path, html=True, formats=(), progress=remove)


def test_without_matplotlib_there_are_no_plots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "games.db", 3)
    monkeypatch.setattr(write, "can_plot", lambda: False)
    assert written(tmp_path, tmp_path).plots == ()


@pytest.mark.parametrize("games", [0, 1, 6])
def test_few_games_and_perfect_scores(tmp_path: Path, games: int) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        for number in range(games):
            journal.write(short_row(number, "4141414", first=0, second=1))
    report = written(tmp_path, tmp_path, html=True, formats=("svg",))
    for file in (report.markdown, *report.tables):
        words = file.read_text(encoding="utf-8")
        assert not re.search(r"\b(nan|inf|None)\b", words, flags=re.IGNORECASE), file.name
    assert f"{games} game" in report.markdown.read_text(encoding="utf-8")
    if games:
        assert report.data.ratings.elo[0] is not None


def test_a_report_is_written_while_games_come_in(tmp_path: Path) -> None:
    with Journal.open(tmp_path, make_header()) as journal:
        journal.begin_session("arena run example.yaml", 2)
        journal.write(short_row(1, "4141414", first=0, second=1))
        report = written(tmp_path, tmp_path, formats=())
        assert "unfinished" in report.markdown.read_text(encoding="utf-8")
        journal.write(short_row(2, "4141414", first=0, second=1))
        journal.end_session("all games are played")
        again = written(tmp_path, tmp_path, formats=())
    assert "unfinished" not in again.markdown.read_text(encoding="utf-8")
    assert again.data.results.games == 2
    assert not [file.name for file in tmp_path.iterdir() if ".part" in file.name]


@pytest.mark.skipif(not can_plot(), reason="matplotlib is not installed")
def test_plots_of_an_earlier_report_do_not_stay(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 3)
    old, others = tmp_path / "plots" / "crosstable.png", tmp_path / "plots" / "mine.png"
    old.parent.mkdir()
    old.touch()
    others.touch()
    written(tmp_path, tmp_path, formats=("svg",))
    assert not old.exists()
    assert others.exists()


def test_moves_of_very_many_games_are_left_to_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "games.db", 3)
    monkeypatch.setattr(write, "MAX_MOVES", 2)
    report = written(tmp_path, tmp_path / "out", formats=())
    assert "moves.csv" not in [table.name for table in report.tables]
    assert "moves.csv" not in report.markdown.read_text(encoding="utf-8")


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 1)
    (tmp_path / "file").touch()
    with pytest.raises(ArenaError, match="cannot be written"):
        written(tmp_path, tmp_path / "file" / "out")


def test_names_that_look_like_paths_write_no_files(tmp_path: Path) -> None:
    header = make_header()
    players = tuple(replace(each, name=f"../../{each.name}") for each in header.players)
    (tmp_path / "in").mkdir()
    with Journal.open(tmp_path / "in", replace(header, name="../../x", players=players)) as journal:
        journal.write(short_row(1, "4141414", first=0, second=1))
    written(tmp_path / "in", tmp_path / "deep" / "out", html=True, formats=("svg",))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["deep", "in"]
    assert [file.name for file in (tmp_path / "deep").iterdir()] == ["out"]
