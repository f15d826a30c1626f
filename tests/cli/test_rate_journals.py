"""`arena rate`: two players of a journal, and two journals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.journal import Contestant, Journal
from tests.cli.running import assert_one_sentence, run, run_json
from tests.journal.examples import make_header, short_row

ALPHA, BETA, GAMMA = 0, 1, 2
Game = tuple[int, int, int]


def write(path: Path, games: Sequence[Game], **header: object) -> Path:
    """A journal of pairs: games 1 and 2 are of round 1, and so on."""
    with Journal.open(path, make_header(**header)) as journal:  # type: ignore[arg-type]
        for number, (first, second, result) in enumerate(games):
            journal.write(
                short_row(
                    number + 1,
                    "".join(str(number // 7**place % 7 + 1) for place in range(3)),
                    first=first,
                    second=second,
                    result=result,
                    reason="max plies",
                    round=number // 2 + 1,
                )
            )
    return path


def pairs(first: int, second: int, won: int, shared: int, lost: int) -> list[Game]:
    """Swapped pairs: both won by the first, one each, both lost."""
    both = [(first, second, 1), (second, first, -1)]
    one_each = [(first, second, 1), (second, first, 1)]
    none = [(first, second, -1), (second, first, 1)]
    return both * won + one_each * shared + none * lost


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Alpha beats beta clearly and gamma often; beta and gamma never met."""
    games = pairs(ALPHA, BETA, 20, 20, 4) + pairs(ALPHA, GAMMA, 6, 10, 3)
    return write(tmp_path / "games.db", games).parent


def test_two_players_of_a_journal(place: Path) -> None:
    data = run_json("rate", str(place), "--players", "alpha", "beta")
    assert data["lost_drawn_won"] == [28, 0, 60]
    assert data["pairs"] == [4, 0, 20, 0, 20]
    difference = data["difference"]
    assert difference["basis"] == "games"
    assert difference["elo"] == pytest.approx(132.4, abs=0.1)
    assert data["by_all_games"]["elo"] == pytest.approx(182, abs=1)  # the first move taken out
    assert data["sprt"] is None
    low, high = difference["elo_low"], difference["elo_high"]
    assert data["verdict"] == (
        f"alpha is stronger than beta: +132 Elo (95 %: {low:+.0f} to {high:+.0f})."
    )
    back = run_json("rate", str(place), "--players", "beta", "alpha")
    assert back["difference"]["elo"] == pytest.approx(-difference["elo"])
    assert back["difference"]["los"] == pytest.approx(1 - difference["los"])
    assert back["verdict"] == data["verdict"]


def test_the_words_end_with_a_verdict(place: Path) -> None:
    result = run("rate", str(place / "games.db"), "--players", "alpha", "beta")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "alpha against beta: 88 games"
    assert "+60 =0 -28, 68.2 %" in lines[1]
    assert "4 x 0, 0 x ½, 20 x 1, 0 x 1½, 20 x 2 points" in result.stdout
    assert "Elo          +132 Elo (95 %: +" in lines[2]
    assert lines[-1].startswith("alpha is stronger than beta: +")


def test_players_that_never_met_are_compared_by_their_ratings(place: Path) -> None:
    data = run_json("rate", str(place), "--players", "beta", "gamma")
    assert data["games"] == 0
    assert data["difference"] == data["by_all_games"]
    assert data["verdict"].startswith("Undecided: gamma is ")
    words = run("rate", str(place), "--players", "beta", "gamma").stdout
    assert "Elo (95 %: " in words
    assert "SPRT" not in words


@pytest.mark.parametrize("lost", [0, 1])
def test_a_one_sided_match_is_never_certain_nor_infinite(tmp_path: Path, lost: int) -> None:
    write(tmp_path / "games.db", pairs(ALPHA, BETA, 15, 0, 0) + [(ALPHA, BETA, -1)] * lost)
    data = run_json("rate", str(tmp_path), "--players", "alpha", "beta")
    difference = data["difference"]
    assert difference["elo_high"] is None
    assert 50 < difference["elo_low"] < 500
    assert difference["los"] < 1
    assert data["verdict"].startswith("alpha is stronger than beta: ")
    assert f"at least {difference['elo_low']:+.0f}" in data["verdict"]


