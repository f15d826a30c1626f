"""The files of a report: which are written, what CSV files hold, and journals at the edges."""

from __future__ import annotations

import csv
import re
import shutil
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import isnan
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ArenaError
from arena.game.notation import write_moves
from arena.journal import Contestant, Journal
from arena.journal.export import FIELDS, date, game_lines, summary
from arena.report import write
from arena.report.blocks import FIRST, LONG, file_of, fold
from arena.report.canvas import can_plot
from arena.report.csv_files import MOVE_FIELDS, move_lines, write_lines
from arena.report.sections import SECTIONS, compose
from arena.report.write import Report, write_report
from arena.show.table import Column, Table
from arena.table.game import Game, MoveRecord, pack_telemetry
from arena.text import harmless
from tests.journal.examples import fill, make_header, make_row, short_row
from tests.report.browser import Browser, needs_browser
from tests.report.samples import judged_report, read_csv, small

COUNT = 20  # engines
HOSTILE = ("=1+1", 'comma, "quote"', "zwölf\n")


def written(place: Path, folder: Path, **options: Any) -> Report:
    with Journal.read(place) as journal:
        return write_report(journal, folder, **{"sections": SECTIONS, **options})


# ---- the folder


def test_every_link_leads_somewhere(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 20)
    report = written(tmp_path, tmp_path / "out", html=True)
    links = re.findall(r"\]\(([^)]+)\)", report.markdown.read_text(encoding="utf-8"))
    assert {"standings.csv", "games.csv", "moves.csv"} <= set(links)
    assert all((report.folder / link).is_file() for link in links)
    assert sorted(f for f in report.folder.rglob("*") if f.is_file()) == sorted(report.files)
    if can_plot():
        assert len(report.plots) == 20
        assert "plots/ratings.svg" in links


def test_without_matplotlib_there_are_no_plots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "games.db", 3)
    monkeypatch.setattr(write, "can_plot", lambda: False)
    report = written(tmp_path, tmp_path)
    assert (report.plots, report.html) == ((), None)
    assert "plots/" not in report.markdown.read_text(encoding="utf-8")


def test_names_that_look_like_paths_write_no_files(tmp_path: Path) -> None:
    header = make_header()
    players = tuple(replace(each, name=f"../../{each.name}") for each in header.players)
    (tmp_path / "in").mkdir()
    with Journal.open(tmp_path / "in", replace(header, name="../../x", players=players)) as journal:
        journal.write(short_row(1, "4141414", first=0, second=1))
    written(tmp_path / "in", tmp_path / "deep" / "out", html=True, formats=("svg",))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["deep", "in"]
    assert [file.name for file in (tmp_path / "deep").iterdir()] == ["out"]


def test_files_of_an_earlier_report_do_not_stay(tmp_path: Path) -> None:
    small(tmp_path, 3)
    old = [tmp_path / name for name in ("tables/by-seat.csv", "accuracy.csv")]
    old += [tmp_path / "plots" / "crosstable.png"] if can_plot() else []
    others = [tmp_path / name for name in ("tables/mine.txt", "plots/mine.png")]
    for path in (*old, *others):
        path.parent.mkdir(exist_ok=True)
        path.touch()
    written(tmp_path, tmp_path, formats=("svg",))
    assert not [path for path in old if path.exists()]
    assert all(path.exists() for path in others)


def test_moves_of_very_many_games_are_left_to_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "games.db", 3)
    monkeypatch.setattr(write, "MAX_MOVES", 2)
    report = written(tmp_path, tmp_path / "out", formats=())
    assert "moves.csv" not in [table.name for table in report.tables]
    assert "moves.csv" not in report.markdown.read_text(encoding="utf-8")
    report = written(tmp_path, tmp_path / "out", formats=(), moves=True)
    assert "moves.csv" in [table.name for table in report.tables]


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


