"""Faults of bots through real processes: the right reason, and nobody else to blame."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots.find import build_engine
from arena.bots.hosted import HostedEngine, Terms
from arena.bots.lines import Lines
from arena.bots.process import error_line
from arena.engine.contract import Engine, Limits
from arena.engine.errors import Fault
from arena.errors import EngineFailure
from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.table.referee import Referee

RULES = Rules.named("4x4")
HEAD = """
import os, subprocess, sys, time
from arena import Choice, Engine

def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

class Bot(Engine):
    def choose(self, position, limits):
"""
BURN_IN_CHILD = """
        code = "import time\\nwhile time.process_time() < 0.6: pass"
        subprocess.run([sys.executable, "-I", "-S", "-c", code])
        return Choice(position.legal[0])
"""


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[type[None]]:
    """Builds engines whose `choose` has these lines, in processes of their own."""
    built: list[Engine] = []

    def build(body: str, terms: Terms = Terms(start=60.0)) -> HostedEngine:  # noqa: B008
        file = tmp_path / f"bot{len(built)}.py"
        file.write_text(HEAD + body)
        built.append(build_engine(f"{file}:Bot", terms))
        engine = built[-1]
        assert isinstance(engine, HostedEngine)
        engine.get_ready(RULES)
        return engine

    yield build  # type: ignore[misc]
    for engine in built:
        assert isinstance(engine, HostedEngine)
        engine.close(polite=False)


def reason_of(engine: Engine, limits: Limits = Limits()) -> tuple[str, str]:  # noqa: B008
    """Why a game of the engine against itself ends, and the words."""
    referee = Referee((engine, engine), RULES, limits)
    while referee.ask():
        pass
    game = referee.finished_game()
    return game.reason, game.detail


def test_moves_after_a_board_that_was_set_up_begin_a_new_game(bot) -> None:  # type: ignore[no-untyped-def]
    engine = bot("        return Choice(position.ply, line=None)\n")
    engine.begin(CONNECT4, 0)
    whole = play_moves((3, 3, 2), CONNECT4)
    bare = Position(CONNECT4, whole.first, whole.second)
    for position in (bare, play_moves((3,), CONNECT4), bare, Position(CONNECT4), whole):
        assert engine.ask(position, Limits()).column == position.ply


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("        return Choice(99)\n", "illegal move"),
        ("        raise ValueError('no')\n", "exception"),
        ("        raise MemoryError\n", "memory"),
        ("        from arena.engine.errors import Fault; raise Fault('time', 'late')\n", "time"),
        ("        os._exit(3)\n", "crash"),
        ("        os.abort()\n", "crash"),
    ],
)
def test_every_reason_passes_through_a_host(bot, body: str, reason: str) -> None:  # type: ignore[no-untyped-def]
    later = "        if position.ply < 3: return Choice(position.legal[0])\n"
    assert reason_of(bot(later + body))[0] == reason


def test_a_bot_that_sleeps_loses_on_time(bot) -> None:  # type: ignore[no-untyped-def]
    reason, detail = reason_of(bot("        time.sleep(0.2); return Choice(0)\n"), LIMITED)
    assert (reason, "0.05 s were allowed" in detail or "gave no answer" in detail) == ("time", True)


LIMITED = Limits(seconds=0.05)


def test_the_processor_time_of_a_child_is_charged(bot) -> None:  # type: ignore[no-untyped-def]
    reason, detail = reason_of(bot(BURN_IN_CHILD), Limits(cpu=0.2))
    assert (reason, "of the processor where 0.2 s were allowed" in detail) == ("time", True)


def test_a_small_limit_of_processor_time_has_a_small_margin(bot) -> None:  # type: ignore[no-untyped-def]
    burner = bot("        burn(0.03); return Choice(position.legal[0])\n")
    assert reason_of(burner, Limits(cpu=0.015))[0] == "time"
    quick = bot("        burn(0.01); return Choice(position.legal[0])\n")
    assert reason_of(quick, Limits(cpu=0.015))[0] in ("line", "full board")


def test_who_claims_to_compile_and_sleeps_is_not_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "sleeper.py"
    file.write_text(
        HEAD
        + """        return Choice(0)

    def new_game(self):
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b'{"compiling": true}\\n')
            except OSError:
                pass
        time.sleep(1000)
"""
    )
    engine = build_engine(f"{file}:Bot", Terms(start=1.0))
    began = time.monotonic()
    with pytest.raises((Fault, EngineFailure), match="was not ready in"):
        engine.begin(RULES, 0)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("victim", ["program", "keeper", "both"])
def test_who_is_stopped_by_somebody_else_loses_nothing(bot, victim: str) -> None:  # type: ignore[no-untyped-def]
    engine = bot("        time.sleep(0.02); return Choice(position.legal[0])\n")
    meter = engine.process.meter
    pids = {"program": [meter.pid], "keeper": [meter.root], "both": [meter.root, meter.pid]}[victim]
    playing = threading.Event()

    def stop() -> None:
        while not playing.wait(0.05):
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)

    thread = threading.Thread(target=stop)
    thread.start()
    try:
        reasons = [reason_of(engine, LIMITED)[0] for _ in range(2)]
    finally:
        playing.set()
        thread.join()
    assert set(reasons) <= {"line", "full board"}


PRINTED = {
    "node": "/bot.js:3\n  throw wrong\n  ^\n\nError: no book\n    at main\n\nNode.js v20.20.2",
    "java": 'Exception in thread "main" java.lang.Error: no book\n\tat Bot.main(Bot.java:3)',
    "rust": "thread 'main' panicked at src/main.rs:3:5:\nno book\nnote: run with RUST_BACKTRACE=1",
    "python": "Traceback (most recent call last):\n  File 'bot.py'\nFileNotFoundError: no book",
    "other": "loading\nno book",
}


@pytest.mark.parametrize("kind", PRINTED)
def test_the_line_is_shown_that_names_the_error(kind: str, tmp_path: Path) -> None:
    assert "no book" in error_line(PRINTED[kind])
    file = tmp_path / "bot.py"
    file.write_text(f"import sys\nsys.stderr.write({PRINTED[kind]!r})\nsys.exit(1)\n")
    engine = Lines(f"{sys.executable} {file}")
    with pytest.raises((EngineFailure, Fault), match="no book"):
        engine.get_ready(CONNECT4)


def test_a_long_log_still_names_the_error(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    words = "Exception: no book\n" + "    at somewhere(Bot.java:1)\n" * 1000
    file.write_text(f"import sys\nsys.stderr.write({words!r})\nsys.exit(1)\n")
    engine = Lines(f"{sys.executable} {file}")
    with pytest.raises((EngineFailure, Fault)):
        engine.get_ready(CONNECT4)
    assert "no book" in engine.printed()
    assert len(engine.printed()) < 6000
