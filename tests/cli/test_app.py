"""`arena` as a whole: what its help says, and that it is quick to say so."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import main
from arena.cli.app import GROUPS, RENAMED
from arena.cli.exits import MEANINGS
from arena.cli.topics import PAGES
from tests.cli import walking
from tests.cli.running import assert_one_sentence, run
from tests.cli.walking import commands, groups, words
from tests.test_imports import HEAVY

WIDTH = 80

ALL_HELP = """
import io, json, sys
from contextlib import redirect_stdout
from tests.cli.walking import everything, root
from tests.test_imports import HEAVY

told = {}
for path in ((), *everything()):
    with redirect_stdout(io.StringIO()) as out:
        try:
            root().main([*path, "--help"], prog_name="arena")
        except SystemExit as leaving:
            code = leaving.code
    loaded = [module for module in HEAVY if module in sys.modules]
    told[" ".join(path)] = [code, out.getvalue().splitlines()[0], loaded]
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def all_help() -> dict[str, tuple[int, str, list[str]]]:
    """The help of every command, asked for in one process that is used for nothing else."""
    done = subprocess.run(
        [sys.executable, "-c", ALL_HELP], capture_output=True, text=True, check=True, timeout=60
    )
    told: dict[str, tuple[int, str, list[str]]] = json.loads(done.stdout)
    return told


@pytest.mark.parametrize("path", [(), *walking.everything()], ids=words)
def test_help_is_light(path: walking.Path, all_help: dict[str, tuple[int, str, list[str]]]) -> None:
    code, first, loaded = all_help[words(path)]
    assert code == 0
    assert first.startswith(f"Usage: arena {words(path)}".rstrip())
    assert loaded == [], f"arena {words(path)} --help loads one of {HEAVY}"


def test_help_lists_every_command_with_a_whole_summary() -> None:
    told = run("--help").stdout
    names = {path[0] for path in walking.everything()}
    for name in names:
        (line,) = re.findall(rf"^  {name}  .*$", told, re.MULTILINE)
        assert not line.endswith("..."), f"the first sentence of arena {name} is too long"
    assert max(map(len, told.splitlines())) <= WIDTH


def test_every_command_is_in_one_group() -> None:
    listed = [function.__name__ for functions in GROUPS.values() for function in functions]
    assert sorted(listed) == sorted({path[0] for path in walking.everything()} - {"help"})


@pytest.mark.parametrize("name", RENAMED)
def test_an_old_name_is_refused_with_the_new_one(name: str) -> None:
    assert_one_sentence(run(name), f"the command {name!r} is now arena ")


def test_help_tells_the_exit_codes() -> None:
    told = re.sub(r"\n {6,}", " ", run("--help").stdout)  # what goes on in the next line
    for code, meaning in MEANINGS.items():
        assert re.search(rf"^  {code} +{re.escape(meaning)}$", told, re.MULTILINE)


def test_help_can_be_asked_for_in_several_ways() -> None:
    assert run().stdout == run("--help").stdout == run("-h").stdout
    assert run("help").stdout.startswith(run().stdout)
    assert run("help", "rate").stdout == run("rate", "--help").stdout
    assert_one_sentence(run("help", "rat"), "unknown topic 'rat'; did you mean 'rate'?")
    for path in groups():
        assert run(*path).stdout == run(*path, "--help").stdout


def examples(command: object) -> list[str]:
    """The command lines of the examples in a help text."""
    text = getattr(command, "help", None) or ""
    return [" ".join(part.split()) for part in re.findall(r"Example: (.+?)(?:\n\n|$)", text, re.S)]


@pytest.mark.parametrize("path", commands(), ids=words)
def test_help_ends_with_an_example_that_can_be_parsed(path: walking.Path) -> None:
    command = commands()[path]
    found = examples(command)
    assert found, f"arena {words(path)} --help has no example"
    for line in found:
        called = shlex.split(line.split(" > ")[0])
        assert tuple(called[: len(path) + 1]) == ("arena", *path)
        context = command.make_context(words(path), called[len(path) + 1 :])
        assert context.args == []


@pytest.mark.parametrize("path", commands(), ids=words)
def test_every_option_and_argument_is_explained(path: walking.Path) -> None:
    for parameter in commands()[path].params:
        assert getattr(parameter, "help", "") or parameter.name == "help", parameter.name


def test_a_flag_with_a_metavar_is_written_out() -> None:
    """Some versions of Typer would call it by its metavar."""
    for file in (Path(__file__).parents[2] / "arena" / "cli").glob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "option":
                usage = ast.literal_eval(call.args[1])
                assert usage.startswith("--"), f"{file.name}:{call.lineno}"


READING = (
    "report", "rate", "games", "analyse", "engines", "explain", "check", "bench kernels",
    "bench harness", "doctor", "run", "match", "book",
)  # fmt: skip


@pytest.mark.parametrize("topic", [*PAGES, "figures", "limits", "exit-codes"])
def test_every_topic_has_a_text(topic: str) -> None:
    result = run("help", topic)
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) > 5


@pytest.mark.parametrize("name", READING)
def test_reading_commands_print_json_if_asked_to(name: str) -> None:
    command = commands().get(tuple(name.split()))
    if command is None:
        pytest.skip("there is no such command")
    assert "--json" in [option for each in command.params for option in each.opts]


@pytest.mark.parametrize(
    ("system", "reason"),
    [
        ("win32", "Windows is not supported natively; use WSL"),
        ("aix", "aix is not supported; use Linux or macOS"),
    ],
)
def test_another_system_is_refused(
    system: str, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(SystemExit) as refused:
        main()
    assert refused.value.code == 2
    assert capsys.readouterr() == ("", f"arena: {reason}\n")


def test_no_module_asks_for_a_system_that_is_not_supported() -> None:
    sources = [*Path("arena").rglob("*.py"), *Path("engines").rglob("*.py")]
    asking = [str(file) for file in sources if re.search(r"msvcrt|os\.name\b", file.read_text())]
    assert len(sources) > 100
    assert asking == []
    named = [str(file) for file in sources if "win32" in file.read_text()]
    assert named == ["arena/cli/__init__.py"]  # which says so
