"""Python bots in hosts: reasons of losses, processor time, getting ready, what stays behind."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from arena.bots import hosted
from arena.bots.find import build_engine
from arena.bots.hosted import HostedEngine, Terms
from arena.bots.process import BotProcess
from arena.engine.contract import Engine, Limits
from arena.engine.errors import Fault
from arena.errors import EngineFailure
from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.table.referee import Referee, play_game
from tests.support.bots import naughty
from tests.support.processes import is_gone

RULES, NO_LIMITS, SHORT = Rules.named("4x4"), Limits(), Limits(seconds=0.05)
START = Terms(start=60.0)
GOOD_ENDS = ("line", "full board")
HEAD = """
import os, subprocess, sys, threading, time
from arena import Choice, Engine

def burn(seconds, clock=time.thread_time):
    end = clock() + seconds
    while clock() < end:
        pass

"""
BOT = "class Bot(Engine):\n    def choose(self, position, limits):\n"
PLAY = "        return Choice(position.legal[0])\n"

Build = Callable[..., HostedEngine]


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[Build]:
    """Build a bot from the lines of its `choose`, or from a whole file."""
    built: list[HostedEngine] = []

    def build(body: str, terms: Terms = START) -> HostedEngine:
        file = tmp_path / f"bot{len(built)}.py"
        file.write_text(HEAD + (body if "class Bot" in body else BOT + body))
        engine = build_engine(f"{file}:Bot", terms)
        assert isinstance(engine, HostedEngine)
        built.append(engine)
        engine.get_ready(RULES)
        return engine

    yield build
    for engine in built:
        engine.close(polite=False)


def end_of(engine: Engine, limits: Limits = NO_LIMITS) -> tuple[str, str]:
    """The reason and the words with which a game of the engine against itself ends."""
    game = play_game((engine, engine), RULES, limits)
    return game.reason, game.detail


# ---- how a game ends


@pytest.mark.parametrize(
    ("body", "reason", "words"),
    [
        ("return Choice(4)", "illegal move", "column 5 (4 counted from 0) is not on the board"),
        ("raise ValueError('no')", "exception", "ValueError: no (bot0.py:"),
        ("raise MemoryError", "memory", "MemoryError"),
        ("from arena.engine.errors import Fault; raise Fault('time', 'late')", "time", "late"),
        ("os._exit(3)", "crash", "left with exit code 3"),
        ("os.abort()", "crash", "killed by SIGABRT"),
    ],
)
def test_every_reason_passes_through_a_host(bot: Build, body: str, reason: str, words: str) -> None:
    later = "        if position.ply < 3: return Choice(position.legal[0])\n"
    ending, detail = end_of(bot(f"{later}        {body}\n"))
    assert ending == reason
    assert words in detail


KAGGLE_CLOCK = """
import arena.bots.kaggle as site
now = [0.0]
site.perf_counter = lambda: now[0]
def agent(obs, config):
    now[0] += 100
    return 3
