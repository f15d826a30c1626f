"""A damaged journal: nothing is read as what it is not, and what is sound stays readable."""

from __future__ import annotations

import json
import re
import sqlite3
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest

from arena.errors import ArenaError, ArenaWarning
from arena.journal import BadJournal, Event, Journal, Session
from arena.journal.games import checksum_of_game
from arena.table.game import Game
from tests.cli.running import run
from tests.journal.examples import before_checksums, make_header, make_row
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


def read(path: Path) -> tuple[Journal, list[Game]]:
    """A journal that is read to its end and closed, and the games in it."""
    with Journal.read(path) as journal:
        rows = list(journal.rows())
        damage = journal.damage
    journal.damage = damage
    return journal, rows


@contextmanager
def leaving_out(path: Path, words: str) -> Iterator[Journal]:
    """A journal for reading; when it is closed, it tells what it has left out."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ArenaWarning)
        with Journal.read(path) as journal:
            yield journal
    assert len(caught) == 1
    assert re.search(words, str(caught[0].message))


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
def test_any_change_of_a_game_is_found_and_the_others_are_read(
    place: Path, column: str, value: object
) -> None:
    change(place, f"UPDATE games SET {column} = ? WHERE number = 20", value)
    with pytest.warns(ArenaWarning, match="damaged, and this is left out: game (20|999);"):
        journal, rows = read(place)
    assert rows == [row for number, row in ROWS.items() if number != 20]
    assert journal.damage.games == {999 if column == "number" else 20}


def test_a_damaged_game_is_not_hidden_by_a_filter(place: Path) -> None:
    change(place, "UPDATE games SET first = 0, second = 1, reason = 'line' WHERE number = 20")
    with leaving_out(place, "game 20") as journal:
        list(journal.rows(player=2, telemetry=False))
    with leaving_out(place, "game 20") as journal:
        assert len(list(journal.outcomes())) == GAMES - 1
        with pytest.raises(BadJournal, match="game 20"):
            journal.row(20)


def test_nobody_writes_to_a_damaged_journal(place: Path) -> None:
    change(place, "UPDATE games SET result = 0 WHERE number = (SELECT max(number) FROM games)")
    with Journal.open(place, make_header()) as journal, pytest.raises(BadJournal, match="game 59"):
        list(journal.outcomes())
    change(place, "UPDATE meta SET value = '8' WHERE key = 'seed'")
    with pytest.raises(BadJournal, match=r"damaged \(a row of the table meta, the seed of"):
        Journal.open(place, make_header())


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE meta SET value = '\"other\"' WHERE key = 'name'", "the name of the tournament"),
        ("UPDATE meta SET key = 'x' WHERE key = 'spec_text'", "the spec_text of the tournament"),
        ("UPDATE players SET name = 'delta' WHERE number = 1", "a row of the table players"),
        ("DELETE FROM players WHERE number = 2", "a row of the table players"),
        ("UPDATE sessions SET workers = 9", "a row of the table sessions"),
        ("UPDATE events SET text = 'x' WHERE number = 2", "a row of the table events"),
        ("UPDATE events SET at = 'x' WHERE number = 2", "a row of the table events"),
    ],
)
def test_the_rest_of_a_journal_has_checksums_too(place: Path, sql: str, words: str) -> None:
    change(place, sql)
    with leaving_out(place, words) as journal:
        assert set(journal.events()) <= set(EVENTS)
        assert all(session in SESSIONS for session in journal.sessions())
        assert journal.header.names == ("alpha", "beta", "gamma")
        assert journal.header.name in ("example", "(damaged)")
        assert list(journal.rows()) == list(ROWS.values())


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
    """Read all there is of a journal; whether it is told that something is damaged."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ArenaWarning)
        try:
            with Journal.read(path) as journal:
                rows, light = list(journal.rows()), list(journal.rows(telemetry=False))
                events, sessions = journal.events(), journal.sessions()
                header, count, finished = journal.header, journal.count(), len(journal.finished)
        except ArenaError:
            return True
    is_noted = bool(caught)
    assert all(row == ROWS[row.number] for row in rows)
    assert all(story(row)[:9] == story(ROWS[row.number])[:9] for row in light)
    assert all(event in EVENTS for event in events)
    assert all(session in SESSIONS for session in sessions)
    if not is_noted:
        assert len(rows) == len(light) == count == finished == GAMES
        assert (events, sessions) == (EVENTS, SESSIONS)
        assert asdict(header) == asdict(make_header())
    return is_noted


def test_random_damages_are_told_and_never_read_as_something_else(
    tmp_path: Path, content: bytes
) -> None:
    path, noted = tmp_path / "games.db", 0
    for damaged, _ in zip(damages(content, Random(11)), range(150), strict=False):
        path.write_bytes(damaged)
        noted += look(path)
    assert 75 < noted < 150  # some change nothing that anybody reads


