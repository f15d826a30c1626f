"""Our engines as UCI programs: transcripts, and games through our own adapter."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from threading import Event
from typing import Literal

import pytest

from arena import Choice, Engine, Limits, Position, Rules, option
from arena.bots.hosted import Terms
from arena.bots.speak_uci import Program, speak_uci
from arena.bots.spoken import SpokenEngine
from arena.bots.uci import UCI
from arena.errors import BadRules

ARENA = f"{sys.executable} -m arena speak uci"


class Steady(Engine):
    """Drops where it is told, and knows what it was asked."""

    column: int = option(3, "where to drop", least=0, most=6)
    calm: bool = option(True, "never used")
    style: Literal["plain", "bold"] = option("plain", "never used")
    share: float = option(0.5, "never used")

    def __init__(self) -> None:
        super().__init__()
        self.asked = Limits()
        self.go_on: Event | None = None

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.asked = limits
        if self.go_on is not None:
            assert self.go_on.wait(20)
        column = self.column if self.column in position.legal else position.legal[0]
        return Choice(column, score=0.5, depth=1, nodes=7, line=(column, 0))


def spoken(engine: Engine | None = None, board: str = "7x6") -> SpokenEngine:
    return SpokenEngine(engine or Steady(), Rules.named(board), Limits(), 1, "steady")


def transcript(*lines: str, engine: SpokenEngine | None = None) -> list[str]:
    """What is answered to these lines."""
    said: list[str] = []
    speak_uci(engine or spoken(), iter(lines), said.append)
    return said


def test_it_introduces_itself_with_boards_and_options() -> None:
    said = transcript("uci\n", "quit\n", "isready\n")
    assert said == [
        "id name steady (Connect Arena)",
        "id author Connect Arena",
        "option name UCI_Variant type combo default cfour "
        "var cfour var cfour-8x7 var cfour-9x7 var cfour-5x4",
        "option name column type spin default 3 min 0 max 6",
        "option name calm type check default true",
        "option name style type combo default plain var plain var bold",
        "option name share type string default 0.5",
        "option name explore type string default 0.0",
        "uciok",
    ]


def test_a_game_as_cutechess_plays_it() -> None:
    engine = Steady()
    said = transcript(
        "isready", "ucinewgame", "isready", "position startpos", "go movetime 100", "isready",
        "position startpos moves P@d1 P@d2",
        "go wtime 900 btime 800 winc 10 binc 20 depth 4 nodes 99", engine=spoken(engine),
    )  # fmt: skip
    assert engine.asked == Limits(depth=4, nodes=99, clock=0.9, increment=0.01)
    ready, info, best = (
        [line for line in said if line.startswith(word)] for word in ("readyok", "info", "bestmove")
    )
    assert len(ready) == 3
    assert best == ["bestmove P@d1", "bestmove P@d3"]
    assert [line.partition(" time ")[0] for line in info] == [
        "info depth 1 score cp 50 nodes 7"
    ] * 2
    assert info[1].endswith(" pv P@d3 P@a1")
    assert len(said) == 7


@pytest.mark.parametrize(
    ("lines", "answers"),
    [
        (["position startpos moves P@d2", "go depth 1"], ["move 1: 'P@d2' is not", "(none)"]),
        (["position fen 8/8 w - - 0 1", "go depth 1"], ["a drawn 7x6 board has", "(none)"]),
        (["position " + "startpos moves " + " ".join(
            f"P@{x}{y}" for y in "123" for x in "ab") + " P@a4", "go"], ["(none)"]),
        (["setoption name UCI_Variant value chess"], ["unknown game 'chess'"]),
        (["setoption name UCI_Variant value 4x4x4"], ["does not support boards in space"]),
        (["setoption name UCI_Variant value 9x7+pie"], ["does not support the pie rule"]),
        (["setoption name Hash value 16"], ["unknown option 'Hash'"]),
        (["setoption name column"], ["option 'column' has no value"]),
        (["", "debug on", "register later", "go_on", "stop", "ponderhit"], []),
    ],
)  # fmt: skip
def test_wrong_or_unknown_lines_end_nothing(lines: list[str], answers: list[str]) -> None:
    said = transcript(*lines, "isready")
    said.remove("readyok")
    assert len(said) == len(answers)
    for line, part in zip(said, answers, strict=True):
        assert line.startswith(("info string ", "bestmove "))
        assert part in line


def test_an_engine_that_raises_makes_no_move() -> None:
    class Broken(Steady):
        def choose(self, position: Position, limits: Limits) -> Choice:
            if position.ply:
                raise ValueError("no idea")
            return Choice(0)

    said = transcript("position startpos moves P@a1", "go", engine=spoken(Broken()))
    assert said[0].startswith("info string the engine failed: ValueError: no idea")
    assert said[1:] == ["bestmove (none)"]


def test_boards_change_between_games() -> None:
    said = transcript(
        "setoption name UCI_Variant value cfour-5x4", "isready", "position startpos moves P@e1",
        "go", "setoption name UCI_Variant value cfour-9x6c5", "position startpos moves P@i1", "go",
    )  # fmt: skip
    assert [line for line in said if line.startswith("bestmove")] == ["bestmove P@d1"] * 2
    with pytest.raises(BadRules, match="does not support boards in space"):
        transcript(engine=spoken(board="4x4x4"))


def test_each_game_has_a_seed_of_its_own() -> None:
    engine = Steady()
    program = Program(spoken(engine), lambda line: None)
    seeds = []
    for _ in range(3):
        program.receive("ucinewgame")
        program.receive("isready")
        seeds.append(engine.seed_of_game)
    program.receive("isready")
    assert seeds == [1, 2, 3]
    assert engine.seed_of_game == 3


def test_it_listens_while_it_thinks() -> None:
    engine, said = Steady(), list[str]()
    program = Program(spoken(engine), said.append)
    program.receive("isready")
    engine.go_on = Event()
    program.receive("go depth 1")
    program.receive("isready")
    program.receive("stop")
    assert said == ["readyok", "readyok"]
    engine.go_on.set()
    program.wait()
    assert said[-1] == "bestmove P@d1"


def test_an_endless_search_keeps_its_answer_until_it_is_stopped() -> None:
    said: list[str] = []
    heard = Event()

    def say(line: str) -> None:
        said.append(line)
        heard.set()

    program = Program(spoken(), say)
    program.receive("go infinite")
    assert heard.wait(20)
    assert [line.split()[0] for line in said] == ["info"]
    program.receive("stop")
    program.wait()
    assert said[-1] == "bestmove P@d1"


@pytest.mark.parametrize("line", ["go depth 1", "ucinewgame\nisready", "setoption name x value 1"])
def test_a_new_command_ends_an_endless_search(line: str) -> None:
    said = transcript("position \t startpos", "go infinite", *line.splitlines(), "isready")
    assert "bestmove P@d1" in said
    assert said[-1] in ("readyok", "bestmove P@d1")


def test_options_build_the_engine_anew() -> None:
    engine = SpokenEngine.from_words("alphabeta depth=2 beam=0", Rules.named("7x6"), Limits(), 1)
    said: list[str] = []
    program = Program(engine, said.append)
    program.receive("setoption name Depth value 3")
    program.receive("setoption name tie_break value randm")
    assert said == ["info string engine alphabeta: option 'tie_break' is 'randm'; expected one of "
                    "first, random, zeros; did you mean 'random'?"]  # fmt: skip
    assert engine.words == "alphabeta beam=0 depth=3"
    assert engine.limits == Limits(depth=3)
    assert engine.engine.settings()["depth"] == 3


@pytest.fixture
def outside() -> Iterator[UCI]:
    engine = UCI(f"{ARENA} --engine 'mcts playouts=200'")
    engine.terms = Terms(start=120.0)  # it may have to compile
    yield engine
    engine.close()


def test_an_engine_plays_the_same_at_the_end_of_a_pipe(outside: UCI) -> None:
    rules = Rules.named("8x7")
    limits = Limits(playouts=200, nodes=10**6)
    itself = SpokenEngine.from_words("mcts playouts=200", rules, Limits(nodes=10**6), 1).engine
    outside.begin(rules, 0)
    itself.begin(rules, 1)
    position = Position.parse("188", rules)
    for _ in range(12):
        mine, theirs = itself.ask(position, limits), outside.ask(position, limits)
        assert (theirs.column, theirs.nodes) == (mine.column, mine.nodes)
        position = position.play(mine.column)
