"""`arena analyse`: a game from its moves or from a journal, and a journal as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli import judged
from arena.game.notation import play_moves
from arena.game.rules import Rules
from arena.journal import Journal
from arena.library.analysis import is_notation
from arena.report.canvas import can_plot
from tests.cli.running import assert_one_sentence, run, run_json
from tests.journal.examples import ended, fill, make_header, make_row
from tests.judge.minimax import random_game

GAME = "2252576253462244111563365343671351441"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A journal of random games on 5x4."""
    rules = Rules.named("5x4")
    with Journal.open(tmp_path / "games.db", make_header("5x4")) as journal:
        for number in range(12):
            moves = random_game(rules, number)
            told = {"moves": moves, "opening": moves[:4], "telemetry": b""}
            end = ended(play_moves(moves, rules))
            journal.write(make_row(number, "connect4-5x4", **told, **end))
    return tmp_path


def test_a_game_from_its_moves() -> None:
    told = run_json("analyse", "32525123213", "--game", "5x4")
    assert told["moves"] == "32525123213"
    assert told["complete"] is True
    assert len(told["values"]) == len(told["verdicts"]) + 1
    for move, (before, after) in zip(
        told["verdicts"], zip(told["values"], told["values"][1:], strict=False), strict=True
    ):
        assert move["judged"]
        assert move["keeps_value"] == (before == after)
        assert move["keeps_score"] == (move["loss"] == 0)
        assert move["loss"] == move["before"] - move["after"]
    changes = [m["disc"] for m in told["verdicts"] if not m["keeps_value"]]
    assert told["decided"]["disc"] == (changes[-1] if changes else None)


def test_a_game_on_the_screen() -> None:
    result = run("analyse", GAME, "--seconds", "0.5")
    assert result.exit_code == 0, result.output
    for part in ("X first against O second", "disc", "verdict", "best", "keeps value", "ahead"):
        assert part in result.stdout
    assert "It is not over: " in result.stdout
    blocks = next(line for line in result.stdout.splitlines() if line.startswith("  ahead"))
    assert len(blocks.split()[1]) == len(GAME) + 1
    plain = run("analyse", GAME, "--seconds", "0.5", NO_COLOR="1", FORCE_COLOR="1")
    assert "\x1b[3" not in plain.stdout


def test_what_takes_too_long_is_unjudged() -> None:
    result = run("analyse", "4" * 6 + "35", "--seconds", "0.001")
    assert result.exit_code == 0, result.output
    assert "unjudged" in result.stdout
    told = run_json("analyse", "444", "--game", "8x7", "--seconds", "0.01")
    assert told["complete"] is False
    assert told["decided"]["how"] == "unknown"
    assert not told["verdicts"][0]["judged"]


def test_a_game_of_a_journal(place: Path) -> None:
    result = run("analyse", str(place), "3")
    assert result.exit_code == 0, result.output
    assert "example · game 3 · 5x4 connect 4" in result.stdout
    assert result.stdout.count("opening") == 4
    told = run_json("analyse", str(place), "3")
    assert [move["opening"] for move in told["verdicts"]][:5] == [True] * 4 + [False]
    with Journal.read(place) as journal:
        row = journal.row(3)
        assert told["players"] == [journal.header.names[n] for n in (row.first, row.second)]
    assert told["result"] == row.result
    assert told["values"][-1] == row.result


def test_a_whole_journal(place: Path) -> None:
    told = run_json("analyse", str(place))
    assert told["judged_games"] == told["games"] == 12
    assert told["unjudged_moves"] == 0
    assert len(told["decided"]) == 12
    assert told["blunders"]
    every = [row for row in told["engines"] if row["positions"] == "all"]
    assert [row["engine"] for row in every] == ["alpha", "beta", "gamma"]
    assert sum(row["moves"] for row in every) == told["judged_moves"]
    shown = run("analyse", str(place))
    assert shown.exit_code == 0, shown.output
    for part in ("Judged all 12 games by exact scores", "All moves", "Critical positions",
                 "Where games were decided", "Worst blunders", "alpha"):  # fmt: skip
        assert part in shown.stdout
    assert max(map(len, run("analyse", str(place), COLUMNS="80").stdout.splitlines())) <= 80


