"""A mistake is one sentence with exit code 2; golden/messages has the sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from arena.cli.app import app
from arena.errors import BadOption
from tests.cli.running import assert_one_sentence, run, run_apart


def numbers_of(command: Any, trail: str = "arena") -> Iterator[tuple[str, Any, str]]:
    """Every command with each of its parameters that is a number."""
    for name, inner in getattr(command, "commands", {}).items():
        yield from numbers_of(inner, f"{trail} {name}")
    for param in command.params:
        kind = getattr(getattr(param, "type_descriptor", None), "annotation", None)
        if kind in (int, float):
            yield f"{trail} {param.name}", command, param.name


def test_no_command_takes_a_number_that_is_none_or_too_large_for_a_machine_word() -> None:
    known = list(numbers_of(get_command(app)))
    assert len(known) > 25
    assert {"arena games most", "arena bench kernels repeats"} <= {name for name, _, _ in known}
    for _, command, parameter in known:
        for absurd in (2**63, -(2**63), 10**40, float("nan"), float("inf"), 1e290):
            with pytest.raises(BadOption, match="expected a number between"):
                command.callback(**{parameter: absurd})


def test_a_machine_without_the_memory_asked_for_says_so() -> None:
    asked = ["book", "--build", "1", "--memory", "1000000"]
    assert_one_sentence(run(*asked), "this machine has too little memory")


@pytest.mark.parametrize(
    "words", [["explain", "4444444"], ["enginse"], ["match", "random", "nobody"]]
)
def test_a_mistake_is_the_same_from_a_shell(words: list[str]) -> None:
    result = run_apart(*words)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("arena: ")
    assert result.stderr.count("\n") == 1
