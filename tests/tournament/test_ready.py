"""The tournaments that come with the arena: right, described, reproducible and of the size told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.learning.reading import is_training
from arena.outside.finding import find
from arena.tournament.spec import Tournament, load
from arena.tournament.spec.schema import json_schema
from arena.tournament.spec.student import is_grading
from arena.tournament.spec.yaml import read
from tests.evaluation.by_hand import BY_HAND
from tests.outside.fairy import FAIRY
from tests.tournament.schema_checker import faults

TOP = Path(__file__).resolve().parents[2]
FILES = sorted((TOP / "tournaments").rglob("*.yaml"))
GRADING = [path for path in FILES if is_grading(read(path))]
READY = [path for path in FILES if not is_training(read(path)) and path not in GRADING]
STUDIES = [path for path in READY if path.parent.name == "studies"]
OUTSIDE = TOP / "tournaments" / "outside.yaml"
STARTER = TOP / "arena" / "tournament" / "starter.yaml"
ALL = [*READY, STARTER]
AT_EQUAL_TIME = {"alphago", "space-time", "ablations"}  # by processor time, on a busy one as well
BY_THE_CLOCK = {"blair", "gaiceanu"}  # whose sources had seconds a move
CARD = ["random", "reflex", "minimax", "alphabeta", "alphabeta-time", "mcts"]


def ready(name: str) -> Tournament:
    return load_with_partners(TOP / "tournaments" / f"{name}.yaml")


def load_with_partners(path: Path) -> Tournament:
    """A tournament, if the engines of others that play in it are here."""
    if path == OUTSIDE:
        pytest.importorskip("pyspiel", reason="open_spiel is not installed")
        if FAIRY is None:
            pytest.skip("fairy-stockfish is not installed")
    return load(path)


def engines_of(tournament: Tournament) -> set[str]:
    return {player.engine for player in tournament.players}


def evaluations_of(tournament: Tournament) -> set[Any]:
    found = [player.options.get("evaluation") for player in tournament.players]
    return {name for name in found if isinstance(name, str)}


def test_they_are_all_there() -> None:
    names = {path.relative_to(TOP / "tournaments").as_posix() for path in (*READY, *GRADING)}
    expected = {"quickstart", "classics", "blair", "heuristics", "balanced", "space", "outside"}
    expected.add("students/class")
    assert {f"{name}.yaml" for name in expected} <= names
    listed = (TOP / "tournaments" / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in listed for name in names)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_each_can_be_played_and_says_what_it_shows(path: Path) -> None:
    made = load_with_partners(path)
    assert made.schedule().total
    comment = path.read_text(encoding="utf-8").partition("\n\n")[0]
    assert len(comment) > 100
    assert all(line.startswith("#") for line in comment.splitlines())
    if path != STARTER:
        assert made.name == path.stem
        assert "second" in comment or "minute" in comment


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_each_plays_the_same_games_on_every_machine(path: Path) -> None:
    """No limit is a time, but where equal time is the question; no engine limits itself by one."""
    for player in load_with_partners(path).players:
        limits = player.limits
        assert limits.seconds is None or path.stem in BY_THE_CLOCK, player.name
        assert limits.clock is None, player.name
        assert limits.cpu is None or path.stem in AT_EQUAL_TIME, player.name
        if "seconds" in find(player.engine).engine.options or "master" in player.engine:
            assert limits.nodes or limits.depth or limits.seconds, player.name


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_each_fits_the_schema(path: Path) -> None:
    data, schema = read(path).data, json_schema(["random"])
    assert faults(data, schema) == []
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.Draft7Validator(schema).validate(json.loads(json.dumps(data)))


def test_the_quickstart_is_for_the_six_engines_of_the_card() -> None:
    made = ready("quickstart")
    assert [player.engine for player in made.players] == CARD
    assert made.openings.kind == "random"
    assert made.swap_seats
    assert made.schedule().total == 300
    assert {str(player.limits) for player in made.players[:-1]} == {"nodes=20000"}
    assert str(made.players[-1].limits) == "playouts=2000"  # ten nodes each


def test_all_searches_have_the_same_evaluation_and_pruning_by_default() -> None:
    made = ready("equal-depth")
    assert len({player.limits for player in made.players}) == 1
    for name in {*engines_of(made), "greedy"}:
        settings = find(name).build().settings()
        assert settings["evaluation"].name == "rivest"
        assert settings.get("pruning", "full") == "full"


def test_the_classics_know_every_engine_of_flat_boards() -> None:
    simple = {"probabilities", "greedy", "server", "gaiceanu", "gaiceanu-as-run"}
    assert {*CARD, *simple, "hybrid", "iterative"} <= engines_of(ready("classics"))


def test_blair_is_there_with_all_four() -> None:
    four = {f"blair-{name}" for name in ("minmax", "alphabeta", "time", "probabilities")}
    assert four < engines_of(ready("blair"))


def test_the_heuristics_are_at_equal_depth() -> None:
    made = ready("heuristics")
    assert engines_of(made) == {"alphabeta"}
    assert len({player.limits for player in made.players}) == 1
    switches = {"rivest-512", "window-100"}  # rivest and window, with a win as small as printed
    assert set(BY_HAND) - evaluations_of(made) == switches
    assert any(isinstance(player.options["evaluation"], dict) for player in made.players)


def test_the_sweep_has_each_engine_with_several_limits() -> None:
    made = ready("sweep")
    for engine in engines_of(made):
        assert len({player.limits for player in made.players if player.engine == engine}) > 2


def test_space_has_the_whole_ladder_and_all_agents() -> None:
    made = ready("space")
    assert made.rules.name == "score4"
    ladder = ("beginner", "easy", "medium", "hard", "expert", "master")
    agents = ("fourplay-1", "fourplay-1-td", "fourplay-2-td")
    assert {*(f"oracle-{level}" for level in ladder), *agents} <= engines_of(made)


def test_outside_has_ours_a_uci_program_and_a_bot_of_openspiel() -> None:
    engines = {"alphabeta", "mcts", "uci:fairy-stockfish", "openspiel:mcts"}
    assert engines_of(ready("outside")) == engines


def test_the_class_has_a_bot_in_a_file_that_is_short_enough_to_copy() -> None:
    made = ready("students/class")
    path = TOP / "tournaments" / "students" / "my_bot.py"
    assert made.players[0].engine == f"{path}:MyBot"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 25


def test_every_source_has_its_studies() -> None:
    names = {path.stem for path in STUDIES}
    assert {"blair", "gaiceanu", "levels", "heuristics-7x6", "heuristics-8x7"} < names
    assert {"fourplay", "assignment", "ablations"} < names


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_a_study_says_what_it_asks_and_what_was_published(path: Path) -> None:
    study = load(path)
    assert study.aims.about
    assert study.aims.published
    assert study.output == Path("reports/studies") / path.stem
    if "full" in read(path).data:
        full = load(path, full=True)
        assert full.name == f"{path.stem}-full"
        limits = [[player.limits for player in each.players] for each in (study, full)]
        more_games = (full.schedule().total or 0) > (study.schedule().total or 0)
        assert more_games or limits[0] != limits[1]


def test_fourplay_is_held_against_report_and_transcripts() -> None:
    sources = [each.source for each in ready("studies/fourplay").aims.published]
    for number in range(1, 7):
        assert f"experiment {number}, report" in sources
        assert f"experiment {number}, transcripts" in sources
