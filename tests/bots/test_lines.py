"""Programs that speak in lines, good ones and naughty ones, at a real board."""

from __future__ import annotations

import shutil
import sys
from shlex import join

import pytest

from arena.bots.find import build_engine
from arena.bots.hosted import Terms
from arena.bots.lines import AiGames, CodinGame, LineEngine, Lines, Riddles
from arena.engine.contract import Choice, Engine, Limits
from arena.errors import BadRules, EngineFailure
from arena.game.position import STEAL, Position
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.table.game import Game
from arena.table.referee import play_game
from tests.bots.partners import BOTS, LANGUAGES, Sensible, compiled, naughty_bot, sensible_bot
from tests.support.processes import is_gone

KINDS: tuple[type[LineEngine], ...] = (AiGames, Riddles, CodinGame, Lines)
PLENTY = Limits(seconds=20.0)
SOON = Limits(seconds=0.1)


class Thief(Engine):
    """Steals, and then drops into the rightmost open column."""

    plays_pie = True

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(STEAL if position.can_steal else position.legal[-1])


class Middle(Engine):
    """Begins in the middle all the same, and then drops into the rightmost open column."""

    plays_pie = True

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[-1] if position.ply else 3)


def sit(engine: LineEngine, seat: int, limits: Limits, rules: Rules = CONNECT4) -> Game:
    """A game against random, in which the engine has this seat."""
    other = build_engine("random")
    pair = (other, engine) if seat else (engine, other)
    return play_game(pair, rules, limits, seed=11)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("seat", "size"), [(0, "7x6"), (1, "9x7"), (1, "6x5")])
def test_good_bots_see_the_board_as_it_is(
    kind: type[LineEngine], language: str, seat: int, size: str
) -> None:
    """Its moves are those of the same player inside our rules, so no board came over wrong."""
    rules = Rules.named(size)
    engine = kind(sensible_bot(language, kind.kind, str(rules.columns), str(rules.height)))
    record = sit(engine, seat, PLENTY, rules)
    engine.close()
    same = Sensible()
    pair = (build_engine("random"), same) if seat else (same, build_engine("random"))
    expected = play_game(pair, rules, seed=11)
    assert record.detail == expected.detail
    assert record.columns == expected.columns


@pytest.mark.parametrize("kind", [AiGames, Riddles, CodinGame], ids=lambda kind: kind.kind)
def test_a_game_from_an_opening(kind: type[LineEngine]) -> None:
    opening, pair = (6, 6, 0, 6, 1), (build_engine("reflex"), Sensible())
    engine = kind(sensible_bot("python", kind.kind))
    record = play_game((build_engine("reflex"), engine), CONNECT4, PLENTY, 5, opening)
    engine.close()
    assert record.columns == play_game(pair, CONNECT4, seed=5, opening=opening).columns


def test_bare_columns_begin_with_an_empty_board() -> None:
    engine = Lines(sensible_bot("python", "lines"))
    with pytest.raises(BadRules, match="games must start from an empty board, not after 3 plies"):
        engine.ask(Position.parse("123"), PLENTY)
    engine.close()


@pytest.mark.parametrize("seat", [0, 1])
def test_bare_columns_are_stolen_from_and_never_steal(seat: int) -> None:
    engine = Lines(sensible_bot("python", "lines"))
    pair = (engine, Thief()) if seat == 0 else (Middle(), engine)
    record = play_game(pair, Rules.named("7x6+pie"), PLENTY)
    engine.close()
    assert record.reason in ("line", "full board"), record.detail
    assert (record.columns[1] == STEAL) == (seat == 0)


def test_columns_may_count_from_one() -> None:
    code = "for line in open(0): print(7 if line == 'begin\\n' else line.strip(), flush=True)"
    engine = Lines(f'python3 -c "{code}"', leftmost="1", go="begin")
    assert engine.ask(Position(), PLENTY).column == 6
    assert engine.ask(Position.parse("71"), PLENTY).column == 0
    assert engine.process.last_lines(4) == "< begin | > 7 | < 1 | > 1"
    engine.close()


def test_a_process_plays_one_game() -> None:
    """What it remembers of another line of play would be wrong here."""
    engine = Lines(sensible_bot("python", "lines"))
    first, again = Position(), Position.parse("4")
    assert engine.ask(first, PLENTY).column == 3
    pid = engine.process.meter.pid
    assert engine.ask(first.play(3).play(3), PLENTY).column == 3
    assert engine.process.meter.pid == pid
    assert engine.ask(again, PLENTY).column == 3
    assert engine.process.meter.pid != pid
    assert is_gone(pid)
    engine.close()


def test_an_aigames_bot_receives_its_own_move() -> None:
    engine = AiGames(sensible_bot("c", "aigames"))
    engine.ask(Position.parse("7"), PLENTY)
    heard = engine.process.dialogue[-1]
    engine.close()
    assert heard == "< update game field " + "0,0,0,0,0,0,0;" * 5 + "0,0,0,2,0,0,1"


@pytest.mark.parametrize(
    ("fault", "limits"),
    [
        ("slow", Limits(seconds=0.6)),
        ("chatter", PLENTY),
        ("grumbles", PLENTY),
        ("from_windows", PLENTY),
    ],
)
def test_oddities_cost_nothing(fault: str, limits: Limits) -> None:
    engine = Lines(naughty_bot(fault))
    record = sit(engine, 1, limits)
    engine.close()
    assert (record.reason, record.result) == ("line", -1), record.detail


