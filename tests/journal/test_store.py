"""What goes into a journal comes out of it, filtered and in order."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UnknownName
from arena.journal import BadJournal, Journal, JournalError
from arena.machine import environment
from arena.table.game import GOOD_ENDS, Game
from tests.journal.examples import fill, make_header, make_row
from tests.support.stories import story

ROWS = [make_row(number) for number in range(60)]
ROWS[7] = replace(ROWS[7], reason="illegal move", result=-1, log="oh\n", detail="alpha: column 9")
ROWS[9] = replace(ROWS[9], reason="time", result=1)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    path = tmp_path_factory.mktemp("journal") / "games.db"
    with Journal.open(path, make_header()) as written:
        for row in reversed(ROWS):  # tables finish in any order
            written.write(row)
    with Journal.read(path) as read:
        yield read


def test_rows_come_back_as_they_were_in_order(journal: Journal) -> None:
    assert list(journal.rows()) == ROWS
    assert [story(row) for row in journal.rows()] == [story(row) for row in ROWS]
    assert journal.row(31) == ROWS[31]
    assert journal.count() == len(journal.finished) == 60


def test_the_header_comes_back(journal: Journal) -> None:
    assert journal.header == make_header()
    assert journal.header.names == ("alpha", "beta", "gamma")
    assert journal.header.player("gamma") == 2
    with pytest.raises(UnknownName, match="unknown player 'gama'; did you mean 'gamma'"):
        journal.header.player("gama")


def test_outcomes_are_sorted(journal: Journal) -> None:
    assert list(journal.outcomes()) == [
        (row.number, row.round, row.first, row.second, row.result, row.opening, row.moves)
        for row in ROWS
    ]


def seen(row: Game, player: int | None, opponent: int | None, result: int | None) -> bool:
    """The obvious twin of the filter by player, opponent and result."""
    seatings = [(row.first, row.second, row.result)]
    if player is not None or opponent is not None:
        seatings.append((row.second, row.first, -row.result))
    return any(
        player in (None, mine) and opponent in (None, theirs) and result in (None, outcome)
        for mine, theirs, outcome in seatings
    )


@given(
    player=st.none() | st.integers(0, 2),
    opponent=st.none() | st.integers(0, 2),
    result=st.none() | st.integers(-1, 1),
    reason=st.sampled_from([None, "line", "full board", "time", "crash"]),
    round=st.none() | st.integers(0, 11),
    bad=st.booleans(),
    numbers=st.none() | st.sets(st.integers(0, 80)),
    limit=st.none() | st.integers(0, 70),
)
def test_filters_agree_with_the_obvious(journal: Journal, **wanted: Any) -> None:
    player, opponent, result = (wanted[name] for name in ("player", "opponent", "result"))
    expected = [
        row
        for row in ROWS
        if seen(row, player, opponent, result)
        and wanted["reason"] in (None, row.reason)
        and wanted["round"] in (None, row.round)
        and (not wanted["bad"] or row.reason not in GOOD_ENDS)
        and (wanted["numbers"] is None or row.number in wanted["numbers"])
    ]
    assert list(journal.rows(**wanted)) == expected[: wanted["limit"]]


def test_rows_are_read_a_page_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = fill(tmp_path / "games.db", 23)
    for page in (1, 7, 23, 24):
        monkeypatch.setattr("arena.journal.journal.PAGE", page)
        with Journal.read(tmp_path) as journal:
            assert list(journal.rows()) == rows
            assert list(journal.rows(numbers=range(5, 100))) == rows[5:]


def test_without_telemetry_the_rest_is_the_same(journal: Journal) -> None:
    bare = [replace(row, telemetry=b"") for row in ROWS]
    assert list(journal.rows(telemetry=False)) == bare


def test_a_missing_game_is_named(journal: Journal, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"game 99 is not in .*; its 60 games are 0 to 59"):
        journal.row(99)
    with (
        Journal.open(tmp_path / "games.db", make_header()) as empty,
        pytest.raises(JournalError, match="no games yet"),
    ):
        empty.row(0)


def test_no_game_goes_in_twice(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games.db", make_header()) as journal:
        journal.write(make_row(3))
        with pytest.raises(JournalError, match="game 3 was not recorded: it is in the journal"):
            journal.write(make_row(3, detail="another"))
        assert journal.row(3) == make_row(3)
        assert len(journal.finished) == 1


@pytest.mark.parametrize("wrong", [{"number": -1}, {"result": 2}, {"seed": 2**63}])
def test_nonsense_is_refused_and_no_harm_is_done(tmp_path: Path, wrong: dict[str, int]) -> None:
    with Journal.open(tmp_path / "games.db", make_header()) as journal:
        with pytest.raises(JournalError):
            journal.write(replace(make_row(5), **wrong))  # type: ignore[arg-type]
        assert journal.count() == len(journal.finished) == 0
        journal.write(make_row(5))
        assert 5 in journal.finished


def test_half_a_character_is_spelt_out(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games.db", make_header()) as journal:
        journal.write(make_row(1, detail="odd \udc80", log="null \0 and \ud800"))
        journal.write_event("table \udc80", "text \udc80")
        assert journal.row(1).detail == "odd \\udc80"
        assert journal.row(1).log == "null \0 and \\ud800"
        assert journal.events()[0].text == "text \\udc80"


def test_sessions_and_events_are_kept(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games.db", make_header()) as journal:
        journal.begin_session("arena run x.yaml", 4)
        journal.write_event("table lost", "table 2: no answer")
        journal.end_session("interrupted")
        journal.end_session("nothing is open any more")
        journal.begin_session("arena run x.yaml", 2)
    with Journal.read(tmp_path) as journal:
        done, killed = journal.sessions()
        (event,) = journal.events()
    assert (done.command, done.workers, done.why) == ("arena run x.yaml", 4, "interrupted")
    assert done.environment == environment()
    assert done.ended is not None
    assert done.started <= event.at <= done.ended <= killed.started
    assert (killed.workers, killed.ended, killed.why) == (2, None, None)
    assert (event.kind, event.text) == ("table lost", "table 2: no answer")


def test_what_is_written_together_is_there_together_or_not_at_all(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games.db", make_header()) as journal:
        journal.write(make_row(0))

        def half() -> None:
            with journal.together():
                journal.write(make_row(1))
                raise KeyError("stop")

        with pytest.raises(KeyError, match="stop"):
            half()
        assert list(journal.finished) == [0]
        with journal.together():
            journal.write(make_row(1))
            journal.write(make_row(2))
        assert list(journal.finished) == [0, 1, 2]


def test_games_of_one_commit_are_there_together_or_not_at_all(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games.db", make_header()) as journal:
        journal.write(make_row(1), make_row(2))
        with pytest.raises(JournalError, match="game 2 was not recorded: it is in the journal"):
            journal.write(make_row(3), make_row(2), make_row(4))
        assert list(journal.finished) == [row.number for row in journal.rows()] == [1, 2]
        half = replace(make_row(5), detail="half a character: \ud83d")
        with journal.together():
            journal.write(make_row(3), half)
        journal.write(make_row(6), replace(half, number=7))
        assert [row.number for row in journal.rows()] == [1, 2, 3, 5, 6, 7]
        assert journal.row(7).detail == r"half a character: \ud83d"


def test_threads_may_share_a_journal(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games.db", make_header()) as journal:
        rows = [make_row(number) for number in range(200)]

        def write(some: list[Game]) -> None:
            for row in some:
                journal.write(row)
                list(journal.outcomes())

        threads = [threading.Thread(target=write, args=(rows[k::4],)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert list(journal.rows()) == rows
        assert len(journal.finished) == 200


def test_a_reader_does_not_write(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 2)
    with Journal.read(tmp_path) as journal:
        with pytest.raises(JournalError, match="read-only"):
            journal.write(make_row(5))
        assert journal.count() == 2
    with pytest.raises(BadJournal, match="there is no journal"):
        Journal.read(tmp_path / "nothing.db")


def test_a_finished_journal_is_one_file(tmp_path: Path) -> None:
    """Also after it was read; while somebody reads, it is left as it is."""
    path = tmp_path / "games.db"
    fill(path, 3)
    assert [file.name for file in tmp_path.glob("games.db*")] == ["games.db"]
    with Journal.read(path) as journal:
        assert len(list(journal.rows())) == 3
    assert [file.name for file in tmp_path.glob("games.db*")] == ["games.db"]
    with Journal.open(path, make_header()) as journal:
        reader = Journal.read(path)
        assert len(list(reader.rows())) == 3
    assert len(list(reader.rows())) == 3
    reader.close()
    with Journal.read(path) as journal:
        assert len(list(journal.rows())) == 3
