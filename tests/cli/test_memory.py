"""Foreign code gets no more memory while it loads than it does while it plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots import find
from arena.export import kaggle
from tests.cli.running import assert_one_sentence, run

AT_IMPORT = """\
from arena import Choice, Engine
table = bytearray({megabytes} << 20)
class Bot(Engine):
    def choose(self, position, limits):
        return Choice(position.legal[0])
"""
IN_CONSTRUCTOR = """\
from arena import Choice, Engine
class Bot(Engine):
    def __init__(self, **options):
        super().__init__(**options)
        self.table = bytearray({megabytes} << 20)
    def choose(self, position, limits):
        return Choice(position.legal[0])
"""
KAGGLE = """\
table = bytearray({megabytes} << 20)
def act(observation, configuration):
    return 0
"""
GREEDY = """\
taken = []
for megabytes in range(25, 1000, 25):
    taken.append(b"x" * (25 << 20))
    with open("taken", "a") as file:
        print(megabytes, file=file)
"""
FAILURES = [
    pytest.param(AT_IMPORT, "does not load", id="at import"),
    pytest.param(IN_CONSTRUCTOR, "cannot be built", id="in the constructor"),
]
CUP = "name: cup\ngames: 2\nmemory: 300\nlimits: {depth: 1}\nengines: [%s, random]\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(code: str, megabytes: int, engine: str = "bot.py") -> None:
    Path("bot.py").write_text(code.format(megabytes=megabytes), encoding="utf-8")
    Path("cup.yaml").write_text(CUP % engine, encoding="utf-8")


@pytest.mark.parametrize(("code", "failure"), FAILURES)
def test_the_key_memory_bounds_a_file_that_is_validated(code: str, failure: str) -> None:
    write(code, 400)
    result = run("check", "cup.yaml")
    assert result.exit_code == 2
    assert f"{failure}: it needs more than 300 MB of memory" in result.output
    assert_one_sentence(run("run", "cup.yaml"), failure, "more than 300 MB of memory")


def test_an_agent_of_kaggle_is_bounded_as_well() -> None:
    write(KAGGLE, 400, "kaggle:bot.py")
    assert "cannot be built: it needs more than 300 MB" in run("check", "cup.yaml").output


def test_the_bound_holds_for_engines_that_load_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "MAX_AHEAD", 0)
    write(AT_IMPORT, 400)
    assert "does not load: it needs more than 300 MB" in run("check", "cup.yaml").output


@pytest.mark.parametrize(("code", "failure"), FAILURES)
def test_the_key_memory_bounds_the_file_of_a_student(code: str, failure: str) -> None:
    write(code, 400, "student")
    with open("cup.yaml", "a", encoding="utf-8") as file:
        file.write("expect: [{losses: student, by: fault, at_most: 0}]\n")
    result = run("grade", "bot.py", "--with", "cup.yaml", "--out", "out")
    assert result.exit_code == 4, result.output
    assert f"{failure}: it needs more than 300 MB of memory" in " ".join(result.output.split())


def test_the_report_of_an_engine_that_does_not_load_has_the_same_bound() -> None:
    """The file takes all it gets and writes down how much that was."""
    write(GREEDY, 0)
    with open("cup.yaml", "a", encoding="utf-8") as file:
        file.write("broken: forfeit\n")
    assert run("run", "cup.yaml", "--quiet").exit_code == 0
    assert max(map(int, Path("taken").read_text().split())) <= 300


@pytest.mark.parametrize(
    "command",
    [
        ("check", "bot.py"),
        ("match", "bot.py", "random", "--games", "1"),
        ("engines", "bot.py"),
        ("explain", "44", "--engine", "bot.py"),
    ],
    ids=lambda command: command[0],
)
def test_commands_without_a_tournament_file_have_the_default_bound(command: list[str]) -> None:
    write(AT_IMPORT, 3072)
    assert_one_sentence(run(*command), "does not load: it needs more than 2048 MB of memory")


def test_an_exported_file_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kaggle, "MEMORY", 1)
    result = run("export", "random")
    assert_one_sentence(result, "the exported file does not play")