def test_a_journal_from_before_checksums_is_read_and_gets_them_when_a_run_goes_on(
    place: Path,
) -> None:
    before_checksums(place)
    journal, rows = read(place)
    assert rows == list(ROWS.values())
    assert not journal.has_checksums
    with Journal.open(place, make_header()) as again:
        assert again.has_checksums
        again.write(make_row(GAMES))
    journal, rows = read(place)
    assert rows == [*ROWS.values(), make_row(GAMES)]
    change(place, "UPDATE games SET result = 0 WHERE number = 3")
    with pytest.warns(ArenaWarning, match="game 3"):
        read(place)


@pytest.mark.parametrize(
    ("column", "value"),
    [("first", 9), ("moves", b"\x77"), ("moves", "x"), ("started", "x"), ("telemetry", b"1")],
)
def test_what_can_be_no_game_is_found_without_checksums(
    place: Path, column: str, value: object
) -> None:
    before_checksums(place)
    change(place, f"UPDATE games SET {column} = ? WHERE number = 20", value)
    with pytest.warns(ArenaWarning, match="game 20"):
        _, rows = read(place)
    assert len(rows) == GAMES - 1
    with pytest.raises(BadJournal, match="game 20"):
        Journal.open(place, make_header())


def test_a_checksum_tells_games_apart_that_are_nearly_the_same() -> None:
    one = make_row(1, reason="ab", detail="c", log="", opening=b"")
    others = [
        make_row(1, reason="a", detail="bc", log="", opening=b""),
        make_row(1, reason="ab", detail="", log="c", opening=b""),
        make_row(1, reason="ab", detail="c", log="", opening=one.moves[:1]),
        make_row(1, reason="ab", detail="c", log="", opening=b"", seconds=one.seconds + 1e-15),
    ]
    assert len({checksum_of_game(row) for row in [one, *others]}) == 5


def test_the_doctor_tells_what_is_sound_and_how_to_save_it(tmp_path: Path, place: Path) -> None:
    well = run("doctor", str(place))
    assert well.exit_code == 0, well.output
    assert f"{GAMES} sound games, by checksum" in well.stdout
    assert well.stdout.rstrip().endswith("Sound.")
    change(place, "UPDATE games SET result = 0 WHERE number IN (7, 9) OR result = 0")
    change(place, "UPDATE games SET detail = 'x' WHERE number IN (7, 9)")
    answer = run("doctor", str(place), "--json")
    assert answer.exit_code == 1
    (games,) = (each for each in json.loads(answer.stdout)["findings"] if each["topic"] == "games")
    assert (games["state"], games["data"]["damaged"]) == ("problem", [7, 9])
    assert games["data"]["sound"] == GAMES - 2
    ill = run("doctor", str(place))
    assert "damaged: 2 games (7, 9)" in ill.stdout
    assert f"arena games {place} --export sound.jsonl" in ill.stdout.replace("\n", "")
    assert "Not sound: 1 problem." in ill.stdout

    sound, saved = tmp_path / "sound.jsonl", tmp_path / "saved.db"
    exported = run("games", str(place), "--export", str(sound))
    assert exported.exit_code == 0
    assert f"arena: {place} is damaged, and this is left out: 2 games (7, 9)" in exported.stderr
    assert run("games", "--import", str(sound), "--into", str(saved)).exit_code == 0
    with Journal.open(saved, make_header()) as journal:
        assert set(range(GAMES)) - set(journal.finished) == {7, 9}


def test_the_doctor_replays_games_from_before_checksums(place: Path) -> None:
    before_checksums(place)
    assert "by replaying" in run("doctor", str(place)).stdout
    change(place, "UPDATE games SET result = -result, moves = substr(moves, 1, 9) WHERE number = 4")
    change(place, "UPDATE games SET opening = x'', telemetry = x'' WHERE number = 4")
    ill = run("doctor", str(place))
    assert ill.exit_code == 1
    assert "damaged: game 4" in ill.stdout


def test_the_doctor_needs_a_journal(tmp_path: Path) -> None:
    assert run("doctor", str(tmp_path / "none.db")).exit_code == 2


def test_a_report_of_a_damaged_journal_says_what_is_left_out(place: Path) -> None:
    change(place, "UPDATE games SET result = 0, detail = 'x' WHERE number = 7")
    change(place, "DELETE FROM players WHERE number = 1")
    done = run("report", str(place), "--accuracy", "0", "--no-plots", "--html")
    assert done.exit_code == 0, done.output
    assert "damaged" in (place.parent / "report.md").read_text(encoding="utf-8")
    assert "a row of the table players, game 7" in done.stderr
