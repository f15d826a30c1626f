"""A damaged journal: no command reads it as something else, and the doctor saves what is sound."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from random import Random

import pytest

from arena.doctor.journal import examine_journal
from arena.errors import ArenaError
from arena.journal import BadJournal, Event, Journal, Session
from arena.journal.records import INSERT, checksum_of_game, row_of
from arena.table.game import Game
from tests.cli.running import assert_one_sentence, run
from tests.journal.examples import make_header, make_row
from tests.support.stories import story

GAMES = 60
ROWS = {number: make_row(number) for number in range(GAMES)}
EVENTS = [Event(1000.0 + number, "table lost", f"table {number}") for number in range(5)]
SESSIONS = [Session("arena run x.yaml", 2, {"cores": 2}, 1.5, 2.5, "interrupted")]


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal of some games, one run and some events."""
    path = tmp_path_factory.mktemp("sound") / "games.db"
    with Journal.open(path, make_header()) as journal:
        for row in ROWS.values():
            journal.write(row)
        for event in EVENTS:
            journal.add(event)
        for session in SESSIONS:
            journal.add(session)
    return path.read_bytes()


@pytest.fixture
def place(tmp_path: Path, content: bytes) -> Path:
    (tmp_path / "games.db").write_bytes(content)
    return tmp_path / "games.db"


def change(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(sql, values).rowcount > 0
        connection.commit()


def read_all(path: Path) -> tuple[object, ...]:
    with Journal.read(path) as journal:
        return list(journal.rows()), journal.sessions(), journal.events()


def saved(path: Path) -> tuple[Path, list[Game]]:
    """The journal that the doctor builds of the sound games, and its games."""
    new = path.with_name("saved.db")
    for diagnosis in examine_journal(path, new):
        assert bool(diagnosis.remedy) == (diagnosis.state != "ok")
    with Journal.open(new, make_header()) as journal:  # a run resumes from it
        return new, list(journal.rows())


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("round", 4), ("first", 8), ("second", 9), ("opening", b"\1"), ("moves", b"\1\2"),
        ("result", 0), ("reason", "time"), ("detail", "x"), ("detail", b"\xff\xfe"), ("seed", 5),
        ("started", 1.0), ("started", "then"), ("seconds", 9.0), ("log", "x"), ("moves", "text"),
        ("telemetry", b""), ("telemetry", "text"), ("checksum", 7), ("telemetry_checksum", 7),
        ("number", 999),
    ],
)  # fmt: skip
def test_any_change_of_a_game_is_named_and_the_others_are_saved(
    place: Path, column: str, value: object
) -> None:
    change(place, f"UPDATE games SET {column} = ? WHERE number = 20", value)
    number = 999 if column == "number" else 20
    sentence = f"game {number} is not what was written.*; arena doctor {place} --save NEW.db"
    with Journal.read(place) as journal, pytest.raises(BadJournal, match=sentence):
        list(journal.rows())
    assert saved(place)[1] == [row for number, row in ROWS.items() if number != 20]


def test_nobody_resumes_a_damaged_journal(place: Path) -> None:
    change(place, "UPDATE games SET result = 0 WHERE number = (SELECT max(number) FROM games)")
    with Journal.open(place, make_header()) as journal, pytest.raises(BadJournal, match="game 59"):
        list(journal.outcomes())
    change(place, "UPDATE meta SET value = '8' WHERE key = 'seed'")
    with pytest.raises(BadJournal, match=r"damaged \(a row of the table meta\)"):
        Journal.open(place, make_header())


@pytest.mark.parametrize(
    ("sql", "table"),
    [
        ("UPDATE meta SET value = '\"other\"' WHERE key = 'name'", "meta"),
        ("UPDATE players SET name = 'delta' WHERE number = 1", "players"),
        ("DELETE FROM players WHERE number = 0", "players is missing"),
        ("UPDATE sessions SET workers = 9", "sessions"),
        ("UPDATE events SET text = 'x' WHERE number = 2", "events"),
        ("UPDATE events SET at = 'x' WHERE number = 2", "events"),
    ],
)
def test_the_rest_of_a_journal_has_checksums_too(place: Path, sql: str, table: str) -> None:
    change(place, sql)
    with pytest.raises(BadJournal, match=f"a row of the table {table}"):
        read_all(place)
    if "players" in table:
        with pytest.raises(BadJournal, match="is lost; run the tournament with --new"):
            list(examine_journal(place))
        return
    new, games = saved(place)
    assert games == list(ROWS.values())
    with Journal.read(new) as journal:
        assert set(journal.events()) <= set(EVENTS)
        assert all(session in SESSIONS for session in journal.sessions())


def damages(content: bytes, random: Random) -> Iterator[bytes]:
    """A byte changed, a run of bytes overwritten, moved, blanked, cut off: at random places."""
    size = len(content)
    while True:
        at, length = random.randrange(100, size), random.choice([1, 1, 1, 2, 8, 100, 4096])
        other = random.randrange(size)
        part: Callable[[], bytes] = random.choice(
            [
                lambda length=length: random.randbytes(length),  # type: ignore[misc]
                lambda length=length: bytes(length),  # type: ignore[misc]
                lambda at=at: bytes([content[at] ^ 1 << random.randrange(8)]),  # type: ignore[misc]
                lambda other=other, length=length: content[other : other + length],  # type: ignore[misc]
                lambda: b"",
            ]
        )
        piece = part()
        yield (content[:at] + piece + content[at + len(piece) :])[:size] if piece else content[:at]