"""


def test_a_timeout_by_the_rules_of_kaggle_is_a_loss_on_time(tmp_path: Path) -> None:
    file = tmp_path / "submission.py"
    file.write_text(KAGGLE_CLOCK)
    engine = build_engine(f"kaggle:{file} strict=kaggle", START)
    assert isinstance(engine, HostedEngine)
    game = play_game((engine, build_engine("random")), CONNECT4)
    engine.close()
    assert (game.reason, game.result) == ("time", -1)
    assert "TIMEOUT at Kaggle: took 100 s where 2 s and 60 s of the bank are allowed" in game.detail


@pytest.mark.parametrize("victim", ["program", "keeper", "both"])
def test_a_bot_that_somebody_else_stops_loses_nothing(bot: Build, victim: str) -> None:
    engine = bot(f"        time.sleep(0.02)\n{PLAY}")
    meter = engine.process.meter
    keeper, program = meter.keeper or 0, meter.pid
    pids = {"program": [program], "keeper": [keeper], "both": [keeper, program]}[victim]
    is_over = threading.Event()

    def stop() -> None:
        while not is_over.wait(0.05):
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)

    thread = threading.Thread(target=stop)
    thread.start()
    try:
        reasons = [end_of(engine, SHORT)[0] for _ in range(2)]
    finally:
        is_over.set()
        thread.join()
    assert set(reasons) <= set(GOOD_ENDS)


FIRST = "[c for c in range(config.columns) if obs.board[c] == 0][0]"
FILES = {
    "kaggle": f"def agent(obs, config):\n    return {FIRST}\n",
    "gym": "from gym_connect_four import Player\nclass Bot(Player):\n"
    "    def get_next_action(self, state):\n        return min(self.env.available_moves())\n",
    "pettingzoo": "def policy(observation, action_mask):\n    return action_mask.argmax()\n",
    "openspiel": "class Bot:\n    def step(self, state):\n"
    "        return state.legal_actions()[0]\n",
}


@pytest.mark.parametrize("kind", FILES)
def test_a_bot_of_every_kind_plays_in_a_host(tmp_path: Path, kind: str) -> None:
    if kind == "openspiel":
        pytest.importorskip("pyspiel")
    file, rules = tmp_path / "bot.py", Rules.flat(5, 4)
    file.write_text(FILES[kind])
    engine = build_engine(f"'{kind}:{file}'", START)
    assert isinstance(engine, HostedEngine)
    engine.get_ready(rules)
    game = play_game((engine, build_engine("random")), rules, seed=5)
    engine.close()
    assert game.reason in GOOD_ENDS
    assert game.columns[0] == 0


def test_moves_after_a_board_that_was_set_up_begin_a_new_game(bot: Build) -> None:
    engine = bot("        return Choice(position.ply, line=None)\n")
    engine.begin(CONNECT4, 0)
    whole = play_moves((3, 3, 2), CONNECT4)
    bare = Position(CONNECT4, whole.first, whole.second)
    for position in (bare, play_moves((3,), CONNECT4), bare, Position(CONNECT4), whole):
        assert engine.ask(position, NO_LIMITS).column == position.ply


# ---- processor time

IN_CHILD = """
        code = "import time\\nwhile time.process_time() < 0.6: pass"
        subprocess.run([sys.executable, "-I", "-S", "-c", code])
"""
IN_LIVE_CHILD = """
        if not os.fork():
            burn(0.5)
            time.sleep(1000)
        time.sleep(1)
"""


def test_the_processor_time_of_a_child_is_charged(bot: Build) -> None:
    reason, detail = end_of(bot(IN_CHILD + PLAY), Limits(cpu=0.2))
    assert reason == "time"
    assert "of the processor where 0.2 s were allowed" in detail
    engine = bot(IN_LIVE_CHILD + PLAY)
    referee = Referee((engine, engine), RULES)
    referee.ask()
    assert referee.moves[0].cpu > 0.02


def test_a_small_limit_of_processor_time_has_a_small_margin(bot: Build) -> None:
    assert end_of(bot(f"        burn(0.03)\n{PLAY}"), Limits(cpu=0.015))[0] == "time"
    assert end_of(bot(f"        burn(0.01)\n{PLAY}"), Limits(cpu=0.015))[0] in GOOD_ENDS


# ---- getting ready

COMPILES = """
from numba import njit

@njit("int64(int64)")
def at_import(n):
    total = 0
    for i in range(n):
        total += sum([j % 7 for j in range(i)])
    return total

@njit
def when_warm(n):
    return at_import(n) + sum([j % 3 for j in range(n)])

class Bot(Engine):
    def warm_up(self):
        when_warm(3)
        if self.rules.name == "4x5":
            time.sleep(1000)

    def choose(self, position, limits):
        return Choice(position.legal[0])
