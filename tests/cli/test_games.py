"""`arena games`: lists, filters, exports and imports."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from arena.journal import Journal
from arena.journal.transcripts import write_transcript
from tests.cli.running import assert_one_sentence, run, run_apart
from tests.journal.examples import fill, make_header, make_row, short_row


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a journal of four games, one of them lost by a fault."""
    place = tmp_path_factory.mktemp("games")
    with Journal.open(place, make_header()) as journal:
        journal.write(short_row(1, "4141414", first=0, second=1, round=1, opening=b"\3"))
        journal.write(short_row(2, "41414141"[:7], first=1, second=0, round=1))
        journal.write(short_row(3, "44", first=0, second=2, round=2, result=0, reason="max plies"))
        fault = {"reason": "exception", "result": -1, "detail": "alpha: KeyError \x1b[31m"}
        journal.write(replace(short_row(4, "4", first=0, second=2, round=2), **fault))  # type: ignore[arg-type]
    return place


def numbers(place: Path, *words: str) -> list[int]:
    """The games that a filter leaves."""
    result = run("games", str(place), *words, "--json")
    assert result.exit_code == 0, result.output
    return [json.loads(line)["number"] for line in result.stdout.splitlines()]


def test_games_are_listed_with_names_and_reasons(place: Path) -> None:
    result = run("games", str(place))
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "example · 7x6 connect 4"
    for word in ("game", "round", "first (X)", "second (O)", "result", "plies", "opening", "time"):
        assert word in lines[2]
    assert lines[3].split()[:8] == ["1", "1", "alpha", "beta", "1-0", "7", "4", lines[3].split()[7]]
    assert lines[3].endswith("line")
    assert "½-½" in lines[5]
    assert lines[6].endswith("exception")
    assert (
        lines[7].strip() == "alpha: KeyError \\x1b[31m"
    )  # spelt out, so that no screen is coloured
    assert lines[-1] == "4 games"
    assert "\x1b" not in result.stdout


def test_a_file_and_its_directory_are_the_same(place: Path) -> None:
    assert run("games", str(place)).stdout == run("games", str(place / "games.db")).stdout


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ([], [1, 2, 3, 4]),
        (["--player", "beta"], [1, 2]),
        (["--player", "alpha", "--result", "win"], [1]),
        (["--player", "alpha", "--result", "loss"], [2, 4]),
        (["--player", "alpha", "--result", "loss", "--opponent", "gamma"], [4]),
        (["--result", "draw"], [3]),
        (["--opponent", "gamma"], [3, 4]),
        (["--player", "beta", "--opponent", "gamma"], []),
        (["--reason", "line"], [1, 2]),
        (["--round", "2"], [3, 4]),
        (["--bad"], [4]),
        (["--most", "2"], [1, 2]),
        (["--most", "0"], []),
        (["--bad", "--round", "1"], []),
    ],
)
def test_filters(place: Path, words: list[str], left: list[int]) -> None:
    assert numbers(place, *words) == left


def test_how_many_of_all_are_shown(place: Path, tmp_path: Path) -> None:
    assert run("games", str(place), "--bad").stdout.endswith("\n1 of 4 games\n")
    Journal.open(tmp_path, make_header()).close()
    assert run("games", str(tmp_path)).stdout.endswith("no games yet\n")


def test_json_lines_tell_the_game(place: Path) -> None:
    result = run("games", str(place), "--json", "--most", "1")
    told = json.loads(result.stdout)
    assert (told["first"], told["winner"], told["moves"]) == ("alpha", "alpha", "4141414")


