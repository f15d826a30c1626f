"""`arena run`: to the end, again, changed, stopped by a rule, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

from arena.journal import Journal
from tests.cli.running import assert_one_sentence, run, run_json

BOTS = Path(__file__).parents[1] / "runners" / "bots.py"


def tournament(folder: Path, text: str = "", games: int = 6) -> str:
    """A small tournament of two quick engines, in a file."""
    file = folder / "small.yaml"
    engines = "" if text.startswith("engines:") else "engines: [random, reflex]\n"
    common = f"name: small\ngames: {games}\nworkers: 1\noutput: {folder / 'out'}\n"
    file.write_text(common + engines + text)
    return str(file)


def test_a_run_ends_with_standings_and_says_where_the_games_are(tmp_path: Path) -> None:
    result = run("run", tournament(tmp_path))
    assert result.exit_code == 0, result.output
    assert "reflex" in result.stdout
    assert "Finished: all games are played" in result.stdout
    assert str(tmp_path / "out" / "games.db") in result.stdout.replace("\n", "")
    with Journal.read(tmp_path / "out") as journal:
        assert journal.count() == 6
        assert [session.why for session in journal.sessions()] == ["all games are played"]


def test_standings_as_json(tmp_path: Path) -> None:
    data = run_json("run", tournament(tmp_path))
    assert data["ending"] == "finished"
    assert sum(row["points"] for row in data["standings"]) == 6
    again = run_json("run", str(tmp_path / "small.yaml"))
    assert again["why"] == "all games are played already"
    assert again["standings"] == data["standings"]


def test_a_changed_file_is_refused_and_new_sets_the_old_games_aside(tmp_path: Path) -> None:
    assert run("run", tournament(tmp_path)).exit_code == 0
    changed = tournament(tmp_path, "seed: 99\n")
    assert_one_sentence(run("run", changed), "seed", "99", "--new")
    assert run("run", changed, "--new").exit_code == 0
    assert len(list((tmp_path / "out").glob("games*.db"))) == 2


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    file = tournament(tmp_path, "limits: {seconds: 1}\n")
    result = run("run", file, "--dry-run")
    assert result.exit_code == 0
    assert "6 games on 1 tables" in result.stdout
    assert "at most 0:04:12" in result.stdout  # 6 games of 42 plies of a second
    assert not (tmp_path / "out").exists()
    plan = json.loads(run("run", file, "--dry-run", "--json").stdout)
    assert plan["games"] == 6
    assert len(plan["first_games"]) == 2


def test_a_tournament_does_not_start_with_an_engine_that_cannot(tmp_path: Path) -> None:
    engines = f"engines: [random, '{BOTS}:Cheats']\n"
    result = run("run", tournament(tmp_path, engines))
    assert result.exit_code == 2
    assert "column 100 is not on the board" in result.stderr
    assert "the tournament does not start" in result.stderr
    assert "Traceback" not in result.output


def test_a_test_that_is_decided_stops_the_run_and_stays_decided(tmp_path: Path) -> None:
    text = "stop: {sprt: {engines: [reflex, random], elo0: 0, elo1: 100}}\n"
    file = tournament(tmp_path, text, games=2000)
    data = run_json("run", file)
    assert data["ending"] == "decided"
    assert "SPRT: H1 accepted, reflex is at least about +100 Elo" in data["why"]
    assert data["games"] < 1000
    again = run_json("run", file)
    assert (again["ending"], again["why"]) == (data["ending"], data["why"])


def test_adjudication_ends_long_games(tmp_path: Path) -> None:
    run("run", tournament(tmp_path, "adjudication: {max_plies: 5}\n"))
    with Journal.read(tmp_path / "out") as journal:
        assert {row.reason for row in journal.rows()} == {"max plies"}
        assert {len(row.moves) for row in journal.rows()} == {5}


def test_what_went_wrong_in_a_game_is_told(tmp_path: Path) -> None:
    engines = f"engines: [random, '{BOTS}:Raises']\n"
    result = run("run", tournament(tmp_path, engines, games=2))
    assert result.exit_code == 0
    assert "exception" in result.stderr
    assert "RuntimeError: it did not work" in result.stderr


def test_an_output_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("in the way")
    assert_one_sentence(run("run", tournament(tmp_path)), "out")


def test_quiet_says_nothing_but_the_standings(tmp_path: Path) -> None:
    result = run("run", tournament(tmp_path), "--quiet")
    assert result.stderr == ""
    assert "Finished" in result.stdout