@pytest.mark.parametrize("words", ["reading the games", "writing tables", "writing the page"])
@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_folder_that_is_cleared_away_meanwhile(
    tmp_path: Path, words: str, is_replaced: bool
) -> None:
    folder = tmp_path / "out"
    fill(folder / "games.db", 3)

    def clear(step: str) -> None:
        if step == words:
            shutil.rmtree(folder)
            if is_replaced:
                folder.write_text("a file where the folder was")

    sentence = "(cannot be written|was removed while the report was written)"
    with pytest.raises(ArenaError, match=rf"^{folder}.* {sentence}"):
        written(folder, folder, html=True, formats=(), progress=clear)


def test_a_table_that_is_removed_meanwhile(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 3)

    def remove(step: str) -> None:
        if step == "writing the page":
            (tmp_path / "games.csv").unlink()

    with pytest.raises(ArenaError, match=r"games.csv was removed .* arena report writes it again"):
        written(tmp_path, tmp_path, html=True, formats=(), progress=remove)


# ---- CSV files


def csv_of(folder: Path, rows: list[Game], **options: Any) -> dict[str, list[dict[str, str]]]:
    """All files of a journal of hostile names with these games."""
    header = make_header()
    players = zip(header.players, HOSTILE, strict=True)
    header = replace(header, players=tuple(replace(player, name=name) for player, name in players))
    with Journal.open(folder / "games.db", header) as journal:
        for row in rows:
            journal.write(row)
    report = written(folder, folder / "out", formats=(), **options)
    return {file.name: read_csv(file) for file in report.tables}


def test_every_game_and_move_is_there(tmp_path: Path) -> None:
    rows = [make_row(number) for number in range(1, 40)]
    files = csv_of(tmp_path, rows)
    games, moves = files["games.csv"], files["moves.csv"]
    assert (tuple(games[0]), tuple(moves[0])) == (FIELDS, MOVE_FIELDS)
    assert [int(line["number"]) for line in games] == [row.number for row in rows]
    records = [(row.number, ply, move) for row in rows
               for ply, move in enumerate(row.move_records(), len(row.opening) + 1)]  # fmt: skip
    for line, (number, ply, move) in zip(moves, records, strict=True):
        assert (int(line["game"]), int(line["ply"])) == (number, ply)
        assert int(line["column"]) == move.column + 1
        assert line["nodes"] == ("" if move.nodes is None else str(move.nodes))
        assert line["score"] == ("" if move.score is None else str(float(f"{move.score:.6g}")))
    standings, cross, timing = (files[f"{n}.csv"] for n in ("standings", "crosstable", "timing"))
    assert sum(float(line["points"]) for line in standings) == len(rows)
    assert sum(int(line["games"]) for line in standings) == 2 * len(rows)
    assert all(float(line["elo_ci95"]) > 0 for line in standings)
    assert sum(int(line["won"]) for line in cross) == sum(row.result != 0 for row in rows)
    assert sum(int(line["moves"]) for line in timing) == len(records)


def test_names_are_the_same_everywhere_and_no_formulas(tmp_path: Path) -> None:
    files = csv_of(tmp_path, [make_row(number) for number in range(1, 20)])
    cells = {cell for lines in files.values() for line in lines for cell in line.values()}
    assert not [cell for cell in cells if cell.startswith("=")]
    names = {"'=1+1", *HOSTILE[1:]}
    assert {line["engine"] for line in files["standings.csv"]} == names
    for file, columns in {"games.csv": ("first", "second"), "crosstable.csv": ("opponent",),
                          "moves.csv": ("engine",), "timing.csv": ("engine",)}.items():  # fmt: skip
        for column in columns:
            assert {line[column] for line in files[file]} <= names, file


def test_options_that_differ_between_engines_of_a_kind_are_columns(tmp_path: Path) -> None:
    players = tuple(Contestant(f"engine {depth}", "minimax", {"depth": depth, "table": 0}, "")
                    for depth in (3, 5))  # fmt: skip
    with Journal.open(tmp_path, make_header(players=players)) as journal:
        journal.write(short_row(1, "4141414", first=0, second=1))
    written(tmp_path, tmp_path, formats=())
    rows = read_csv(tmp_path / "standings.csv")
    assert {row["engine"]: row["option_depth"] for row in rows} == {
        "engine 3": "3",
        "engine 5": "5",
    }
    assert "option_table" not in rows[0]


