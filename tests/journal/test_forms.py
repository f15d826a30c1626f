"""Games as CSV, as plain data and as transcripts."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from arena.journal.export import FIELDS, summary, transcript, write_csv
from arena.journal.records import Contestant
from arena.text import harmless
from tests.journal.examples import make_header, make_row, short_row

HEADER = make_header(
    players=(
        Contestant("=cmd|' /C calc'!A0", "random", {}, ""),
        Contestant("two, words", "random", {}, ""),
    )
)


def test_a_summary_has_names_and_notation() -> None:
    row = short_row(4, "4141414", opening=b"\3\0", first=0, second=2, started=1_700_000_000.25)
    game = summary(row, make_header())
    assert list(game) == list(FIELDS)
    assert (game["first"], game["second"], game["winner"]) == ("alpha", "gamma", "alpha")
    assert (game["opening"], game["moves"], game["plies"]) == ("41", "4141414", 7)
    assert game["started"] == "2023-11-14T22:13:20.250+00:00"


def test_a_draw_has_no_winner() -> None:
    assert summary(short_row(1, "44", result=0), make_header())["winner"] is None


def test_csv_reads_back_and_formulas_are_harmless() -> None:
    rows = [
        short_row(1, "4141414", first=0, second=1, detail='a\nb, "c"'),
        short_row(2, "44", first=1, second=0, detail="@here"),
    ]
    out = StringIO()
    assert write_csv(rows, HEADER, out) == 2
    first, second = csv.DictReader(StringIO(out.getvalue()))
    assert first["first"] == "'=cmd|' /C calc'!A0"
    assert first["second"] == "two, words"
    assert first["detail"] == 'a\nb, "c"'
    assert second["detail"] == "'@here"
    assert float(first["seconds"]) == pytest.approx(rows[0].seconds, rel=1e-5)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1"])
def test_text_that_looks_like_a_formula(text: str) -> None:
    assert harmless(text) == "'" + text.replace("\t", " ").replace("\r", " ")


@pytest.mark.parametrize("cell", [-1, -0.5, "a=b", "", None])
def test_other_cells_stay_as_they_are(cell: object) -> None:
    assert harmless(cell) == cell


def test_a_transcript_of_a_flat_game() -> None:
    row = short_row(4, "41", first=1, second=0, result=0, seconds=1.5)
    assert transcript(row, HEADER) == (
        "level: two; words against =cmd|' /C calc'!A0\n"
        "winner: draw\n"
        "time: 1.500000\n"
        "two; words, 3, 0\n"
        "=cmd|' /C calc'!A0, 0, 0\n"
    )


def test_a_transcript_in_space() -> None:
    row = make_row(3, "score4", first=0, second=1)
    level, winner, time, *moves = transcript(row, make_header("score4")).splitlines()
    assert level == "level: alpha against beta"
    assert winner == f"winner: {'alpha' if row.result > 0 else 'beta'}"
    assert time.startswith("time: 0.")
    assert len(moves) == len(row.moves)
    for ply, line in enumerate(moves):
        player, x, y = line.split(", ")
        assert player == ("alpha", "beta")[ply % 2]
        assert int(x) * 4 + int(y) == row.moves[ply]
