"""Every page: its code runs, its commands and YAML are valid, its links and tables are right."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from typer.testing import Result

from arena import Choice, Engine, Limits, PlayedGame, Position, Rules
from arena.bots.find import build_engine
from arena.cli import topics
from arena.engine.registry import find, names, preset_of
from arena.evaluation.evaluation import read_weights
from arena.journal import records
from arena.report.sections import SECTIONS
from arena.solver.solver import solver_for
from tests.cli.walking import commands
from tests.support.golden import TOP, Golden
from tests.support.pages import DOCS, Page, all_pages, commands_page, kept_reports, with_keys

Cli = Callable[..., Result]
PAGES = all_pages()
TOPICS = {*topics.PAGES, "figures", "limits", "exit-codes"}
REPORTS = kept_reports()
ENGINES = Page(DOCS / "writing-an-engine.md")
LONGEST = {  # lines; of others 250
    "README.md": 200,
    "arena/docs/commands.md": 1000,
    "arena/docs/writing-an-engine.md": 380,
}
RUN = """
import runpy, sys
for file in sys.argv[1:]:
    runpy.run_path(file, run_name="__main__")
"""
CHEAP = (  # commands that run here as printed, below the folder with the code of all pages
    "arena check my_bot.py",
    "arena match my_bot.py reflex",
    "arena explain 4453 --engine middle.py",
    'arena match "searcher.py depth=5 order=left" reflex --games 4',
    "arena engines uci",
    "arena explain 4444",
    "arena init cup.yaml",
    "arena run cup.yaml --dry-run",
    "arena run --list",
)


def name_of(page: Page) -> str:
    return page.name


def write_code(folder: Path) -> list[str]:
    """Write the Python blocks of all pages into a folder; journal.md reads what python.md plays."""
    last = DOCS / "journal.md"
    blocks = chain.from_iterable(
        page.blocks("python") for page in sorted(PAGES, key=lambda page: page.path == last)
    )
    files = []
    for number, block in enumerate(blocks):
        named = re.match(r"# (\w+\.py)\n", block)
        files.append(named[1] if named else f"block{number}.py")
        (folder / files[-1]).write_text(block, encoding="utf-8")
    return files


def test_no_text_promises_boards_that_are_refused() -> None:
    """Boards have up to 64 cells: where "any" board or size is named, that stands beside it."""
    texts = [page.text for page in PAGES]
    texts.append((TOP / "tests" / "golden" / "help.txt").read_text(encoding="utf-8"))
    for text in texts:
        for promise in re.finditer(r"[Aa]ny (flat )?(board|size)[^.]*", text):
            assert "64 cells" in " ".join(promise[0].split()), promise[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with the code of all pages, where commands run."""
    write_code(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_python_runs_as_printed(tmp_path: Path) -> None:
    files = write_code(tmp_path)
    assert len(files) == len(set(files)) > 7
    done = subprocess.run(
        [sys.executable, "-c", RUN, *files],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "[3] True\n" in done.stdout  # the last line of notebook.py
    assert (tmp_path / "reports/mine/engines/MyBot.py").is_file()


def find_command(words: list[str]) -> tuple[Any, list[str]]:
    """A command by its words, and the words behind its name."""
    known = commands()
    for length in (2, 1):
        if tuple(words[:length]) in known:
            return known[tuple(words[:length])], words[length:]
    raise AssertionError(f"there is no command arena {' '.join(words)}")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_command_lines_can_be_parsed(page: Page) -> None:
    for line in page.command_lines():
        if "[OPTIONS]" not in line:
            command, words = find_command(shlex.split(line.split(" > ")[0])[1:])
            assert command.make_context("arena", words).args == [], line


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_in_the_text_exist(page: Page) -> None:
    groups = {path[0] for path in commands() if len(path) > 1}
    for line in page.inline_commands():
        words = [word.strip('"') for word in line.split()[1:]]
        if words[0].startswith("--") or (len(words) == 1 and words[0] in groups):
            continue
        if words[0] == "help":
            assert words[1:] in (["TOPIC"], *([topic] for topic in TOPICS)), line
            continue
        command, rest = find_command(words)
        flags = {flag for param in command.params for flag in (*param.opts, *param.secondary_opts)}
        assert {word for word in rest if word.startswith("--")} <= flags, line


def test_cheap_commands_run(folder: Path, cli: Cli) -> None:
    lines = [line for page in PAGES for line in page.command_lines()]
    assert [line for line in CHEAP if line not in lines] == []
    for line in CHEAP:
        result = cli(*shlex.split(line)[1:])
        assert result.exit_code == 0, f"{line}\n{result.output}"


YAML = [(page, block) for page in PAGES for block in page.blocks("yaml")]


@pytest.mark.parametrize(("page", "block"), YAML, ids=lambda value: getattr(value, "name", ""))
def test_yaml_is_valid(page: Page, block: str, folder: Path, cli: Cli) -> None:
    content = yaml.safe_load(block)
    if not {"engines", "method"} & content.keys():
        read_weights(content)
        return
    Path("example.yaml").write_text(block, encoding="utf-8")
    result = cli("check", "example.yaml")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("page", [*PAGES, *REPORTS], ids=name_of)
def test_links_lead_somewhere(page: Page) -> None:
    for link in page.links():
        path, _, anchor = link.partition("#")
        target = (page.path.parent / path).resolve() if path else page.path
        assert target.exists(), f"{page.name} links {link}"
        assert not anchor or anchor in Page(target).anchors, f"{page.name} links {link}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_pages_are_short_and_cite_sources_by_author(page: Page) -> None:
    text = page.text.partition("## All keys")[0]
    assert len(text.splitlines()) <= LONGEST.get(page.name, 250)
    if page.path.name != "commands.md":
        assert not re.search(r"\bS[0-4](\.\d+)?\b", text)


def test_readme_links_every_page() -> None:
    readme = Page(TOP / "README.md")
    linked = {(TOP / link.partition("#")[0]).resolve() for link in readme.links()}
    assert [page.name for page in PAGES[1:] if page.path not in linked] == []
    (first, *_) = [line for line in readme.text.splitlines() if "python -m pytest" in line]
    assert first.startswith("python3 -m venv .venv && ")


def test_commands_page_is_current(golden: Golden) -> None:
    golden(DOCS / "commands.md", commands_page())


def test_table_of_keys_is_current(golden: Golden) -> None:
    page = DOCS / "tournament-files.md"
    golden(page, with_keys(page.read_text(encoding="utf-8")))


def test_tables_are_complete() -> None:
    rows = set(re.findall(r"`(\w+)", ENGINES.prose))
    public = {name for name, value in vars(Engine).items() if callable(value)}
    assert {name for name in public if name[0] != "_"} - {"summary", "settings", "fresh"} <= rows
    assert {field.name for kind in (Choice, Limits) for field in fields(kind)} <= rows
    learning = Page(DOCS / "learning.md").text
    assert [field.name for field in fields(PlayedGame) if f"`{field.name}`" not in learning] == []
    assert [
        each.title for each in SECTIONS if each.title not in Page(DOCS / "results.md").text
    ] == []
    engines = Page(TOP / "engines/README.md").text
    own = [name for name in names() if preset_of(find(name).engine) is None]
    assert len(own) > 10
    assert [name for name in own if f"`{name}`" not in engines] == []


def test_journal_page_names_every_column() -> None:
    db = sqlite3.connect(":memory:")
    db.executescript(f"{records.TABLES};{records.OPENINGS}")
    text = Page(DOCS / "journal.md").text
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
        assert f"`{table}`" in text
        for column in db.execute(f"PRAGMA table_info({table})"):
            assert f"`{column[1]}`" in text, (table, column[1])
    assert [key.name for key in fields(records.Header) if f"`{key.name}`" not in text] == []


def test_options_of_the_table_can_be_declared(tmp_path: Path) -> None:
    declared = re.findall(r"^\| `(\w+: .*?)` \|", ENGINES.text, re.MULTILINE)
    assert len(declared) == 6
    body = "\n".join(f"    {line}".replace("\\|", "|") for line in declared)
    choose = "\n\n    def choose(self, position, limits):\n        return Choice(0)\n"
    head = "from typing import Literal\nfrom arena import Choice, Engine, option\n"
    (tmp_path / "bot.py").write_text(f"{head}\n\nclass Bot(Engine):\n{body}{choose}")
    options = build_engine(str(tmp_path / "bot.py"), isolated=False).options
    assert list(options) == [*(line.partition(":")[0] for line in declared), "explore"]


@pytest.mark.parametrize("moves", ["2233", "22331", "112233", "223344"])
def test_the_search_of_the_page_agrees_with_the_solver(folder: Path, moves: str) -> None:
    """Searched to the end on a small board, every column has the exact result."""
    rules = Rules.named("4x4")
    position = Position.parse(moves, rules)
    engine = build_engine("searcher.py", isolated=False)
    exact = solver_for(rules, megabytes=1, book=False).scores(position)
    values = engine.ask_opinions(position, Limits(depth=rules.cells))
    assert {column: np.sign(value) for column, value in values.items()} == {
        column: np.sign(score) for column, score in exact.items()
    }


def test_each_bot_of_the_page_beats_the_one_before(folder: Path, cli: Cli) -> None:
    for stronger, weaker in (("plain.py", "middle.py"), ("searcher.py", "plain.py")):
        options = ("--games", "10", "--limit", "depth=4", "--trust", "--json")
        result = cli("match", stronger, weaker, *options)
        assert result.exit_code == 0, result.output
        match = json.loads(result.stdout)
        assert match["mistakes"] == []
        assert match["players"][0]["points"] > 5
