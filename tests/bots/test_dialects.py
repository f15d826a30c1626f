"""Line protocols both ways: transcripts by hand, everything read back, our engines in them."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from shlex import join

import pytest

import arena
from arena.bots.boards import (
    NUMBERS,
    read_flat_board,
)
from arena.bots.dialects import DIALECTS, Turn
from arena.bots.find import build_engine
from arena.bots.hosted import Terms
from arena.bots.lines import CodinGame, LineEngine, Lines
from arena.bots.speak import SPEAKERS, usual_game
from arena.bots.spoken import SpokenEngine, stricter_of
from arena.engine.contract import Choice, Engine, Limits
from arena.errors import BadNotation, BadOption, BadRules
from arena.game.position import STEAL, Position
from arena.game.rules import CONNECT4, Rules
from arena.table.referee import play_game
from arena.tournament.numbered import derive_seed
from tests.cli.running import assert_one_sentence, run

# X has begun and is to move; mirrored, turned over or with the colours changed it is another board.
#   . . . . . . .
#   . . . . . . .
#   . . . . . . .
#   . . . . . . O
#   X . . . . . O
#   X O . . . . X
LOPSIDED = "721717"
AFTER_ONE = "7"


def spoken(name: str, moves: str, limits: Limits, rules: Rules = CONNECT4) -> list[str]:
    """All that a program hears until it is to move for the first time, there."""
    dialect = DIALECTS[name]
    position = Position.parse(moves, rules)
    turn = Turn(dialect, position, position.to_move, limits)
    return turn.write((*dialect.settings, *dialect.turn)).split("\n")


def test_aigames_on_a_lopsided_board() -> None:
    assert spoken("aigames", LOPSIDED, Limits(seconds=0.5)) == [
        "settings timebank 500",
        "settings time_per_move 500",
        "settings player_names player1,player2",
        "settings your_bot player1",
        "settings your_botid 1",
        "settings field_columns 7",
        "settings field_rows 6",
        "update game round 7",
        "update game field 0,0,0,0,0,0,0;0,0,0,0,0,0,0;0,0,0,0,0,0,0;"
        "0,0,0,0,0,0,2;1,0,0,0,0,0,2;1,2,0,0,0,0,1",
        "action move 500",
    ]


def test_riddles_for_the_second_player() -> None:
    assert spoken("riddles", AFTER_ONE, Limits(clock=9.25, increment=0.5), Rules.flat(7, 4)) == [
        "settings player_names player0,player1",
        "settings your_bot player1",
        "settings timebank 9250",
        "settings time_per_move 500",
        "settings your_botid 1",
        "settings field_width 7",
        "settings field_height 4",
        "update game round 1",
        "update game field .,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,0",
        "action move 9250",
    ]


@pytest.mark.parametrize(
    ("moves", "heard"), [("", ["go!"]), ("7", ["6"]), (LOPSIDED, ["6"]), ("72", ["1"])]
)
def test_lines_sends_the_last_move(moves: str, heard: list[str]) -> None:
    assert spoken("lines", moves, Limits()) == heard


@pytest.mark.parametrize(
    ("name", "line", "column"),
    [
        ("aigames", "place_disc 3", 3),
        ("aigames", "  place_disc   6 \r", 6),
        ("aigames", "place_disc 3 it is the middle", 3),
        ("aigames", "place_disc -1", -1),
        ("riddles", "place_disc 0", 0),
        ("codingame", "3", 3),
        ("codingame", "8 I take the corner", 8),
        ("codingame", "STEAL", STEAL),
        ("codingame", "steal thanks", STEAL),
        ("codingame", "-2", STEAL),
        ("lines", "0", 0),
        ("lines", " 5 ", 5),
        ("lines", "99", 99),
        ("lines", "-2", -2),
    ],
)
def test_answers(name: str, line: str, column: int) -> None:
    assert DIALECTS[name].is_answer(line)
    assert DIALECTS[name].read_answer(line) == column


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("aigames", ""),
        ("aigames", "3"),
        ("aigames", "I think of place_disc 3"),
        ("aigames", "place_discs 3"),
        ("codingame", "thinking"),
        ("codingame", "3rd thoughts"),
        ("codingame", "STEALTH"),
        ("lines", "3 some words"),
        ("lines", "go!"),
        ("lines", "٣"),
        ("lines", "9" * 5000),
        ("lines", "STEAL"),
        ("codingame", str(STEAL)),
    ],
)
def test_chatter(name: str, line: str) -> None:
    assert not DIALECTS[name].is_answer(line)


@pytest.mark.parametrize("line", ["place_disc", "place_disc three", "place_disc 1.5"])
def test_an_answer_without_a_column(line: str) -> None:
    assert DIALECTS["aigames"].is_answer(line)
    assert DIALECTS["aigames"].read_answer(line) is None


@pytest.mark.parametrize("name", ["aigames", "riddles", "codingame"])
def test_only_connect_4_can_be_expressed(name: str) -> None:
    DIALECTS[name].check(Rules.flat(8, 7))
    with pytest.raises(BadRules, match=f"{name} supports connect 4 only, not connect 5"):
        DIALECTS[name].check(Rules.flat(8, 7, 5))


def test_the_page_for_authors_has_every_setting() -> None:
    page = (Path(arena.__file__).parent / "docs/external-bots.md").read_text(encoding="utf-8")
    once = next(line for line in page.splitlines() if line.startswith("| once |"))
    cells = dict(zip(DIALECTS, once.split("|")[2:], strict=False))
    for name in ("aigames", "riddles"):
        written = [line.split()[1] for line in DIALECTS[name].settings]
        assert [
            word.split()[0] for word in re.findall("`(?:settings )?([^`]+)`", cells[name])
        ] == written


def test_a_steal_is_listed_where_there_is_one() -> None:
    rules = Rules.flat(4, 4, pie=True)
    before = spoken("codingame", "4", Limits(), rules)
    assert before == ["1 0", "1", "....", "....", "....", "...0", "5", *"0123", "-2", "3"]
    after = spoken("codingame", "4s", Limits(), rules)
    assert after == ["0 1", "2", "....", "....", "....", "...1", "4", *"0123", "-2"]
    assert spoken("codingame", "4s1", Limits(), rules)[:2] == ["1 0", "3"]


# ---- boards, on positions that no symmetry leaves as they are

WIDE = Rules.flat(5, 3, 3)

# X in the corner and beside it, O upon it: . . . . . / O . . . . / X X . . O after 1 1 2 5


def test_a_list_that_is_no_board_is_told() -> None:
    with pytest.raises(BadNotation, match="a 5x3 board has 15 cells, found 3"):
        read_flat_board([0, 1, 2], WIDE, NUMBERS)
    with pytest.raises(BadNotation, match="7 is not a cell; expected one of 0, 1, 2"):
        read_flat_board([7] * 15, WIDE, NUMBERS)
    with pytest.raises(BadNotation, match="column 1 floats"):
        read_flat_board([1, *[0] * 14], WIDE, NUMBERS)


class Listener(Engine):
    """Notes down what it is asked, and answers with the first column from the right."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, Limits]] = []
        self.games = 0

    def warm_up(self) -> None:
        pass

    def new_game(self) -> None:
        self.games += self.seed_of_game == 1  # not while it is warmed up

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.asked.append((position.notation, limits))
        return Choice(position.legal[-1])


