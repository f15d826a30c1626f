"""What the README tells a newcomer to type works as it stands there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.cli.walking import commands

TOP = Path(__file__).parents[1]
TEXT = (TOP / "README.md").read_text(encoding="utf-8")
CODE = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def block(language: str, beginning: str) -> str:
    """The one piece of code in this language that begins so."""
    (found,) = [code for kind, code in CODE if kind == language and code.startswith(beginning)]
    return str(found)


def command_lines() -> list[str]:
    """Every command in the code, without the explanation behind it."""
    lines = [line for kind, code in CODE if not kind for line in code.splitlines()]
    return [re.split(r" {2,}", line)[0] for line in lines if line.startswith("arena ")]


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The engine of ten lines, where the user is."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "my_bot.py"
    file.write_text(block("python", "# my_bot.py"), encoding="utf-8")
    return file


def test_the_engine_keeps_the_contract_and_plays(bot: Path) -> None:
    assert "my_bot.py keeps the contract." in run("check", "my_bot.py").stdout
    result = run("match", "my_bot.py", "reflex", "--games", "2")
    assert result.exit_code == 0, result.output


def test_the_tournament_file_is_one(bot: Path, tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text(block("yaml", "name: first-steps"), encoding="utf-8")
    result = run("validate", "first.yaml")
    assert result.stdout == "ok: first-steps, 6 engines, 300 games\n"


def test_the_script_runs_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "from_python.py").write_text(block("python", "# from_python.py"), encoding="utf-8")
    command = [sys.executable, "from_python.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[3] True"
    assert (tmp_path / "reports/mine/engines/MyBot.py").is_file()


def test_there_are_commands_to_type() -> None:
    assert len(command_lines()) > 5


@pytest.mark.parametrize("line", command_lines())
def test_every_command_line_can_be_parsed(line: str) -> None:
    name, *words = shlex.split(line)[1:]
    assert commands()[(name,)].make_context(name, words).args == []


def test_links_and_pictures_lead_somewhere() -> None:
    targets = [link for link in re.findall(r"\]\(([^)#]+)\)", TEXT) if "://" not in link]
    assert "reports/dashboard.svg" in targets
    assert [target for target in targets if not (TOP / target).exists()] == []
