"""The bundled files: valid, described, reproducible, and found by name."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from arena.bots.find import find
from arena.bots.names import BotName
from arena.errors import ArenaWarning
from arena.tournament import bundled
from arena.tournament.bundled import bundled_folder, bundled_names, find_file
from arena.tournament.load import is_grading, load
from arena.tournament.schema import json_schema
from arena.tournament.spec import Tournament
from arena.tournament.yaml import read
from tests.cli.running import assert_one_sentence, run, run_apart, run_json
from tests.tournament.playing import faults

TOP = Path(__file__).resolve().parents[2]
FOLDER = TOP / "tournaments"
FILES = sorted(FOLDER.rglob("*.yaml"))
TOURNAMENTS = [path for path in FILES if "method" not in read(path).data]
PLAYED = [path for path in TOURNAMENTS if not is_grading(read(path))]
STUDIES = [path for path in PLAYED if path.parent.name == "studies"]
STARTER = TOP / "arena" / "tournament" / "starter.yaml"
BY_TIME = {"learned-value", "ablations", "blair", "gaiceanu", "game-clock", "kaggle-bot", "url-bot"}


def name_of(path: Path) -> str:
    return path.relative_to(FOLDER).with_suffix("").as_posix()


def load_installed(path: Path) -> Tournament:
    """A tournament without the external engines that are not installed here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ArenaWarning)
        return load(path, skip_missing=True)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_the_header_has_purpose_duration_and_command(path: Path) -> None:
    header = path.read_text(encoding="utf-8").partition("\n\n")[0]
    assert all(line.startswith("#") for line in header.splitlines())
    assert re.search(r"\b(second|minute)s?\b", header)
    commands = re.findall(r"^#   arena (?:run|train|grade \S+ --with) (\S+)", header, re.MULTILINE)
    assert [find_file(Path(command)).resolve() for command in commands] == [path]
    assert read(path).data["name"] == path.stem


def test_the_first_tournament_is_fair() -> None:
    """Quickstart gives each engine the same budget; equal-depth gives each the same search."""
    limits = {
        player.name: (player.limits.nodes, player.limits.playouts)
        for player in load(FOLDER / "quickstart.yaml").players
    }
    assert {name: limit for name, limit in limits.items() if "mcts" not in name} == dict.fromkeys(
        ["random", "reflex", "minimax", "alphabeta", "alphabeta-time"], (20_000, None)
    )
    assert limits["mcts"][1] == 2_000
    searches = load(FOLDER / "equal-depth.yaml").players
    assert {player.limits.depth for player in searches} == {4}
    for player in searches:
        defaults = find(player.engine).engine.options
        assert defaults["evaluation"].default == "rivest", player.name
        assert "pruning" not in defaults or defaults["pruning"].default == "full", player.name


def test_the_page_lists_every_file() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`([\w/-]+)`", page.replace("`, `", "`\n`")))
    assert {name_of(path) for path in FILES} <= listed


@pytest.mark.parametrize("path", PLAYED, ids=name_of)
def test_games_are_the_same_on_every_machine(path: Path) -> None:
    """No limit is a time where time is not the subject; no engine limits itself by time."""
    if path.stem in BY_TIME:
        return
    for player in load_installed(path).players:
        limits = player.limits
        assert (limits.seconds, limits.clock, limits.cpu) == (None, None, None), player.name
        if BotName.parse(player.engine).kind:
            continue
        if "seconds" in find(player.engine).engine.options or "master" in player.engine:
            assert limits.nodes or limits.depth, player.name


@pytest.mark.parametrize("path", [*TOURNAMENTS, STARTER], ids=lambda path: path.stem)
def test_each_tournament_fits_the_schema(path: Path) -> None:
    data, schema = read(path).data, json_schema(["random"])
    assert faults(data, schema) == []


