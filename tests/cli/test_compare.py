"""`arena compare`: two players of a journal, two journals, or two engines that play."""

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
    data = run_json("compare", "alpha", "beta", "--in", str(place))
    assert data["lost_drawn_won"] == [28, 0, 60]
    assert data["pairs"] == [4, 0, 20, 0, 20]
    difference = data["difference"]
    assert difference["basis"] == "games"
    assert difference["elo"] == pytest.approx(132.4, abs=0.1)
    assert data["by_all_games"]["elo"] == pytest.approx(182, abs=1)  # the first move taken out
    assert data["sprt"]["verdict"] is None
    low, high = difference["elo_low"], difference["elo_high"]
    assert data["verdict"] == (
        f"alpha is stronger than beta: +132 Elo (95 %: {low:+.0f} to {high:+.0f})."
    )
    back = run_json("compare", "beta", "alpha", "--in", str(place))
    assert back["difference"]["elo"] == pytest.approx(-difference["elo"])
    assert back["difference"]["los"] == pytest.approx(1 - difference["los"])
    assert back["verdict"] == data["verdict"]


def test_the_words_end_with_a_verdict(place: Path) -> None:
    result = run("compare", "alpha", "beta", "--in", str(place / "games.db"))
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "alpha against beta: 88 games"
    assert "+60 =0 -28, 68.2 %" in lines[1]
    assert "4 x 0, 0 x ½, 20 x 1, 0 x 1½, 20 x 2 points" in lines[2]
    assert "Elo          +132 Elo (95 %: +" in lines[3]
    assert any("SPRT         undecided: LLR" in line for line in lines)
    assert lines[-1].startswith("alpha is stronger than beta: +")


def test_players_that_never_met_are_compared_by_their_ratings(place: Path) -> None:
    data = run_json("compare", "beta", "gamma", "--in", str(place))
    assert data["games"] == 0
    assert data["difference"] == data["by_all_games"]
    assert data["verdict"].startswith("Undecided: gamma is ")
    words = run("compare", "beta", "gamma", "--in", str(place)).stdout
    assert "Elo (95 %: " in words
    assert "SPRT" not in words


def test_the_test_can_be_decided_and_the_estimate_then_corrected(place: Path) -> None:
    words = ("compare", "alpha", "beta", "--in", str(place), "--elo1", "100")
    data = run_json(*words)
    assert data["sprt"]["verdict"] == "H1"
    after = data["after_stop"]
    assert 0 < after["elo_low"] < after["elo"] < after["elo_high"]
    shown = run(*words).stdout
    assert "H1 accepted" in shown
    assert "if the test has stopped the match" in shown


@pytest.mark.parametrize("lost", [0, 1])
def test_a_one_sided_match_is_never_certain_nor_infinite(tmp_path: Path, lost: int) -> None:
    write(tmp_path / "games.db", pairs(ALPHA, BETA, 15, 0, 0) + [(ALPHA, BETA, -1)] * lost)
    data = run_json("compare", "alpha", "beta", "--in", str(tmp_path))
    difference = data["difference"]
    assert difference["elo_high"] is None
    assert 50 < difference["elo_low"] < 500
    assert difference["los"] < 1
    assert data["verdict"].startswith("alpha is stronger than beta: ")
    assert f"at least {difference['elo_low']:+.0f}" in data["verdict"]


def test_draws_alone_leave_an_error(tmp_path: Path) -> None:
    write(tmp_path / "games.db", [(ALPHA, BETA, 0), (BETA, ALPHA, 0)] * 5)
    data = run_json("compare", "alpha", "beta", "--in", str(tmp_path))
    assert data["difference"]["elo"] == pytest.approx(0)
    assert data["difference"]["elo_high"] > 20
    assert data["verdict"].startswith("Undecided: ")