def look(path: Path) -> bool:
    """Read all there is of a journal; whether a problem is named."""
    try:
        with Journal.read(path) as journal:
            for row in journal.rows():
                assert row == ROWS[row.number]
            for row in journal.rows(telemetry=False):
                assert story(row)[:9] == story(ROWS[row.number])[:9]
            assert set(journal.events()) <= set(EVENTS)
            assert set(map(str, journal.sessions())) <= set(map(str, SESSIONS))
    except ArenaError:
        pass
    new = path.with_name("new.db")
    new.unlink(missing_ok=True)
    try:
        states = {each.state for each in examine_journal(path, new)}
    except ArenaError:
        return True
    with Journal.read(new) as journal:
        games = list(journal.rows())
        assert all(row == ROWS[row.number] for row in games)
        if states == {"ok"}:
            assert len(games) == GAMES
            assert (journal.events(), journal.sessions()) == (EVENTS, SESSIONS)
            assert asdict(journal.header) == asdict(make_header())
    return states != {"ok"}


def test_random_damages_are_found_and_never_read_as_something_else(
    tmp_path: Path, content: bytes
) -> None:
    path, found = tmp_path / "games.db", 0
    for damaged, _ in zip(damages(content, Random(11)), range(150), strict=False):
        path.write_bytes(damaged)
        found += look(path)
    assert 75 < found < 150  # some change nothing that anybody reads


@pytest.mark.parametrize("is_cut", [True, False])
def test_a_file_that_was_cut_or_overwritten_is_refused_and_the_rest_is_saved(
    tmp_path: Path, content: bytes, is_cut: bool
) -> None:
    path, half = tmp_path / "games.db", len(content) // 2
    rest = b"" if is_cut else b"\xa5" * 8192 + content[half + 8192 :]
    path.write_bytes(content[:half] + rest)
    for attempt in (read_all, lambda path: Journal.open(path, make_header())):
        with pytest.raises(BadJournal, match=f"is damaged .*; arena doctor {path} --save"):
            attempt(path)
    assert not is_cut or path.read_bytes() == content[:half]
    games = saved(path)[1]
    assert games == [ROWS[game.number] for game in games]
    assert 5 < len(games) < GAMES


def test_a_checksum_tells_games_apart_that_are_nearly_the_same() -> None:
    one = make_row(1, reason="ab", detail="c", log="", opening=b"")
    others = [
        make_row(1, reason="a", detail="bc", log="", opening=b""),
        make_row(1, reason="ab", detail="", log="c", opening=b""),
        make_row(1, reason="ab", detail="c", log="", opening=one.moves[:1]),
        make_row(1, reason="ab", detail="c", log="", opening=b"", seconds=one.seconds + 1e-15),
    ]
    assert len({checksum_of_game(row) for row in [one, *others]}) == 5


def test_the_doctor_names_damaged_games_and_saves_the_others(tmp_path: Path, place: Path) -> None:
    well = run("doctor", str(place))
    assert well.exit_code == 0, well.output
    assert f"{GAMES} sound games" in well.stdout
    assert well.stdout.rstrip().endswith("Sound.")
    change(place, "UPDATE games SET detail = 'x' WHERE number IN (7, 9)")
    answer = run("doctor", str(place), "--json")
    assert answer.exit_code == 1
    (games,) = (each for each in json.loads(answer.stdout)["findings"] if each["topic"] == "games")
    assert (games["state"], games["data"]["damaged"]) == ("problem", [7, 9])
    assert games["data"]["sound"] == GAMES - 2
    new = tmp_path / "new.db"
    ill = run("doctor", str(place), "--save", str(new))
    assert ill.exit_code == 1
    assert "damaged: 2 games (7, 9)" in ill.stdout
    assert f"{GAMES - 2} games copied to {new}" in ill.stdout
    assert "Not sound: 1 problem." in ill.stdout
    with Journal.open(new, make_header()) as journal:
        assert set(range(GAMES)) - journal.finished == {7, 9}
        assert (journal.events(), journal.sessions()) == (EVENTS, SESSIONS)
    again = run("doctor", str(place), "--save", str(new))
    assert_one_sentence(again, f"{new} exists already; name a new file to save to")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"result": -ROWS[4].result}, f"result is {-ROWS[4].result}, but the moves end with"),
        ({"moves": ROWS[4].moves[:-1], "telemetry": b""}, "but the moves end with 0"),
        ({"moves": ROWS[4].moves + b"\0", "telemetry": b""}, "the game is over"),
        ({"opening": b"\6\6\6\6\6"}, "the moves do not begin with the opening"),
    ],
)
def test_the_doctor_replays_every_game(
    place: Path, wrong: dict[str, object], sentence: str
) -> None:
    """Its checksums may hold: somebody has written what was never played."""
    assert ROWS[4].reason == "line"
    row = row_of(replace(ROWS[4], **wrong))  # type: ignore[arg-type]
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("DELETE FROM games WHERE number = 4")
        connection.execute(INSERT, row)
        connection.commit()
    ill = run("doctor", str(place))
    assert ill.exit_code == 1
    assert "damaged: game 4 (" in ill.stdout
    assert sentence in ill.stdout
    assert saved(place)[1] == [row for number, row in ROWS.items() if number != 4]


def test_the_doctor_needs_a_journal(tmp_path: Path) -> None:
    assert run("doctor", str(tmp_path / "none.db")).exit_code == 2
    assert_one_sentence(
        run("doctor", "--save", "new.db"), "--save cannot be used without a journal"
    )


def test_no_command_reads_a_damaged_journal(place: Path) -> None:
    change(place, "UPDATE games SET result = 0, detail = 'x' WHERE number = 7")
    for words in (["report", str(place), "--accuracy", "0", "--no-plots"],
                  ["games", str(place), "--csv", str(place.with_name("x.csv"))]):  # fmt: skip
        assert_one_sentence(run(*words), f"{place} is damaged (game 7", "--save NEW.db")
