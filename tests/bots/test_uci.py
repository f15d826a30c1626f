"""UCI programs as players: small ones of ours, good and bad, and Fairy-Stockfish."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena import Limits, Position, Rules
from arena.bots.hosted import Terms
from arena.bots.uci import UCI
from arena.bots.uci_words import MATE
from arena.engine.errors import Fault
from arena.errors import ArenaError, BadOption, BadRules, EngineFailure
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


def test_a_program_is_asked_with_its_limits(program: Build) -> None:
    engine = program(f"{BOT} good", seconds=0.7)

    def told(limits: str) -> str:
        engine.ask(Position(), Limits.parse(limits))
        lines = [line for line in engine.process.dialogue if "was asked" in line]
        return lines[-1].partition("was asked ")[2]

    assert told("depth=3 nodes=50") == "depth 3 nodes 50"
    assert told("clock=5+1") == "wtime 5000 btime 5000 winc 1000 binc 1000"
    assert told("") == told("playouts=10") == "movetime 700"


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
    ("setoption", "sentence"),
    [
        ("Strenght=3", "the program has no option 'Strenght'; did you mean 'Strength'"),
        ("Strength=10", "'Strength' is '10'; expected a whole number from 1 to 9"),
        ("Style=loud", "'Style' is 'loud'; expected one of calm, wild"),
    ],
)
def test_options_that_it_does_not_have_are_refused(
    program: Build, setoption: str, sentence: str
) -> None:
    with pytest.raises(BadOption, match=f"^{sentence}"):
        program(BOT, setoption=setoption).begin(CONNECT4, 1)


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


def test_a_column_off_the_board_is_for_the_referee_to_judge(program: Build) -> None:
    record = play_game((program(f"{BOT} says:P@h1"), program(BOT)), CONNECT4, DEEP)
    assert (record.result, record.reason) == (-1, "illegal move")
    assert "column 8 (7 counted from 0) is not on the board" in record.detail


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


@pytest.mark.parametrize(
    ("manner", "detail"),
    [
        ("says:e2e4", r"'e2e4' is not a move.*; the dialogue ended: .*< go .*> bestmove e2e4$"),
        ("dies", r"exit code 3; the dialogue ended: .*< go movetime 2000 depth 2 nodes 100$"),
    ],
)
def test_a_program_for_another_game_is_reported_before_the_first(
    program: Build, manner: str, detail: str
) -> None:
    with pytest.raises(EngineFailure, match=detail):
        program(f"{BOT} {manner}").get_ready(CONNECT4)


def test_a_program_that_is_not_ready_for_the_next_game_loses_it(program: Build) -> None:
    bad = program(f"{BOT} forgets")
    bad.begin(CONNECT4, 1)
    bad.terms = Terms(start=0.2)
    with pytest.raises(Fault, match="was not ready in") as caught:
        bad.begin(CONNECT4, 1)
    assert caught.value.reason == "time"


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
def test_fairy_stockfish_takes_boards_in_turn_and_repeats_itself(program: Build) -> None:
    engines = program(FAIRY or ""), program(FAIRY or "")
    boards = [Rules.named(board) for board in ("7x6", "6x5", "7x6", "6x5")]
    games = [play_game(engines, rules, Limits(nodes=500)).columns for rules in boards]
    assert games[0] == games[2] != games[1] == games[3]


@needs_fairy
def test_fairy_stockfish_sees_wins_and_threats(program: Build) -> None:
    engine = program(FAIRY or "")
    win = engine.ask(Position.parse("112233"), Limits(depth=5))
    assert (win.column, win.score, win.line) == (3, MATE - 1, (3,))
    assert engine.ask(Position.parse("1122335"), Limits(depth=5)).column == 3
    board = Position.parse("......./......./......./......./......./OXXX..O")
    assert engine.ask(board, Limits(depth=5)).column == 4


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
