"""Games as JSON lines, which are read back to the same journal, as plain data and as CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.journal import BadJournal, Contestant, Event, Journal, JournalError, Session
from arena.journal.export import FIELDS, export, summary, write_csv
from arena.journal.imports import import_journal
from arena.table.game import Game
from arena.text import harmless
from arena.tournament.openings import SolvedOpening
from tests.journal.examples import fill, make_header, make_row, short_row

BOARDS = ("connect4", "score4", "5x4", "12x4", "9x6c5")
PLACES = {"python": "3.x", "cores": 2, "odd": [None, {"a": 1.5}]}


@st.composite
def rows(draw: st.DrawFn, game: str) -> Game:
    """Games with words of all kinds, and telemetry that is whole, missing or strange."""
    words = st.text(max_size=20).filter(lambda text: text.isascii() or _is_whole(text))
    changes: dict[str, Any] = {
        "detail": draw(words),
        "log": draw(words),
        "started": draw(st.floats(0, 1e10)),
        "seconds": draw(st.floats(0, 1e6)),
        "round": draw(st.integers(0, 2**40)),
    }
    strange = draw(st.none() | st.just(b"") | st.binary(max_size=30))
    if strange is not None:
        changes["telemetry"] = strange
    return make_row(draw(st.integers(0, 2**40)), game, **changes)


def _is_whole(text: str) -> bool:
    return all(not 0xD800 <= ord(char) < 0xE000 for char in text)


journals = st.sampled_from(BOARDS).flatmap(
    lambda game: st.tuples(
        st.just(game),
        st.lists(rows(game), max_size=5, unique_by=lambda row: row.number),
        st.lists(st.builds(Event, st.floats(0, 1e10), st.just("lost"), st.just("table 1: Zürich"))),
        st.lists(
            st.builds(
                Session,
                st.just("arena run"),
                st.integers(1, 99),
                st.just(PLACES),
                st.floats(0, 1e10),
                st.none() | st.floats(0, 1e10),
                st.none() | st.just("interrupted"),
            )
        ),
    )
)


def content(path: Path) -> tuple[object, ...]:
    """All that a journal holds."""
    with Journal.read(path) as journal:
        return journal.header, journal.sessions(), journal.events(), list(journal.rows())


def export_to(path: Path, target: Path) -> int:
    with Journal.read(path) as journal, target.open("w", encoding="utf-8") as out:
        return export(journal, out)


@settings(max_examples=20)
@given(journals)
def test_there_and_back(example: tuple[str, list[Game], list[Event], list[Session]]) -> None:
    game, games, events, sessions = example
    with TemporaryDirectory() as name:
        place = Path(name)
        header = make_header(game, spec_text="name: é\nx: 1\n", environment=PLACES, seed=2**70)
        with Journal.open(place / "old.db", header) as journal, journal.together():
            for row in games:
                journal.write(row)
            for event in events:
                journal.add(event)
            for session in sessions:
                journal.add(session)
        assert export_to(place / "old.db", place / "all.jsonl") == len(games)
        assert import_journal(place / "all.jsonl", place / "new.db") == len(games)
        assert content(place / "new.db") == content(place / "old.db")
        assert content(place / "new.db")[3] == sorted(games, key=lambda row: row.number)
        export_to(place / "new.db", place / "again.jsonl")
        assert (place / "again.jsonl").read_bytes() == (place / "all.jsonl").read_bytes()


def test_a_run_resumes_from_an_imported_journal(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 3)
    openings = [SolvedOpening(3, (1, 2)), SolvedOpening(7, (0, 0)), SolvedOpening(9, None)]
    with Journal.open(tmp_path, make_header()) as journal:
        for opening in openings:
            journal.add(opening)
    export_to(tmp_path, tmp_path / "all.jsonl")
    import_journal(tmp_path / "all.jsonl", tmp_path / "new.db")
    with Journal.open(tmp_path / "new.db", make_header()) as journal:
        assert list(journal.finished) == [0, 1, 2]
        assert journal.solved_openings() == openings
        assert journal.events() == []
        journal.write(make_row(3))


def test_lines_are_strict_json_that_people_can_read(tmp_path: Path) -> None:
    out = StringIO()
    with Journal.open(tmp_path, make_header()) as journal:
        journal.write(short_row(4, "4141414", opening=bytes([3, 0]), reason="line"))
        export(journal, out)

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    first, game = (json.loads(line, parse_constant=refuse) for line in out.getvalue().splitlines())
    assert first["record"] == "journal"
    assert first["players"][1]["name"] == "beta"
    assert (game["record"], game["opening"], game["moves"]) == ("game", "41", "4141414")
    assert game["telemetry"] is None


def lines_of(tmp_path: Path) -> list[dict[str, Any]]:
    with Journal.open(tmp_path / "games.db", make_header()) as journal:
        journal.write(make_row(1))
        journal.write(short_row(2, "4141414"))
        out = StringIO()
        export(journal, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def import_lines(tmp_path: Path, lines: list[Any]) -> str:
    """Import these lines, which must fail and leave nothing; the sentence."""
    source, target = tmp_path / "bad.jsonl", tmp_path / "new.db"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    source.write_bytes("\n".join(texts).encode("utf-8", "surrogateescape"))
    before = sorted(tmp_path.iterdir())
    with pytest.raises(BadJournal) as refused:
        import_journal(source, target)
    assert sorted(tmp_path.iterdir()) == before
    return str(refused.value).replace(f"{source}:", "FILE:")


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        ({"first": 9}, "FILE:2: first is 9; the players are 0 to 2"),
        ({"number": 2}, "FILE:3: game 2 is there twice"),
        ({"number": -2}, "FILE:2: number is -2; expected greater than or equal to 0"),
        ({"number": "two"}, "FILE:2: number is 'two'; expected a valid integer"),
        ({"number": True}, "FILE:2: number is True; expected a valid integer"),
        ({"seed": 2**64}, "FILE:2: seed is 18446744073709551616; expected less than"),
        ({"seconds": "long"}, "FILE:2: seconds is 'long'; expected a valid number"),
        ({"seconds": 10**400}, "FILE:2: seconds is 1000"),
        ({"seconds": 1e200}, "FILE:2: seconds is 1e+200; expected less than"),
        ({"started": 1e20}, "FILE:2: started is 1e+20; expected seconds since 1970"),
        ({"started": float("nan")}, "FILE:2: started is nan; expected seconds since 1970"),
        ({"round": 2**63}, "FILE:2: round is 9223372036854775808; expected less than"),
        ({"started": float("inf")}, "FILE:2: started is inf; expected seconds since 1970"),
        ({"moves": "49"}, "FILE:2: column 9 in '49' is not on the board (1 to 7)"),
        ({"moves": "4444444", "opening": ""}, "FILE:2: "),
        ({"moves": "11", "opening": "2", "telemetry": None}, "do not begin with the opening"),
        ({"result": 5}, "FILE:2: result is 5; expected less than or equal to 1"),
        ({"telemetry": {"seconds": []}}, "FILE:2: telemetry is not what it should be"),
        ({"telemetry": "%%%"}, "FILE:2: telemetry is not what it should be"),
        ({"record": "gaem"}, "FILE:2: record is 'gaem'; expected 'session', 'event' or 'game'"),
    ],
)
def test_a_bad_game_is_named_with_its_line(
    tmp_path: Path, change: dict[str, Any], mistake: str
) -> None:
    header, game, other = lines_of(tmp_path)
    assert mistake in import_lines(tmp_path, [header, {**game, **change}, other])


@pytest.mark.parametrize("key", ["number", "first", "moves", "result", "log", "started"])
def test_a_missing_value_is_named(tmp_path: Path, key: str) -> None:
    header, game, other = lines_of(tmp_path)
    del game[key]
    assert import_lines(tmp_path, [header, game, other]) == f"FILE:2: {key} is missing"


def test_a_result_that_the_moves_contradict_is_named(tmp_path: Path) -> None:
    header, _, game = lines_of(tmp_path)
    mistake = import_lines(tmp_path, [header, {**game, "result": -1}])
    assert mistake == "FILE:2: result is -1, but the moves end with 1"


@pytest.mark.parametrize(
    ("spoil", "mistake"),
    [
        (lambda lines: lines[1:], "FILE:1: expected the tournament first"),
        (lambda lines: [], "FILE:1: an empty file"),
        (lambda lines: ["{"], "FILE:1: not a line of JSON"),
        (lambda lines: ["", "[1]"], "FILE:2: not a JSON object"),
        (lambda lines: ["\udcff"], "FILE:1: not text in UTF-8"),
        (lambda lines: [{**lines[0], "layout": 9}], "FILE:1: layout 9 is newer"),
        (lambda lines: [{**lines[0], "game": "chess"}], "FILE:1: unknown game 'chess'"),
        (
            lambda lines: [{**lines[0], "players": [1]}],
            "players.0 is 1; expected an object",
        ),
        (lambda lines: [lines[0], {"record": "event", "at": 1}], "FILE:2: kind is missing"),
        (lambda lines: [lines[0], {"record": "session"}], "FILE:2: command is missing"),
    ],
)
def test_a_bad_file_is_named(
    tmp_path: Path, spoil: Callable[[list[Any]], list[Any]], mistake: str
) -> None:
    assert mistake in import_lines(tmp_path, spoil(lines_of(tmp_path)))


def test_all_mistakes_are_listed_up_to_a_number(tmp_path: Path) -> None:
    header, game, _ = lines_of(tmp_path)
    mistake = import_lines(tmp_path, [header, "{", game, "oops"]).splitlines()
    assert [line.split(" ")[0] for line in mistake] == ["FILE:2:", "FILE:4:"]
    many = import_lines(tmp_path, [header] + ["oops"] * 99).splitlines()
    assert len(many) == 21
    assert many[-1] == "there may be more"


def test_a_byte_order_mark_and_empty_lines_do_no_harm(tmp_path: Path) -> None:
    lines = [json.dumps(line) for line in lines_of(tmp_path)]
    (tmp_path / "a.jsonl").write_text("\n\n".join(lines) + "\r\n", encoding="utf-8-sig")
    assert import_journal(tmp_path / "a.jsonl", tmp_path / "new.db") == 2


def test_nothing_is_overwritten_and_missing_files_are_named(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 1)
    export_to(tmp_path, tmp_path / "all.jsonl")
    with pytest.raises(JournalError, match="exists already"):
        import_journal(tmp_path / "all.jsonl", tmp_path / "games.db")
    with pytest.raises(JournalError, match="No such file"):
        import_journal(tmp_path / "nothing.jsonl", tmp_path / "new.db")
    with pytest.raises(JournalError, match="No such file"):
        import_journal(tmp_path / "all.jsonl", tmp_path / "nowhere" / "new.db")


# ---- plain data and CSV

HEADER = make_header(
    players=(
        Contestant("=cmd|' /C calc'!A0", "random", {}, ""),
        Contestant("two, words", "random", {}, ""),
    )
)


def test_a_summary_has_names_and_notation() -> None:
    row = short_row(4, "4141414", opening=b"\3\0", first=0, second=2, started=1_700_000_000.25)
    game = summary(row, make_header())
    assert list(game) == list(FIELDS)
    assert (game["first"], game["second"], game["winner"]) == ("alpha", "gamma", "alpha")
    assert (game["opening"], game["moves"], game["plies"]) == ("41", "4141414", 7)
    assert game["started"] == "2023-11-14T22:13:20.250+00:00"
    assert summary(short_row(1, "44", result=0), make_header())["winner"] is None


def test_csv_reads_back_and_formulas_are_harmless() -> None:
    rows = [
        short_row(1, "4141414", first=0, second=1, detail='a\nb, "c"'),
        short_row(2, "44", first=1, second=0, detail="@here"),
    ]
    out = StringIO()
    assert write_csv(rows, HEADER, out) == 2
    first, second = csv.DictReader(StringIO(out.getvalue()))
    assert first["first"] == "'=cmd|' /C calc'!A0"
    assert first["second"] == "two, words"
    assert first["detail"] == 'a\nb, "c"'
    assert second["detail"] == "'@here"
    assert float(first["seconds"]) == pytest.approx(rows[0].seconds, rel=1e-5)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1"])
def test_text_that_looks_like_a_formula(text: str) -> None:
    assert harmless(text) == "'" + text.replace("\t", " ").replace("\r", " ")
