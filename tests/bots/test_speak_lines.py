"""Our engines in the line protocols: transcripts, and games through our own adapters."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from shlex import join

import pytest

from arena.bots.find import build_engine
from arena.bots.hosted import Terms
from arena.bots.lines import CodinGame, LineEngine, Lines
from arena.bots.speak import SPEAKERS, usual_game
from arena.bots.spoken import SpokenEngine, stricter_of
from arena.engine.contract import Choice, Engine, Limits
from arena.errors import BadNotation, BadOption, BadRules
from arena.game.position import Position
from arena.game.rules import Rules
from arena.table.referee import play_game
from arena.tournament.numbered import derive_seed
from tests.cli.running import assert_one_sentence, run


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


def test_another_game_on_the_same_line() -> None:
    engine, _ = listen("lines", "go!\n1\ngo!\n")
    assert [asked for asked, _ in engine.asked] == ["", "72", ""]
    assert engine.games == 2


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


def test_games_that_a_dialect_cannot_express() -> None:
    with pytest.raises(BadRules, match="codingame supports connect 4 only"):
        listen("codingame", "", "9x7c5")
    with pytest.raises(BadRules, match="flat"):
        listen("codingame", "", "4x4x4")


def test_columns_in_space_are_x_and_y() -> None:
    engine, said = listen("lines", "go!\n0,1\n", "4x4x4")
    assert said == ["3,3", "3,3"]
    assert engine.asked[1][0] == "16,2"


def test_the_command() -> None:
    done = run("speak", "lines", "--engine", "reflex", "--game", "8x7", input="7\n")
    assert done.exit_code == 0
    assert done.stdout.strip() in "01234567"
    assert_one_sentence(run("speak", "line"), "unknown protocol 'line'; did you mean 'lines'?")
    assert_one_sentence(run("speak", "lines", "--engine", "reflexx"), "did you mean 'reflex'?")


def test_an_engine_that_fails_is_reported_in_one_sentence(tmp_path: Path) -> None:
    raising, beside = tmp_path / "raising.py", tmp_path / "beside.py"
    raising.write_text(BOT.format("1 // position.ply"), encoding="utf-8")
    beside.write_text(BOT.format("77 if position.ply else 0"), encoding="utf-8")
    words = "the engine failed: "
    assert_one_sentence(
        run("speak", "lines", "--engine", str(raising), input="go!\n"), "ZeroDivisionError"
    )
    assert_one_sentence(
        run("speak", "lines", "--engine", str(beside), input="3\n"),
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
    speaking = [sys.executable, "-m", "arena", "speak", kind.kind, "--engine", words]
    outside = kind(join([*speaking, "--game", game, "--seed", str(derive_seed(seed, seat))]))
    outside.terms = Terms(start=600)  # kernels may have to be compiled

    def play(engine: Engine) -> tuple[int, ...]:
        other = build_engine("reflex")
        pair = (other, engine) if seat else (engine, other)
        return play_game(pair, rules, seed=seed, opening=opening).columns

    columns = play(outside)
    outside.close()
    assert columns == play(build_engine(words))
