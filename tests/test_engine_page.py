"""The page for authors of engines: its code runs, its tables are complete, its commands exist."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields
from functools import partial
from pathlib import Path

import pytest

from arena import Choice, Engine, Limits, Position, Rules
from arena.outside.finding import build_engine
from arena.play.check import check_engine
from arena.solver.exact import solver_for
from tests.cli.running import run, run_json
from tests.cli.walking import commands

build_here = partial(build_engine, isolated=False)

PAGE = Path(__file__).parents[1] / "arena" / "ENGINES.md"
TEXT = PAGE.read_text(encoding="utf-8")
CODE = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
BOTS = {code.partition("\n")[0].removeprefix("# "): code for kind, code in CODE if kind == "python"}


BY_THE_WALL = ("keeps the time of a move", "keeps the clock of a game")  # a busy machine decides


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All bots of the page in one folder."""
    folder = tmp_path_factory.mktemp("bots")
    for name, code in BOTS.items():
        (folder / name).write_text(code, encoding="utf-8")
    return folder


def command_lines() -> list[str]:
    lines = [line for kind, code in CODE if not kind for line in code.splitlines()]
    return [re.split(r" {2,}", line)[0] for line in lines if line.startswith("arena ")]


def test_the_bots_grow_from_ten_lines_to_sixty() -> None:
    sizes = [len([line for line in code.splitlines() if line.strip()]) for code in BOTS.values()]
    assert list(BOTS) == ["middle.py", "reflexes.py", "searcher.py"]
    assert sizes == sorted(sizes)
    assert sizes[0] <= 10
    assert 45 <= sizes[-1] <= 60


@pytest.mark.parametrize("name", list(BOTS))
def test_each_bot_keeps_the_contract(folder: Path, name: str) -> None:
    findings = check_engine(f"{folder / name}")
    assert [f for f in findings if not f.ok and f.title not in BY_THE_WALL] == []


def test_each_bot_beats_the_one_before(folder: Path) -> None:
    for weaker, stronger in (("middle.py", "reflexes.py"), ("reflexes.py", "searcher.py")):
        names = str(folder / stronger), str(folder / weaker)
        data = run_json("match", *names, "--games", "10", "--limit", "depth=4")
        assert data["mistakes"] == []
        assert data["players"][0]["points"] > 5


@pytest.mark.parametrize("moves", ["11", "2233", "123451", "33334", "3244", "232344"])
def test_the_search_is_right_by_the_solver(folder: Path, moves: str) -> None:
    """Where it sees a win or a loss on a small board, the exact score agrees."""
    rules = Rules.named("5x4")
    position = Position.parse(moves, rules)
    engine = build_here(str(folder / "searcher.py"))
    exact = solver_for(rules, megabytes=1, book=False).scores(position)
    worths = engine.opinions(position, Limits(depth=6))
    assert set(worths) == set(exact)
    for column, worth in worths.items():
        assert not worth or (worth > 0) == (exact[column] > 0), (column, worth, exact)
        assert not worth or exact[column] != 0


def test_the_tables_name_all_there_is() -> None:
    rows = set(re.findall(r"^\| `(\w+)", TEXT, re.MULTILINE))
    assert {field.name for field in fields(Choice)} <= rows
    public = {name for name, value in vars(Engine).items() if callable(value)}
    assert {name for name in public if not name.startswith("_")} - {"summary", "settings"} <= rows
    for field in fields(Limits):
        assert f"`{field.name}`" in TEXT


def test_every_option_of_the_table_is_one(tmp_path: Path) -> None:
    declared = re.findall(r"^\| `(\w+: .*?)` \|", TEXT, re.MULTILINE)
    assert len(declared) == 6
    body = "\n".join(f"    {line}".replace("\\|", "|") for line in declared)
    choose = "\n\n    def choose(self, position, limits):\n        return Choice(0)\n"
    head = "from typing import Literal\nfrom arena import Choice, Engine, option\n"
    file = tmp_path / "bot.py"
    file.write_text(f"{head}\n\nclass Bot(Engine):\n{body}{choose}", encoding="utf-8")
    options = build_here(str(file)).options
    assert list(options) == [line.partition(":")[0] for line in declared]


@pytest.mark.parametrize("line", command_lines())
def test_every_command_line_can_be_parsed(line: str) -> None:
    name, *words = shlex.split(line)[1:]
    assert commands()[(name,)].make_context(name, words).args == []


def test_options_in_words_reach_the_bot(folder: Path) -> None:
    engine = build_here(f"{folder / 'searcher.py'} depth=5 order=left hurry=no")
    assert engine.settings() == {"depth": 5, "order": "left", "hurry": False}
    result = run("check", str(folder / "searcher.py"), "order=right")
    assert result.exit_code == 2
    assert "expected one of middle, left" in result.stderr
