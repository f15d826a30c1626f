"""`arena bench solver`: sets side by side, other parts, and a wrong score that is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bench import solver_boards, solver_tables
from arena.bench.solver import Effort, Ours, PositionSet, SetRow, contest, seeded_sets
from arena.bench.solver_boards import BoardAnswer
from arena.game.position import Position
from tests.cli.running import assert_one_sentence, run, run_json

MOVES, SCORE = "2252576253462244111563365343671351441", -1
LATER = "7422341735647741166133573473242566"


class Peer(Ours):
    """Stands in for another solver: knows the right scores, or errs by one."""

    name = "peer 1"

    def __init__(self, error: int = 0) -> None:
        super().__init__(megabytes=1)
        self.error = error

    def solve(self) -> list[int]:
        return [score + self.error for score in super().solve()]


@pytest.fixture(autouse=True)
def few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "arena.bench.solver.SEEDED",
        (("late", range(30, 34), 6), ("middle", range(22, 25), 3)),
    )


def write(folder: Path, *lines: str) -> Path:
    (folder / "Test_L3_R1").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_seeded_sets_are_the_same_every_time() -> None:
    first, again = seeded_sets(), seeded_sets()
    assert first == again
    assert [len(given.positions) for given in first] == [6, 3]
    for position in (position for given in first for position in given.positions):
        assert not position.is_over
        assert not any(map(position.wins_with, position.legal))


def test_both_sides_get_the_same_and_the_best_time_counts() -> None:
    given = PositionSet("one", (Position.parse(MOVES),), (SCORE,))
    row = contest(given, Ours(1), Peer())
    assert row.wrong == ()
    assert row.ours.scores == [SCORE]
    assert row.peer is not None
    assert row.peer.scores == [SCORE]
    assert row.ratio == row.peer.seconds / row.ours.seconds


def test_a_score_at_odds_is_told() -> None:
    position = Position.parse(MOVES)
    assert contest(PositionSet("x", (position,)), Ours(1), Peer(1)).wrong == (f"{MOVES}: -1, 0",)
    assert contest(PositionSet("x", (position,), (5,)), Ours(1), None).wrong == (f"{MOVES}: 5, -1",)


def test_the_table_beside_a_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_tables, "find_peer", Peer)
    result = run("bench", "solver", "--memory", "1")
    assert result.exit_code == 0, result.output
    for words in ("late", "middle", "peer 1", "faster", " x", "all scores agree"):
        assert words in result.stdout


def test_without_a_peer_it_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_tables, "find_peer", lambda: None)
    result = run("bench", "solver", "--memory", "1")
    assert result.exit_code == 0
    assert "pip install 'connect-arena[bench]'" in result.stdout


def test_the_real_peer_agrees() -> None:
    pytest.importorskip("bitbully")
    told = run_json("bench", "solver", "--memory", "1")
    assert told["peer"].startswith("bitbully ")
    assert told["faults"] == []
    assert [row["set"] for row in told["sets"]] == ["late", "middle"]
    assert all(row["peer"]["nodes"] > 0 and row["arena"]["nodes"] > 0 for row in told["sets"])


def test_sets_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_tables, "find_peer", lambda: None)
    write(tmp_path, f"{MOVES} {SCORE}")
    told = run_json("bench", "solver", "--sets", str(tmp_path), "--memory", "1")
    assert [(row["set"], row["positions"]) for row in told["sets"]] == [("Test_L3_R1", 1)]


def test_a_wrong_score_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_tables, "find_peer", lambda: None)
    write(tmp_path, *[f"{MOVES} 3"] * 5)
    result = run("bench", "solver", "--sets", str(tmp_path), "--memory", "1")
    assert result.exit_code == 1
    assert f"Test_L3_R1: {MOVES}: 3, -1" in result.stdout
    assert "and 2 more" in result.stdout


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("4453",), "line 1: expected moves and a score"),
        ((f"{MOVES} {SCORE}", "44 x"), "line 2: expected moves and a score"),
        ((f"{MOVES} {SCORE}", "4444444 1"), "line 2: move 7: column 4 is full"),
    ],
)
def test_a_file_with_mistakes(lines: tuple[str, ...], words: str, tmp_path: Path) -> None:
    write(tmp_path, *lines)
    assert_one_sentence(run("bench", "solver", "--sets", str(tmp_path)), words)


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "Test_L3_R1").touch()
    assert_one_sentence(run("bench", "solver", "--sets", str(tmp_path)), "is empty: expected lines")


def test_a_directory_without_sets(tmp_path: Path) -> None:
    assert_one_sentence(run("bench", "solver", "--sets", str(tmp_path)), "holds none of the sets")


def test_other_boards_and_what_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_boards, "VALUES", {"4x4": 0, "6x4": -1, "8x7": 1})
    told = run_json("bench", "solver", "--boards", "--seconds", "0.3", "--memory", "1")
    assert told["sets"] == []
    assert [found["answer"] for found in told["questions"]] == [0, -1, None]
    shown = run("bench", "solver", "--boards", "--seconds", "0.3", "--memory", "1").stdout
    assert "second player" in shown
    assert "not proven in time" in shown


def test_a_wrong_value_of_a_board_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_boards, "VALUES", {"4x4": 1})
    result = run("bench", "solver", "--boards", "--memory", "1")
    assert result.exit_code == 1
    assert "4x4, who wins: 0, is 1" in result.stdout


def test_the_empty_board(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = BoardAnswer("7x6", "exact score", 1, 1, 2.0, 10_000_000)
    monkeypatch.setattr(solver_tables, "empty_board", lambda megabytes: iter([answer]))
    shown = run("bench", "solver", "--empty").stdout
    for words in ("7x6", "exact score", "+1, first player", "2.00 s", "10 M", "5 M"):
        assert words in shown


def test_endgames_in_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_boards, "EMPTY", (8,))
    monkeypatch.setattr(solver_boards, "POSITIONS", 3)
    monkeypatch.setattr(solver_boards, "ALLOWED", (0.01, 60.0))
    told = run_json("bench", "solver", "--space", "--memory", "1")["space"]
    assert told[0]["empty"] == 8
    assert told[0]["solved"]["60.0"] == 3
    shown = run("bench", "solver", "--space", "--memory", "1").stdout
    assert "4x4x4, 8" in shown
    assert "100 %" in shown


def test_a_row_without_a_peer_has_no_ratio() -> None:
    assert SetRow("x", 1, Effort(1.0, 2), None, ()).ratio is None
