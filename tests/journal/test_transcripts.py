"""Games that others wrote down become a journal, and every mistake is told with file and line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.game import STEAL, Rules
from arena.journal import Journal
from arena.journal.errors import BadJournal, JournalError
from arena.journal.export import transcript
from arena.journal.imports import import_journal
from arena.table.game import Game
from tests.fourplay import GAMES, recorded_games
from tests.journal.examples import fill, make_header, short_row
from tests.support.data import data_file

# The first player wins along the floor's first row.
MOVES = "oracle, 0, 0\nagent, 3, 1\noracle, 0, 1\nagent, 1, 3\noracle, 0, 2\nagent, 3, 1\n"
WON = MOVES + "oracle, 0, 3\n"
OURS = f"level: oracle against agent\nwinner: oracle\ntime: 1.500000\n{WON}"
FOURPLAYS = f"GAME TRANSCRIPT LEVEL HARD FOR: game1\nWINNER: Web\nPLAY TIME = 1.5\n{WON}"
KEYED = f"Level: Hard\nWinner: oracle\nTime: 1.5\n{WON}"

HEADING = "agent,oracle_level,game,first,winner,plies,moves_xy\n"
ROW = "alpha depth 1,hard,game1,oracle,oracle,7,00 31 01 13 02 31 03\n"


def imported(
    folder: Path, text: str, rules: Rules | None = None
) -> tuple[tuple[str, ...], list[Game], list[str]]:
    """The players, the games, and the notices of a file with this text."""
    source, target, notices = folder / "games.txt", folder / "new.db", list[str]()
    source.write_text(text, encoding="utf-8")
    count = import_journal(source, target, rules=rules, notice=notices.append)
    with Journal.read(target) as journal:
        rows = list(journal.rows())
        assert len(rows) == count
        return journal.header.names, rows, [words.replace(str(source), "FILE") for words in notices]


def refusal(folder: Path, text: str, rules: Rules | None = None) -> str:
    """The sentence that an import ends with; it leaves nothing behind."""
    with pytest.raises(BadJournal) as refused:
        imported(folder, text, rules)
    assert [path.name for path in folder.iterdir()] == ["games.txt"]
    return str(refused.value).replace(f"{folder / 'games.txt'}", "FILE")


@pytest.mark.parametrize(
    ("text", "oracle"),
    [(OURS, "oracle"), (FOURPLAYS, "oracle hard"), (KEYED, "oracle hard")],
    ids=["ours", "FourPlay's", "keyed"],
)
def test_a_transcript_is_read_in_each_of_its_forms(tmp_path: Path, text: str, oracle: str) -> None:
    names, (row,), notices = imported(tmp_path, text)
    assert names == (oracle, "agent")
    assert (row.first, row.second, row.result, row.reason) == (0, 1, 1, "line")
    assert (row.moves, row.seconds) == (bytes([0, 13, 1, 7, 2, 13, 3]), 1.5)
    assert row.detail == f"{oracle} made a row along y (1,1,1) (1,2,1) (1,3,1) (1,4,1)"
    assert notices == []


def test_several_games_may_follow_each_other(tmp_path: Path) -> None:
    second = WON.replace("agent", "other")
    names, rows, _ = imported(
        tmp_path, f"\n{OURS}\n\n{KEYED}level: easy\nwinner: oracle\ntime: 0\n{second}"
    )
    assert names == ("oracle", "agent", "oracle hard", "oracle easy", "other")
    assert [(row.number, row.first, row.second) for row in rows] == [
        (1, 0, 1),
        (2, 2, 1),
        (3, 3, 4),
    ]


def test_a_folder_is_read_file_by_file_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    for number in (10, 9, 1):
        (folder / f"game{number}.txt").write_text(FOURPLAYS.replace("1.5", str(number)))
    (folder / "more.csv").write_text(HEADING + ROW)
    (folder / ".DS_Store").write_bytes(b"\xff\xfe")
    assert import_journal(folder, tmp_path / "new.db") == 4
    with Journal.read(tmp_path / "new.db") as journal:
        assert journal.header.name == "transcripts"
        assert [row.seconds for row in journal.rows()] == [1, 9, 10, 0]
        assert journal.header.names == ("oracle hard", "agent", "alpha depth 1")


@pytest.mark.parametrize("game", ["score4", "connect4", "9x7", "5x4x3c3"])
def test_transcript_import_transcript_comes_back_as_it_was(tmp_path: Path, game: str) -> None:
    rows = fill(tmp_path / "games.db", 12, game)
    with Journal.read(tmp_path / "games.db") as journal:
        written = [transcript(row, journal.header) for row in journal.rows()]
    _, again, notices = imported(tmp_path, "".join(written), Rules.named(game))
    with Journal.read(tmp_path / "new.db") as journal:
        assert [transcript(row, journal.header) for row in again] == written
        assert journal.header.rules == Rules.named(game)
    assert [row.moves for row in again] == [row.moves for row in rows]
    assert [row.result for row in again] == [row.result for row in rows]
    assert notices == []


def test_a_stolen_disc_comes_back_too(tmp_path: Path) -> None:
    pie = Rules.named("7x6+pie")
    header = make_header(pie.name)
    moves = bytes([3, STEAL, 2, 4, 2, 4, 2, 5, 2])  # X goes on above, and wins with a column
    row = replace(short_row(1, "4", first=0, second=1), moves=moves, result=1, reason="line")
    written = transcript(row, header)
    assert "beta, steal" in written
    _, (again,), _ = imported(tmp_path, written, pie)
    assert (again.moves, again.result) == (moves, 1)


def test_a_game_that_is_not_over_on_the_board_is_taken_as_recorded_and_told(tmp_path: Path) -> None:
    head = "level: oracle against agent\nwinner: {}\ntime: 1\n"
    text = head.format("agent") + MOVES + head.format("draw") + MOVES
    _, rows, notices = imported(tmp_path, text)
    assert [(row.result, row.reason) for row in rows] == [(-1, "adjudicated"), (0, "adjudicated")]
    assert notices == [
        "FILE:2: recorded as won by 'agent', but the game is not over on the board",
        "FILE:11: recorded as a draw, but the game is not over on the board",
    ]


def test_a_game_without_moves_has_its_players_from_the_level(tmp_path: Path) -> None:
    names, (row,), notices = imported(tmp_path, "level: a against b\nwinner: b\ntime: 0\n")
    assert (names, row.moves, row.result, len(notices)) == (("a", "b"), b"", -1, 1)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (OURS.replace("winner: oracle", "winner: agent"),
         "FILE:2: recorded as won by 'agent', but on the board it is won by 'oracle'"),
        (OURS.replace("winner: oracle", "winner: draw"),
         "FILE:2: recorded as a draw, but on the board it is won by 'oracle'"),
        (OURS.replace("winner: oracle", "winner: nobody"),
         "FILE:2: the winner is 'nobody'; expected draw, 'oracle' or 'agent'"),
        (OURS.replace("1.500000", "long"), "FILE:3: the time is 'long'; expected seconds"),
        (OURS.replace("1.500000", "nan"), "FILE:3: the time is 'nan'; expected seconds"),
        (OURS + "agent, 0, 0\n", "FILE:11: the game is over: X has won"),
        (OURS.replace("agent, 1, 3", "oracle, 1, 3"),
         "FILE:7: it is the turn of 'agent', not of 'oracle'"),
        (OURS.replace("agent, 3, 1\noracle, 0, 1", "oracle, 3, 1\noracle, 0, 1"),
         "FILE:1: both players are 'oracle'"),
        (OURS.replace("1, 3", "one, 3"),
         "FILE:7: 'agent, one, 3' is no move; expected player, x, y"),
        (OURS.replace("1, 3", f"1, {'3' * 5000}"), "is no move; expected player, x, y"),
        (OURS.replace("1, 3", "steal"),
         "FILE:7: STEAL is not allowed: the game is played without the pie rule"),
        (OURS.replace("1, 3", "6, 0"), "FILE:7: 6, 0 is not on 4x4x4 connect 4, where x is 0 to 3 "
         "and y 0 to 3; --game names another board"),
        (OURS.replace("time: 1.500000\n", ""),
         "FILE:3: expected the time, but found 'oracle, 0, 0'"),
        (OURS.replace("winner: oracle\ntime: 1.500000", "time: 1.5\nwinner: oracle"),
         "FILE:2: expected the winner, but found 'time: 1.5'"),
        ("level: hard\nwinner: oracle\ntime: 1\noracle, 0, 0\n",
         "FILE:1: who played? expected two moves, or level: FIRST against SECOND"),
        (HEADING + ROW.replace(",7,", ",8,"), "FILE:2: plies is '8', but there are 7 moves"),
        (HEADING + ROW + ROW.replace("oracle,7", "agent,7"),
         "FILE:3: recorded as won by 'alpha depth 1', but on the board it is won by 'oracle hard'"),
        (HEADING + ROW.replace("31 01", "31 0a"),
         "FILE:2: '0a' is no move; expected two digits, x and y"),
        (HEADING + ROW.replace("31 01", "41 01"), "FILE:2: 4, 1 is not on 4x4x4 connect 4"),
        (HEADING + ROW.replace("game1,oracle", "game1,web"),
         "FILE:2: first is 'web'; expected oracle or agent"),
        (HEADING + ROW.replace("oracle,7", "me,7"),
         "FILE:2: winner is 'me'; expected oracle, agent or draw"),
        (HEADING + ROW.replace("alpha depth 1", ""), "FILE:2: agent is missing"),
        (HEADING + "alpha\n", "FILE:2: oracle_level is missing"),
        (HEADING.replace("plies,", ""), "FILE:1: the column plies is missing"),
        (HEADING, "FILE: there are no games in it"),
        (HEADING + f'alpha,hard,game1,oracle,oracle,7,"{"0" * 200_000}"\n',
         "FILE:2: not a row of CSV"),
        ("some words\nand others\n", "FILE:1: no games in a form that is known; expected an "
         "export, transcripts, or a table with the column moves_xy"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    words = refusal(tmp_path, text)
    assert sentence in words
    assert len(words.splitlines()) == 1


def test_all_mistakes_are_listed_up_to_a_number(tmp_path: Path) -> None:
    bad = OURS.replace("winner: oracle", "winner: x")
    assert [line.split(" ")[0] for line in refusal(tmp_path, bad + OURS + bad).splitlines()] == [
        "FILE:2:",
        "FILE:22:",
    ]
    many = refusal(tmp_path, bad * 30).splitlines()
    assert len(many) == 21
    assert many[-1] == "there may be more"


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(BadJournal, match="there are no games in it"):
        import_journal(folder, tmp_path / "new.db")
    for content, words in ((b"\xff", "not text in UTF-8"), (b"", "an empty file"),
                           (b"{}", "an export, which stands alone")):  # fmt: skip
        (folder / "game1.txt").write_bytes(content)
        with pytest.raises(BadJournal, match=f"game1.txt:1: {words}"):
            import_journal(folder, tmp_path / "new.db")
    with pytest.raises(JournalError, match="No such file"):
        import_journal(tmp_path / "nothing.txt", tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_the_recorded_games_are_all_imported(tmp_path: Path) -> None:
    records = recorded_games()
    assert import_journal(data_file(GAMES), tmp_path / "new.db") == len(records) == 252
    with Journal.read(tmp_path / "new.db") as journal:
        rows, names = list(journal.rows()), journal.header.names
    assert {"oracle hard", "oracle medium", "alpha depth 1 + TD", "random"} <= set(names)
    assert {row.reason for row in rows} == {"line"}
    won = [names[row.second if row.result < 0 else row.first] for row in rows]
    expected = [
        f"oracle {each['oracle_level']}" if each["winner"] == "oracle" else each["agent"]
        for each in records
    ]
    assert won == expected