def test_repeated_games_are_told(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games.db", make_header()) as journal:
        for number in range(20):
            journal.write(short_row(number, "4141414", first=0, second=1, round=number))
    words = run("compare", "alpha", "beta", "--in", str(tmp_path)).stdout
    assert "only 1 games are different; copies add no evidence" in words


def test_two_journals_compare_the_players_they_share(tmp_path: Path) -> None:
    before = pairs(ALPHA, BETA, 10, 30, 10) + pairs(ALPHA, GAMMA, 10, 30, 10)
    after = pairs(ALPHA, BETA, 40, 10, 2) + pairs(ALPHA, GAMMA, 40, 10, 2)
    one = write(tmp_path / "one.db", before + pairs(BETA, GAMMA, 10, 30, 10))
    two = write(tmp_path / "two.db", after + pairs(BETA, GAMMA, 10, 30, 10))
    data = run_json("compare", str(one), str(two))
    changes = {row["name"]: row["change"] for row in data["players"]}
    assert changes["alpha"]["elo_low"] > 0
    assert sum(change["elo"] for change in changes.values()) == pytest.approx(0, abs=1e-6)
    surest = max(changes, key=lambda name: abs(changes[name]["los"] - 0.5))
    word = "stronger" if changes[surest]["elo"] > 0 else "weaker"
    assert data["verdict"].startswith(f"{surest} is {word} in {two}: {changes[surest]['elo']:+.0f}")
    words = run("compare", str(one), str(two)).stdout
    assert words.startswith(f"A is {one} (connect4), B is {two} (connect4).")
    assert "Ratings of the 3 players in both" in words
    same = run_json("compare", str(one), str(one))
    assert same["verdict"].startswith("Undecided")


def test_journals_that_share_too_little_are_told(tmp_path: Path) -> None:
    one = write(tmp_path / "one.db", pairs(ALPHA, BETA, 1, 1, 1))
    others = tuple(Contestant(name, "random", {}, "") for name in ("alpha", "x", "y"))
    two = write(tmp_path / "two.db", pairs(ALPHA, BETA, 1, 1, 1), players=others)
    assert_one_sentence(run("compare", str(one), str(two)), "share 1 players", "it takes two")


def test_two_engines_play_a_match_here() -> None:
    data = run_json("compare", "random", "reflex", "--games", "20", "--seed", "3")
    assert data["games"] == 20
    assert sum(data["pairs"]) == 10
    assert data["verdict"].startswith("reflex is stronger than random: ")
    assert data == run_json("compare", "random", "reflex", "--games", "20", "--seed", "3")


def test_the_same_engine_twice_is_told_apart() -> None:
    result = run(
        "compare", "random", "random", "--games", "4", "--game", "5x4", "--opening-plies", "0"
    )
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("random #1 against random #2: 4 games")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--elo0", "5", "--elo1", "5"], ["expected elo1 at least 0.01 above elo0"]),
        (["--alpha", "0"], ["--alpha and --beta must be above 0"]),
        (["--alpha", "0.6", "--beta", "0.4"], ["below 1 together"]),
        (["--model", "logistik"], ["unknown model 'logistik'", "'logistic'"]),
        (["--in", "nowhere.db"], ["nowhere.db"]),
    ],
)
def test_bad_options_are_one_sentence(words: list[str], parts: list[str]) -> None:
    assert_one_sentence(run("compare", "random", "reflex", *words), *parts)


def test_bad_names_are_one_sentence(place: Path) -> None:
    where = str(place)
    assert_one_sentence(run("compare", "alpha", "bata", "--in", where), "unknown player 'bata'")
    assert_one_sentence(run("compare", "alpha", "alpha", "--in", where), "with itself")
    assert_one_sentence(run("compare", where, "random"), "is a journal, but 'random' is not")
    assert_one_sentence(run("compare", "random", "rendom"), "unknown engine 'rendom'")


QUICK = ("--game", "5x4", "--opening-plies", "3", "--games", "200")
TEST = ("--sprt", "--elo0", "0", "--elo1", "100")


def test_the_test_stops_a_match_at_the_same_game_on_any_number_of_tables() -> None:
    data = run_json("compare", "reflex", "random", *QUICK, *TEST)
    assert data["stopped"]
    assert data["sprt"]["verdict"] == "H1"
    assert data["decision"] == "stronger"
    assert data["games"] < 200
    assert data["after_stop"]["elo_low"] > 0
    assert {key: data["difference"][key] for key in data["after_stop"]} == data["after_stop"]
    assert data["verdict"].startswith("reflex is stronger than random: +")
    again = run_json("compare", "reflex", "random", *QUICK, *TEST, "--workers", "2")
    assert again == data


def test_without_the_test_all_games_are_played() -> None:
    data = run_json("compare", "reflex", "random", *QUICK[:-1], "40", "--elo1", "100")
    assert (data["games"], data["stopped"], data["decision"]) == (40, False, "stronger")


@pytest.mark.parametrize(
    ("sides", "more", "code"),
    [
        (("random", "reflex"), (), 1),
        (("reflex", "random"), (), 0),
        (("random", "random"), (), 0),
        (("random", "reflex"), TEST, 1),
        (("random", "reflex"), ("--sprt", "--elo0=-100", "--elo1=0"), 1),
        (("reflex", "random"), ("--sprt", "--elo0=-100", "--elo1=0"), 0),
    ],
)
def test_the_exit_code_tells_whether_the_first_is_weaker(
    sides: tuple[str, str], more: tuple[str, ...], code: int
) -> None:
    words = ("compare", *sides, *QUICK[:-1], "60", *more)
    assert run(*words, "--fail-if-weaker").exit_code == code
    assert run(*words).exit_code == 0


def test_recorded_players_have_an_exit_code_by_verdict_too(place: Path) -> None:
    for sides, code in ((("beta", "alpha"), 1), (("alpha", "beta"), 0), (("gamma", "alpha"), 0)):
        words = ("compare", *sides, "--in", str(place))
        assert run(*words, "--fail-if-weaker").exit_code == code


def test_what_is_for_a_match_is_refused_elsewhere(place: Path) -> None:
    assert_one_sentence(run("compare", "alpha", "beta", "--in", str(place), "--sprt"), "--sprt")
    journals = ("compare", str(place), str(place))
    assert_one_sentence(run(*journals, "--fail-if-weaker"), "two players, not for two journals")
