"""The dashboard as a watcher: cheap, and never in the way of a run."""

from __future__ import annotations

import io
import os
import pty
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.style import Style

from arena.dashboard import live
from arena.dashboard.cells import UNICODE, Block
from arena.dashboard.content import FrameContent
from arena.dashboard.frame import draw
from arena.dashboard.live import SHARE, AnsiWriter, LiveView
from arena.dashboard.plain import PlainLines
from arena.dashboard.state import RunState
from arena.session import Run as Session
from arena.session import Watchers
from tests.dashboard.rows import session
from tests.dashboard.samples import SAMPLES


class Segments:
    """Lines as rich shows them, run by run."""

    def __init__(self, lines: Block) -> None:
        self.lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for number, line in enumerate(self.lines):
            if number:
                yield Segment.line()
            for text, style in line:
                yield Segment(text, Style.parse(style))


class Run:
    """A view on a pseudo-terminal that nobody else has, and what plain lines say."""

    def __init__(self, folder: Path) -> None:
        self.master, self.slave = pty.openpty()
        self.file = os.fdopen(self.slave, "w")
        self.lines: list[str] = []
        self.now = 0.0
        console = Console(file=self.file, force_terminal=True, color_system="standard")
        state = RunState()
        plain = PlainLines(state, self.lines.append)
        self.view = LiveView(state, console, plain, clock=lambda: self.now)
        self.watcher = Watchers(state, plain, self.view)
        self.session: Session

    def written(self) -> str:
        os.set_blocking(self.master, False)
        written = b""
        try:
            while chunk := os.read(self.master, 65536):
                written += chunk
        except BlockingIOError:
            pass
        return written.decode()


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


def test_frames_wait_until_they_are_cheap_enough(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spent = iter((100.0, 100.3, 200.0, 200.6))
    monkeypatch.setattr(time, "thread_time", lambda: next(spent))
    monkeypatch.setattr(run.view.state.results, "refresh", lambda *_: None)
    run.view.state.results.standings = SAMPLES["running"].standings
    run.watcher.checking("random", 1, 2)
    assert run.written()
    assert run.view.due == pytest.approx(0.3 / SHARE)
    run.session.progress.scoreboard.games = 3
    run.watcher.tick([])
    assert run.written() == ""
    run.now = run.view.due
    run.watcher.tick([])
    assert run.written()
    assert run.view.due == pytest.approx((0.3 + 0.6) / SHARE)


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

    monkeypatch.setattr(live, "draw", fails)
    run.now = 10.0
    run.watcher.tick([])
    assert "\x1b[?1049l" in run.written()
    assert run.lines == ["dashboard error, switching to plain output: ValueError('out of paint')"]
    run.watcher.stopping("interrupted")
    assert run.lines[-1].endswith("interrupted")
    run.watcher.tick([])
    assert run.written() == ""


def test_a_terminal_that_is_gone_does_not_stop_the_run(run: Run) -> None:
    run.watcher.checking("random", 1, 2)
    os.close(run.master)
    run.now = 10.0
    run.session.progress.scoreboard.games = 1
    run.watcher.tick([])
    assert run.lines[-1].startswith("dashboard error, switching to plain output: ")
    run.master = os.open(os.devnull, os.O_RDONLY)


@pytest.mark.parametrize("system", ["standard", "256", "truecolor", None])
@pytest.mark.parametrize("no_color", [False, True])
def test_lines_are_written_as_a_console_does(system: str | None, no_color: bool) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system=system, no_color=no_color,  # type: ignore[arg-type]
                      width=100, height=30, legacy_windows=False)  # fmt: skip
    write = AnsiWriter(console)
    for snapshot in SAMPLES.values():
        lines = draw(FrameContent(snapshot, UNICODE), 100, 30)
        out.seek(0)
        out.truncate()
        console.print(Segments(lines), end="")
        assert "\n".join(map(write, lines)) == out.getvalue()
