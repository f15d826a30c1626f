"""Every mistake of a user is told in one sentence, with exit code 2."""

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
    assert {"arena games limit", "arena bench kernels seconds"} <= {name for name, _, _ in known}
    for _, command, parameter in known:
        for absurd in (2**63, -(2**63), 10**40, float("nan"), float("inf"), 1e290):
            with pytest.raises(BadOption, match="expected a number between"):
                command.callback(**{parameter: absurd})


def test_a_machine_without_the_memory_asked_for_says_so() -> None:
    asked = ["book", "build", "--plies", "1", "--memory", "1000000"]
    assert_one_sentence(run(*asked), "the memory of this machine is not enough")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["explain", "48"], ["column 8", "not on the board (1 to 7)"]),
        (["explain", "4444444"], ["move 7: column 4 is full"]),
        (["explain", "1212121"], ["the game is over: X has won"]),
        (["explain", "12121212"], ["move 8: the game is over: X has won"]),
        (["explain", "hello"], ["'h'"]),
        (["explain", "!?"], ["neither a string of columns nor a drawn board"]),
        (["explain", "X.O/.."], ["6 rows of 7 cells"]),
        (["explain", "--game", "9x8"], ["72 cells", "up to 64 cells"]),
        (["explain", "--game", "connect5"], ["unknown game 'connect5'", "did you mean"]),
        (["explain", "--game", "3x3"], ["connect 4 does not fit"]),
        (["explain", "--engine", "alfabeta"], ["did you mean 'alphabeta'?"]),
        (["explain", "--engine", "random deptth=3"], ["engine random: unknown option"]),
        (["explain", "--engine", "alphabeta deptth=3"], ["did you mean 'depth'?"]),
        (["explain", "--engine", "alphabeta depth=zero"], ["option 'depth' is 'zero'"]),
        (["explain", "--engine", "alphabeta depth=0"], ["at least 1"]),
        (["explain", "--engine", "alphabeta depth"], ["'depth' is not an option"]),
        (["explain", "--engine", ""], ["empty name"]),
        (["explain", "--engine", "alphabeta evaluation=rivets"], ["did you mean 'rivest'?"]),
        (["explain", "--evaluation", "rivets", "--engine", "random"], ["unknown evaluation"]),
        (["explain", "--limit", "dept=3"], ["unknown limit 'dept'; did you mean 'depth'?"]),
        (["explain", "--limit", "depth=x"], ["limit depth is 'x'"]),
        (["explain", "--limit", "seconds=-1"], ["limit seconds is -1.0"]),
        (["explain", "--tree", "--engine", "random"], ["no search tree"]),
        (["match", "random", "nobody"], ["unknown engine 'nobody'"]),
        (["match", "random"], ["missing argument"]),
        (["match", "random", "random", "--games", "0"], ["--games"]),
        (["match", "random", "random", "--seed", "x"], ["--seed"]),
        (["match", "random", "random", "--opening-plies", "50"], ["50 plies does not fit"]),
        (["match", "random", "random", *["--limit", "depth=1"] * 3], ["given 3 times"]),
        (["match", "random", "none.py"], ["none.py: No such file"]),
        (["match", "random", "tests/support/bots/bad.py:Nobody"], ["has no engine 'Nobody'"]),
        (
            ["match", "random", "tests/support/bots/bad.py:Unbuildable"],
            ["OSError: no such network"],
        ),
        (
            ["match", "random", "tests/support/bots/bad.py:Raises"],
            ["ValueError: out of ideas (bad.py:"],
        ),
        (
            ["match", "random", "tests/support/bots/good.py:FlatOnly", "--game", "score4"],
            ["only flat"],
        ),
        (["explain", "--engine", "tests/support/bots/bad.py:BadScore"], ["its score is nan"]),
        (["engines", "alfabeta"], ["did you mean 'alphabeta'?"]),
        (["check", "alfabeta"], ["did you mean 'alphabeta'?"]),
        (["check", "reflex", "depth=3"], ["engine reflex: unknown option 'depth'"]),
        (["bench", "kernel"], ["no such command 'kernel'", "did you mean 'kernels'?"]),
        (["bench", "kernels", "--repeats", "0"], ["--repeats"]),
        (["games", "x", "--limit", "9" * 20], ["--limit: expected a number between"]),
        (["replay", "x", "9" * 20], ["game: expected a number between"]),
        (["compare", "a", "b", "--elo1", "nan"], ["--elo1: expected a number between"]),
        (["bench", "kernels", "--seconds", "inf"], ["--seconds"]),
        (["explain", "--game", "7x" + "9" * 5000], ["unknown game '7x999"]),
        (["explain", "--game", "10x6", "9" * 5000], ["column 999999999 in", "not on the board"]),
        (["enginse"], ["no such command 'enginse'; did you mean 'engines'?"]),
        (["engines", "--jsn"], ["no such option: --jsn"]),
    ],
)
def test_a_mistake_is_one_sentence(words: list[str], parts: list[str]) -> None:
    assert_one_sentence(run(*words), *parts)


@pytest.mark.parametrize(
    "words", [["explain", "4444444"], ["enginse"], ["match", "random", "nobody"]]
)
def test_a_mistake_is_the_same_from_a_shell(words: list[str]) -> None:
    result = run_apart(*words)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("arena: ")
    assert result.stderr.count("\n") == 1
