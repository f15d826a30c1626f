"""Games become transcripts, and transcripts a journal; every mistake is named with its line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.game import STEAL, Rules
from arena.journal import Contestant, Journal
from arena.journal.errors import BadJournal, JournalError
from arena.journal.imports import import_journal
from arena.journal.transcripts import write_transcript
from arena.table.game import Game
from tests.journal.examples import fill, make_header, short_row

# The first player wins along the floor's first row.
MOVES = "oracle, 0, 0\nagent, 3, 1\noracle, 0, 1\nagent, 1, 3\noracle, 0, 2\nagent, 3, 1\n"
WON = MOVES + "oracle, 0, 3\n"
TEXT = f"level: oracle against agent\nwinner: oracle\ntime: 1.500000\n{WON}"


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


def refusal(folder: Path, text: str) -> str:
    """The sentence that an import ends with; it leaves nothing behind."""
    with pytest.raises(BadJournal) as refused:
        imported(folder, text)
    assert [path.name for path in folder.iterdir()] == ["games.txt"]
    return str(refused.value).replace(f"{folder / 'games.txt'}", "FILE")


def test_a_transcript_is_read(tmp_path: Path) -> None:
    other = TEXT.replace("level:", "Level:").replace("agent", "x against y")
    names, (row, second), notices = imported(tmp_path, f"\n{TEXT}\n\n{other}")
    assert names == ("oracle", "agent", "x against y")
    assert (row.first, row.second, row.result, row.reason) == (0, 1, 1, "line")
    assert (row.moves, row.seconds) == (bytes([0, 13, 1, 7, 2, 13, 3]), 1.5)
    assert row.detail == "oracle made a row along y (1,1,1) (1,2,1) (1,3,1) (1,4,1)"
    assert (second.number, second.first, second.second) == (2, 0, 2)
    assert notices == []


def test_a_folder_is_read_file_by_file_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    for number in (10, 9, 1):
        (folder / f"game{number}.txt").write_text(TEXT.replace("1.500000", str(number)))
    (folder / ".DS_Store").write_bytes(b"\xff\xfe")
    assert import_journal(folder, tmp_path / "new.db") == 3
    with Journal.read(tmp_path / "new.db") as journal:
        assert journal.header.name == "transcripts"
        assert [row.seconds for row in journal.rows()] == [1, 9, 10]


@pytest.mark.parametrize("game", ["score4", "connect4", "9x7", "5x4x3c3"])
def test_transcript_import_transcript_comes_back_as_it_was(tmp_path: Path, game: str) -> None:
    rows = fill(tmp_path / "games.db", 12, game)
    with Journal.read(tmp_path / "games.db") as journal:
        written = [write_transcript(row, journal.header) for row in journal.rows()]
    _, again, notices = imported(tmp_path, "".join(written), Rules.named(game))
    with Journal.read(tmp_path / "new.db") as journal:
        assert [write_transcript(row, journal.header) for row in again] == written
        assert journal.header.rules == Rules.named(game)
    assert [(row.moves, row.result) for row in again] == [(row.moves, row.result) for row in rows]
    assert notices == []


def test_a_stolen_disc_comes_back_too(tmp_path: Path) -> None:
    pie = Rules.named("7x6+pie")
    moves = bytes([3, STEAL, 2, 4, 2, 4, 2, 5, 2])  # X stacks four discs and wins with a column
    row = replace(short_row(1, "4", first=0, second=1), moves=moves, result=1, reason="line")
    written = write_transcript(row, make_header(pie.name))
    assert "beta, steal" in written
    _, (again,), _ = imported(tmp_path, written, pie)
    assert (again.moves, again.result) == (moves, 1)


def test_a_transcript_of_a_flat_game_keeps_each_name_in_one_cell() -> None:
    names = ("=cmd|' /C calc'!A0", "two, words")
    header = make_header(players=tuple(Contestant(name, "random", {}, "") for name in names))
    row = short_row(4, "41", first=1, second=0, result=0, seconds=1.5)
    assert write_transcript(row, header) == (
        "level: two; words against =cmd|' /C calc'!A0\n"
        "winner: draw\n"
        "time: 1.500000\n"
        "two; words, 3, 0\n"
        "=cmd|' /C calc'!A0, 0, 0\n"
    )


def test_a_game_that_is_not_over_on_the_board_is_taken_as_recorded(tmp_path: Path) -> None:
    head = "level: oracle against agent\nwinner: {}\ntime: 1\n"
    text = head.format("agent") + MOVES + head.format("draw") + MOVES + head.format("agent")
    _, rows, notices = imported(tmp_path, text)
    assert [(row.result, row.reason) for row in rows] == [
        (-1, "adjudicated"), (0, "adjudicated"), (-1, "adjudicated"),
    ]  # fmt: skip
    assert notices == [
        "FILE:2: recorded as won by 'agent', but the game is not over on the board",
        "FILE:11: recorded as a draw, but the game is not over on the board",
        "FILE:20: recorded as won by 'agent', but the game is not over on the board",
    ]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("winner: oracle", "winner: agent",
         "FILE:2: recorded as won by 'agent', but on the board it is won by 'oracle'"),
        ("winner: oracle", "winner: draw",
         "FILE:2: recorded as a draw, but on the board it is won by 'oracle'"),
        ("winner: oracle", "winner: nobody",
         "FILE:2: the winner is 'nobody'; expected draw, 'oracle' or 'agent'"),
        ("1.500000", "long", "FILE:3: the time is 'long'; expected seconds"),
        ("1.500000", "nan", "FILE:3: the time is 'nan'; expected seconds"),
        ("0, 3\n", "0, 3\nagent, 0, 0\n", "FILE:11: the game is over: X has won"),
        ("agent, 1, 3", "oracle, 1, 3", "FILE:7: it is the turn of 'agent', not of 'oracle'"),
        ("against agent", "against oracle", "FILE:1: both players are 'oracle'"),
        ("oracle against agent", "hard",
         "FILE:1: the level is 'hard'; expected FIRST against SECOND"),
        ("1, 3", "one, 3", "FILE:7: 'agent, one, 3' is no move; expected player, x, y"),
        ("1, 3", f"1, {'3' * 5000}", "is no move; expected player, x, y"),
        ("1, 3", "steal",
         "FILE:7: STEAL is not allowed: the game is played without the pie rule"),
        ("1, 3", "6, 0", "FILE:7: 6, 0 is not on 4x4x4 connect 4, where x is 0 to 3 "
         "and y 0 to 3; --game names another board"),
        ("time: 1.500000\n", "", "FILE:3: expected the time, but found 'oracle, 0, 0'"),
        ("winner: oracle\ntime: 1.500000", "time: 1.5\nwinner: oracle",
         "FILE:2: expected the winner, but found 'time: 1.5'"),
        (TEXT, "level: a against b", "FILE:1: expected the winner, but found 'level: a"),
        (TEXT, "some words\nand others\n",
         "FILE:1: no games in a known format; expected an export or transcripts"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    words = refusal(tmp_path, TEXT.replace(old, new))
    assert sentence in words
    assert len(words.splitlines()) == 1


def test_all_mistakes_are_listed_up_to_a_number(tmp_path: Path) -> None:
    bad = TEXT.replace("winner: oracle", "winner: x")
    assert [line.split(" ")[0] for line in refusal(tmp_path, bad + TEXT + bad).splitlines()] == [
        "FILE:2:",
        "FILE:22:",
    ]
    many = refusal(tmp_path, bad * 30).splitlines()
    assert len(many) == 21
    assert many[-1] == "there may be more"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
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
