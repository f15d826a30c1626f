"""`arena run --list`, full variants, and figures that are told alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.exits import BAD_INPUT
from arena.tournament.load import in_full_length, load, load_text
from arena.tournament.yaml import read_text
from tests.cli.running import assert_one_sentence, run, run_json
from tests.tournament.test_spec_mistakes import mistakes

STUDY = """\
# A study of nothing much, in seconds. And more
# of it.
#
# Details.

name: trial
about: Is reflex better than random?
games: 4
workers: 1
openings: {random: 2}
output: reports/studies/trial
full: {games: 8, openings: {random: 4}}
engines: [random, reflex]
figures:
  - {score: "*"}
expect:
  - {games: all, at_least: 4}
published:
  - {score: reflex against random, value: 90%, of: 10, source: table 1, note: Long ago.}
  - {score: reflex, at_least: 0, source: prose}
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("arena.report.write.can_plot", lambda: False)
    folder = tmp_path / "tournaments" / "studies"
    folder.mkdir(parents=True)
    (folder / "trial.yaml").write_text(STUDY)
    return folder / "trial.yaml"


def test_studies_are_listed_run_and_summed_up(place: Path) -> None:
    before = run("run", "--list")
    assert before.exit_code == 0
    assert "A study of nothing much, in seconds." in before.stdout
    assert "Here:" not in before.stdout
    none = run("report", "--summary", "reports/studies/README.md")
    assert none.exit_code == BAD_INPUT
    assert_one_sentence(none, "no study has been run here")

    assert run("run", str(place), "--accuracy", "0").exit_code == 0
    assert "Here: 4 games; claims: 1 x holds" in run("run", "--list").stdout
    (data,) = [row for row in run_json("run", "--list") if row["file"] == "studies/trial"]
    assert (data["name"], data["games_here"]) == ("trial", 4)
    assert [each["figure"] for each in data["figures"]] == ["score of random", "score of reflex"]

    assert run("report", "--summary", "reports/studies/README.md").exit_code == 0
    page = Path("reports/studies/README.md").read_text(encoding="utf-8")
    assert page.startswith("# Which claims of the sources hold?\n\n1 study replays experiments of")
    assert "Of 1 published number, 1 " in page
    assert "Of 1 worded claim, 1 holds." in page
    assert "[trial/report.md](trial/report.md)" in page
    assert "| table 1 | score of reflex against random | 90 % in 10 games |" in page
    assert "Long ago." in page
    assert "### Measured" in page


def test_figures_are_told_in_the_report(place: Path) -> None:
    run("run", str(place), "--accuracy", "0", "--sections", "figures")
    text = Path("reports/studies/trial/report.md").read_text(encoding="utf-8")
    assert "## Figures" in text
    assert "| score of reflex |" in text
    assert "## Standings" not in text


def test_a_full_variant_is_a_tournament_of_its_own(place: Path) -> None:
    usual, full = load(place), load(place, full=True)
    assert (usual.games, usual.openings.plies) == (4, 2)
    assert (full.games, full.openings.plies) == (8, 4)
    assert (full.name, str(full.output)) == ("trial-full", "reports/studies/trial-full")
    assert full.text == usual.text
    assert "8 games" in run("run", str(place), "--full", "--dry-run").stdout
    none = place.with_name("none.yaml")
    none.write_text("engines: [random, reflex]\n")
    assert_one_sentence(run("run", str(none), "--full"), "has no full variant; expected full: {")


def test_mistakes_of_a_full_variant_are_told_where_they_stand(place: Path) -> None:
    place.write_text(STUDY.replace("games: 8,", "games: x,"))
    result = run("check", str(place))
    assert result.exit_code == BAD_INPUT
    assert "trial.yaml:12:15: games: found the text 'x'; expected a whole number" in result.stdout


def test_what_full_says_replaces_whole_keys() -> None:
    text = "limits: {depth: 2, nodes: 9}\nfull: {limits: {depth: 4}}\nengines: [random, reflex]\n"
    data = in_full_length(read_text(text, Path("a.yaml"))).data
    assert data["limits"] == {"depth": 4}
    assert "full" not in data
    assert (data["name"], data["output"]) == ("a-full", "reports/a-full")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("figures: 3", "2:10: figures: found 3; expected a list; example: figures: [{elo: my_bot"),
        ("figures: [{elo: x}]", "2:17: figures[0].elo: no player is called 'x'; expected one of"),
        ("figures: [{elo: reflex, at_least: 3}]", "2:25: figures[0].at_least: unknown key; expec"),
        ("full: 3", "2:7: full: found 3; expected a mapping; example: full: {games: 100}"),
    ],
)
def test_mistakes_of_figures_that_are_told_alone(text: str, sentence: str) -> None:
    (mistake,) = mistakes(f"engines: [random, reflex]\n{text}\n")
    assert mistake.startswith(f"t.yaml:{sentence}"), mistake


def test_aims_decide_no_game() -> None:
    from arena.tournament.identity import fingerprint

    plain = load_text("engines: [random, reflex]\nname: a\n")
    aimed = load_text(
        "engines: [random, reflex]\nname: a\nabout: x\nfigures: [{score: random}]\n"
        "expect: [{score: random, at_least: 1%}]\nfull: {games: 4}\nstop: {expectations: true}\n"
    )
    assert fingerprint(plain) == fingerprint(aimed)
