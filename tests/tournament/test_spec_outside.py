"""Engines that are not ours in a tournament file: by kind, described by seats, or left out."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.errors import ArenaWarning
from arena.tournament.identity import canonical, fingerprint
from arena.tournament.load import load_text, understand
from arena.tournament.mistakes import BadSpec
from arena.tournament.spec import Tournament
from arena.tournament.yaml import read_text

AGENT = "def agent(observation, configuration):\n    return 3\n"
BOT = """
import sys
from arena import Choice, Engine, option

print("loaded", file=sys.stdout)
IMPORTED_BY = sys.argv[0]

class Bot(Engine):
    "Plays as told."
    depth: int = option(2, "plies", least=1, most=9)
    mood: str = "calm"

    def choose(self, position, limits):
        return Choice(position.legal[0])
"""
PROGRAM = "print('3')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"agent.py": AGENT, "bot.py": BOT, "program.py": PROGRAM}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def load(folder: Path, engines: Sequence[str], more: str = "") -> Tournament:
    text = f"engines:\n{''.join(f'- {engine}{chr(10)}' for engine in engines)}{more}"
    return load_text(text, folder / "t.yaml")


def mistakes(folder: Path, engine: str, more: str = "") -> list[str]:
    with pytest.raises(BadSpec) as refused:
        load(folder, [engine, "random"], more)
    return [str(mistake).removeprefix(f"{folder}/") for mistake in refused.value.mistakes]


def test_a_kind_is_a_mapping_or_words(folder: Path) -> None:
    kaggle = ["engine: {kaggle: agent.py}", '"kaggle:agent.py"']
    made = [load(folder, [engine, "random"]).players[0] for engine in kaggle]
    assert made[0] == made[1]
    assert made[0].engine == f"kaggle:{folder / 'agent.py'}"
    assert made[0].name == "agent"


def test_a_program_is_found_beside_the_file(folder: Path) -> None:
    command = f"{shlex.quote(sys.executable)} program.py --fast"
    player = load(folder, [f"engine: {{lines: {command}}}", "random"]).players[0]
    assert player.engine == f"lines:{sys.executable} {folder / 'program.py'} --fast"
    assert player.name == "program"


def test_a_file_is_never_run_where_the_tournament_is_read(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament = load(folder, ["{engine: bot.py, options: {depth: [1, 3]}}", "random"])
    assert [player.options for player in tournament.players[:2]] == [{"depth": 1}, {"depth": 3}]
    assert not any("bot" in name and "IMPORTED_BY" in vars(sys.modules[name])
                   for name in [*sys.modules])  # fmt: skip
    assert capfd.readouterr().out == ""


def test_a_board_that_a_kind_cannot_express(folder: Path) -> None:
    told = mistakes(folder, "engine: {kaggle: agent.py}", "game: 4x4x4\n")
    assert told == ["t.yaml:2:11: engines[0].engine: kaggle bots play on flat boards, not on 4x4x4"]


def test_a_bot_that_is_not_described_in_time_is_named(folder: Path) -> None:
    (folder / "bot.py").write_text("import time\nprint('thinking')\ntime.sleep(100)\n")
    told = mistakes(folder, "bot.py", "start: 0.5\n")
    assert [each[:50] for each in told] == ["t.yaml:2:3: engines[0].engine: was not ready in 0."]


def test_isolation_is_for_all_or_for_one(folder: Path) -> None:
    engines = ["bot.py", "{engine: bot.py, name: other, isolation: none}", "random"]
    assert [player.isolated for player in load(folder, engines).players] == [True, False, True]
    everywhere = load(folder, [engines[0], "random"], "isolation: none\n")
    assert [player.isolated for player in everywhere.players] == [False, False]


def test_where_engines_run_decides_no_game(folder: Path) -> None:
    more = "isolation: none\nstart: 3\nbroken: forfeit\n"
    plain, other = (load(folder, ["bot.py", "random"], text) for text in ("", more))
    assert fingerprint(plain) == fingerprint(other)


@pytest.mark.parametrize(
    ("engine", "file"),
    [
        ("engine: {kaggle: agent.py}", "agent.py"),
        (f"engine: {{lines: {shlex.quote(sys.executable)} program.py}}", "program.py"),
    ],
)
def test_files_from_outside_decide_games(folder: Path, engine: str, file: str) -> None:
    tournament = load(folder, [engine, "random"])
    assert str(folder) not in str(canonical(tournament))
    before = fingerprint(tournament)
    (folder / file).write_text("# changed\n" + (folder / file).read_text())
    assert before != fingerprint(load(folder, [engine, "random"]))


def test_bots_of_one_file_name_are_called_by_their_folders(folder: Path) -> None:
    for name in ("anna", "ben"):
        (folder / name).mkdir()
        (folder / name / "main.py").write_text(AGENT, encoding="utf-8")
    engines = ["engine: {kaggle: anna/main.py}", "engine: {kaggle: ben/main.py}"]
    assert [each.name for each in load(folder, engines).players] == ["anna/main", "ben/main"]
    engines = ["engine: {kaggle: anna}", "engine: {kaggle: ben}"]
    made = load(folder, engines)
    assert [each.name for each in made.players] == ["anna", "ben"]
    settings = canonical(made)["engines"][0]
    assert settings["engine"] == "kaggle:anna/main.py"
    assert settings["sha256"]


def test_what_is_not_installed_is_left_out_on_request(folder: Path) -> None:
    text = "engines: [random, reflex, {engine: {uci: no-such-engine}}]\n"
    document = read_text(text, folder / "t.yaml")
    with pytest.warns(ArenaWarning, match="uci:no-such-engine is left out: the program"):
        tournament = understand(document, skip_missing=True)
    assert [player.name for player in tournament.players] == ["random", "reflex"]


def test_places_of_a_program_are_seen_from_the_file_and_what_is_in_them_counts(
    tmp_path: Path,
) -> None:
    prints, options = [], []
    for name, text in (("here", "[a:b]\n"), ("there", "[a:b]\n"), ("other", "[a:c]\n")):
        folder = tmp_path / name
        (folder / "runs").mkdir(parents=True)
        (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
        (folder / "our.ini").write_text(text, encoding="utf-8")
        engine = "{uci: python3 program.py our.ini}"
        words = f"engine: {engine}\n  options: {{folder: runs, variants: our.ini}}"
        tournament = load(folder, [words, "random"])
        assert tournament.players[0].options["folder"] == str(folder / "runs")
        prints.append(fingerprint(tournament))
        options.append(canonical(tournament)["engines"][0]["options"])
    assert prints[0] == prints[1] != prints[2]
    assert options[0]["folder"] == "runs"
    assert options[0]["variants"]["file"] == "our.ini"


def test_a_broken_bot_has_the_names_that_it_would_have(folder: Path) -> None:
    entry = "engine: bot.py\n  options: {depth: [2, 4], mood: calm}\n  limits: {seconds: [1, 2]}"
    names = [player.name for player in load(folder, [entry, "random"], "broken: forfeit").players]
    assert names[0] == "bot depth=2 mood=calm at seconds=1"
    (folder / "bot.py").write_text("import no_such_package\n", encoding="utf-8")
    players = load(folder, [entry, "random"], "broken: forfeit").players
    assert [player.name for player in players] == names
    assert [bool(player.broken) for player in players] == [True] * 4 + [False]


def test_variants_that_cannot_be_built_are_broken_alone(folder: Path) -> None:
    text = BOT + "\n    def __init__(self, **options):\n        super().__init__(**options)\n"
    text += "        if self.depth == 4 and self.mood == 'sad':\n"
    text += "            __import__('os')._exit(1)\n"
    (folder / "bot.py").write_text(text, encoding="utf-8")
    entry = "engine: bot.py\n  options: {depth: [2, 4], mood: sad}"
    players = load(folder, [entry, "random"], "broken: forfeit").players
    assert [bool(player.broken) for player in players] == [False, True, False]
