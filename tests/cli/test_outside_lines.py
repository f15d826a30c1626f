"""Programs in lines on the command line and in tournament files: what is told before game 1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.tournament.load import load_text
from arena.tournament.mistakes import BadSpec
from tests.bots.partners import sensible_bot
from tests.cli.running import run, run_json

BOT = f"lines:{sensible_bot('python', 'lines')}"
AIGAMES = f"aigames:{sensible_bot('python', 'aigames')}"


def test_a_match() -> None:
    data = run_json("match", AIGAMES, "reflex", "--games", "2", "--limit", "seconds=20")
    assert data["mistakes"] == []
    assert [len(game["opening"]) for game in data["game_list"]] == [4, 4]


def test_a_match_says_why_it_has_no_openings() -> None:
    done = run("match", BOT, "reflex", "--games", "2", "--json")
    assert "all games start from the empty board, as lines:" in done.stderr
    data = json.loads(done.stdout)
    assert data["mistakes"] == []
    assert [len(game["opening"]) for game in data["game_list"]] == [0, 0]


def test_a_tournament_file_with_openings_that_are_too_long() -> None:
    text = f"engines:\n  - random\n  - engine: {BOT!r}\nopenings: {{random: 4}}\n"
    with pytest.raises(BadSpec, match="must start from an empty board, not after 4 plies"):
        load_text(text)
    assert len(load_text(text.replace("{random: 4}", "none")).players) == 2


def test_a_run(tmp_path: Path) -> None:
    file = tmp_path / "lines.yaml"
    engines = f"engines:\n  - random\n  - {{name: bot, engine: {AIGAMES!r}}}\n"
    file.write_text(f"{engines}games: 2\noutput: {tmp_path / 'out'}\n", encoding="utf-8")
    done = run("run", str(file), "--plain", "--workers", "1", "--no-report", ARENA_ACCURACY="0")
    assert done.exit_code == 0, done.output
    games = run("games", str(tmp_path / "out"), "--json").stdout.splitlines()
    assert {json.loads(game)["reason"] for game in games} <= {"line", "full board"}


def test_a_program_that_is_told_single_moves_is_checked_by_whole_games() -> None:
    found = {each["title"]: each for each in run_json("check", BOT)}
    assert all(each["ok"] for each in found.values() if each["kind"] == "must"), found
    assert "plays on 5x4 connect 4" not in found  # nobody tells the bot the board
    assert found["plays on 7x6 connect 4"]["ok"]
    assert "same seed, same game" in found


def test_validate_leaves_out_what_is_not_installed_and_tells_who_is_broken(tmp_path: Path) -> None:
    file, bot = tmp_path / "t.yaml", tmp_path / "bot.py"
    bot.write_text("import no_such_package\n", encoding="utf-8")
    file.write_text("broken: forfeit\nengines: [random, 'uci:no-such-fish', bot.py]\n")
    assert run("check", str(file)).exit_code == 2
    result = run("check", str(file), "--skip-missing")
    assert result.exit_code == 0
    assert "uci:no-such-fish is left out" in result.stderr
    assert result.stdout.startswith("ok: t, 2 engines, 2 games\n  bot loses its games: bot.py:1: ")
