"""The CSV files hold what the journal holds, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from math import isnan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game.notation import write_moves
from arena.journal import Journal
from arena.journal.export import FIELDS, _when, date, game_lines, summary
from arena.report.csv_files import MOVE_FIELDS, move_lines, write_lines
from arena.report.write import write_report
from arena.table.game import Game, MoveRecord, pack_telemetry
from arena.text import harmless
from tests.journal.examples import make_header, make_row

NAMES = ("=1+1", 'comma, "quote"', "zwölf\n")  # hostile ones


def written(folder: Path, rows: list[Game], moves: bool = True) -> dict[str, list[list[str]]]:
    """All files of a journal with these games, read by the csv module."""
    header = make_header()
    players = zip(header.players, NAMES, strict=True)
    header = replace(header, players=tuple(replace(player, name=name) for player, name in players))
    with Journal.open(folder / "games.db", header) as journal:
        for row in rows:
            journal.write(row)
        report = write_report(journal, folder / "out", moves=moves, formats=())
    return {file.name: list(read(file)) for file in report.tables}


def read(file: Path) -> Iterator[list[str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.reader(lines, strict=True)


def test_every_game_and_move_is_there(tmp_path: Path) -> None:
    rows = [make_row(number) for number in range(1, 30)]
    files = written(tmp_path, rows)
    games, moves = files["games.csv"], files["moves.csv"]
    assert tuple(games[0]) == FIELDS
    assert [int(line[0]) for line in games[1:]] == [row.number for row in rows]
    assert tuple(moves[0]) == MOVE_FIELDS
    expected = [
        (row.number, ply + 1, move.column + 1, move.nodes, move.depth, rounded(move.score))
        for row in rows
        for ply, move in enumerate(row.move_records(), start=len(row.opening))
    ]
    written_moves = [
        (int(line[0]), int(line[1]), int(line[3]), number(line[8]), number(line[7]), real(line[6]))
        for line in moves[1:]
    ]
    assert written_moves == expected


def rounded(score: float | None) -> float | None:
    return None if score is None else float(f"{score:.6g}")


def number(cell: str) -> int | None:
    return int(cell) if cell else None


def real(cell: str) -> float | None:
    return float(cell) if cell else None


@pytest.mark.parametrize("game", ["connect4", "score4"])
def test_games_are_those_of_the_games_command(game: str) -> None:
    header = make_header(game)
    rows = [make_row(number, game, detail="=1+1") for number in range(1, 40)]
    rows += [replace(rows[0], seconds=float("nan")), replace(rows[0], moves=b"\0\x0b")]
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


@given(st.floats(-1e9, 1e11) | st.integers(-(10**6), 10**6).map(lambda micro: micro / 1e6))
def test_dates_are_those_of_the_journal(seconds: float) -> None:
    assert _when(seconds) == date(seconds)


def test_standings_crosstable_and_timing_add_up(tmp_path: Path) -> None:
    rows = [make_row(number) for number in range(1, 40)]
    files = written(tmp_path, rows)
    standings = [dict(zip(files["standings.csv"][0], line, strict=True))
                 for line in files["standings.csv"][1:]]  # fmt: skip
    assert sum(float(line["points"]) for line in standings) == len(rows)
    assert sum(int(line["games"]) for line in standings) == 2 * len(rows)
    assert all(float(line["elo_ci95"]) > 0 for line in standings)
    cross = [dict(zip(files["crosstable.csv"][0], line, strict=True))
             for line in files["crosstable.csv"][1:]]  # fmt: skip
    assert sum(int(line["won"]) for line in cross) == sum(row.result != 0 for row in rows)
    timing = files["timing.csv"]
    place = timing[0].index("moves")
    assert sum(int(line[place]) for line in timing[1:]) == sum(len(r.move_records()) for r in rows)


def test_names_cannot_be_run_as_formulas(tmp_path: Path) -> None:
    files = written(tmp_path, [make_row(number) for number in range(1, 20)])
    for lines in files.values():
        assert not [cell for line in lines for cell in line if cell.startswith("=")]
    names = {line[1] for line in files["standings.csv"][1:]}
    assert names == {"'=1+1", *NAMES[1:]}


def test_moves_are_left_out_if_not_wanted(tmp_path: Path) -> None:
    files = written(tmp_path, [make_row(1)], moves=False)
    assert sorted(files) == ["crosstable.csv", "games.csv", "standings.csv", "timing.csv"]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [make_row(1, telemetry=b"")],
        [make_row(1, telemetry=b"damaged")],
        [make_row(1, moves=b"", opening=b"", telemetry=b"", reason="crash", result=-1)],
        [make_row(1, opening=b"", moves=b"\0", telemetry=pack_telemetry(
            [MoveRecord(0, float("nan"), float("inf"))]))],
    ],
    ids=["none", "untold", "damaged", "forfeit", "not finite"],
)  # fmt: skip
def test_what_is_not_known_is_an_empty_cell(tmp_path: Path, rows: list[Game]) -> None:
    files = written(tmp_path, rows)
    cells = {cell.lower() for lines in files.values() for line in lines[1:] for cell in line}
    assert not cells & {"nan", "inf", "-inf", "none"}
    moves = sum(len(row.moves) - len(row.opening) for row in rows)
    assert len(files["moves.csv"]) == 1 + moves


def test_lines_end_as_the_standard_says(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.csv", [("a", "b\nc"), (1, None)])
    assert file.read_bytes() == b'a,"b\nc"\r\n1,\r\n'


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    def broken() -> Iterator[tuple[str]]:
        yield ("new",)
        raise RuntimeError

    file = write_lines(tmp_path / "a.csv", [("old",)])
    with pytest.raises(RuntimeError):
        write_lines(file, broken())
    assert file.read_bytes() == b"old\r\n"
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