@pytest.mark.parametrize("game", ["connect4", "score4"])
def test_games_are_those_of_the_games_command(game: str) -> None:
    header = make_header(game)
    rows = [make_row(number, game, detail="=1+1") for number in range(1, 40)]
    rows += [replace(rows[0], seconds=float("nan")), replace(rows[0], moves=b"\0\x0b")]
    rows += [replace(rows[0], started=time) for time in (0.0, 0.999999, 951782400.25, 1e10)]
    for row, line in zip(rows, game_lines(rows, header), strict=True):
        first, second = header.names[row.first], header.names[row.second]
        expected = {
            "number": row.number, "round": row.round, "first": first, "second": second,
            "result": row.result, "winner": {1: first, 0: None, -1: second}[row.result],
            "plies": len(row.moves), "reason": row.reason, "detail": row.detail,
            "opening": write_moves(row.opening, header.rules),
            "moves": write_moves(row.moves, header.rules), "seed": row.seed,
            "started": date(row.started), "seconds": None if isnan(row.seconds) else row.seconds,
        }  # fmt: skip
        assert summary(row, header) == expected
        seconds = None if isnan(row.seconds) else float(f"{row.seconds:.6g}")
        expected |= {"seed": hex(row.seed), "seconds": seconds}
        assert line == tuple(map(harmless, expected.values()))


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [make_row(1, telemetry=b"")],
        [make_row(1, telemetry=b"damaged")],
        [make_row(1, moves=b"", opening=b"", telemetry=b"", reason="crash", result=-1)],
        [make_row(1, opening=b"", moves=b"\0", telemetry=pack_telemetry(
            [MoveRecord(0, float("nan"), float("inf"))]))],
        [short_row(number, "4141414", first=0, second=1) for number in range(6)],
    ],
    ids=["none", "untold", "damaged", "forfeit", "not finite", "perfect score"],
)  # fmt: skip
def test_unknown_values_are_empty_cells(tmp_path: Path, rows: list[Game]) -> None:
    files = csv_of(tmp_path, rows, html=True)
    cells = {cell.lower() for lines in files.values() for line in lines for cell in line.values()}
    assert not cells & {"nan", "inf", "-inf", "none"}
    assert len(files["moves.csv"]) == sum(len(row.moves) - len(row.opening) for row in rows)
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert not re.search(r"\b(nan|inf|None)\b", text)


def test_lines_end_as_the_standard_says_and_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    def broken() -> Iterator[tuple[str]]:
        yield ("new",)
        raise RuntimeError

    file = write_lines(tmp_path / "a.csv", [("a", "b\nc"), (1, None)])
    with pytest.raises(RuntimeError):
        write_lines(file, broken())
    assert file.read_bytes() == b'a,"b\nc"\r\n1,\r\n'
    assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]


def test_moves_are_written_as_they_are_read(tmp_path: Path) -> None:
    row = make_row(1)
    tracemalloc.start()
    try:
        write_lines(tmp_path / "moves.csv", move_lines((row for _ in range(500)), make_header()))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 500_000