def test_draws_alone_leave_an_error(tmp_path: Path) -> None:
    write(tmp_path / "games.db", [(ALPHA, BETA, 0), (BETA, ALPHA, 0)] * 5)
    data = run_json("rate", str(tmp_path), "--players", "alpha", "beta")
    assert data["difference"]["elo"] == pytest.approx(0)
    assert data["difference"]["elo_high"] > 20
    assert data["verdict"].startswith("Undecided: ")


def test_copies_are_reported(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games.db", make_header()) as journal:
        for number in range(20):
            journal.write(short_row(number, "4141414", first=0, second=1, round=number))
    words = run("rate", str(tmp_path), "--players", "alpha", "beta").stdout
    assert "only 1 games are different; copies add no evidence" in words


def test_two_journals_compare_the_players_they_share(tmp_path: Path) -> None:
    before = pairs(ALPHA, BETA, 10, 30, 10) + pairs(ALPHA, GAMMA, 10, 30, 10)
    after = pairs(ALPHA, BETA, 40, 10, 2) + pairs(ALPHA, GAMMA, 40, 10, 2)
    one = write(tmp_path / "one.db", before + pairs(BETA, GAMMA, 10, 30, 10))
    two = write(tmp_path / "two.db", after + pairs(BETA, GAMMA, 10, 30, 10))
    data = run_json("rate", str(one), str(two))
    changes = {row["name"]: row["change"] for row in data["players"]}
    assert changes["alpha"]["elo_low"] > 0
    assert sum(change["elo"] for change in changes.values()) == pytest.approx(0, abs=1e-6)
    surest = max(changes, key=lambda name: abs(changes[name]["los"] - 0.5))
    word = "stronger" if changes[surest]["elo"] > 0 else "weaker"
    assert data["verdict"].startswith(f"{surest} is {word} in {two}: {changes[surest]['elo']:+.0f}")
    words = run("rate", str(one), str(two)).stdout
    assert words.startswith(f"A is {one}, B is {two}, on connect4.")
    assert "Ratings of the 3 players in both" in words
    same = run_json("rate", str(one), str(one))
    assert same["verdict"].startswith("Undecided")


def test_journals_that_share_too_little_are_refused(tmp_path: Path) -> None:
    one = write(tmp_path / "one.db", pairs(ALPHA, BETA, 1, 1, 1))
    others = tuple(Contestant(name, "random", {}, "") for name in ("alpha", "x", "y"))
    two = write(tmp_path / "two.db", pairs(ALPHA, BETA, 1, 1, 1), players=others)
    assert_one_sentence(run("rate", str(one), str(two)), "share 1 players", "it takes two")


def test_journals_of_different_boards_are_not_compared(tmp_path: Path) -> None:
    games = pairs(ALPHA, BETA, 1, 1, 1)
    one = write(tmp_path / "one.db", games)
    two = write(tmp_path / "two.db", games, game="5x4")
    assert_one_sentence(run("rate", str(one), str(two)), "is on connect4", "5x4")


def test_a_journal_is_rated_like_a_list_of_its_games(place: Path) -> None:
    table = place / "games.csv"
    assert run("games", str(place), "--csv", str(table)).exit_code == 0
    ours, theirs = (run_json("rate", str(each))["players"] for each in (place, table))
    assert [row["elo"] for row in ours] == pytest.approx([row["elo"] for row in theirs])


def test_bad_names_are_one_sentence(place: Path) -> None:
    where = str(place)
    assert_one_sentence(run("rate", where, "--players", "alpha", "bata"), "unknown player 'bata'")
    assert_one_sentence(run("rate", where, "--players", "alpha", "alpha"), "with itself")
