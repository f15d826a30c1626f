"""`arena run`: to the end, again, changed, stopped by a rule, or not at all."""

from __future__ import annotations

import csv
import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cli.run import exiting_on_signals
from arena.dashboard import plain
from arena.journal import Journal
from arena.journal.export import summary
from arena.table import local
from tests.cli.running import assert_one_sentence, run, run_json

BOTS = Path(__file__).parents[1] / "table" / "bots.py"


def tournament(folder: Path, text: str = "", games: int = 6) -> str:
    """A small tournament of two quick engines, in a file."""
    file = folder / "small.yaml"
    engines = "" if text.startswith("engines:") else "engines: [random, reflex]\n"
    common = f"name: small\ngames: {games}\nworkers: 1\noutput: {folder / 'out'}\n"
    file.write_text(common + engines + text)
    return str(file)


@pytest.fixture(autouse=True)
def without_plots(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plots take longer than all these games; the first test alone draws them."""
    if request.function is not test_a_run_ends_with_standings_and_says_where_the_games_are:
        monkeypatch.setattr("arena.report.write.can_plot", lambda: False)


def test_a_run_ends_with_standings_and_says_where_the_games_are(tmp_path: Path) -> None:
    result = run("run", tournament(tmp_path))
    assert result.exit_code == 0, result.output
    assert "reflex" in result.stdout
    assert "Finished: all games are played" in result.stdout
    assert str(tmp_path / "out" / "games.db") in result.stdout.replace("\n", "")
    with Journal.read(tmp_path / "out") as journal:
        assert journal.count() == 6
        assert [session.why for session in journal.sessions()] == ["all games are played"]
    assert (tmp_path / "out" / "plots" / "crosstable.svg").is_file()


def test_the_report_of_a_run_has_the_sections_that_are_named(tmp_path: Path) -> None:
    file = tournament(tmp_path, games=2)
    words = ("run", file, "--sections")
    assert_one_sentence(run(*words, "standing"), "unknown section 'standing'; did you mean 'Stan")
    assert not (tmp_path / "out").exists(), "told before the first game"
    assert run(*words, "standings, seats-and-the-first-move").exit_code == 0
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    titles = [line for line in text.splitlines() if line.startswith("## ")]
    assert titles == ["## Standings", "## Seats and the first move"]


def test_the_recorded_command_can_be_pasted_into_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my cups; $HOME"
    folder.mkdir()
    words = ["run", tournament(folder, games=2), "--accuracy", "0"]
    monkeypatch.setattr("sys.argv", ["/somewhere/arena", *words])
    assert run(*words).exit_code == 0
    with Journal.read(folder / "out") as journal:
        command = next(iter(journal.sessions())).command
    assert shlex.split(command) == ["arena", *words]
    assert command in (folder / "out" / "report.md").read_text(encoding="utf-8")


def test_an_engine_that_fails_the_check_is_told_with_its_own_lines(tmp_path: Path) -> None:
    bot = tmp_path / "my_bot.py"
    bot.write_text(
        "from arena import Engine\n\n\nclass Bot(Engine):\n"
        "    def choose(self, position, limits):\n        return 1 / 0\n"
    )
    result = run("run", tournament(tmp_path, f"engines: [random, '{bot}']\n"))
    assert result.exit_code == 2
    sentence, _, frames = result.stderr.partition("arena: ")[2].partition("\n")
    assert "division by zero (my_bot.py:6); the tournament does not start" in sentence
    assert [line for line in frames.splitlines() if "File" in line] == [
        '  File "my_bot.py", line 6, in choose'
    ]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("format: {kind: knockout, tiebreaks: 0}\nopenings: {random: 2}\nseed: 21\n", ["reached"]),
        ("format: {kind: swiss, rounds: 2}\n", ["with_byes", "buchholz"]),
        ("format: gauntlet\n", []),
    ],
    ids=["knockout", "swiss", "gauntlet"],
)
def test_one_order_is_shown_everywhere(tmp_path: Path, text: str, own: list[str]) -> None:
    players = "engines: [{engine: random, name: A}, {engine: random, name: B}, "
    players += "{engine: reflex, name: C}, {engine: random, name: D}, {engine: random, name: E}]\n"
    file, events = tournament(tmp_path, players + text, games=4), tmp_path / "events"
    data = run_json("run", file, "--accuracy", "0", "--events", str(events))
    order = [row["engine"] for row in data["standings"]]
    assert [row["place"] for row in data["standings"]] == [1, 2, 3, 4, 5]
    assert all(list(row)[2 : 2 + len(own)] == own for row in data["standings"])
    assert all(row["error"] > 0 for row in data["standings"])
    assert sum(row["elo"] for row in data["standings"]) == pytest.approx(0, abs=0.05)

    ended = json.loads(events.read_text().splitlines()[-1])
    assert (ended["standings"], ended["champion"]) == (data["standings"], data["champion"])
    table = run("run", file, "--accuracy", "0").stdout
    lines = [line.split() for line in table.splitlines()]
    assert [words[1] for words in lines if words and words[0] in "12345"] == order
    assert any("Elo" in words for words in lines)
    report = run_json("report", str(tmp_path / "out"), "--accuracy", "0", "--no-plots")
    assert [row["engine"] for row in report["standings"]] == order
    with (tmp_path / "out" / "standings.csv").open(encoding="utf-8", newline="") as lines_:
        rows = list(csv.DictReader(lines_))
    assert [row["engine"] for row in rows] == order
    assert [float(row["elo"]) for row in rows] == pytest.approx(
        [row["elo"] for row in data["standings"]], abs=0.01
    )
    assert [float(row["elo_ci95"]) for row in rows] == pytest.approx(
        [row["error"] for row in data["standings"]], abs=0.01
    )
    rated = run_json("rate", str(tmp_path / "out" / "games.csv"))["players"]
    assert {row["player"]: row["error"] for row in rated} == pytest.approx(
        {row["engine"]: float(row["elo_ci95"]) for row in rows}, abs=0.01
    )
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    standing = page.partition("## Standings")[2].partition("## ")[0]
    assert [line.split("|")[2].strip() for line in standing.splitlines()[4:9]] == order
    if own == ["reached"]:
        assert data["champion"] == order[0]
        assert data["standings"][0]["elo"] < data["standings"][1]["elo"]
        assert f"Champion: {order[0]}" in table
        assert f"{order[0]} won the knockout of 5 engines" in page
    else:
        assert data["champion"] is None


def test_standings_as_json(tmp_path: Path) -> None:
    data = run_json("run", tournament(tmp_path))
    assert data["ending"] == "finished"
    assert sum(row["points"] for row in data["standings"]) == 6
    again = run_json("run", str(tmp_path / "small.yaml"))
    assert again["why"] == "all games are played already"
    assert again["standings"] == data["standings"]


def test_a_question_may_be_asked_when_the_games_are_played(tmp_path: Path) -> None:
    data = run_json("run", tournament(tmp_path, games=40), "--accuracy", "0")
    assert "question" not in data
    asked = "question: {{ask: 'Does it pay?', better: {}}}\n"
    yes = run("run", tournament(tmp_path, asked.format("reflex"), games=40), "--accuracy", "0")
    assert "Does it pay? Yes: reflex scores" in yes.stdout.replace("\n", " ")
    no = tournament(tmp_path, asked.format("random"), games=40)
    data = run_json("run", no, "--accuracy", "0")
    assert data["why"] == "all games are played already"
    assert data["question"]["verdict"] == "no"
    assert run("report", str(tmp_path / "out"), "--sections", "all", "--no-plots").exit_code == 0
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert page.splitlines()[4].startswith("Does it pay? No: random scores")
    assert "better: random" in page  # the file as it is now


def test_a_changed_file_is_refused_and_new_sets_the_old_games_aside(tmp_path: Path) -> None:
    assert run("run", tournament(tmp_path)).exit_code == 0
    changed = tournament(tmp_path, "seed: 99\n")
    assert_one_sentence(run("run", changed), "seed", "99", "--new")
    assert run("run", changed, "--new").exit_code == 0
    assert len(list((tmp_path / "out").glob("games*.db"))) == 2


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    file = tournament(tmp_path, "limits: {seconds: 1}\n")
    result = run("run", file, "--dry-run")
    assert result.exit_code == 0
    assert "6 games on 1 worker," in result.stdout
    assert "at most 4:12" in result.stdout  # 6 games of 42 plies of a second
    assert not (tmp_path / "out").exists()
    plan = json.loads(run("run", file, "--dry-run", "--json").stdout)
    assert plan["games"] == 6
    assert len(plan["first_games"]) == 2


def test_a_learner_is_told_of_before_and_after_the_games(tmp_path: Path) -> None:
    bot = Path(__file__).parents[1] / "support" / "bots" / "good.py:Imitator"
    text = f'engines: [random, {{engine: "{bot}", name: pupil}}]\nlimits: {{seconds: 1}}\n'
    file = tournament(tmp_path, text)
    planned = run("run", file, "--dry-run", "--workers", "4").stdout
    assert "pupil learns: its games are played one after another." in planned
    assert "at most 4:12" in planned  # as on one table
    assert run("run", file).exit_code == 0
    report = (tmp_path / "out" / "report.md").read_text()
    learning = report.partition("\n## Learning\n")[2].partition("\n## ")[0]
    assert "pupil learns from game to game; the other does not." in learning
    assert "| engine | games | first fifth |" in learning


def test_a_tournament_does_not_start_with_an_engine_that_cannot(tmp_path: Path) -> None:
    engines = f"engines: [random, '{BOTS}:Cheats']\n"
    result = run("run", tournament(tmp_path, engines))
    assert result.exit_code == 2
    assert "column 100 (99 counted from 0) is not on the board" in result.stderr
    assert "the tournament does not start" in result.stderr
    assert "Traceback" not in result.output


def test_a_test_that_is_decided_stops_the_run_and_stays_decided(tmp_path: Path) -> None:
    text = "stop: {sprt: {engines: [reflex, random], elo0: 0, elo1: 100}}\n"
    file = tournament(tmp_path, text, games=2000)
    data = run_json("run", file)
    assert data["ending"] == "decided"
    assert "SPRT: H1 accepted, reflex is at least about +100 Elo" in data["why"]
    assert data["games"] < 1000
    again = run_json("run", file)
    assert (again["ending"], again["why"]) == (data["ending"], data["why"])


def test_adjudication_ends_long_games(tmp_path: Path) -> None:
    run("run", tournament(tmp_path, "adjudication: {max_plies: 5}\n"))
    with Journal.read(tmp_path / "out") as journal:
        assert {row.reason for row in journal.rows()} == {"max plies"}
        assert {len(row.moves) for row in journal.rows()} == {5}


def test_what_went_wrong_in_a_game_is_told(tmp_path: Path) -> None:
    engines = f"engines: [random, '{BOTS}:Raises']\n"
    result = run("run", tournament(tmp_path, engines, games=2))
    assert result.exit_code == 0
    assert "exception" in result.stderr
    assert "RuntimeError: it did not work" in result.stderr


def test_an_output_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("in the way")
    assert_one_sentence(run("run", tournament(tmp_path)), "out")


def test_quiet_says_nothing_but_the_standings(tmp_path: Path) -> None:
    result = run("run", tournament(tmp_path), "--quiet")
    assert result.stderr == ""
    assert "Finished" in result.stdout


def test_a_line_is_printed_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "LINE_EVERY", 0.0)
    result = run("run", tournament(tmp_path, games=4000), "--no-report")
    assert "small: 2 engines, 4,000 games, 1 worker\n" in result.stderr
    lines = [line for line in result.stderr.splitlines() if "/4,000 games" in line]
    assert lines
    assert all("reflex leads with" in line for line in lines)


def events(file: Path) -> list[dict[str, Any]]:
    """The lines of a stream."""
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_events_tell_everything_of_a_run_with_crashes(tmp_path: Path) -> None:
    engines = f"engines: [random, '{BOTS}:Exits', '{BOTS}:Raises']\n"
    stream = tmp_path / "events.jsonl"
    trusted = f"{engines}isolation: none\nopenings: {{random: 2}}\n"
    file = tournament(tmp_path, trusted, games=2)
    assert run("run", file, "--events", str(stream), "--no-report").exit_code == 0
    told = events(stream)
    names = [event["event"] for event in told]
    assert names[:4] == ["run began", *["player checked"] * 3]
    assert names[-1] == "run ended"
    assert names.count("game over") == 6
    assert names.count("table lost") == 3  # in one game the other bot fails before it leaves
    assert all("T" in event["at"] for event in told)
    _compare_games(told, tmp_path)
    began, ended = told[0], told[-1]
    assert (began["name"], began["format"], began["games"], began["done"], began["tables"]) == (
        "small", "round-robin", 6, 0, 1,
    )  # fmt: skip
    assert [event["engine"] for event in told[1:4]] == began["engines"]
    assert (ended["ending"], ended["games"], ended["of"]) == ("finished", 6, 6)
    assert sum(row["points"] for row in ended["standings"]) == 6


def _compare_games(told: list[dict[str, Any]], folder: Path) -> None:
    """What was told of each game is what the journal holds."""
    games = {event["number"]: event for event in told if event["event"] == "game over"}
    with Journal.read(folder / "out") as journal:
        for row in journal.rows():
            game = games.pop(row.number)
            expected = summary(row, journal.header)
            assert {key: game[key] for key in expected} == expected
            used = [move.seconds for move in row.move_records()]
            if row.reason == "crash":
                assert game["first_seconds"] is game["second_seconds"] is None
                lost = [e for e in told if e["event"] == "table lost" and e["game"] == row.number]
                assert "left with exit code 5" in lost[0]["why"]
            else:
                assert game["first_seconds"] == pytest.approx(sum(used[::2]))
                assert game["second_seconds"] == pytest.approx(sum(used[1::2]))
    assert not games


def test_events_of_a_run_that_goes_on_are_added(tmp_path: Path) -> None:
    stream = tmp_path / "events.jsonl"
    file = tournament(tmp_path)
    for _ in range(2):
        assert run("run", file, "--events", str(stream), "--no-report").exit_code == 0
    told = events(stream)
    assert [event["event"] for event in told].count("game over") == 6
    assert [e["done"] for e in told if e["event"] == "run began"] == [0, 6]
    assert told[-1]["why"] == "all games are played already"


def test_events_tell_why_a_run_stops_early(tmp_path: Path) -> None:
    text = "stop: {sprt: {engines: [reflex, random], elo0: 0, elo1: 100}}\n"
    stream = tmp_path / "events.jsonl"
    run("run", tournament(tmp_path, text, games=2000), "--events", str(stream), "--no-report")
    stopping = [event for event in events(stream) if event["event"] == "stopping"]
    assert ["SPRT: H1 accepted" in event["why"] for event in stopping] == [True]
    assert events(stream)[-1]["ending"] == "decided"


def test_events_tell_of_a_player_that_cannot_play(tmp_path: Path) -> None:
    stream = tmp_path / "events.jsonl"
    engines = f"engines: [random, '{BOTS}:Cheats']\n"
    assert run("run", tournament(tmp_path, engines), "--events", str(stream)).exit_code == 2
    *_, checked, ended = events(stream)
    assert "column 100 (99 counted from 0) is not on the board" in checked["wrong"]
    assert (ended["ending"], ended["why"]) == ("interrupted", "the run was stopped")


def test_events_on_stdout_have_it_to_themselves(tmp_path: Path) -> None:
    result = run("run", tournament(tmp_path), "--events", "-", "--no-report")
    assert len([json.loads(line) for line in result.stdout.splitlines()]) == 1 + 2 + 6 + 1
    assert "Finished: all games are played" in result.stderr
    refused = run("run", tournament(tmp_path), "--events", "-", "--json")
    assert_one_sentence(refused, "--events -", "--json")


def test_events_that_cannot_be_written_are_one_sentence(tmp_path: Path) -> None:
    result = run("run", tournament(tmp_path), "--events", str(tmp_path / "no" / "such" / "file"))
    assert_one_sentence(result, "cannot be written")
    assert not (tmp_path / "out").exists()


def test_what_is_ignored_stays_ignored() -> None:
    """`nohup arena run ...` outlives its terminal."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with exiting_on_signals():
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) != signal.SIG_DFL
            with pytest.raises(SystemExit) as leaving:
                signal.raise_signal(signal.SIGTERM)
        assert leaving.value.code == 143
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)