def listen(
    dialect: str, text: str, game: str = "", limits: Limits | None = None
) -> tuple[Listener, list[str]]:
    """An engine that has heard these lines, and what was said for it."""
    engine, said = Listener(), list[str]()
    rules = Rules.named(game or usual_game(dialect))
    spoken = SpokenEngine(engine, rules, limits or Limits(), 1)
    SPEAKERS[dialect](spoken, iter(text.splitlines(keepends=True)), said.append)
    return engine, said


CODINGAME = """\
1 0
1
....
....
....
0...
4
0
1
2
3
0
3
....
....
0...
0..1
4
0
1
2
3
0
"""


def test_codingame() -> None:
    engine, said = listen("codingame", CODINGAME, "4x4")
    assert said == ["3", "3"]
    assert engine.asked == [("1", Limits()), ("141", Limits())]


STOLEN = """\
1 0
5
....
....
....
0101
4
0
1
2
3
2
"""


def test_a_steal_both_ways() -> None:
    heard = CODINGAME.replace("0...\n4\n0\n1\n2\n3\n0", ".0..\n5\n0\n1\n2\n3\n-2\n1", 1)
    _, said = listen("codingame", heard[: heard.index("\n3\n....")], "4x4+pie")
    assert said == ["-2"]
    engine, _ = listen("codingame", STOLEN, "4x4+pie")
    assert engine.asked[-1] == ("..../..../..../OXOX", Limits())  # as if the thief had begun
    engine, _ = listen("codingame", STOLEN.replace("1 0\n5", "0 1\n4"), "4x4+pie")
    assert engine.asked[-1] == ("..../..../..../XOXO", Limits())


