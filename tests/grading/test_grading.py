"""A class is graded: everybody by the same figures, and a broken bot costs only its own author."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from arena.cli.exits import BAD_INPUT, DONE, FAILED, PROBLEM
from arena.errors import ArenaError
from arena.grading.submissions import submissions
from arena.journal import Journal
from arena.tournament.load import is_grading, load, with_student
from arena.tournament.mistakes import BadSpec
from arena.tournament.yaml import read, read_text
from tests.cli.running import assert_one_sentence, run, run_json

CHOOSE = "    def choose(self, position, limits):\n        "
BOT = "from arena import Choice, Engine\n\n\nclass {}(Engine):\n" + CHOOSE
GOOD = BOT.format("Good") + (
    "wins = [c for c in position.legal if position.wins_with(c)]\n"
    "        return Choice((wins or position.legal)[0])\n"
)
BOTS = {
    "good": GOOD,
    "crash": BOT.format("Crash") + "return 1 / 0\n",
    "no_python": "def choose(:\n",
    "nothing": "x = 3\n",
    "exits": "import os\nos._exit(3)\n",
}
GRADING = """\
name: course
games: 2
openings: {random: 2}
patience: 2s
workers: 1
engines: [student, random]
expect:
  - {name: sound, losses: student, by: fault, at_most: 0, points: 2}
  - {name: takes wins, missed_wins: student, at_most: 0, points: 1}