@pytest.mark.parametrize("path", STUDIES, ids=name_of)
def test_a_study_has_its_claims_and_its_place(path: Path) -> None:
    study = load(path)
    assert study.aims.about
    assert study.aims.published
    assert study.output == Path("reports/studies") / path.stem
    if "full" in read(path).data:
        full = load(path, full=True)
        limits = [[player.limits for player in each.players] for each in (study, full)]
        more_games = (full.schedule().total or 0) > (study.schedule().total or 0)
        assert more_games or limits[0] != limits[1]


def test_a_bundled_file_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("quickstart", "quickstart.yaml", "tournaments/quickstart.yaml"):
        assert find_file(Path(name)) == FOLDER / "quickstart.yaml"
    names = ("develop/swiss", "training/fourplay", "course/grading")
    assert [each["ok"] for each in run_json("check", *names)] == [True] * 3
    (tmp_path / "quickstart").mkdir()  # a folder is no tournament
    assert find_file(Path("quickstart")) == FOLDER / "quickstart.yaml"
    (tmp_path / "quickstart.yaml").write_text("engines: [random, reflex]\nname: mine\n")
    (mine,) = run_json("check", "quickstart")
    assert mine["name"] == "mine"


def test_an_installed_package_has_them_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bundled_folder() == FOLDER
    inside = tmp_path / "arena" / bundled.WHEEL / "studies"
    inside.mkdir(parents=True)
    (inside / "mine.yaml").touch()
    monkeypatch.setattr("arena.__file__", str(tmp_path / "arena" / "__init__.py"))
    monkeypatch.chdir(tmp_path)
    assert bundled_names() == ["studies/mine"]
    assert find_file(Path("studies/mine")) == inside / "mine.yaml"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("run", "quikstart"),
            "no such file or bundled tournament; did you mean 'quickstart'?",
        ),
        (("run", "blair"), "did you mean 'studies/blair'?"),
        (("run", "zzz"), "zzz: no such file or bundled tournament"),
        (("train", "fourplya"), "did you mean 'training/fourplay'?"),
        (("grade", ".", "--with", "gradign"), "did you mean 'course/grading'?"),
        (("init", "--from", "leage"), "no bundled file is called 'leage'; did you mean 'course/le"),
        (
            ("init", "--from", "zzz"),
            "called 'zzz'; arena run --list lists them",
        ),
        (("init", "--schema", "--from", "x"), "--from cannot be used with --schema"),
    ],
)
def test_an_unknown_name_is_one_sentence(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_one_sentence(run(*words), sentence)


def test_init_copies_a_file_with_what_it_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("init", "--from", "course/league", "cups/mine.yaml")
    assert result.exit_code == 0, result.output
    assert "run it with: arena run cups/mine.yaml" in result.stderr
    assert {path.name for path in Path("cups").iterdir()} == {
        "mine.yaml",
        "my_bot.py",
        "submissions",
    }
    (copy,) = run_json("check", "cups/mine.yaml")
    assert copy["engines"][0] == "MyBot"
    Path("cups/my_bot.py").write_text("mine")
    again = run("init", "--from", "course/league", "cups/mine.yaml")
    assert_one_sentence(again, "cups/my_bot.py, cups/submissions exist; --force overwrites")
    assert Path("cups/my_bot.py").read_text() == "mine"
    assert run("init", "--from", "course/league", "cups/mine.yaml", "--force").exit_code == 0
    assert "class MyBot" in Path("cups/my_bot.py").read_text()


def assert_it_plays(bot: str) -> None:
    result = run_apart("match", bot, "random", "--games", "2", "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["players"][0]["moves"] >= 4


def test_the_kaggle_submission_plays() -> None:
    assert_it_plays(f"kaggle:{FOLDER / 'develop' / 'kaggle_submission.py'}")


def test_the_web_bot_plays() -> None:
    command = [sys.executable, str(FOLDER / "develop" / "web_bot.py"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as bot:
        try:
            assert bot.stdout is not None
            (address,) = re.findall(r"http://\S+/move", bot.stdout.readline())
            assert_it_plays(f"url:{address}")
        finally:
            bot.kill()
