"""Progress: silent at first, then a line with the time that is left, and gone at the end."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest

from arena.cli import journals
from arena.show import progress as module
from arena.show.progress import WIPE, Progress, counted, reporting, saying
from tests.cli.running import run
from tests.journal.examples import fill


class Screen(io.StringIO):
    """A terminal, or a file, that keeps all that was written."""

    live = True

    def isatty(self) -> bool:
        return self.live

    def fileno(self) -> int:
        raise OSError

    def drawn(self) -> list[str]:
        """What was drawn, one line after the other."""
        return [part for part in self.getvalue().split(WIPE) if part]


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    screen = Screen()
    monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=screen, modules=sys.modules))
    monkeypatch.setenv("TERM", "xterm")
    return screen


@pytest.fixture
def log(screen: Screen) -> Screen:
    screen.live = False
    return screen


def test_quick_work_is_silent(screen: Screen, time: Clock) -> None:
    assert list(counted(range(3), "doing", 3)) == [0, 1, 2]
    assert screen.getvalue() == ""


def test_a_line_is_drawn_after_a_second_and_wiped_away(screen: Screen, time: Clock) -> None:
    with Progress("writing games", 4000) as progress:
        for done, now in ((1, 100.5), (1000, 101.0), (1001, 101.05), (3000, 101.2)):
            time.now = now
            progress.at(done)
    assert screen.drawn() == [
        "writing games 1,000/4,000, ETA 0:03",
        "writing games 3,000/4,000, ETA 0:00",
    ]
    assert screen.getvalue().endswith(WIPE)
    assert "\n" not in screen.getvalue()


def test_what_was_done_before_took_no_time(screen: Screen, time: Clock) -> None:
    with Progress("solving") as progress:
        progress.begin("solving", 100, 90)
        time.now = 110.0
        progress.at(95)
    assert screen.drawn() == ["solving 95/100, ETA 0:10"]


def test_slow_work_is_shown_at_once(screen: Screen, time: Clock) -> None:
    playing = counted("ab", "playing games", 2, at_once=True)
    assert next(playing) == "a"
    assert screen.drawn() == ["playing games 0/2 ..."]
    time.now += 90
    assert next(playing) == "b"
    assert screen.drawn()[-1] == "playing games 2/2, ETA 0:00"


def test_a_line_every_few_seconds_where_there_is_no_terminal(log: Screen, time: Clock) -> None:
    with Progress("importing", 1000, at_once=True, in_percent=True) as progress:
        for done in range(0, 1000, 100):
            progress.at(done)
            progress.draw_again()
            time.now += 1
    assert log.getvalue().splitlines() == [
        "importing 30%, ETA 0:07",
        "importing 60%, ETA 0:04",
        "importing 90%, ETA 0:01",
    ]
    assert "\x1b" not in log.getvalue()


def test_forced_colours_make_no_terminal_and_a_dumb_one_is_none(
    screen: Screen, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert not Progress("x").live
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    screen.live = False
    assert not Progress("x").live


def test_other_work_begins_anew(screen: Screen, time: Clock) -> None:
    with Progress("reading") as progress:
        progress.begin("reading the games", 10)
        time.now += 2
        progress.at(5)
        progress.begin("writing tables")
    assert screen.drawn() == ["reading the games 5/10, ETA 0:02", "writing tables ..."]


def test_something_else_can_be_printed_between(screen: Screen, time: Clock) -> None:
    with Progress("checking", 3, at_once=True) as progress:
        progress.clear()
        print("a finding", file=screen)
        progress.show(1, "next")
        progress.clear()
        progress.clear()
    drawn = f"{WIPE}checking 0/3 ...{WIPE}a finding\n{WIPE}checking 1/3 next, ETA 0:00{WIPE}"
    assert screen.getvalue() == drawn


def test_a_line_is_never_longer_than_the_screen(screen: Screen, time: Clock) -> None:
    with Progress("x" * 200, at_once=True):
        assert screen.drawn() == ["x" * 79]


def test_steps_and_sayings(screen: Screen, time: Clock) -> None:
    with reporting() as report:
        report("mcts", 1, 3)
        time.now += 2
        report("oracle", 2, 3)
    with saying() as say:
        say("thinking")
    with saying(quiet=True) as say:
        say("nothing")
    assert screen.drawn() == [
        "loading mcts 1/3 ...",
        "loading oracle 2/3, ETA 0:04",
        "thinking ...",
    ]


def test_compiling_is_said_of_what_is_compiled_alone(screen: Screen, time: Clock) -> None:
    compiled, loaded = numba.njit(lambda x: x + 1), numba.njit(lambda x: x + 2)
    assert loaded(1) == 3
    with reporting() as report:
        report("mcts", 1, 2)
        assert (compiled(1), compiled(2.0)) == (2, 3.0)
        report("oracle", 2, 2)
        assert loaded(2) == 4
    numba.njit(lambda x: x)(1)  # nobody listens any more
    assert screen.drawn() == [
        "loading mcts 1/2 ...",
        "compiling mcts 1/2 ...",
        "loading oracle 2/2, ETA 0:00",
    ]


def test_without_a_terminal_slow_steps_are_lines(
    log: Screen, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    wake: list[Callable[[], None]] = []

    class Waiting:
        def __init__(self, seconds: float, call: Callable[[], None]) -> None:
            wake.append(call)

        def start(self) -> None:
            pass

    monkeypatch.setattr(module, "Timer", Waiting)
    with reporting() as report:
        report("mcts", 1, 3)
        time.now += 8
        assert log.getvalue() == ""
        wake[0]()
        report("oracle", 2, 3)
        numba.njit(lambda x: x)(1)
    assert log.getvalue().splitlines() == [
        "loading mcts 1/3 ...",
        "loading oracle 2/3, ETA 0:16",
        "compiling oracle 2/3, ETA 0:16",
    ]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step prints a line."""
    monkeypatch.setattr(module, "LINE_EVERY", 0.0)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A journal of twenty games."""
    fill(tmp_path / "games.db", 20)
    return tmp_path


@pytest.mark.usefixtures("impatient")
def test_commands_over_many_games_tell_how_far_they_are(place: Path) -> None:
    games, export = str(place / "games.csv"), str(place / "all.jsonl")
    for words, expected in (
        (["games", str(place), "--json"], "writing games 11/20, ETA 0:00"),
        (["games", str(place)], "writing games 20/20, ETA 0:00"),
        (["games", str(place), "--csv", games], "writing games 11/20, ETA 0:00"),
        (["games", str(place), "--export", export], "writing games 20/20, ETA 0:00"),
        (["games", str(place), "--player", "alpha", "--json"], "writing games 19/20, ETA 0:00"),
        (["games", "--import", export, "--into", str(place / "new.db")], "importing 100%, ETA"),
        (["report", str(place), "--no-plots"], "reading the games 11/20, ETA 0:00"),
        (["rate", games], "reading games 100%, ETA 0:00"),
        (["rate", str(place), "--players", "alpha", "beta"], "reading their games 19/20, ETA 0:00"),
        (["match", "random", "reflex", "--games", "4", "--json"], "playing games 3/4"),
    ):
        result = run(*words)
        assert result.exit_code == 0, result.output
        assert expected in result.stderr, words
        assert "\x1b" not in result.stderr
        assert expected not in result.stdout


def test_whether_output_goes_by_unseen(monkeypatch: pytest.MonkeyPatch) -> None:

    screen = Screen()
    monkeypatch.setattr(journals, "sys", SimpleNamespace(stdout=screen))
    assert not journals.is_silent()
    assert not journals.is_silent("-")
    assert journals.is_silent("games.csv")
    screen.live = False
    assert journals.is_silent("-")
