"""Real runs on a pseudo-terminal: what is drawn, and how the terminal is left."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.journal import Journal
from tests.dashboard.terminal import HIDE, DashboardTerminal
from tests.terminal import ENTER, LEAVE, plain

BOTS = Path(__file__).with_name("bots.py")
RUN = ("-m", "arena", "run", "t.yaml", "--no-report")

Start = Callable[..., DashboardTerminal]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Begin a run of two of these bots."""

    def begin(
        *bots: str, games: int = 4, words: tuple[str, ...] = RUN, options: tuple[str, ...] = (),
        **more: str
    ) -> DashboardTerminal:  # fmt: skip
        engines = "".join(f"  - {{engine: '{BOTS}:{bot}', name: {bot.lower()} {k}}}\n"
                          for k, bot in enumerate(bots))  # fmt: skip
        text = f"name: watched\ngames: {games}\nworkers: 2\noutput: out\nengines:\n{engines}"
        (tmp_path / "t.yaml").write_text(text)
        return DashboardTerminal(*words, *options, environment=more, cwd=tmp_path)

    return begin


def played(folder: Path) -> int:
    with Journal.read(folder / "out") as journal:
        return journal.count()


def test_a_run_from_its_beginning_to_its_end(start: Start) -> None:
    with start("Quick", "Raises", games=6) as terminal:
        assert terminal.finish() == 0
        text = terminal.after_the_dashboard()
        shown = terminal.text[: terminal.text.rindex(LEAVE)]
    assert terminal.text.index(ENTER) < terminal.text.index(HIDE) < terminal.text.index("checking")
    assert "standings" in shown
    assert "Finished: all games are played" in text
    assert "quick 0" in text
    assert "RuntimeError: out of ideas" in text  # told again, for those who only see the end
    assert "6 games were lost by a fault; arena games --bad lists them" in text


def test_one_interrupt_after_the_window_has_changed(start: Start, tmp_path: Path) -> None:
    with start("Slow", "Slow", games=400) as terminal:
        terminal.wait_for("game 1 ")
        assert not terminal.echoes
        terminal.wait_for_frame(80, 24)
        for size in ((120, 40), (50, 12), (90, 24)):
            terminal.resize(*size)
            terminal.wait_for_frame(*size)
        terminal.press("\x03")
        terminal.wait_for("finishing games")
        assert terminal.finish() == 3
        text = terminal.after_the_dashboard()
    assert f"Interrupted after {played(tmp_path)} of 400 games" in text
    assert "Traceback" not in text


def test_two_interrupts(start: Start) -> None:
    with start("Slow", "Slow", games=400) as terminal:
        terminal.wait_for("game 1 ")
        terminal.press("\x03")
        terminal.wait_for("finishing games")
        terminal.press("\x03")
        assert terminal.finish() == 130
        text = terminal.after_the_dashboard()
    assert "arena: stopped after" in text
    assert "Traceback" not in text


def test_a_pause_and_then_termination(start: Start) -> None:
    """Ctrl-Z gives the terminal back until the run goes on.

    Nothing can be stopped here, where no shell could let it go on: it goes on at once.
    """
    with start("Slow", "Slow", games=400) as terminal:
        terminal.wait_for("game 1 ")
        os.kill(terminal.process.pid, signal.SIGTSTP)
        paused = terminal.wait_for(LEAVE)
        again = terminal.wait_for(ENTER, paused)
        terminal.wait_for("standings", again)
        assert not terminal.echoes
        os.kill(terminal.process.pid, signal.SIGTERM)
        assert terminal.finish() == 143
        assert "arena: stopped after" in terminal.after_the_dashboard()


def test_keys_while_a_run_goes_on(start: Start) -> None:
    with start("Slow", "Slow", games=400) as terminal:
        terminal.wait_for("game 1 ")
        terminal.wait_for("? keys")
        terminal.press("?")
        at = terminal.wait_for("scroll the standings")
        terminal.press("x")
        at = terminal.wait_for("standings", at)
        terminal.press("p")
        at = terminal.wait_for("display paused", at)
        terminal.press("p")
        at = terminal.wait_for("? keys", at)
        terminal.press("2")
        terminal.wait_for("2 · game", at)
        assert not terminal.echoes
        os.kill(terminal.process.pid, signal.SIGTSTP)
        again = terminal.wait_for(ENTER, terminal.wait_for(LEAVE, at))
        terminal.press("?")
        terminal.wait_for("scroll the standings", again)
        terminal.press("\x03")
        assert terminal.finish() == 3
        terminal.after_the_dashboard()


BROKEN = """
from arena.journal import Journal
def write(self, *rows):
    raise RuntimeError("the sky has fallen")
Journal.write = write
import sys
sys.argv = ["arena", "run", "t.yaml", "--no-report"]
from arena.cli import main
main()
"""


def test_an_error_in_the_run_itself(start: Start) -> None:
    with start("Quick", "Quick", words=("-c", BROKEN)) as terminal:
        assert terminal.finish() == 1
        text = terminal.after_the_dashboard()
    assert "RuntimeError: the sky has fallen" in text


def test_a_terminal_without_unicode_and_colours(start: Start) -> None:
    simple = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    with start("Quick", "Quick", **simple) as terminal:
        assert terminal.finish() == 0
        terminal.after_the_dashboard()
    assert terminal.text.isascii()
    assert "+- standings" in plain(terminal.text)
    assert "\x1b[31m" not in terminal.text


@pytest.mark.parametrize(
    ("options", "environment"), [(("--plain",), {}), ((), {"TERM": "dumb"}), (("--quiet",), {})]
)
def test_no_dashboard(start: Start, options: tuple[str, ...], environment: dict[str, str]) -> None:
    with start("Quick", "Quick", options=options, **environment) as terminal:
        assert terminal.finish() == 0
    assert "\x1b[?" not in terminal.text
    assert "Finished: all games are played" in terminal.text
    assert ("watched: 2 engines, 4 games, 2 workers" in terminal.text) == (options != ("--quiet",))
