"""`arena play` on a terminal: whole sessions, typed line by line as a person would."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.human.history import FinishedGame, History
from tests.cli.typist import Typist
from tests.terminal import LEAVE

LEFTMOST = "tests/support/bots/good.py:Leftmost"
FLAT_ONLY = "tests/support/bots/good.py:FlatOnly"
CTRL_C, CTRL_D = "\x03", "\x04"


@pytest.fixture
def history(tmp_path: Path) -> Path:
    return tmp_path / "history.db"


def games(history: Path) -> list[FinishedGame]:
    return History(history).games()


def test_from_the_menu_to_a_game_and_back_to_the_menu(history: Path) -> None:
    """Every question, with a wrong answer and `back` at each; a game won; menu; quit."""
    with Typist("play", history=history) as person:
        assert "Who is your opponent?" in person.see("(suited) >")
        person.type("back", "this is the first question")
        person.type("reflexx", "did you mean 'reflex'?")
        person.type(LEFTMOST, "Which colour is yours?")
        person.type("back", f"({LEFTMOST}) >")
        person.type("", "(red) >")
        person.type("green", "unknown colour 'green'")
        person.type("1", "What is your name?")
        person.type("back", "Which colour is yours?")
        person.type("red", "What is your name?")
        person.type("x" * 30, "1 to 24 printable characters")
        page = person.type("Anna", "(as it is) >")
        assert f"How strong is {LEFTMOST}?" in page
        person.type("back", "(Anna) >")
        person.type("", "(as it is) >")
        person.type("impossible", "unknown difficulty 'impossible'")
        person.type("", "On which board?")
        person.type("back", "(as it is) >")
        person.type("as it is", "On which board?")
        person.type("9x9", "up to 64 cells")
        person.type("4x4c3", "How much time")
        person.type("back", "(4x4c3) >")
        person.type("", "How much time")
        person.type("10", "'10' could be 10 s or 10 min")
        page = person.type("", "Anna >")
        assert "4x4 connect 3 · no clock" in page
        assert " > ● Anna              red" in page
        assert "   ● good.py:Leftmost  yellow" in page
        page = person.type("2", "Anna >")
        assert re.search(r"good.py:Leftmost drops into column 1 · .+ ms", page)
        assert "│(●)│ ● │ · │ · │" in page
        person.type("3", "Anna >")
        page = person.type("4", "And now?")
        assert "Anna (red) wins by a row (2,1) (3,1) (4,1)." in page
        assert "│ ● │[●]│[●]│[●]│" in page
        assert "Recorded as game 1." in page
        person.type("perhaps", "unknown answer 'perhaps'")
        assert "Who is your opponent?" in person.type("menu", f"({LEFTMOST}) >")
        code, rest = person.end("quit\n")
    assert code == 0
    assert "Anna (red) wins by a row" in rest
    assert "1 game recorded; arena games shows them" in rest
    (game,) = games(history)
    assert (game.first, game.second, game.game) == ("Anna", "good.py:Leftmost", "4x4c3")
    assert (game.result, game.reason, game.helps) == (1, "line", 0)
    assert game.moves == bytes([1, 0, 2, 0, 3])


def test_an_evening_of_wins_losses_draws_and_swaps(history: Path) -> None:
    """Flags start at once; lose, again and draw, swap and win from the other side."""
    words = ["play", LEFTMOST, "--game", "4x4", "--name", "Anna"]
    with Typist(*words, history=history) as person:
        person.see("Anna >")
        person.type("4", "Anna >")
        page = person.type("resign", "And now?")
        assert "good.py:Leftmost (yellow) wins: Anna gave up (resigned)." in page
        person.type("again", "Anna >")
        for column in "4441223":  # of 4141411222323334, the columns of the first
            person.type(column, "Anna >")
        page = person.type("3", "And now?")
        assert "A draw: the board is full and nobody has a line." in page
        assert "So far: Anna 0.5, good.py:Leftmost 1.5." in page
        page = person.type("swap", "Anna >")
        assert "   ● good.py:Leftmost  red" in page
        assert " > ● Anna              yellow" in page
        for column in "4414":
            person.type(column, "Anna >")
        page = person.type("4", "And now?")
        assert "Anna (yellow) wins by" in page
        code, _ = person.end("q\n")
    assert code == 0
    assert [(game.first, game.result, game.reason) for game in games(history)] == [
        ("Anna", -1, "resigned"),
        ("Anna", 0, "full board"),
        ("good.py:Leftmost", -1, "line"),
    ]


def test_an_engine_wins_by_its_line(history: Path) -> None:
    words = ["play", LEFTMOST, "--game", "4x4c3", "--colour", "yellow"]
    with Typist(*words, "--name", "Anna", history=history) as person:
        person.see("Anna >")
        person.type("4", "Anna >")
        page = person.type("4", "And now?")
        assert "good.py:Leftmost (red) wins by a column (1,1) (1,2) (1,3)." in page
        assert page.count("[●]") == 3
        assert person.end("quit\n")[0] == 0
    (game,) = games(history)
    assert (game.first, game.result) == ("good.py:Leftmost", 1)


def test_commands_and_bad_input_at_the_board(history: Path) -> None:
    words = ["play", FLAT_ONLY, "--game", "5x4", "--name", "Anna"]
    with Typist(*words, history=history) as person:
        person.see("Anna >")
        person.type("", "Type a column from 1 to 5, or help.")
        person.type("6", "'6' is not on the board")
        person.type("five", "'five' is neither a column from 1 to 5 nor a command")
        person.type("hnt", "did you mean 'hint'?")
        person.type("undo", "There is nothing to take back.")
        person.type("moves", "Moves: none yet")
        for _ in range(2):
            person.type("1", "Anna >")
        person.type("1", "Column 1 is full.")
        person.type("moves", "Moves: 1111")
        page = person.type("opinion", "* best")
        assert re.search(r"column +1 +2 +3 +4 +5\n", page)
        assert re.search(r"value +full +\+1 +\+2 +\+3 +\+4\*\n", page)
        page = person.type("help", "leave the game for the menu")
        assert "take back your last move and the answer to it" in page
        page = person.type("undo", "2 moves taken back.")
        assert "│ ● │ · │ · │ · │ · │\n" in page
        person.type("moves", "Moves: 11\n")
        page = person.type("hint", "would drop into column")
        assert "plies deep" in page or "perfect" in page
        assert "Who is your opponent?" in person.type("back", f"({FLAT_ONLY}) >")
        code, rest = person.end("quit\n")
    assert code == 0
    assert "recorded" not in rest
    assert games(history) == []


def test_two_people_in_space_with_clocks(history: Path) -> None:
    words = ["play", "human", "--game", "4x4x4", "--name", "Anna", "--name", "Bob"]
    with Typist(*words, "--limit", "seconds=90 clock=5m", history=history) as person:
        page = person.see("Anna >")
        assert "4x4x4 connect 4 · 90 s a turn, 5 min in all" in page
        assert " > ● Anna  red      5:00  this turn 1:30\n" in page
        assert "   ● Bob   yellow   5:00\n" in page
        assert "level 1       level 2       level 3       level 4" in page
        person.type("11", "'11' is not x,y from 1,1 to 4,4")
        page = person.type("2,3", "Bob >")
        assert "Anna drops into column 2,3" in page
        assert re.search(r"\n  3  ·  ?\(●\) ·  ·    ·  ·  ·  ·", page)
        person.type("opinion", "No engine plays here")
        person.type("1,1", "Anna >")
        page = person.type("undo", "1 move taken back.")
        assert "Bob >" in person.see("Bob >")
        page = person.type("help", "take back the last move")
        assert "opinion  " not in page
        for mine, theirs in (("1,1", "2,3"), ("1,2", "2,3"), ("1,3", "2,3")):
            person.type(mine, "Anna >")
            page = person.type(theirs, "And now?" if mine == "1,3" else "Bob >")
        assert "Anna (red) wins by a column (2,3,1) (2,3,2) (2,3,3) (2,3,4)." in page
        assert page.count("[●]") == 4
        assert person.end("quit\n")[0] == 0
    (game,) = games(history)
    assert (game.game, game.helps) == ("score4", 1)
    assert game.keys == (("Anna", True), ("Bob", True))


def test_two_engines_are_watched(history: Path) -> None:
    words = ["play", "reflex", LEFTMOST, "--game", "5x4", "--seed", "4"]
    with Typist(*words, "--pause", "0.05", history=history) as person:
        page = person.see("And now?")
        assert "wins by a" in page
        assert "reflex medium" in page
        assert person.end("quit\n")[0] == 0
    (game,) = games(history)
    assert not any(is_person for _, is_person in game.keys)
    with Typist(*words, "--pause", "30", history=history) as person:
        person.see("(back, quit) >")
        person.type("nonsense", "(back, quit) >")
        person.type("back", "Who is your opponent?")
        assert person.end("quit\n")[0] == 0
    assert len(games(history)) == 1


def test_who_thinks_too_long_loses_while_the_prompt_waits(history: Path) -> None:
    words = ["play", LEFTMOST, "--game", "5x4", "--name", "Anna", "--limit", "seconds=1.6"]
    with Typist(*words, history=history) as person:
        person.see("this turn 0:02")
        person.press("3")  # typed, but not entered
        page = person.see("And now?")
        assert "this turn 0:01" in person.text  # the clock was seen running
        assert "good.py:Leftmost (yellow) wins: Anna: the 1.6 s of a turn are over (time)." in page
        code, _ = person.end("quit\n")  # and not "3quit"
    assert code == 0
    (game,) = games(history)
    assert (game.result, game.reason) == (-1, "time")


def test_an_engine_that_breaks_loses_and_one_can_go_on(history: Path) -> None:
    words = [
        "play",
        "tests/support/bots/bad.py:RaisesLate",
        "--game",
        "5x4",
        "--name",
        "Anna",
    ]
    with Typist(*words, history=history) as person:
        person.see("Anna >")
        person.type("5", "Anna >")
        person.type("5", "Anna >")
        page = person.type("4", "And now?")
        assert "Anna (red) wins: bad.py:RaisesLate: ValueError: too many discs (bad.py:" in page
        person.type("menu", "Who is your opponent?")
        assert person.end("quit\n")[0] == 0
    assert games(history)[0].reason == "exception"


def test_a_board_that_an_engine_refuses_is_asked_again(history: Path) -> None:
    with Typist("play", "--colour", "red", "--name", "Anna", history=history) as person:
        person.see("(suited) >")
        person.type(FLAT_ONLY, "How strong is")
        person.type("", "On which board?")
        person.type("4x4x4", "How much time")
        page = person.type("", "only flat boards, please")
        assert "On which board?" in page
        person.type("5x4", "How much time")
        person.type("", "Anna >")
        assert person.end("quit\n")[0] == 0


@pytest.mark.parametrize(("keys", "code"), [(CTRL_C, 130), (CTRL_D, 0)])
@pytest.mark.parametrize("words", [[], [LEFTMOST]])
def test_leaving_in_the_middle_is_clean(
    history: Path, keys: str, code: int, words: list[str]
) -> None:
    """Whether in the menu or in a game: no trace back, the screen given back, nothing recorded."""
    with Typist("play", *words, "--name", "Anna", history=history) as person:
        person.see("Anna >" if words else "(suited) >")
        found, rest = person.end(keys)
        assert LEAVE in person.text
    assert found == code
    assert rest.replace("^C", "").strip() == ""
    assert games(history) == []


def test_small_windows_and_large_boards_fit(history: Path) -> None:
    words = ["play", "human", "--game", "9x7", "--name", "Anna"]
    with Typist(*words, history=history, size=(60, 18)) as person:
        page = person.see("Anna >")
        assert len(page.splitlines()) <= 18
        assert max(map(len, page.splitlines())) <= 60
        assert "┼" not in page
        person.end("quit\n")
    with Typist(*words, history=history, size=(120, 40)) as person:
        page = person.see("Anna >")
        assert page.count("┼") == 6 * 8
        person.end("quit\n")


def test_without_colours_letters_tell_the_sides_apart(history: Path) -> None:
    words = ["play", "human", "--game", "5x4", "--name", "Anna"]
    with Typist(*words, history=history, NO_COLOR="1") as person:
        person.see("Anna >")
        person.type("1", "Guest >")
        page = person.type("2", "Anna >")
        assert "│ X │(O)│ . │" in page
        assert "\x1b[9" not in person.text
        person.end("quit\n")


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"PYTHONIOENCODING": "ascii"}])
def test_a_simple_terminal_gets_plain_letters(history: Path, environment: dict[str, str]) -> None:
    words = ["play", LEFTMOST, "--game", "5x4", "--name", "Anna"]
    with Typist(*words, history=history, size=(80, 24), **environment) as person:
        person.see("Make a move by choosing your coordinates to play.\n> ")
        person.type("3", "O-X--\n12345\n\nIt is now X's turn.")
        code, _ = person.end("quit\n")
        assert "\x1b" not in person.text
    assert code == 0
