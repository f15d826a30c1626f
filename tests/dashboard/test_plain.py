"""Plain lines: one every few seconds, and one for each event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.dashboard.plain import LINE_ANYWAY, LINE_EVERY, PlainLines, line_of
from arena.dashboard.state import RunState
from arena.session import Run as Session
from arena.session import Watchers
from arena.table.runner import TableLost
from tests.dashboard.rows import finish, row, session
from tests.dashboard.samples import BEGINNING, EIGHT, RUNNING, SPRT


class Run:
    """A run whose lines are kept, with a clock to set."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines: list[str] = []
        state = RunState(lambda: self.now)
        self.watcher = Watchers(state, PlainLines(state, self.lines.append, lambda: self.now))
        self.session: Session

    def tick(self, seconds: float) -> list[str]:
        """What is said at a look so much later."""
        self.now += seconds
        before = len(self.lines)
        self.watcher.tick([])
        return self.lines[before:]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    made = Run()
    text = "engines: [random, reflex]\ngames: 8\nworkers: 1\n"
    with session(tmp_path, made.watcher, text) as made.session:
        made.watcher.began(made.session)
        yield made


def test_the_beginning(run: Run) -> None:
    assert run.lines == ["t: 2 engines, 8 games, 1 worker"]


def test_a_line_every_few_seconds_if_games_end(run: Run) -> None:
    finish(run.session, row(1))
    assert run.tick(LINE_EVERY - 0.1) == []
    (line,) = run.tick(0.2)
    assert line.startswith("1/8 games, ")
    assert "random leads with 100.0%" in line
    assert run.tick(0.2) == []


def test_a_line_now_and_then_if_none_does(run: Run) -> None:
    assert run.tick(LINE_ANYWAY - 0.1) == []
    assert len(run.tick(0.2)) == 1


def test_faults_tables_and_stopping_are_told_at_once(run: Run) -> None:
    finish(run.session, row(1, reason="time", detail="reflex: took 3 s"))
    run.watcher.table_lost(TableLost(0, "killed by SIGKILL", None), run.session.progress)
    run.watcher.table_lost(TableLost(0, "killed by SIGSEGV", 7), run.session.progress)
    run.watcher.stopping("interrupted")
    assert run.lines[1:] == [
        "game 1: time: reflex: took 3 s",
        "worker 1 is replaced and its game repeated: killed by SIGKILL",
        "stopping; the games in progress are finished: interrupted",
    ]


def test_checking_is_told_when_it_takes_a_while(run: Run) -> None:
    run.watcher.checking("random", 1, 2)
    assert run.tick(0.5) == []
    assert run.tick(0.6) == ["checking random 1/2"]
    assert run.tick(0.6) == []
    run.watcher.checking("reflex", 2, 2)
    assert run.lines[-1] == "checking reflex 2/2"


def test_a_check_that_is_over_is_not_told_later(run: Run) -> None:
    run.watcher.checking("random", 1, 2)
    assert run.tick(0.5) == []
    run.watcher.checked("random", None)
    assert run.tick(0.6) == []


def test_lines_by_hand() -> None:
    assert line_of(RUNNING) == (
        "123/300 games, 12.3 games/s, ETA 0:15, round 4 of 10, "
        "alphabeta leads with 100.0% (+612 +- 42 Elo)"
    )
    assert "123/about 300 games" in line_of(EIGHT)
    assert "ETA at most 0:15, round 4 of 10, LLR 1.07" in line_of(SPRT)
    assert line_of(BEGINNING) == "0/300 games, 0.0 games/h"


def test_a_mistake_made_again_and_again_is_told_ever_less_often(run: Run) -> None:
    for number in range(1, 8):
        finish(run.session, row(number, reason="exception", detail="reflex: KeyError: 7"))
    assert run.lines[1:] == [
        "game 1: exception: reflex: KeyError: 7",
        "game 2: exception: the same as in game 1, 2 times now",
        "game 5: exception: the same as in game 1, 5 times now",
    ]


def test_a_rating_of_nothing_has_no_minus() -> None:
    leader = replace(RUNNING.standings[0], elo=-0.3)
    assert "(+0 +- 42 Elo)" in line_of(replace(RUNNING, standings=(leader,)))