def test_games_that_could_not_be_played_are_told_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "PATIENT_ATTEMPTS", 2)
    engines = f'engines: [random, reflex, {{engine: "{BOTS}:KillsItself"}}]\nisolation: none\n'
    file = tournament(tmp_path, engines, games=2)
    result = run("run", file, "--plain")
    assert result.exit_code == 3, result.output
    with Journal.read(tmp_path / "out") as journal:
        played = {row.number for row in journal.rows()}
        unplayed = {event.text for event in journal.events() if event.kind == "game unplayed"}
    missing = sorted({1, 2, 3, 4, 5, 6} - played)
    assert len(missing) == 4
    assert unplayed == {f"game {n}: its worker was killed by SIGKILL 2 times" for n in missing}
    for number in missing:
        words = f"game {number} stays unplayed: its worker was killed by SIGKILL 2 times"
        assert words in result.stderr
    numbers = ", ".join(map(str, missing))
    assert f"Ended after 2 of 6 games: games {numbers} could not be played" in result.stdout
    assert f"Try again with: arena run {file}" in result.stdout
    data = json.loads(run("run", file, "--json", "--no-report").stdout)
    assert (data["ending"], data["games"]) == ("incomplete", 2)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the streams")
@pytest.mark.parametrize("closed", ["<&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_run_needs_neither_stdin_nor_stdout_nor_stderr(tmp_path: Path, closed: str) -> None:
    file = tournament(tmp_path, games=2)
    words = f"exec {shlex.quote(sys.executable)} -m arena run {shlex.quote(file)} --no-report"
    done = subprocess.run(["sh", "-c", f"{words} {closed}"], capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    with Journal.read(tmp_path / "out") as journal:
        assert journal.count() == 2
