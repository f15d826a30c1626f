"""`arena bench solver`: sets side by side, the empty board, and the exit code of a wrong score."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bench import solver_tables
from arena.bench.solver import Effort, Ours, PositionSet, SetRow, contest, seeded_sets
from arena.game.position import Position
from tests.cli.running import assert_one_sentence, run, run_json

MOVES, SCORE = "2252576253462244111563365343671351441", -1


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


def test_scores_that_differ_are_listed() -> None:
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
    data = run_json("bench", "solver", "--memory", "1")
    assert data["peer"].startswith("bitbully ")
    assert data["faults"] == []
    assert [row["set"] for row in data["sets"]] == ["late", "middle"]
    assert all(row["peer"]["nodes"] > 0 and row["arena"]["nodes"] > 0 for row in data["sets"])


def test_sets_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_tables, "find_peer", lambda: None)
    write(tmp_path, f"{MOVES} {SCORE}")
    data = run_json("bench", "solver", "--sets", str(tmp_path), "--memory", "1")
    assert [(row["set"], row["positions"]) for row in data["sets"]] == [("Test_L3_R1", 1)]


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


def test_the_empty_board_is_measured_without_the_peer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    easy = PositionSet("empty board", (Position.parse(MOVES),), (SCORE,))
    monkeypatch.setattr(solver_tables, "EMPTY_BOARD", easy)
    monkeypatch.setattr(solver_tables, "find_peer", Peer)
    alone = run("bench", "solver", "--empty", "--memory", "1")
    assert alone.exit_code == 0, alone.output
    assert "empty board" in alone.stdout
    assert "peer 1" not in alone.stdout
    words = ("bench", "solver", "--sets", str(write(tmp_path, f"{MOVES} {SCORE}")), "--empty")
    assert "all scores agree" in run(*words, "--memory", "1").stdout
    found = run_json(*words, "--memory", "1")["sets"]
    assert [row["set"] for row in found] == ["Test_L3_R1", "empty board"]
    assert [row["peer"] is None for row in found] == [False, True]


def test_a_row_without_a_peer_has_no_ratio() -> None:
    assert SetRow("x", 1, Effort(1.0, 2), None, ()).ratio is None