def test_csv_to_a_file_and_to_stdout(place: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.csv"
    result = run("games", str(place), "--csv", str(target))
    assert (result.stdout, result.stderr) == ("", f"4 games written to {target}\n")
    printed = run("games", str(place), "--csv", "-")
    assert printed.stdout == target.read_text(encoding="utf-8")
    rows = list(csv.DictReader(StringIO(printed.stdout)))
    assert [row["winner"] for row in rows] == ["alpha", "beta", "", "gamma"]
    assert [file.name for file in tmp_path.iterdir()] == ["games.csv"]


def test_export_and_import_give_the_same_journal(tmp_path: Path) -> None:
    rows = fill(tmp_path / "games.db", 20)
    export, new = tmp_path / "all.jsonl", tmp_path / "new.db"
    assert run("games", str(tmp_path), "--export", str(export)).exit_code == 0
    result = run("games", "--import", str(export), "--into", str(new))
    assert result.exit_code == 0, result.output
    assert result.stderr == f"{new} holds 20 games\n"
    with Journal.read(new) as journal:
        assert list(journal.rows()) == rows
        assert journal.header == make_header()
    again = run("games", str(new), "--export", "-")
    assert again.stdout == export.read_text(encoding="utf-8")


def test_an_export_to_a_csv_file_is_a_table(place: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.CSV"
    assert run("games", str(place), "--export", str(target)).exit_code == 0
    assert target.read_text(encoding="utf-8") == run("games", str(place), "--csv", "-").stdout


def test_a_time_that_is_no_date_is_not_imported(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 1)
    export = run("games", str(tmp_path), "--export", "-").stdout
    header, game = export.splitlines()
    for line in (header, game):
        name = "created" if line is header else "started"
        for bad in ("1e20", "-1e20"):
            changed = re.sub(rf'"{name}":[0-9.]+', f'"{name}":{bad}', line)
            source = tmp_path / "bad.jsonl"
            source.write_text(export.replace(line, changed), encoding="utf-8")
            result = run("games", "--import", str(source), "--into", str(tmp_path / "new.db"))
            assert_one_sentence(result, f"{name} is ", "expected seconds since 1970")


def test_escapes_in_names_of_files_are_spelt_out(place: Path, tmp_path: Path) -> None:
    export, new = str(tmp_path / "a\x1b[31m\n.jsonl"), str(tmp_path / "b\x1b[31m\n.db")
    for words in (["games", str(place), "--export", export],
                  ["games", "--import", export, "--into", new]):  # fmt: skip
        result = run(*words)
        assert result.exit_code == 0, result.output
        assert "\\x1b[31m" in result.stderr
        assert "\x1b" not in result.stderr
        assert result.stderr.count("\n") == 1
    for words in (["games", str(place), "--export", str(tmp_path / "no\n/a.csv")],
                  ["games", "no\nwhere"],
                  ["run", "no\nwhere.yaml"]):  # fmt: skip
        result = run(*words)
        assert_one_sentence(result, "no")
        assert result.stderr.count("\n") == 1


def test_an_export_may_be_a_part(tmp_path: Path) -> None:
    rows = fill(tmp_path / "games.db", 20)
    part = tmp_path / "part.jsonl"
    run("games", str(tmp_path), "--player", "alpha", "--export", str(part))
    run("games", "--import", str(part), "--into", str(tmp_path / "new.db"))
    with Journal.read(tmp_path / "new.db") as journal:
        assert list(journal.rows()) == [row for row in rows if 0 in (row.first, row.second)]


def test_bad_lines_are_told_with_file_and_line(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 2)
    export = tmp_path / "all.jsonl"
    run("games", str(tmp_path), "--export", str(export))
    export.write_text(export.read_text() + "oops\n")
    result = run("games", "--import", str(export), "--into", str(tmp_path / "new.db"))
    assert_one_sentence(result, f"{export}:4: not a line of JSON")
    assert not (tmp_path / "new.db").exists()


def transcripts(place: Path, *numbers: int) -> str:
    with Journal.read(place) as journal:
        games = [journal.row(number) for number in numbers]
        return "".join(write_transcript(game, journal.header) for game in games)


def test_transcripts_become_a_journal(place: Path, tmp_path: Path) -> None:
    source, new = tmp_path / "all.txt", tmp_path / "new.db"
    source.write_text(transcripts(place, 1, 2, 4), encoding="utf-8")
    result = run("games", "--import", str(source), "--into", str(new), "--game", "7x6")
    assert result.exit_code == 0, result.output
    assert result.stderr.splitlines() == [
        f"{source}:22: recorded as won by 'gamma', but the game is not over on the board",
        f"{new} holds 3 games",
    ]
    assert transcripts(new, 2) == transcripts(place, 2)
    assert "1-0" in run("games", str(new), "1").stdout


def test_transcripts_of_another_board_need_its_name(place: Path, tmp_path: Path) -> None:
    source, new = tmp_path / "game.txt", tmp_path / "new.db"
    source.write_text(transcripts(place, 2).replace("0, 0", "6, 0"), encoding="utf-8")
    words = ["games", "--import", str(source), "--into", str(new)]
    assert_one_sentence(run(*words), f"{source}:5: 6, 0 is not on 4x4x4", "--game names another")
    assert_one_sentence(run(*words, "--game", "chess"), "unknown game 'chess'")
    export = tmp_path / "all.jsonl"
    run("games", str(place), "--export", str(export))
    words = ["games", "--import", str(export), "--into", str(new), "--game", "7x6"]
    assert_one_sentence(run(*words), "is an export and names its own board")
    assert not new.exists()


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--game", "7x6"], "--game cannot be used with a journal"),
        (["--player", "alfa"], "unknown player 'alfa'; did you mean 'alpha'?"),
        (["--opponent", "x"], "unknown player 'x'; expected one of alpha, beta, gamma"),
        (["--result", "won"], "unknown result 'won'"),
        (["--result", "win"], "--result win needs --player"),
        (["--reason", "tmie"], "unknown reason 'tmie'; did you mean 'time'?"),
        (["1", "--bad"], "--bad cannot be used with one game"),
        (["--json", "--csv", "x.csv"], "--json and --csv do not go together"),
        (["9"], "game 9 is not in"),
        (["--import", "x", "--into", "new.db"], "JOURNAL cannot be used with --import"),
    ],
)
def test_mistakes_are_one_sentence(place: Path, words: list[str], part: str) -> None:
    assert_one_sentence(run("games", str(place), *words), part)


