"""Exit codes: each can be reached, a closed pipe and a full disk have theirs, nothing else does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli import exits
from arena.cli.exits import (
    BAD_INPUT,
    DONE,
    HUNG_UP,
    INTERRUPTED,
    MEANINGS,
    PROBLEM,
    RESUMABLE,
    TERMINATED,
)
from tests.cli.running import assert_one_sentence, run, run_apart
from tests.journal.examples import fill
from tests.support.outputs import without_progress

MAIN = [sys.executable, "-c", "from arena.cli import main; main()"]


def test_every_code_has_a_name_and_a_meaning() -> None:
    names = [name for name in vars(exits) if name.isupper() and name != "MEANINGS"]
    assert sorted(getattr(exits, name) for name in names) == sorted(MEANINGS)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--version"], DONE),
        (["--help"], DONE),
        (["engines", "random"], DONE),
        (["check", "tests/support/bots/bad.py:TooDeep"], PROBLEM),
        (["enginse"], BAD_INPUT),
        (["engines", "nobody"], BAD_INPUT),
        (["check", "none.yaml"], BAD_INPUT),
        (["games", "no-such-place"], BAD_INPUT),
    ],
)
def test_codes_that_are_quickly_reached(words: list[str], code: int) -> None:
    assert run(*words).exit_code == code


def interrupted(
    words: list[str],
    is_time: Callable[[], bool],
    ready: bytes = b"",
    number: int = signal.SIGINT,
) -> int:
    """The code of a command that gets one Ctrl-C, or another signal, when it is time."""
    pipe, none = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen([*MAIN, *words], stdout=pipe if ready else none, stderr=none) as process:
        try:
            if ready:
                assert process.stdout is not None
                assert process.stdout.readline().startswith(ready)
            until = time.monotonic() + 60
            while not is_time() and process.poll() is None:
                assert time.monotonic() < until
                time.sleep(0.05)
            process.send_signal(number)
            process.communicate(timeout=60)
        finally:
            process.kill()
    return process.returncode


def long_tournament(folder: Path) -> Path:
    """One that nobody waits for."""
    file = folder / "long.yaml"
    file.write_text(
        f"engines: [random, reflex]\ngames: 1000000\nworkers: 1\noutput: {folder}/out\n"
    )
    return file


def has_games(folder: Path) -> bool:
    """Whether the tournament has begun."""
    from arena.errors import ArenaError
    from arena.journal import Journal

    try:
        with Journal.read(folder / "out") as journal:
            return journal.count() > 0
    except ArenaError:
        return False


@pytest.mark.parametrize(
    ("name", "code"), [("SIGINT", RESUMABLE), ("SIGTERM", TERMINATED), ("SIGHUP", HUNG_UP)]
)
def test_a_run_that_is_interrupted_or_terminated(tmp_path: Path, name: str, code: int) -> None:
    words = ["run", str(long_tournament(tmp_path)), "--quiet"]
    number = signal.Signals[name]
    assert interrupted(words, lambda: has_games(tmp_path), number=number) == code


def test_a_command_that_is_broken_off() -> None:
    words = ["match", "random", "random", "--games", "1000000"]
    assert interrupted(words, lambda: True, b"random #1 against") == INTERRUPTED


CLOSED = (
    ["--help"],
    ["engines"],
    ["check", "random"],
    ["match", "random", "random", "--games", "4"],
    ["book"],
    ["games", "{journal}"],
    ["games", "{journal}", "--json"],
    ["games", "{journal}", "--export", "-"],
    ["games", "{journal}", "5"],
)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of more games than a pipe holds."""
    place = tmp_path_factory.mktemp("pipe")
    fill(place / "games.db", 300)
    return place


@pytest.mark.parametrize("words", CLOSED, ids=" ".join)
def test_a_reader_that_has_gone_is_no_error(words: list[str], journal: Path) -> None:
    called = [word.format(journal=journal) for word in words]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*MAIN, *called], stdout=write, stderr=subprocess.PIPE, text=True, check=False, timeout=60
    )
    os.close(write)
    assert (done.returncode, without_progress(done.stderr)) == (DONE, "")


@pytest.mark.parametrize("told", [["--plain"], ["--events", "-", "--quiet"]])
def test_a_run_whose_reader_has_gone_can_go_on(tmp_path: Path, told: list[str]) -> None:
    """As in `arena run ... 2>&1 | head -3`."""
    words = ["run", str(long_tournament(tmp_path)), *told]
    read, write = os.pipe()
    with subprocess.Popen([*MAIN, *words], stdout=write, stderr=write) as process:
        os.close(write)
        assert os.read(read, 10)
        os.close(read)
        assert process.wait(timeout=60) == RESUMABLE


def test_a_pipe_to_somebody_else_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(name: str) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("arena.cli.engine_list.find", fails)
    monkeypatch.setattr("arena.streams.output_closed", lambda: False)
    result = run("engines", "random")
    assert isinstance(result.exception, RuntimeError)
    monkeypatch.setattr("arena.streams.output_closed", lambda: True)
    assert run("engines", "random").exit_code == DONE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to try")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*MAIN, "engines", "random"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr) == (BAD_INPUT, "arena: No space left on device\n")


def test_streams_may_be_closed() -> None:
    command = f'"{sys.executable}" -m arena'
    for words, code in (("engines random >&-", DONE), ("engines nobody 2>&- >&-", BAD_INPUT)):
        assert subprocess.run(f"{command} {words}", shell=True).returncode == code


def test_a_missing_package_is_told() -> None:
    script = "import sys; sys.modules['yaml'] = None; from arena.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "check", "x.yaml"], capture_output=True, text=True
    )
    assert done.returncode == BAD_INPUT
    assert done.stderr.startswith("arena: the package 'yaml' is not installed; arena doctor")
    assert done.stderr.count("\n") == 1


def test_a_shell_that_completion_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: "dash")
    result = run("--show-completion")
    assert result.exit_code == BAD_INPUT
    assert "completion supports bash, zsh, fish" in result.stderr


def test_a_mistake_leaves_stdout_alone() -> None:
    assert_one_sentence(run("rate", "none.csv"), "none.csv cannot be read")
    assert run_apart("rate", "none.csv").returncode == BAD_INPUT
