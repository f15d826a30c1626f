"""Our engines in the line dialects: transcripts written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.speak import SPEAKERS, SpokenEngine, tighter, usual_game
from arena.engine.contract import Choice, Engine, Limits
from arena.errors import BadNotation, BadOption, BadRules
from arena.game.position import Position
from arena.game.rules import Rules
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


AIGAMES = """\
settings timebank 10000
settings time_per_move 500
settings player_names player1,player2
settings your_bot player2
settings your_botid 2
settings field_columns 5
settings field_rows 4
settings something_new 7
update game round 2
update game field 0,0,0,0,0;0,0,0,0,0;0,0,0,0,0;1,0,0,0,0
action move 9750
update game field 0,0,0,0,0;0,0,0,0,0;0,0,0,0,0;1,0,0,0,2
update game round 4
update game field 0,0,0,0,0;0,0,0,0,0;1,0,0,0,0;1,0,0,0,2
action move 9500
"""


def test_aigames() -> None:
    engine, said = listen("aigames", AIGAMES)
    assert said == ["place_disc 4", "place_disc 4"]
    assert engine.asked == [
        ("1", Limits(clock=9.75, increment=0.5)),
        ("151", Limits(clock=9.5, increment=0.5)),
    ]
    assert engine.rules == Rules.flat(5, 4)
    assert engine.games == 1


RIDDLES = """\
settings player_names player0,player1
settings your_bot player0
settings timebank 200
settings time_per_move 200
settings your_botid 0
settings field_width 4
settings field_height 4
update game round 2
update game field .,.,.,.,.,.,.,.,0,.,.,.,0,1,.,1
action move 200
"""


def test_riddles_from_the_middle_of_a_game() -> None:
    engine, said = listen("riddles", RIDDLES)
    assert said == ["place_disc 3"]
    assert engine.asked == [("..../..../X.../XO.O", Limits(seconds=0.2))]


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


def test_a_steal_is_said_and_heard() -> None:
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


def test_limits_of_both_sides_are_kept() -> None:
    engine, _ = listen("aigames", AIGAMES, limits=Limits(playouts=5, seconds=3))
    assert engine.asked[0][1] == Limits(playouts=5, seconds=3, clock=9.75, increment=0.5)
    assert tighter(Limits(depth=3), Limits(depth=2, cpu=1)) == Limits(depth=2, cpu=1)


@pytest.mark.parametrize(
    ("dialect", "text", "words"),
    [
        ("lines", "hello\n", "heard 'hello', which is no move"),
        ("codingame", "0 1\nx\n" + ".........\n" * 7 + "many\n", "'many' for count; expected a wh"),
        ("aigames", AIGAMES.replace("1,0,0,0,2", "3,0,0,0,2"), "'3' is not a cell"),
        ("aigames", AIGAMES.replace("columns 5", "columns five"), "'five' for columns; expected"),
        ("aigames", "action move 5\n", "asked to move before a field and its own number were told"),
        ("codingame", "0\n", "heard '0' where '{me} {other}' was expected"),
    ],
)
def test_what_is_not_understood(dialect: str, text: str, words: str) -> None:
    with pytest.raises((BadNotation, BadOption), match=words):
        listen(dialect, text)


def test_a_game_that_the_dialect_has_no_words_for() -> None:
    with pytest.raises(BadRules, match="aigames has no word for connect 5"):
        listen("aigames", "", "9x7c5")
    with pytest.raises(BadRules, match="flat"):
        listen("lines", "", "4x4x4")


def test_the_command() -> None:
    done = run("speak", "lines", "--engine", "reflex", "--game", "8x7", input="7\n")
    assert done.exit_code == 0
    assert done.stdout.strip() in "01234567"
    assert_one_sentence(run("speak", "line"), "unknown dialect 'line'; did you mean 'lines'?")
    assert_one_sentence(run("speak", "lines", "--engine", "reflexx"), "did you mean 'reflex'?")


def test_an_engine_that_fails_is_told_in_one_sentence(tmp_path: Path) -> None:
    raising, beside = tmp_path / "raising.py", tmp_path / "beside.py"
    raising.write_text(BOT.format("1 // position.ply"), encoding="utf-8")
    beside.write_text(BOT.format("77 if position.ply else 0"), encoding="utf-8")
    words = "the engine failed: "
    assert_one_sentence(
        run("speak", "lines", "--engine", str(raising), input="go!\n"), "ZeroDivisionError"
    )
    assert_one_sentence(
        run("speak", "lines", "--engine", str(beside), input="3\n"), f"{words}column 78 is not on"
    )


BOT = """
from arena import Choice, Engine
class Bot(Engine):
    def choose(self, position, limits):
        return Choice({})
"""
