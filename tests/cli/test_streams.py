"""Data on stdout, messages on stderr, and colours only where they are wanted, for all commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena.show.terminal import colour_wanted
from tests.cli.running import run
from tests.journal.examples import fill
from tests.terminal import shown_on_a_terminal

ESCAPE = "\x1b"
COLOUR = re.compile("\x1b\\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7])(?:;[0-9;]*)?m")
MOVES = re.compile("\x1b\\[[0-9;?]*[A-HJKSTfhl]|\r")  # what moves the cursor, wipes or hides

COMMANDS = (
    ["engines"],
    ["engines", "mcts"],
    ["explain", "44", "--engine", "random"],
    ["explain", "2252576253462244111563365343671351"],
    ["analyse", "22525", "--game", "5x4"],
    ["analyse", "{place}", "--seconds", "0.5"],
    ["check", "random"],
    ["match", "random", "reflex", "--games", "2"],
    ["games", "{place}"],
    ["games", "{place}", "1", "--plain"],
    ["report", "{place}", "--no-plots"],
    ["rate", "{place}/games.csv"],
    ["rate", "{place}", "--players", "alpha", "beta"],
    ["rate", "{place}", "{place}"],
    ["run", "{place}/cup.yaml", "--dry-run"],
    ["check", "{place}/cup.yaml"],
    ["doctor"],
    ["help", "figures"],
)
COLOURED = ("engines", "explain", "match", "games", "doctor")
LINES = ["games", "{place}"]  # prints a JSON object a line


@pytest.fixture(autouse=True)
def _no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor starts no process here: tables of other tests come from a server of their own."""
    monkeypatch.setattr("arena.doctor.setup.child_answers", lambda method: 0.1)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal, a list of games and a tournament."""
    place = tmp_path_factory.mktemp("place")
    fill(place / "games.db", 12)
    (place / "cup.yaml").write_text("engines: [random, reflex]\n")
    assert run("games", str(place), "--csv", str(place / "games.csv")).exit_code == 0
    return place


def called(words: list[str], place: Path) -> list[str]:
    return [word.format(place=place) for word in words]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_colours_are_forced_or_forbidden(words: list[str], place: Path) -> None:
    forced = run(*called(words, place), FORCE_COLOR="1", TERM="xterm-256color")
    assert forced.exit_code == 0, forced.output
    assert bool(COLOUR.search(forced.stdout)) or words[0] not in COLOURED
    assert not MOVES.search(forced.output), "colours make no terminal"
    forbidden = run(*called(words, place), FORCE_COLOR="1", NO_COLOR="1", TERM="xterm-256color")
    assert not COLOUR.search(forbidden.output)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_output_is_plain_and_stderr_silent_when_all_is_well(words: list[str], place: Path) -> None:
    """But for what takes long, which a slow machine may tell."""
    result = run(*called(words, place))
    assert result.stdout
    assert ESCAPE not in result.output
    told = [line for line in result.stderr.splitlines() if not re.search(r"ETA|\.\.\.|/\d", line)]
    assert told == []


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_json_is_all_that_is_on_stdout(words: list[str], place: Path) -> None:
    asked = called(words, place) + (["--json"] if words[0] != "schema" else [])
    result = run(*asked, FORCE_COLOR="1", TERM="xterm-256color")
    assert result.exit_code == 0, result.output
    parts = result.stdout.splitlines() if words == LINES else [result.stdout]
    assert all(json.loads(part) for part in parts)
    assert ESCAPE not in result.output


def test_colours_on_a_terminal_unless_they_are_forbidden(place: Path) -> None:
    words = ("-m", "arena", "games", str(place))
    assert COLOUR.search(shown_on_a_terminal(*words))
    assert not COLOUR.search(shown_on_a_terminal(*words, NO_COLOR="1"))
    assert ESCAPE not in shown_on_a_terminal(*words, TERM="dumb")


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, None),
        ({"FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ({"NO_COLOR": "", "FORCE_COLOR": ""}, None),
    ],
)
def test_what_the_environment_wants(
    environment: dict[str, str], wanted: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert colour_wanted() is wanted