# ---- long and wide tables: a part on the page, all of it behind a click and in a file


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report of a tournament with many engines, each against each."""
    return many_engines(tmp_path_factory.mktemp("many"), COUNT)


def many_engines(folder: Path, count: int) -> Report:
    players = tuple(Contestant(f"engine {n}", "x", {}, f"depth={n}") for n in range(1, count + 1))
    with Journal.open(folder, make_header(players=players)) as journal:
        for number, (first, second) in enumerate(combinations(range(count), 2)):
            journal.write(make_row(number, first=first, second=second))
    return written(folder, folder, html=True, formats=())


def markdown_tables(report: Report) -> dict[str, list[str]]:
    """The rows of every table by the heading above it."""
    tables: dict[str, list[str]] = {}
    title = ""
    for line in report.markdown.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            title = line.lstrip("# ")
        elif line.startswith("|") and not line.startswith("| --"):
            tables.setdefault(title, []).append(line)
    return tables


def all_tables(report: Report) -> list[Table]:
    _, sections = compose(report.data, SECTIONS)
    return [block for blocks in sections.values() for block in blocks if isinstance(block, Table)]


def test_a_table_stays_whole_or_is_cut() -> None:
    def table(rows: int) -> Table:
        return Table("Some table", (Column("a"), Column("b")), (("x", "y"),) * rows)

    assert fold(table(LONG)) == (table(LONG), "")
    cut, words = fold(table(LONG + 1))
    assert (len(cut.rows), words) == (FIRST, f"all {LONG + 1} rows")
    assert file_of(table(1)) == "tables/some-table.csv"
    narrow, words = fold(replace(table(3), brief=("b",)))
    assert (narrow.headings(), words) == (("b",), "all 2 columns")
    assert fold(replace(table(99), brief=("b",)))[1] == "all 99 rows and 2 columns"


def test_no_table_of_the_markdown_is_long_and_all_of_it_is_in_a_file(many: Report) -> None:
    tables = markdown_tables(many)
    assert {title for title, rows in tables.items() if len(rows) > LONG + 1} == {"Standings"}
    assert len(tables["Standings"]) == COUNT + 1
    assert len(tables["By seat"]) == FIRST + 1
    folded = [table for table in all_tables(many) if fold(table)[1]]
    assert len(folded) > 4
    for table in folded:
        assert f"]({file_of(table)})" in many.markdown.read_text(encoding="utf-8")
        assert len(read_csv(many.folder / file_of(table))) >= len(table.rows)


@pytest.mark.parametrize("count", [16, 17])
def test_a_crosstable_is_whole_or_left_out(tmp_path: Path, count: int) -> None:
    report = many_engines(tmp_path, count)
    rows = markdown_tables(report).get("Crosstable", [])
    assert len(rows) == (count + 1 if count <= LONG else 0)
    assert not list((tmp_path / "tables").glob("*crosstable*"))


def test_limits_that_differ_stand_beside_names(many: Report) -> None:
    limits = {f"engine {n}": f"depth={n}" for n in range(1, COUNT + 1)}
    assert {row["engine"] for row in read_csv(many.folder / "tables" / "by-seat.csv")} == {*limits}
    for name in ("standings.csv", "timing.csv"):
        assert {row["engine"]: row["limits"] for row in read_csv(many.folder / name)} == limits
    tables = markdown_tables(many)
    assert any("| engine 3 | 3 plies |" in row for row in tables["Standings"])
    assert not any("plies" in row for row in tables["By seat"])


def test_files_and_tables_name_columns_in_snake_case_with_units(
    many: Report, tmp_path: Path
) -> None:
    heads = {
        table.title: table.headers() for table in all_tables(judged_report(small(tmp_path, 6)))
    }
    for path in many.tables:
        with path.open(encoding="utf-8") as file:
            heads[path.name] = tuple(next(csv.reader(file)))
    for title, keys in heads.items():
        assert all(re.fullmatch(r"[a-z0-9_]+", key) for key in keys), title
        assert len(set(keys)) == len(keys), title
    assert {"time_mean_s", "cpu_p95_s", "nodes_per_s"} <= set(heads["timing.csv"])


@needs_browser
def test_a_table_unfolds_in_its_place(many: Report, chromium: Browser) -> None:
    assert many.html is not None
    chromium.open(many.html, "")
    visible_rows = (
        "[...document.querySelectorAll('#section-seats-and-the-first-move tbody tr')]"
        ".filter(row => row.checkVisibility()).length"
    )
    assert chromium.ask(visible_rows) == FIRST
    chromium.click("#section-seats-and-the-first-move summary")
    assert chromium.ask(visible_rows) == COUNT
