"""A pattern in the list of engines: a player of each file, told apart and checked by itself."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest

from arena.tournament.identity import canonical, changes, fingerprint
from arena.tournament.load import load_text
from arena.tournament.mistakes import BadSpec
from arena.tournament.spec import Tournament

BOT = """
from arena import Choice, Engine, option

class Bot(Engine):
    depth: int = option(2, "plies", least=1)

    def choose(self, position, limits):
        return Choice(position.legal[0])
"""
AGENT = "def agent(observation, configuration):\n    return 3\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A class of students, another class, groups with a folder each, and what is no bot."""
    bots = ["a/ben", "a/anna", "a/_shared", "a/.hidden", "b/anna", "b/dora"]
    bots += ["groups/one/bot", "groups/two/bot", "groups/_template/bot"]
    for name in bots:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.py").write_text(BOT, encoding="utf-8")
    (tmp_path / "a" / "notes.txt").write_text("no bot", encoding="utf-8")
    (tmp_path / "a" / "folder.py").mkdir()
    for name in ("one", "two"):
        (tmp_path / f"kaggle_{name}.py").write_text(AGENT, encoding="utf-8")
    return tmp_path


def load(folder: Path, *engines: str, more: str = "") -> Tournament:
    lines = "".join(f"- {engine}\n" for engine in (*engines, "random"))
    return load_text(f"engines:\n{lines}{more}", folder / "t.yaml")


def names(folder: Path, *engines: str, more: str = "") -> list[str]:
    return [player.name for player in load(folder, *engines, more=more).players][:-1]


def mistakes(folder: Path, *engines: str, more: str = "") -> list[str]:
    with pytest.raises(BadSpec) as refused:
        load(folder, *engines, more=more)
    return [str(mistake).removeprefix(f"{folder}/") for mistake in refused.value.mistakes]


@pytest.mark.parametrize("pattern", ["a/*.py", "b/*.py", "a/b*.py", "./a/*.py"])
def test_a_pattern_stands_for_its_files_by_name(folder: Path, pattern: str) -> None:
    plain = pattern.removeprefix("./")
    files = [path.relative_to(folder).as_posix() for path in folder.rglob("[!_.]*.py")]
    expected = sorted(file for file in files if fnmatch(file, plain) and "folder" not in file)
    made = load(folder, pattern)
    assert [player.engine for player in made.players[:-1]] == [str(folder / f) for f in expected]
    assert [player.name for player in made.players[:-1]] == [Path(file).stem for file in expected]


def test_options_limits_and_kinds_are_those_of_each_file(folder: Path) -> None:
    entry = "{engine: a/*.py:Bot, options: {depth: [1, 3]}, limits: {nodes: 9}}"
    made = load(folder, entry, "{engine: {kaggle: kaggle_*.py}}")
    assert [player.name for player in made.players] == [
        "anna depth=1",
        "anna depth=3",
        "ben depth=1",
        "ben depth=3",
        "kaggle_one",
        "kaggle_two",
        "random",
    ]
    assert all(player.limits.nodes == 9 for player in made.players[:4])
    assert made.players[0].engine == f"{folder / 'a' / 'anna.py'}:Bot"
    assert made.players[4].engine == f"kaggle:{folder / 'kaggle_one.py'}"


@pytest.mark.parametrize(
    ("engines", "expected"),
    [
        (["a/*.py", "b/*.py"], ["a/anna", "ben", "b/anna", "dora"]),
        (["b/anna.py", "a/*.py"], ["anna", "a/anna", "ben"]),
        (["groups/*/bot.py"], ["one", "two"]),
        (["groups/*/*.py"], ["one/bot", "two/bot"]),
        (["groups/**/*.py"], ["one/bot", "two/bot"]),
        (["{engine: b/*.py, name: class 2}"], ["class 2 anna", "class 2 dora"]),
        (["{engine: a/b*.py, name: first}"], ["first ben"]),
        (["{engine: a/b*.py, name: x, options: {depth: [1, 2]}}"],
         ["x ben depth=1", "x ben depth=2"]),
        (["{engine: a/*.py, name: x}", "{engine: b/a*.py, name: x}"],
         ["x a/anna", "x ben", "x b/anna"]),
        (["'*/_*.py'"], ["a/_shared"]),
    ],
)  # fmt: skip
def test_players_are_called_by_what_the_pattern_leaves_open(
    folder: Path, engines: list[str], expected: list[str]
) -> None:
    assert names(folder, *engines) == expected


def test_a_file_that_is_called_like_a_pattern_is_a_file(folder: Path) -> None:
    (folder / "bot[1].py").write_text(BOT, encoding="utf-8")
    (folder / "bot1.py").write_text(BOT, encoding="utf-8")
    assert names(folder, '"bot[1].py"') == ["bot[1]"]
    (folder / "bot[1].py").unlink()
    assert names(folder, '"bot[1].py"') == ["bot1"]


def test_a_command_is_no_pattern(folder: Path) -> None:
    made = load(folder, "{engine: {lines: 'cat -cp lib/* a/*.py'}}")
    assert made.players[0].engine == "lines:cat -cp lib/* a/*.py"


def test_the_files_themselves_decide_the_games(folder: Path) -> None:
    written = load(folder, "a/anna.py", "a/ben.py")
    before = load(folder, "a/*.py")
    assert fingerprint(before) == fingerprint(written)
    (folder / "a" / "cy.py").write_text(BOT, encoding="utf-8")
    after = load(folder, "a/*.py")
    assert fingerprint(after) != fingerprint(before)
    assert changes(canonical(before), canonical(after)) == ["engines[2]: 'cy' is new"]


def test_one_broken_file_is_told_and_forfeits_alone(folder: Path) -> None:
    (folder / "a" / "ben.py").write_text("class Bot(\n", encoding="utf-8")
    (mistake,) = mistakes(folder, "a/*.py")
    assert mistake.startswith("t.yaml:2:3: engines[0].engine: a/ben.py:1: SyntaxError: ")
    players = load(folder, "a/*.py", more="broken: forfeit").players
    assert [(player.name, bool(player.broken)) for player in players] == [
        ("anna", False),
        ("ben", True),
        ("random", False),
    ]


def test_a_mistake_of_one_file_names_it(folder: Path) -> None:
    (folder / "b" / "dora.py").write_text(BOT.replace("depth", "width"), encoding="utf-8")
    (mistake,) = mistakes(folder, "{engine: b/*.py, options: {depth: 3}}")
    assert mistake.startswith(
        "t.yaml:2:37: engines[0].options.depth: b/dora.py: unknown option 'depth'; did you mean "
    )