def test_bare_columns() -> None:
    engine, said = listen("lines", "go!\n\n1\n0\n")
    assert said == ["6", "6", "6"]
    assert [asked for asked, _ in engine.asked] == ["", "72", "7271"]


def test_the_stricter_of_two_limits_counts() -> None:
    engine, _ = listen("lines", "go!\n", limits=Limits(playouts=5, seconds=3))
    assert engine.asked[0][1] == Limits(playouts=5, seconds=3)
    assert stricter_of(Limits(depth=3), Limits(depth=2, cpu=1)) == Limits(depth=2, cpu=1)
    clock = Limits(clock=9.75, increment=0.5)
    assert stricter_of(Limits(seconds=3), clock) == replace(clock, seconds=3)


@pytest.mark.parametrize(
    ("dialect", "text", "words"),
    [
        ("lines", "hello\n", "received 'hello', which is not a move"),
        ("codingame", "0 1\nx\n" + ".........\n" * 7 + "many\n", "'many' for count; expected a wh"),
        ("codingame", "0 1\n0\n" + "3........\n" * 7 + "1\n0\n-1\n", "'3' is not a cell"),
        ("codingame", "0\n", "received '0' where '{me} {other}' was expected"),
    ],
)
def test_lines_that_are_not_understood(dialect: str, text: str, words: str) -> None:
    with pytest.raises((BadNotation, BadOption), match=words):
        listen(dialect, text)


def test_columns_in_space_are_x_and_y() -> None:
    engine, said = listen("lines", "go!\n0,1\n", "4x4x4")
    assert said == ["3,3", "3,3"]
    assert engine.asked[1][0] == "16,2"


def test_the_command() -> None:
    done = run("speak", "lines", "reflex", "--game", "8x7", input="7\n")
    assert done.exit_code == 0
    assert done.stdout.strip() in "01234567"
    assert_one_sentence(run("speak", "line"), "unknown protocol 'line'; did you mean 'lines'?")
    assert_one_sentence(run("speak", "lines", "reflexx"), "did you mean 'reflex'?")


def test_an_engine_that_fails_is_reported_in_one_sentence(tmp_path: Path) -> None:
    raising, beside = tmp_path / "raising.py", tmp_path / "beside.py"
    raising.write_text(BOT.format("1 // position.ply"), encoding="utf-8")
    beside.write_text(BOT.format("77 if position.ply else 0"), encoding="utf-8")
    words = "the engine failed: "
    assert_one_sentence(run("speak", "lines", str(raising), input="go!\n"), "ZeroDivisionError")
    assert_one_sentence(
        run("speak", "lines", str(beside), input="3\n"),
        f"{words}column 78 (77 counted from 0) is not on",
    )


BOT = """
from arena import Choice, Engine
class Bot(Engine):
    def choose(self, position, limits):
        return Choice({})
"""


@pytest.mark.parametrize(
    ("kind", "seat", "game", "words"),
    [
        (CodinGame, 0, "connect4", "reflex"),
        (CodinGame, 1, "7x6+pie", "reflex"),
        (CodinGame, 0, "7x6+pie", "reflex"),
        (Lines, 1, "8x6", "reflex"),
        (Lines, 0, "4x4x4", "reflex"),
        (Lines, 1, "connect4", "mcts playouts=50"),
    ],
)
def test_an_engine_plays_the_same_through_a_dialect(
    kind: type[LineEngine], seat: int, game: str, words: str
) -> None:
    rules, seed = Rules.named(game), 23
    opening = (3,)[:seat] if rules.pie else ()
    speaking = [sys.executable, "-m", "arena", "speak", kind.kind, words]
    outside = kind(join([*speaking, "--game", game, "--seed", str(derive_seed(seed, seat))]))
    outside.terms = Terms(start=600)  # kernels may have to be compiled

    def play(engine: Engine) -> tuple[int, ...]:
        other = build_engine("reflex")
        pair = (other, engine) if seat else (engine, other)
        return play_game(pair, rules, seed=seed, opening=opening).columns

    columns = play(outside)
    outside.close()
    assert columns == play(build_engine(words))