def test_journals_that_are_none(tmp_path: Path) -> None:
    assert_one_sentence(run("games", "--into", "new.db"), "--import FILE and --into NEW belong")
    assert_one_sentence(run("games", str(tmp_path)), "there is no journal", "games.db")
    (tmp_path / "x.txt").write_text("words " * 200)
    assert_one_sentence(run("games", str(tmp_path / "x.txt")), "is not a journal")


def test_output_never_overwrites_a_journal(place: Path, tmp_path: Path) -> None:
    for option in ("--csv", "--export"):
        result = run("games", str(place), option, str(place / "games.db"))
        assert_one_sentence(result, "is a journal or database")
        assert_one_sentence(run("games", str(place), option, str(tmp_path)), "is a directory")
        missing = str(tmp_path / "no" / "where.csv")
        assert_one_sentence(run("games", str(place), option, missing), "cannot be written")
    assert numbers(place) == [1, 2, 3, 4]
    assert list(tmp_path.iterdir()) == []


def test_a_tournament_file_stands_for_its_journal(tmp_path: Path) -> None:
    file = tmp_path / "cup.yaml"
    file.write_text(f"engines: [random, reflex]\noutput: {tmp_path}/out\n")
    assert_one_sentence(run("games", str(file)), "has not been run: there is no journal")
    fill(tmp_path / "out" / "games.db", 2)
    assert numbers(file) == [0, 1]


def test_names_that_are_long_or_strange_keep_the_table_whole(tmp_path: Path) -> None:
    header = make_header()
    players = tuple(
        replace(player, name=f"{'very ' * 12}long \n name {number}")
        for number, player in enumerate(header.players)
    )
    with Journal.open(tmp_path, replace(header, players=players)) as journal:
        journal.write(make_row(1))
    lines = run("games", str(tmp_path)).stdout.splitlines()
    assert len(lines) == 6
    assert max(map(len, lines)) <= 100


def test_a_reader_that_has_seen_enough_hears_no_complaint(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 300)  # more than a pipe holds
    command = [sys.executable, "-m", "arena", "games", str(tmp_path), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"number": 0')
        process.stdout.close()
        assert process.stderr.read() == b""


def test_plain_words_where_the_output_knows_no_unicode(place: Path) -> None:
    done = run_apart("games", str(place), PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert " draw " in done.stdout
