"""The dashboard as a watcher: cheap, and never in the way of a run."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from rich.console import Console

from arena import run as running
from arena.dashboard import live
from arena.dashboard.live import SHARE, LiveView
from arena.dashboard.plain import PlainView
from arena.dashboard.scene import Scene
from arena.dashboard.screen import is_in_front
from arena.dashboard.watchers import Watchers
from tests.dashboard.rows import session


class Run:
    """A view on a pseudo-terminal that nobody else has, and what plain lines say."""

    def __init__(self, folder: Path) -> None:
        self.master, self.slave = pty.openpty()
        self.file = os.fdopen(self.slave, "w")
        self.said: list[str] = []
        self.now = 0.0
        console = Console(file=self.file, force_terminal=True, color_system="standard")
        scene = Scene()
        self.view = LiveView(
            scene, console, PlainView(scene, self.said.append), clock=lambda: self.now
        )
        self.watcher = Watchers(scene, self.view)
        self.session: running.Run

    def written(self) -> str:
        os.set_blocking(self.master, False)
        found = b""
        try:
            while chunk := os.read(self.master, 65536):
                found += chunk
        except BlockingIOError:
            pass
        return found.decode()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    monkeypatch.setattr(live, "is_in_front", lambda terminal: True)
    made = Run(tmp_path)
    text = "engines: [random, reflex]\ngames: 8\nworkers: 1\n"
    with session(tmp_path, made.watcher, text) as made.session, made.view:
        made.watcher.began(made.session)
        yield made
    with suppress(OSError):
        made.file.close()
    os.close(made.master)


def test_the_screen_is_taken_and_given_back(run: Run) -> None:
    run.watcher.checking("random", 1, 2)
    begun = run.written()
    assert "\x1b[?1049h" in begun
    assert "\x1b[?25l" in begun
    assert "checking random, 1 of 2" in begun
    run.view.screen.close()
    ended = run.written()
    assert "\x1b[?1049l" in ended
    assert "\x1b[?25h" in ended
    run.view.screen.close()
    assert run.written() == ""


def test_only_lines_that_change_are_drawn_again(run: Run) -> None:
    run.watcher.checking("random", 1, 2)
    whole = run.written()
    run.now += 10
    run.session.progress.scoreboard.games = 3
    run.watcher.tick([])
    after = run.written()
    assert "3/8" in after
    assert "standings" in whole
    assert "standings" not in after


def test_frames_wait_until_they_are_cheap_enough(run: Run) -> None:
    run.watcher.checking("random", 1, 2)
    run.watcher.tick([])
    assert run.view.frames == 1
    assert run.view.due == pytest.approx(run.view.cost / SHARE)
    run.now = run.view.due
    run.watcher.tick([])
    assert run.view.frames == 2


def test_nothing_is_drawn_in_the_background(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "is_in_front", lambda terminal: False)
    run.watcher.checking("random", 1, 2)
    run.watcher.tick([])
    assert run.written() == ""


def test_a_broken_dashboard_does_not_stop_the_run(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.watcher.checking("random", 1, 2)
    run.written()

    def fails(*_: object) -> None:
        raise ValueError("out of paint")

    monkeypatch.setattr(live, "arrange", fails)
    run.now = 10.0
    run.watcher.tick([])
    assert "\x1b[?1049l" in run.written()
    assert run.said == ["the dashboard fails, plain lines go on: ValueError('out of paint')"]
    run.watcher.stopping("interrupted")
    assert run.said[-1].endswith("interrupted")
    run.watcher.tick([])
    assert run.written() == ""


def test_a_terminal_that_is_gone_does_not_stop_the_run(run: Run) -> None:
    run.watcher.checking("random", 1, 2)
    os.close(run.master)
    run.now = 10.0
    run.session.progress.scoreboard.games = 1
    run.watcher.tick([])
    assert run.view.broken
    run.master = os.open(os.devnull, os.O_RDONLY)


def test_what_is_no_terminal_belongs_to_nobody_else() -> None:
    read, write = os.pipe()
    assert is_in_front(write)
    os.close(read)
    os.close(write)