def test_what_was_judged_is_kept(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run_json("analyse", str(place))
    assert (place / "games.judged").is_file()

    def nobody(rules: Rules) -> None:
        raise AssertionError("everything is known")

    monkeypatch.setattr(judged, "ready_judge", nobody)
    assert run_json("analyse", str(place)) == before


def test_each_game_agrees_with_the_whole(place: Path) -> None:
    """What the journal's figures say is what its games say one by one."""
    whole = run_json("analyse", str(place))
    for game in whole["decided"][:4]:
        told = run_json("analyse", str(place), str(game["game"]))
        assert told["decided"]["how"] == game["decided"]
        assert told["decided"]["disc"] == game["disc"]
        assert sum(move["judged"] for move in told["verdicts"]) == game["judged_moves"]


@pytest.mark.skipif(not can_plot(), reason="matplotlib is not installed")
def test_plots(place: Path) -> None:
    svg, png = place / "game.svg", place / "all.png"
    assert run("analyse", str(place), "3", "--plot", str(svg)).exit_code == 0
    assert svg.read_bytes().startswith(b"<?xml")
    assert run("analyse", str(place), "--plot", str(png)).exit_code == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    wrong = run("analyse", str(place), "3", "--plot", str(place / "no" / "x.svg"))
    assert_one_sentence(wrong, "cannot be written")


def test_every_blunder_of_an_engine_and_an_opening_file_of_them(place: Path) -> None:
    """The positions can be played again, as the openings of a tournament."""
    file = place / "blunders.txt"
    words = ("analyse", str(place), "--blunders", "alpha", "--openings", str(file))
    told = run_json(*words)["blunders"]
    assert {each["engine"] for each in told} == {"alpha"}
    assert "position" in run(*words).stdout
    lines = file.read_text().splitlines()
    assert 0 < len(set(lines)) == len(lines) <= len(told)
    cup = place / "cup.yaml"
    cup.write_text(f"game: 5x4\nengines: [random, reflex]\nopenings: {{file: {file.name}}}\n")
    assert run("check", str(cup)).exit_code == 0
    assert_one_sentence(run("analyse", str(place), "--blunders", "alhpa"), "did you mean 'alpha'")
    assert_one_sentence(
        run("analyse", "444", "--blunders", "alpha"), "--blunders cannot be used with one game"
    )


def test_a_journal_without_games(tmp_path: Path) -> None:
    Journal.open(tmp_path, make_header()).close()
    result = run("analyse", str(tmp_path), "--plot", str(tmp_path / "x.svg"))
    assert result.exit_code == 0, result.output
    assert "Judged all 0 games" in result.stdout
    assert "nothing was judged" in result.stderr
    assert not (tmp_path / "x.svg").exists()


def test_mistakes_are_one_sentence(place: Path) -> None:
    assert_one_sentence(run("analyse", "4444444"), "move 7: column 4 is full")
    assert_one_sentence(run("analyse", "48"), "column 8")
    assert_one_sentence(run("analyse", "4453", "3"), "is a game already")
    assert_one_sentence(run("analyse", "nowhere"), "there is no journal nowhere")
    assert_one_sentence(run("analyse", str(place), "99"), "game 99 is not in")
    assert_one_sentence(run("analyse", "4453", "--plot", "x.gif"), "an .svg or a .png file")
    assert_one_sentence(run("analyse", "4453", "--plot", "no/such/x.svg"), "no directory no/such")


def test_a_journal_knows_its_game(place: Path) -> None:
    result = run("analyse", str(place), "--game", "5x4")
    assert_one_sentence(result, "--game cannot be used with a journal, which knows its game")
    assert_one_sentence(run("analyse", "44", "--game", "9x7"), "too large for the exact solver")


def test_a_board_too_large_for_the_judge(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 2, "9x7")
    assert_one_sentence(run("analyse", str(tmp_path)), "too large for the exact solver")
    report = run("report", str(tmp_path), "--no-plots", "--accuracy", "5")
    assert report.exit_code == 0, report.output
    assert "Accuracy" not in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_a_game_or_a_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_notation("4453")
    assert is_notation("10,4,4")
    assert not is_notation("reports/4453")
    (tmp_path / "2026").mkdir()
    assert not is_notation("2026")
