"""UCI programs as players, ours and Fairy-Stockfish, and our engines as UCI programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any, Literal

import pytest

from arena import Choice, Engine, Limits, Position, Rules, option
from arena.bots.hosted import Terms
from arena.bots.speak import UciProgram, speak_uci
from arena.bots.spoken import SpokenEngine
from arena.bots.uci import UCI
from arena.bots.uci_words import MATE
from arena.engine.errors import Fault
from arena.errors import ArenaError, BadRules, EngineFailure
from arena.game import CONNECT4
from arena.table.referee import play_game
from tests.bots.partners import FAIRY, needs_fairy

BOT = f"{sys.executable} {Path(__file__).parents[1] / 'support' / 'programs' / 'uci_bot.py'}"
DEEP = Limits(depth=3)

Build = Callable[..., UCI]


@pytest.fixture
def program() -> Iterator[Build]:
    """Builds engines, and ends them when the test is over."""
    engines: list[UCI] = []

    def build(target: str, start: float = 10.0, patience: float = 10.0, **options: Any) -> UCI:
        engines.append(UCI(target, **options))
        engines[-1].terms = Terms(start=start, patience=patience)
        return engines[-1]

    yield build
    for engine in engines:
        engine.close()


def test_a_program_plays_a_whole_game(program: Build) -> None:
    record = play_game((program(f"{BOT} good"), program(f"{BOT} chatty")), CONNECT4, DEEP)
    assert record.columns == (0,) * 6 + (1,) * 6 + (2,) * 6 + (3,)
    assert (record.result, record.reason) == (1, "line")
    assert {(move.score, move.depth, move.nodes) for move in record.move_records()} == {
        (MATE - 2, 4, 99)
    }


@pytest.mark.parametrize("words", ["drop", "columns1"])
@pytest.mark.parametrize("greeting", ["uci", "none"])
def test_handshake_and_moves_may_differ(program: Build, words: str, greeting: str) -> None:
    engine = program(f"{BOT} good {greeting} {words}", handshake=greeting, moves=words)
    choice = engine.ask(Position.parse("1111112"), DEEP)
    assert (choice.column, choice.line) == (1, (1,))
    dialogue = [*engine.process.dialogue]
    assert (f"< {greeting}" in dialogue) == (f"< {greeting}newgame" in dialogue)
    assert (f"< {greeting}" in dialogue) == (greeting != "none")


def test_an_answer_to_stop_is_no_answer_to_the_next_question(program: Build) -> None:
    engine = program(f"{BOT} eager")
    late = Limits(seconds=0.1)
    engine.terms = Terms(margin=5.0)
    columns = [engine.ask(Position.parse(moves), late).column for moves in ("", "11")]
    assert "< stop" in engine.process.dialogue
    assert columns == [0, 0]


def test_options_of_the_program_are_set_once(program: Build) -> None:
    engine = program(BOT, setoption={"strength": 7, "Style": "wild"})
    engine.begin(CONNECT4, 1)
    assert [line for line in engine.process.dialogue if "setoption" in line] == [
        "< setoption name Strength value 7",
        "< setoption name Style value wild",
    ]


@pytest.mark.parametrize(
    ("manner", "reason", "detail"),
    [
        ("says:P@a2", "illegal move", "answered 'bestmove P@a2': 'P@a2' is not where the disc"),
        ("says:(none)", "illegal move", "'(none)' is not a move; expected one such as 'P@d1'"),
        ("says:", "illegal move", "'' is not a move"),
        ("dies", "crash", "its process left with exit code 3"),
        ("hangs", "time", "gave no answer in"),
    ],
)
def test_a_bad_answer_costs_the_game(program: Build, manner: str, reason: str, detail: str) -> None:
    engine = program(f"{BOT} {manner}", patience=0.5 if manner == "hangs" else 10.0)
    with pytest.raises(Fault) as caught:
        engine.ask(Position.parse("111"), DEEP)
    assert caught.value.reason == reason
    assert detail in caught.value.detail
    assert engine.is_spent


def test_at_the_end_of_its_time_it_is_told_to_stop(program: Build) -> None:
    engine = program(f"{BOT} stubborn")
    for limits in (Limits(seconds=0.3), Limits()):
        engine.seconds = 0.3
        assert engine.ask(Position(), limits).column == 0
        assert "< stop" in engine.process.dialogue


@pytest.mark.parametrize(
    ("command", "start", "detail"),
    [
        (f"{BOT} silent", 0.3, r"was not ready in .*; the dialogue ended: < uci; does it flush"),
        ("cat", 1.0, r"was not ready in .*; the dialogue ended: < uci \| > uci$"),
        ("sh -c 'echo no licence >&2; exit 4'", 10.0, "exit code 4; .*; on stderr: no licence"),
    ],
)
def test_a_failed_handshake_is_reported(
    program: Build, command: str, start: float, detail: str
) -> None:
    with pytest.raises(EngineFailure, match=detail):
        program(command, start=start).begin(CONNECT4, 1)


def test_boards_that_it_cannot_be_sent_are_refused(program: Build) -> None:
    engine = program(BOT)
    with pytest.raises(
        BadRules, match="it has no option UCI_Variant for a 8x7 connect 4 board; use variant=none"
    ):
        engine.begin(Rules.named("8x7"), 1)
    program(BOT, variant="none").begin(Rules.named("8x7"), 1)
    with pytest.raises(BadRules, match="UCI does not support boards in space"):
        engine.check_rules(Rules.named("4x4x4"))


@needs_fairy
@pytest.mark.parametrize("board", ["7x6", "5x4", "9x7", "12x5", "6x10", "6x5c3", "1x8"])
def test_fairy_stockfish_plays_by_our_rules(program: Build, board: str) -> None:
    engines = program(FAIRY or "", setoption="Skill Level=20"), program(FAIRY or "")
    for opening in ((), (0, 0)):
        record = play_game(engines, Rules.named(board), Limits(depth=4), opening=opening)
        assert record.reason in ("line", "full board"), record.detail
        assert all(
            move.depth and move.nodes and move.score is not None for move in record.move_records()
        )


@needs_fairy
def test_fairy_stockfish_thinks_of_every_column(program: Build) -> None:
    engine = program(FAIRY or "")
    position = Position.parse("7777771122")
    worths = engine.ask_opinions(position, Limits(depth=6))
    assert set(worths) == set(position.legal) == {0, 1, 2, 3, 4, 5}
    threat = Position.parse("1122335")
    worths = engine.ask_opinions(threat, Limits(depth=6))
    assert max(worths, key=lambda column: worths[column]) == 3
    assert all(worth == 1 - MATE for column, worth in worths.items() if column != 3)
    assert engine.ask(threat, Limits(depth=6)).column == 3
    assert program(BOT).ask_opinions(position, DEEP) == {}


@needs_fairy
@pytest.mark.parametrize(
    ("options", "board", "sentence"),
    [
        ({}, "5x12", "does not play on a 5x12 connect 4 board"),
        ({"variants": "none"}, "7x6", "has no variant 'cfour'; did you mean"),
        ({"variants": "missing.ini"}, "7x6", "there is no variants file 'missing.ini'"),
    ],
)
def test_what_fairy_stockfish_lacks_is_reported(
    program: Build, options: dict[str, str], board: str, sentence: str
) -> None:
    with pytest.raises(ArenaError, match=sentence):
        program(FAIRY or "", **options).begin(Rules.named(board), 1)


@needs_fairy
def test_a_variants_file_of_ones_own(program: Build, tmp_path: Path) -> None:
    file = tmp_path / "my variants.ini"
    file.write_text(
        "[drop3]\nmaxFile = 5\nmaxRank = 4\nimmobile = p\npieceDrops = true\ndropOnTop = true\n"
        "connectN = 3\nstartFen = 5/5/5/5[PPPPPPPPPPpppppppppp] w - - 0 1\n"
    )
    engine = program(FAIRY or "", variants=str(file), variant="drop3")
    win = engine.ask(Position.parse("2135", Rules.named("5x4c3")), Limits(depth=4))
    assert win.score is not None
    with pytest.raises(BadRules, match="has no variant 'drop4'; did you mean 'drop3'"):
        program(FAIRY or "", variants=str(file), variant="drop4").begin(CONNECT4, 1)


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
    program = UciProgram(spoken(engine), lambda line: None)
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
    program = UciProgram(spoken(engine), said.append)
    program.receive("isready")
    engine.go_on = Event()
    program.receive("go depth 1")
    program.receive("isready")
    program.receive("stop")
    assert said == ["readyok", "readyok"]
    engine.go_on.set()
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
    program = UciProgram(engine, said.append)
    program.receive("setoption name Depth value 3")
    program.receive("setoption name tie_break value randm")
    assert said == ["info string engine alphabeta: option 'tie_break' is 'randm'; expected one of "
                    "first, random, zeros; did you mean 'random'?"]  # fmt: skip
    assert engine.words == "alphabeta beam=0 depth=3"
    assert engine.limits == Limits(depth=3)
    assert engine.engine.settings()["depth"] == 3


@pytest.fixture
def outside() -> Iterator[UCI]:
    engine = UCI(f"{ARENA} 'mcts playouts=200'")
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