"""


def test_compiling_is_not_charged_and_a_start_that_hangs_is_reported(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(HEAD + COMPILES)
    engine = build_engine(f"{tmp_path / 'bot.py'}:Bot", START)
    assert isinstance(engine, HostedEngine)
    built = engine.host.compiled
    engine.get_ready(RULES)
    assert 0 < built < engine.host.compiled
    engine.terms = Terms(start=0.3)
    with pytest.raises(Fault, match=r"was not ready in \d"):
        engine.get_ready(Rules.named("4x5"))
    assert engine.is_spent


def test_a_bot_that_claims_to_compile_and_sleeps_is_not_waited_for() -> None:
    spec = f"{naughty.__file__}:Naughty does=claims_to_compile when=begin"
    engine, began = build_engine(spec, START), time.monotonic()
    assert isinstance(engine, HostedEngine)
    engine.terms = Terms(start=1.0)
    with pytest.raises(Fault, match="was not ready in") as caught:
        engine.begin(RULES, 0)
    assert caught.value.reason == "time"
    assert time.monotonic() - began < 10


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
        self.at("new game")

    def choose(self, position, limits):
        self.at("asked for a move")
        return Choice(position.legal[0])

    def opinions(self, position, limits):
        self.at("asked for opinions")
        return {}
"""


@pytest.mark.parametrize("what", ["KeyboardInterrupt", "GeneratorExit", "MemoryError"])
def test_an_exception_anywhere_is_reported(tmp_path: Path, what: str) -> None:
    """And the host is ready for the next engine of its kind, unless it is out of memory."""
    file, is_spent = tmp_path / "bot.py", what == "MemoryError"
    file.write_text(HEAD + ANYWHERE)
    with pytest.raises(EngineFailure, match="2048 MB" if is_spent else what):
        build_engine(f"{file} where=built what={what}")
    questions: dict[str, Callable[[HostedEngine], object]] = {
        "warmed up": lambda bot: bot.get_ready(RULES),
        "new game": lambda bot: bot.begin(RULES, 1),
        "asked for a move": lambda bot: bot.ask(Position(RULES), NO_LIMITS),
        "asked for opinions": lambda bot: bot.ask_opinions(Position(RULES), NO_LIMITS),
    }
    for where, ask in questions.items():
        engine = build_engine(f"{file} 'where={where}' what={what}")
        assert isinstance(engine, HostedEngine)
        with pytest.raises(Fault, match=what) as caught:
            ask(engine)
        assert caught.value.reason == ("memory" if is_spent else "exception")
        assert engine.is_spent == is_spent


def test_engines_that_come_and_go_leave_no_descriptors_and_no_processes(tmp_path: Path) -> None:
    """Those that break while they start as well."""
    good, broken = tmp_path / "good.py", tmp_path / "broken.py"
    good.write_text(HEAD + BOT + PLAY)
    broken.write_text("import os; os._exit(3)")

    def come_and_go() -> tuple[int, int]:
        engine = build_engine(str(good))
        assert isinstance(engine, HostedEngine)
        engine.close(polite=False)
        with pytest.raises(EngineFailure):
            build_engine(str(broken))
        with pytest.raises(EngineFailure):
            BotProcess(["true"], folder=tmp_path / "nowhere")
        gc.collect()
        own = psutil.Process()
        return own.num_fds(), len(own.children(recursive=True))

    before, after = come_and_go(), come_and_go()  # what earlier tests left may end meanwhile
    assert after[0] <= before[0]
    assert after[1] <= before[1]


@pytest.mark.parametrize(("name", "value"), [("MAX_IDLE", 1), ("memory_left", lambda: 0.0)])
def test_idle_hosts_are_bounded_by_number_and_by_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr(hosted, name, value)
    idle, processes = hosted.IdleHosts(), []
    for number in range(2):
        file = tmp_path / f"bot{number}.py"
        file.write_text(HEAD + BOT + PLAY)
        host = idle.take(str(file), START)
        processes.append(host.meter.pid)
        idle.put(host)
    kept = [host.meter.pid for host in idle.hosts]
    assert kept == (processes[1:] if name == "MAX_IDLE" else [])
    assert all(is_gone(pid) for pid in processes if pid not in kept)
    idle.close()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("print('no book', flush=True); os._exit(3)", "exit code 3; it printed 'no book'"),
        ("time.sleep(1000)", r"was not ready in \d"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_a_file_that_breaks_when_it_is_imported(tmp_path: Path, body: str, words: str) -> None:
    file = tmp_path / "bot.py"
    file.write_text(HEAD + body)
    with pytest.raises(EngineFailure, match=words) as caught:
        build_engine(str(file), Terms(start=2.0 if "sleep" in body else 60.0))
    assert f"{file}:" in str(caught.value)
