"""How the tests run `arena`: in this process, or as a user does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from typer.testing import CliRunner, Result

from arena.cli.app import app
from arena.engine.errors import HEADING


def run(*words: str, input: str | None = None, **environment: str) -> Result:
    """Run a command in this process."""
    wide = {"COLUMNS": "100", **environment}
    return CliRunner().invoke(app, list(words), input=input, env=wide, prog_name="arena")


def run_json(*words: str) -> Any:
    """What a command prints as JSON."""
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def run_apart(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-c", "from arena.cli import main; main()", *words]
    return subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def assert_one_sentence(result: Result, *parts: str) -> None:
    """A mistake: exit code 2, nothing on stdout, one line on stderr that says all this.

    Below it may stand the lines of an engine that raised something.
    """
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("arena: ")
    sentence, _, frames = result.stderr.partition("\n")
    assert not frames or frames.startswith(HEADING)
    assert "Traceback" not in result.stderr
    for part in parts:
        assert part in sentence
