"""A bot as a student has it: in a folder of its own, with mistakes, wherever it is named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import Result

from tests.cli.running import run, run_json

BOT = '''\
from arena import Choice, Engine
import my_eval


class Bot(Engine):
    """Divides."""

    def choose(self, position, limits):
        return Choice(position.legal[my_eval.worth(position)])
'''
EVAL = "def worth(position):\n    return 1 // (position.ply - {ply})\n"
FRAMES = ('my_bot.py", line 9, in choose', 'my_eval.py", line 2, in worth')
CODE = "return 1 // (position.ply - 4)"


def folder_with_bot(folder: Path, ply: int) -> Path:
    folder.mkdir()
    (folder / "my_bot.py").write_text(BOT, encoding="utf-8")
    (folder / "my_eval.py").write_text(EVAL.format(ply=ply), encoding="utf-8")
    return folder / "my_bot.py"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two bots of one name in two folders; the module beside the one fails, the other's not."""
    place = tmp_path_factory.mktemp("a class")
    folder_with_bot(place / "my bots", ply=4)
    folder_with_bot(place / "theirs", ply=99)
    return place


@pytest.fixture(scope="module")
def journal(place: Path) -> str:
    """A tournament of both, played at a table."""
    file = place / "cup.yaml"
    file.write_text(
        f"name: cup\ngames: 6\nworkers: 1\nopenings: {{random: 2}}\noutput: {place / 'out'}\n"
        "engines:\n- {engine: my bots/my_bot.py, name: mine}\n"
        "- {engine: theirs/my_bot.py, name: theirs}\n",
        encoding="utf-8",
    )
    result = run("run", str(file), "--no-report")
    assert result.exit_code == 0, result.output
    mistakes = [line for line in result.stderr.splitlines() if "exception" in line]
    assert "ZeroDivisionError" in mistakes[0]
    assert "the same as in game" in mistakes[1]
    assert re.search(r"^\d times, first in game \d: mine: ZeroDiv", result.stderr, re.MULTILINE)
    return str(place / "out")


def told_once(text: str) -> None:
    """The frames stand there, all of them, none of ours, and only once."""
    for words in (*FRAMES, CODE):
        assert text.count(words) == 1, (words, text)
    assert "referee.py" not in text


@pytest.fixture
def bot(place: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(place)
    return "my bots/my_bot.py"


def test_a_match_tells_a_mistake_once_with_a_count(bot: str) -> None:
    result = run("match", bot, "random", "--games", "4")
    assert result.exit_code == 0, result.output
    told_once(result.stdout)
    assert "the same as in game 1" in result.stdout
    assert "times, first in game 1: my_bot.py: ZeroDivisionError" in result.stdout


def test_a_match_as_json_has_the_frames_of_each_game_and_the_mistakes(bot: str) -> None:
    data = run_json("match", bot, "random", "--games", "4")
    failed = [game for game in data["game_list"] if game["reason"] == "exception"]
    assert sum(mistake["count"] for mistake in data["mistakes"]) == len(failed) > 1
    for text in (failed[-1]["trace"], data["mistakes"][0]["trace"]):
        told_once(text)


def test_check_tells_a_mistake_once_with_a_count(bot: str) -> None:
    result = run("check", bot)
    assert result.exit_code == 1, result.output
    told_once(result.stdout)
    assert "times: ZeroDivisionError" in result.stdout
    findings = json.loads(run("check", bot, "--json").stdout)
    told_once(next(finding["trace"] for finding in findings if not finding["ok"]))


def test_play_shows_the_frames(bot: str, tmp_path: Path) -> None:
    result = run(
        "play",
        bot,
        "random",
        "--seed",
        "1",
        ARENA_HISTORY=str(tmp_path / "played.db"),
    )
    told_once(result.stdout)


def test_a_bot_that_does_not_load_shows_its_frames_after_the_sentence(tmp_path: Path) -> None:
    path = folder_with_bot(tmp_path / "broken", ply=4)
    (path.parent / "my_eval.py").write_text("def worth():\n    1 / 0\n\n\nworth()\n")
    for command in (["check"], ["match", "random"], ["play"]):
        result = run(*command, str(path))
        assert result.exit_code == 2
        assert result.stderr.startswith(f"arena: {path.parent / 'my_eval.py'}:2: ZeroDivisionError")
        assert 'my_eval.py", line 5, in <module>' in result.stderr
        assert "engine_files.py" not in result.stderr


def test_bad_games_show_the_frames_once_and_count(journal: str) -> None:
    result = run("games", journal, "--bad")
    told_once(result.stdout)
    assert "the same as in game" in result.stdout
    assert "mine: ZeroDivisionError" in result.stdout
    assert "theirs: " not in result.stdout


def test_games_and_replay_as_json_have_the_frames(journal: str) -> None:
    lines = run("games", journal, "--bad", "--json").stdout.splitlines()
    games = [json.loads(line) for line in lines]
    assert len(games) > 1
    for game in games:
        told_once(game["trace"])
    told_once(run_json("games", journal, str(games[0]["number"]))["trace"])


def test_replay_shows_the_frames(journal: str) -> None:
    number = json.loads(run("games", journal, "--bad", "--json", "--most", "1").stdout)["number"]
    told_once(run("games", journal, str(number)).stdout)


@pytest.mark.parametrize("form", ["report.md", "report.html"])
def test_a_report_shows_the_frames_once(journal: str, form: str) -> None:
    assert run("report", journal, "--html", "--no-plots", "--accuracy", "0").exit_code == 0
    text = (Path(journal) / form).read_text(encoding="utf-8").replace("&quot;", '"')
    told_once(text.replace("&#x27;", "'"))
    assert "Mistakes of engines" in text


def test_a_report_as_json_has_the_mistakes(journal: str) -> None:
    data = run_json("report", journal, "--no-plots", "--accuracy", "0")
    told_once(data["mistakes"][0]["trace"])
    assert data["mistakes"][0]["count"] == len(
        run("games", journal, "--bad", "--json").stdout.splitlines()
    )


def checked(result: Result) -> list[str]:
    return [line for line in result.stdout.splitlines() if line.strip()]


def test_several_bots_are_checked_in_a_line_each(bot: str, tmp_path: Path) -> None:
    result = run("check", "theirs/my_bot.py", bot)
    assert result.exit_code == 1, result.output
    good, bad = checked(result)
    assert good == "✓ theirs/my_bot.py is valid"
    assert bad.startswith("✗ my bots/my_bot.py fails ")
    assert "ZeroDivisionError" in bad
    missing, _ = checked(run("check", "nowhere.py", "theirs/my_bot.py"))
    assert missing == "✗ nowhere.py: No such file or directory"
    result = run("check", "nowhere.py", "theirs/my_bot.py", "--json")
    assert result.exit_code == 2
    data = json.loads(result.stdout)
    assert [each["ok"] for each in data] == [False, True]
    assert data[0]["error"].startswith("nowhere.py: No such file")
