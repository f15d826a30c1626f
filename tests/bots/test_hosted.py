"""Engines in hosts: what their processes use, and what getting ready may take."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from arena.bots.find import build_engine
from arena.bots.hosted import HostedEngine, Terms
from arena.bots.process import BotProcess
from arena.engine.contract import Limits
from arena.engine.errors import Fault
from arena.errors import EngineFailure
from arena.game.position import Position
from arena.game.rules import Rules
from arena.table.referee import Referee

RULES = Rules.named("4x4")
HEAD = """
import os, threading, time
from arena import Choice, Engine

def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass

"""


def write(folder: Path, body: str) -> str:
    """A file with an engine of these lines; the engine's name."""
    file = folder / "bot.py"
    file.write_text(HEAD + body)
    return f"{file}:Bot"


def test_the_time_of_the_processor_is_that_of_the_process_that_thinks(tmp_path: Path) -> None:
    body = """
class Bot(Engine):
    def choose(self, position, limits):
        burn(0.1)
        return Choice(position.legal[0])
"""
    bot, ours = build_engine(write(tmp_path, body)), build_engine("reflex")
    ours.get_ready(RULES)
    referee = Referee((bot, ours), RULES)
    for _ in range(4):
        referee.ask()
    assert [move.cpu > 0.09 for move in referee.moves] == [True, False, True, False]


def test_what_a_bot_does_on_the_time_of_others_is_on_its_account(tmp_path: Path) -> None:
    body = """
class Bot(Engine):
    def choose(self, position, limits):
        threading.Thread(target=burn, args=[0.2]).start()
        return Choice(position.legal[0])

class Slow(Engine):
    def choose(self, position, limits):
        time.sleep(0.5)
        return Choice(position.legal[0])
"""
    bot = build_engine(write(tmp_path, body))
    slow = build_engine(f"{tmp_path / 'bot.py'}:Slow")
    referee = Referee((bot, slow), RULES)
    for _ in range(3):
        referee.ask()
    assert referee.ending is None
    assert referee.moves[2].cpu > 0.02  # of 0.2, as far as a busy machine lets it
    assert referee.moves[1].cpu < 0.02


def test_processes_that_a_bot_starts_are_on_its_account(tmp_path: Path) -> None:
    body = """
class Bot(Engine):
    def choose(self, position, limits):
        child = os.fork()
        if not child:
            burn(0.5)
            time.sleep(1000)
        time.sleep(1)
        return Choice(position.legal[0])
"""
    bot = build_engine(write(tmp_path, body))
    referee = Referee((bot, build_engine("reflex")), RULES)
    referee.ask()
    assert referee.moves[0].cpu > 0.02


def test_compiling_is_not_the_engines_own_time(tmp_path: Path) -> None:
    """At import, when it is built and when it warms up; a start that hangs is told all the same."""
    body = """
from numba import njit

@njit("int64(int64)")
def at_import(n):
    total = 0
    for i in range(n):
        total += sum([j % 7 for j in range(i)])
    return total

@njit
def when_built(n):
    return at_import(n) + sum([j % 5 for j in range(n)])

@njit
def when_warm(n):
    return when_built(n) + sum([j % 3 for j in range(n)])

class Bot(Engine):
    def __init__(self, **options):
        super().__init__(**options)
        when_built(3)

    def warm_up(self):
        when_warm(3)
        if self.rules.name == "4x5":
            time.sleep(1000)

    def choose(self, position, limits):
        return Choice(position.legal[0])
"""
    bot = build_engine(write(tmp_path, body), Terms(start=60.0))
    assert isinstance(bot, HostedEngine)
    built = bot.host.compiled
    bot.get_ready(RULES)
    assert 0 < built < bot.host.compiled
    bot.begin(RULES, 1)
    assert bot.ask(Position(RULES), Limits()).column == 0
    bot.terms = Terms(start=0.3)
    with pytest.raises(Exception, match=r"was not ready in \d"):
        bot.get_ready(Rules.named("4x5"))
    assert bot.is_spent


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("os._exit(0)", "its process left with exit code 0"),
        ("print('no book', flush=True); os._exit(3)", "exit code 3; it printed 'no book'"),
        ("time.sleep(1000)", r"was not ready in \d"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise GeneratorExit", "GeneratorExit"),
    ],
)
def test_a_file_that_breaks_when_it_is_imported(tmp_path: Path, body: str, words: str) -> None:
    with pytest.raises(EngineFailure, match=words) as caught:
        build_engine(write(tmp_path, body), Terms(start=2.0 if "sleep" in body else 60.0))
    assert f"{tmp_path / 'bot.py'}:" in str(caught.value)


RAISED = ["KeyboardInterrupt", "GeneratorExit", "SystemExit", "StopIteration", "MemoryError"]
ANYWHERE = """
class Bot(Engine):
    where: str = ""
    what: str = "KeyboardInterrupt"

    def __init__(self, **options):
        super().__init__(**options)
        self.at("built")

    def at(self, where):
        if where == self.where:
            raise __builtins__[self.what]

    def warm_up(self):
        self.at("warmed up")

    def new_game(self):
        super().new_game()
        self.at("told of a game")

    def choose(self, position, limits):
        self.at("asked for a move")
        return Choice(position.legal[0])

    def opinions(self, position, limits):
        self.at("asked for opinions")
        return {}
"""


@pytest.mark.parametrize("what", RAISED)
def test_whatever_is_raised_anywhere_is_told(tmp_path: Path, what: str) -> None:
    """And the host is ready for the next engine of its kind, unless its memory was at an end."""
    spec = write(tmp_path, ANYWHERE)
    with pytest.raises(EngineFailure, match="2048 MB" if what == "MemoryError" else what):
        build_engine(f"{spec} where=built what={what}")
    questions: dict[str, Callable[[HostedEngine], object]] = {
        "warmed up": lambda bot: bot.get_ready(RULES),
        "told of a game": lambda bot: bot.begin(RULES, 1),
        "asked for a move": lambda bot: bot.ask(Position(RULES), Limits()),
        "asked for opinions": lambda bot: bot.ask_opinions(Position(RULES), Limits()),
    }
    for where, ask in questions.items():
        bot = build_engine(f"{spec} 'where={where}' what={what}")
        assert isinstance(bot, HostedEngine)
        with pytest.raises(Fault, match=what) as caught:
            ask(bot)
        assert caught.value.reason == ("memory" if what == "MemoryError" else "exception")
        assert bot.is_spent == (what == "MemoryError")


def test_engines_that_come_and_go_leave_no_descriptors_and_no_processes(tmp_path: Path) -> None:
    """Those that break while they start as well."""
    good = write(tmp_path, ANYWHERE)
    (tmp_path / "broken.py").write_text("import os; os._exit(3)")

    def come_and_go() -> tuple[int, int]:
        engine = build_engine(good)
        assert isinstance(engine, HostedEngine)
        engine.close(polite=False)
        with pytest.raises(EngineFailure):
            build_engine(f"{tmp_path / 'broken.py'}")
        with pytest.raises(EngineFailure):
            BotProcess(["true"], folder=tmp_path / "nowhere")
        gc.collect()
        own = psutil.Process()
        return own.num_fds(), len(own.children(recursive=True))

    before, after = come_and_go(), come_and_go()  # what earlier tests left may end meanwhile
    assert after[0] <= before[0]
    assert after[1] <= before[1]