"""


@pytest.fixture
def school(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "class"
    folder.mkdir()
    for name, text in BOTS.items():
        (folder / f"{name}.py").write_text(text)
    (folder / "_notes.py").write_text("1 / 0\n")
    (tmp_path / "grading.yaml").write_text(GRADING)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_everybody_is_graded_and_broken_bots_cost_nobody_else(school: Path) -> None:
    result = run("grade", "class", "--with", "grading.yaml")
    assert result.exit_code == FAILED, result.output
    with (school / "reports" / "course" / "grades.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert list(rows) == sorted(BOTS)
    assert [rows["good"][key] for key in ("points", "of", "sound")] == ["3.0", "3.0", "holds"]
    for broken in ("crash", "no_python", "nothing", "exits"):
        assert rows[broken]["sound"] == "fails", broken
        assert rows[broken]["first fault"], broken
    assert "division by zero (crash.py:6)" in rows["crash"]["first fault"]
    page = (school / "reports" / "course" / "grades.md").read_text(encoding="utf-8")
    assert 'crash.py", line 6, in choose' in page
    for name in BOTS:
        assert f"({name}/report.md)" in page
        report = (school / "reports" / "course" / name / "report.md").read_text(encoding="utf-8")
        assert "## Expectations" in report


def test_grading_again_plays_only_what_has_changed(school: Path) -> None:
    only = ["grade", "class", "--with", "grading.yaml", "--files", "[gn]o[ot]*.py", "--json"]
    before = {each["student"]: each for each in json.loads(run(*only).stdout)["grades"]}
    assert set(before) == {"good", "nothing"}
    (school / "class" / "nothing.py").write_text(GOOD.replace("Good", "Better"))
    after = {each["student"]: each for each in run_json(*only)["grades"]}
    assert after["good"] == before["good"]
    for name in ("good", "nothing"):
        with Journal.read(school / "reports" / "course" / name) as journal:
            assert len(journal.sessions()) == 1
    assert after["nothing"]["points"] == 3
    assert after["nothing"]["passed"]


def test_escapes_in_names_of_files_are_spelt_out(school: Path) -> None:
    (school / "class" / "a\x1b[31m\nb.py").write_text(GOOD)
    result = run("grade", "class", "--with", "grading.yaml", "--files", "a*.py")
    assert "\x1b" not in result.output
    assert "a\\x1b[31m b: " in result.output
    grades = (school / "reports" / "course" / "grades.csv").read_text(encoding="utf-8")
    assert grades.splitlines()[1].startswith("a\\x1b[31m b,")


def test_two_students_cannot_share_a_name(school: Path) -> None:
    (school / "class" / "ann").mkdir()
    for name in ("ann/bot.py", "ann-bot.py"):
        (school / "class" / name).write_text(GOOD)
    result = run("grade", "class", "--with", "grading.yaml", "--files", "**/*.py")
    assert result.exit_code == BAD_INPUT
    both = "class/ann/bot.py and class/ann-bot.py"
    assert f"two students would be called 'ann-bot': {both}; rename one" in result.output.replace(
        "class/ann-bot.py and class/ann/bot.py", both
    )


def test_a_class_of_one_that_passes_ends_well(school: Path) -> None:
    junit = school / "verdicts.xml"
    words = ["grade", "class/good.py", "--with", "grading.yaml", "--junit", str(junit)]
    assert run(*words).exit_code == DONE
    assert 'tests="2" failures="0"' in junit.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere", "--with", "grading.yaml"], "nowhere is no folder; expected one with a file"),
        (["class", "--with", "grading.yaml", "--files", "*.x"], "no file of class fits '*.x'; --f"),
        (["class", "--with", "grading.yaml", "--kind", "kagle"], "did you mean 'kaggle'?"),
        (["class", "--with", "none.yaml"], "none.yaml expects nothing; add expect: and figures"),
        (["class", "--with", "other.yaml"], "other.yaml:1:10: engines: no engine is the student;"),
        (["class", "--with", "wrong.yaml"], "wrong.yaml:3:13: expect[0].score: no player is call"),
        (["class", "--with", "absent.yaml"], "absent.yaml"),
    ],
)
def test_bad_input_is_told_before_anybody_plays(
    school: Path, words: list[str], sentence: str
) -> None:
    (school / "none.yaml").write_text("engines: [student, random]\n")
    (school / "other.yaml").write_text("engines: [random, reflex]\nexpect: []\n")
    wrong = "engines: [student, random]\nexpect:\n  - {score: studnt, at_least: 1%}\n"
    (school / "wrong.yaml").write_text(wrong)
    result = run("grade", *words)
    assert result.exit_code == BAD_INPUT
    assert sentence in result.stderr
    assert_one_sentence(result)
    assert not (school / "reports").exists()


def test_a_grading_file_is_validated_but_not_run(school: Path) -> None:
    assert "ok: student, 2 engines, 2 games" in run("check", "grading.yaml").stdout
    result = run("run", "grading.yaml")
    assert result.exit_code == BAD_INPUT
    assert "is a grading file; arena grade FOLDER --with it takes it" in result.stderr


def test_the_student_has_the_options_and_limits_of_its_entry() -> None:
    text = "engines:\n  - {engine: student, limits: {depth: 2}}\n  - random\nformat: round-robin\n"
    document = read_text(text, Path("g.yaml"))
    assert is_grading(document)
    data = with_student(document, "bot.py", "anna", Path("out")).data
    assert data["engines"][0] == {"name": "student", "engine": "bot.py", "limits": {"depth": 2}}
    assert (data["format"], data["broken"]) == ("round-robin", "forfeit")
    assert (data["name"], data["output"]) == ("anna", "out")
    assert document.data["engines"][0]["engine"] == "student"


def test_files_in_folders_are_told_apart(tmp_path: Path) -> None:
    for name in ("anna", "bert", ".git", "_old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").touch()
    names = [each.name for each in submissions(tmp_path, "*/bot.py")]
    assert names == ["anna-bot", "bert-bot"]
    with pytest.raises(ArenaError, match="no file of"):
        submissions(tmp_path)


def test_the_ready_grading_file_is_right() -> None:
    path = Path(__file__).parents[2] / "tournaments" / "course" / "grading.yaml"
    assert is_grading(read(path))
    with pytest.raises(BadSpec, match="is a grading file"):
        load(path)


def test_a_class_has_the_same_grades_on_a_cluster(school: Path) -> None:
    for name in ("no_python", "nothing"):
        (school / "class" / f"{name}.py").unlink()
    run("grade", "class", "--with", "grading.yaml", "--out", "here")
    result = run("grade", "class", "--with", "grading.yaml", "--out", "far", "--cluster", "local:1")
    assert result.exit_code == FAILED, result.output
    here, far = ((school / place / "grades.csv").read_text() for place in ("here", "far"))
    assert far == here


def test_a_cluster_that_is_not_there_is_no_students_fault(school: Path) -> None:
    address = "tcp://127.0.0.1:1"
    result = run("grade", "class", "--with", "grading.yaml", "--cluster", address)
    assert result.exit_code == BAD_INPUT
    assert_one_sentence(result, f"no scheduler answers at {address}")
    assert not (school / "reports").exists()


def test_the_student_is_the_entry_of_the_file_whatever_the_names_are(school: Path) -> None:
    (school / "old.py").write_text(BOTS["crash"])
    (school / "named.yaml").write_text(
        "name: course\noutput: results\ngame: 4x4\ngames: 2\nworkers: 1\nformat: round-robin\n"
        "engines:\n  - {engine: old.py, name: student-2023}\n"
        "  - {engine: student, name: candidate, limits: {depth: [1, 2]}}\n"
        "expect: [{losses: candidate at depth=2, by: fault, at_most: 0}]\n"
    )
    (good,) = run_json("grade", "class/good.py", "--with", "named.yaml")["grades"]
    assert (good["games"], good["score"], good["mistakes"]) == (4, 1.0, [])
    assert (school / "results" / "good" / "report.md").is_file()
    assert not (school / "reports").exists()
    result = run("grade", "old.py", "--with", "named.yaml", "--json")
    (same,) = json.loads(result.stdout)["grades"]  # its own file is the opponent
    assert same["games"] == 4
    assert {words.partition(":")[0] for words in same["mistakes"]} == {
        "candidate at depth=1", "candidate at depth=2"
    }  # fmt: skip


def test_a_mistake_is_the_losers_whatever_the_names_are(school: Path) -> None:
    (school / "grading.yaml").write_text(
        "game: 4x4\ngames: 2\nengines: [student, {engine: random, name: 'student: "
        "ZeroDivisionError'}]\nexpect: [{losses: student, by: fault, at_most: 0}]\n"
    )
    result = run("grade", "class/crash.py", "--with", "grading.yaml", "--json")
    (crash,) = json.loads(result.stdout)["grades"]
    assert crash["mistakes"] == ["ZeroDivisionError: division by zero (crash.py:6)"]


def test_the_page_says_what_is_expected_and_who_handed_in_the_same_file(school: Path) -> None:
    (school / "class" / "best.py").write_text(GOOD.replace("\n", "\r\n"))
    only = ["grade", "class", "--with", "grading.yaml", "--files", "[bn]*.py", "--json"]
    (school / "class" / "nice.py").write_text(GOOD)
    grades = {each["student"]: each for each in json.loads(run(*only).stdout)["grades"]}
    assert {name: each["identical_to"] for name, each in grades.items()} == {
        "best": ["nice"], "nice": ["best"], "no_python": [], "nothing": []
    }  # fmt: skip
    page = (school / "reports" / "course" / "grades.md").read_text(encoding="utf-8")
    assert "4 students: 2 passed, 2 failed; best and nice are identical." in page
    assert "| student | result | points | of | score | faults | sound | takes wins |" in page


def test_variants_of_the_student_do_not_meet_each_other(school: Path) -> None:
    (school / "grading.yaml").write_text(
        "game: 4x4\ngames: 2\nengines: [{engine: student, limits: {depth: [1, 2]}}, random]\n"
        "expect: [{games: all, at_least: 4}, {games: all, at_most: 4}]\n"
    )
    (good,) = run_json("grade", "class/good.py", "--with", "grading.yaml")["grades"]
    assert good["games"] == 4


def test_options_of_the_student_are_those_of_its_own_code(school: Path) -> None:
    option = BOT.format("Good").replace("    def choose", "    width: int = 1\n\n    def choose")
    (school / "class" / "wide.py").write_text(f"{option}return Choice(position.legal[0])\n")
    (school / "grading.yaml").write_text(
        "game: 4x4\ngames: 2\nengines: [{engine: student, options: {width: [1, 2]}}, random]\n"
        "expect: [{losses: student width=2, by: fault, at_most: 0}]\n"
    )
    (wide,) = run_json("grade", "class/wide.py", "--with", "grading.yaml")["grades"]
    assert (wide["games"], wide["result"]) == (4, "passed")
    other = run("grade", "class/good.py", "--with", "grading.yaml")
    assert other.exit_code == 4
    assert "unknown option 'width'" in " ".join(other.output.split())


def test_an_expectation_that_is_undecided_is_not_passed(school: Path) -> None:
    unsure = "  - {score: student, at_least: 60%, confidence: 0.99}\n"
    (school / "grading.yaml").write_text(GRADING + unsure)
    result = run("grade", "class/good.py", "--with", "grading.yaml")
    assert result.exit_code == PROBLEM, result.output
    assert "1 student: 1 undecided" in result.stdout
    page = (school / "reports" / "course" / "grades.md").read_text(encoding="utf-8")
    assert "| good | undecided |" in page
    assert "?: undecided" in page
    with (school / "reports" / "course" / "grades.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["result"] == "undecided"
    result = run("grade", "class/good.py", "--with", "grading.yaml", "--json")
    assert not json.loads(result.stdout)["grades"][0]["passed"]


@pytest.mark.parametrize("isolation", ["seat", "none"])
def test_a_bot_that_hangs_does_not_answer_in_time(school: Path, isolation: str) -> None:
    sleep = "import time; time.sleep(1000 * (position.ply > 2))\n        "
    (school / "class" / "hangs.py").write_text(BOT.format("Hangs") + sleep + "return Choice(0)\n")
    (school / "grading.yaml").write_text(
        f"games: 2\nopenings: {{random: 2}}\npatience: 300ms\nworkers: 1\nisolation: {isolation}\n"
        "engines: [student, random]\n"
        "expect: [{time: student, take: p95, at_most: 100ms}]\n"
    )
    result = run("grade", "class/hangs.py", "--with", "grading.yaml", "--json")
    (hangs_grade,) = json.loads(result.stdout)["grades"]
    (ruling,) = hangs_grade["expectations"]
    assert ruling["verdict"] == "fails"
    assert ruling["measured"] > 0.2
    assert result.exit_code == FAILED