@pytest.mark.parametrize(
    ("fault", "reason", "detail"),
    [
        (
            "wrong",
            "illegal move",
            "O: column 100 (99 counted from 0) is not on the board; expected 1 to 7, or 0 to 6",
        ),
        ("negative", "illegal move", "O: column -2 (-3 counted from 0) is not on the board"),
        ("floods", "illegal move", "characters without an answer among them"),
        ("words", "time", "; 'column 3, please' is not a move"),
        ("breathless", "time", "O: gave no answer in "),
        ("leaves", "crash", "O: its process left with exit code 3"),
        ("mute", "crash", "O: its process closed its output"),
    ],
)
def test_bad_answers_cost_the_game(fault: str, reason: str, detail: str) -> None:
    engine = Lines(naughty_bot(fault))
    record = sit(engine, 1, SOON if reason == "time" else PLENTY)
    assert (record.reason, record.result) == (reason, 1)
    assert detail in record.detail
    engine.close()


def test_an_answer_that_comes_twice_is_no_answer_to_the_next_question() -> None:
    """It fills columns from the middle on, so that what it said before would be another move."""
    engine = Lines(naughty_bot("twice"))
    position, columns = Position(), []
    for answer in (3, 3, 3, 2, 2):
        columns.append(engine.ask(position, PLENTY).column)
        position = position.play(columns[-1]).play(answer)
    engine.close()
    assert columns == [3, 3, 3, 2, 2]


HESITANT = """
import time
input()
pause = 1.5
while True:
    board = [input() for _ in range(7)]
    actions = [input() for _ in range(int(input()))]
    input()
    time.sleep(pause)
    pause = 0
    print(actions[0], flush=True)
"""


def test_the_first_turn_of_codingame_may_take_longer() -> None:
    engine = CodinGame(join([sys.executable, "-c", HESITANT]))
    record = sit(engine, 0, Limits(seconds=1.0))
    engine.close()
    assert record.reason == "line", record.detail
    assert record.move_records()[0].seconds < 1.4


THIEF = """
import sys
me, other = input().split()
while True:
    turn = input()
    board = [input() for _ in range(6)]
    actions = [input() for _ in range(int(input()))]
    last = input()
    print(turn, board[-1], *actions, last, file=sys.stderr, flush=True)
    print("STEAL" if "-2" in actions else actions[0], flush=True)
"""


def test_a_codingame_bot_steals() -> None:
    engine = CodinGame(join([sys.executable, "-c", THIEF]))
    record = play_game((Sensible(), engine), Rules.flat(7, 6, pie=True), PLENTY, opening=(6,))
    told = engine.printed().splitlines()
    engine.close()
    assert record.columns[:4] == (6, STEAL, 3, 0)
    assert told[0] == "1 ......0 0 1 2 3 4 5 6 -2 6"
    assert told[1] == "3 ...0..1 0 1 2 3 4 5 6 3"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (naughty_bot("leaves"), "left with exit code 3.*< go!; on stderr: I had enough"),
        (naughty_bot("deaf"), "was not ready in 0.* the dialogue ended: < go!"),
        (naughty_bot("hangs"), "gave no answer in 0.*: < go!; does it flush its output?"),
        (naughty_bot("words"), "gave no answer.*'column 3, please' is not a move"),
    ],
)
def test_a_program_that_does_not_play_is_reported_before_the_first_game(
    command: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.bots.adapter.TRIAL", SOON)
    engine = Lines(command)
    engine.terms = Terms(start=0.3 if "deaf" in command else 10.0)
    with pytest.raises(EngineFailure, match=words):
        engine.get_ready(CONNECT4)
    assert engine.is_spent


@pytest.mark.parametrize("leftmost", [0, 1])
def test_a_program_in_c_plus_plus_plays_in_space(leftmost: int) -> None:
    """It takes the first open column and wins where it can, as the same player in Python."""

    class First(Engine):
        def choose(self, position: Position, limits: Limits) -> Choice:
            wins = [column for column in position.legal if position.wins_with(column)]
            return Choice((wins or position.legal)[0])

    engine = Lines(join([compiled(BOTS / "space.cpp"), str(leftmost)]), leftmost=leftmost)
    engine.get_ready(SCORE4)
    for seat in (0, 1):
        record = sit(engine, seat, PLENTY, SCORE4)
        pair = (build_engine("random"), First()) if seat else (First(), build_engine("random"))
        assert record.columns == play_game(pair, SCORE4, seed=11).columns, record.detail
    engine.close()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("3", "0,0 to 3,3"), ("0,4", "0,0 to 3,3"), ("-1,0", "0,0 to 3,3")],
)
def test_an_answer_in_space_is_x_and_y(answer: str, expected: str) -> None:
    code = f"for line in open(0): print('{answer}', flush=True)"
    record = sit(Lines(join([sys.executable, "-c", code])), 1, PLENTY, SCORE4)
    assert record.reason == "illegal move"
    assert record.detail == f"O: answered '{answer}'; expected {expected}"


def test_javascript_has_what_codingame_gives_it() -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    engine = CodinGame(join([str(BOTS / "codingame.js")]))
    rules = Rules.named("9x7+pie")
    engine.get_ready(rules)
    record = play_game((Sensible(), engine), rules, PLENTY, seed=3)
    assert record.reason in ("line", "full board"), record.detail
    assert record.columns[1] == STEAL
    assert "1 ....0...." in engine.printed() or "1 ...0....." in engine.printed()
    engine.close()


def test_a_bot_for_the_board_of_codingame_names_that_board() -> None:
    engine = CodinGame(join([sys.executable, "-c", HESITANT.replace("range(7)", "range(8)")]))
    engine.terms = Terms(patience=0.5, start=5.0)
    with pytest.raises(EngineFailure, match=r"expect a 9x7 board: use --game 9x7\+pie$"):
        engine.get_ready(CONNECT4)
