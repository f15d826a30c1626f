"""Games, matches and tournaments from Python, and what can be asked of their results."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import ArenaError, Game, Position, Results, Tournament
from arena.bots.hosted import IDLE
from arena.engine import registry
from arena.errors import ArenaWarning, BadOption
from arena.library.analysis import GameAnalysis
from arena.show.table import Table
from tests.bots.partners import sensible_bot
from tests.cli.running import run_json
from tests.library.session import engine

BROKEN = """
from arena import Choice, Engine
class Broken(Engine):
    def choose(self, position, limits):
        return Choice([][1])
"""


LEFT = """\
class Left(Engine):
    def choose(self, position, limits):
        return Choice(position.legal[0])
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A small tournament with an engine of this session."""
    tournament = Tournament(
        name="small", engines=[engine("Wandering"), "random", "greedy"], games=2,
        openings={"random": 2}, expect=[{"score": "greedy against random", "at_least": "0%"}],
        figures=[{"score": "greedy against random"}],
    )  # fmt: skip
    output = tmp_path_factory.mktemp("small")
    return arena.run(tournament, progress=False, workers=2, output=output)


def test_a_game_of_names_classes_and_objects() -> None:
    steady = engine("Steady")
    game = arena.play(steady, "random", seed=1, opening="44")
    assert isinstance(game, Game)
    assert game.players == ("Steady", "random")
    assert game.opening == (3, 3)
    assert game.notation.startswith("44")
    assert game.winner in ("Steady", "random", None)
    assert len(game.moves) == game.plies - 2
    other = arena.play(steady(), "random", seed=1, opening=Position.parse("44"))
    assert other.columns == game.columns


def test_a_game_shows_itself() -> None:
    game = arena.play(engine("Steady"), "random", seed=3)
    assert str(game).startswith("X Steady against O random\n\n. . .")
    assert game.story in str(game)
    page = game._repr_html_()
    assert page.count("●") == game.plies
    assert "Steady" in page


def test_both_sides_may_be_the_same() -> None:
    bot = engine("Steady")()
    assert arena.play(bot, bot).players == ("Steady #1", "Steady #2")
    assert arena.play("random", "random", game="5x4").players == ("random #1", "random #2")


def test_an_exception_loses_with_the_lines_that_led_to_it() -> None:
    late = BROKEN.replace("[][1]", "[3][position.ply > 1]")
    game = arena.play("random", engine("Broken", late))
    assert (game.winner, game.reason, game.plies) == ("random", "exception", 3)
    assert "IndexError" in game.detail
    assert "in choose" in game._repr_html_()
    with pytest.raises(ArenaError, match="engine Broken: IndexError: list index out of range"):
        arena.play("random", engine("Broken", BROKEN))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"a": 3}, "3 is no engine"),
        ({"a": "radom"}, "did you mean 'random'"),
        ({"game": "connect"}, "connect"),
        ({"game": 3}, "the game is 3; expected a name"),
        ({"limits": "depth=x"}, "depth"),
        ({"limits": 3}, "limits are 3; expected words"),
        ({"limits": ("depth=3",)}, "found limits for 1; expected one for both"),
        ({"opening": 3}, "the opening is 3; expected moves"),
        ({"opening": "9"}, "9"),
        ({"opening": "4545454"}, "the game is over after 4545454"),
        ({"opening": Position.parse("1", arena.SCORE4)}, "expected one of"),
    ],
)
def test_a_mistake_is_a_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ArenaError, match=words):
        arena.play(**{"a": "random", "b": "random", **given})


def test_a_match_is_a_tournament_of_two(tmp_path: Path) -> None:
    heard: list[Game] = []
    match = arena.match("greedy", "random", games=4, on_game=heard.append, progress=False)
    assert sorted(game.number for game in heard) == [1, 2, 3, 4]
    assert match.players == ("greedy", "random")
    keys = {"engines": ["greedy", "random"], "games": 4, "openings": {"random": 4}}
    same = arena.run({**keys, "name": "match"}, progress=False, output=tmp_path)
    assert [game.columns for game in same.games] == [game.columns for game in match.games]


def test_a_match_warns_if_its_games_have_no_openings() -> None:
    bot = f"lines:{sensible_bot('python', 'lines')}"
    with pytest.warns(ArenaWarning, match="all games start from the empty board, as lines:"):
        match = arena.match(bot, "random", games=2, progress=False)
    assert [game.opening for game in match.games] == [(), ()]


def test_a_warning_of_a_run_points_at_the_line_that_started_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.session.run.crowded", lambda limits, workers: "more than cores")
    with pytest.warns(ArenaWarning, match="more than cores") as warnings:
        arena.match("greedy", "random", games=2, game="4x4", progress=False)
    assert [warning.filename for warning in warnings] == [__file__]


def test_a_match_has_the_games_of_the_command() -> None:
    words = "greedy", "mcts playouts=20"
    match = arena.match(words[0], words[1], games=6, seed=5, progress=False)
    data = run_json("match", *words, "--games", "6", "--seed", "5")
    assert [game.notation for game in match.games] == [g["notation"] for g in data["game_list"]]


def test_both_sides_of_a_match_may_be_the_same_with_limits_of_their_own() -> None:
    limits = {"depth": 1}, "depth=2"
    match = arena.match("greedy", "greedy", games=2, limits=limits, progress=False)
    games = match.games
    assert match.players == ("greedy #1", "greedy #2")
    assert [player.limits for player in match.header.players] == ["depth=1", "depth=2"]
    del match
    assert [game.number for game in games[1:]] == [2]  # what they are read from is still there


def test_a_name_that_this_session_has_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))  # forgotten later
    registered = "@register('left')\n".join(["from arena import Choice, Engine, register\n", LEFT])
    engine("Left", registered)
    match = arena.match("left", "random", games=2, progress=False)
    assert match.players == ("left", "random")


def test_an_engine_of_a_session_plays_the_games_of_its_file(
    results: Results, tmp_path: Path
) -> None:
    file = tmp_path / "wandering.py"
    from tests.library.session import SOURCE

    file.write_text(SOURCE, encoding="utf-8")
    mine = {"engine": f"{file}:Wandering", "name": "Wandering"}
    keys = {"name": "small", "games": 2, "openings": {"random": 2}}
    other = arena.run({**keys, "engines": [mine, "random", "greedy"]}, progress=False, workers=1)
    assert [game.columns for game in other.games] == [game.columns for game in results.games]


def test_no_process_waits_after_a_run(results: Results) -> None:
    assert not IDLE.hosts


def test_results_are_tables(results: Results) -> None:
    assert [row[1] for row in results.standings.rows] == [
        results.players[player] for player in results.ratings.order
    ]
    assert len(results.crosstable.rows) == 3
    assert len(results) == len(results.games) == 6
    assert results.games[-1].number == 6
    assert [game.number for game in results.games[2:4]] == [3, 4]
    assert len(results.moves.rows) == sum(len(game.moves) for game in results.games)
    assert results.figures.rows[0][0] == "score of greedy against random"
    assert len(results.expectations.rows) == 1
    assert not results.grade.fails
    assert "6 games" in repr(results)
    assert "greedy" in str(results)
    assert results.answer


def test_results_show_themselves_as_tables(results: Results) -> None:
    for shown in (results, results.standings, results.games, results.crosstable):
        page = shown._repr_html_()
        assert "<table>" in page
        assert "greedy" in page
        assert "greedy" in str(shown)
    assert re.search(r"(?m)^ number +first +second +winner", str(results.games))


def test_results_as_data_frames(results: Results) -> None:
    frame = results.to_pandas()
    assert list(frame["engine"]) == [row[1] for row in results.standings.rows]
    assert {"elo", "elo_ci95"} <= set(frame.columns)
    assert len(results.to_pandas("games")) == 6
    assert set(results.to_pandas("moves")["engine"]) == set(results.players)
    with pytest.raises(BadOption, match="no table is called 'gmaes'; did you mean 'games'"):
        results.to_pandas("gmaes")


def test_without_pandas_there_is_a_sentence(
    results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ArenaError, match=r"pip install 'connect-arena\[pandas\]'"):
        results.to_pandas()


def test_a_journal_answers_the_same(results: Results) -> None:
    other = arena.open_journal(results.path.parent)
    assert other.standings == results.standings
    assert other.games[0] == results.games[0]
    with pytest.raises(ArenaError, match="nowhere"):
        arena.open_journal("nowhere")


def test_a_report_is_written(results: Results, tmp_path: Path) -> None:
    page = results.report(tmp_path / "report", seconds=0)
    assert page == tmp_path / "report/report.html"
    assert "Wandering" in page.read_text(encoding="utf-8")


def test_accuracy_by_the_solver(results: Results) -> None:
    table = results.accuracy(0.2)
    assert {row[0] for row in table.rows} == set(results.players)
    assert arena.analyse(results, seconds=0.2) == table or isinstance(table, Table)


def test_another_tournament_in_the_same_place_is_refused_and_set_aside(tmp_path: Path) -> None:
    keys = {"name": "one", "engines": ["random", "greedy"], "games": 2}
    arena.run(keys, progress=False, output=tmp_path)
    with pytest.raises(ArenaError, match="seed"):
        arena.run({**keys, "seed": 5}, progress=False, output=tmp_path)
    assert len(arena.run({**keys, "seed": 5}, progress=False, output=tmp_path, new=True)) == 2


def test_an_engine_that_cannot_play_is_told_before_the_first_game() -> None:
    tournament = Tournament(engines=[engine("Broken", BROKEN), "random"], games=2)
    with pytest.raises(ArenaError, match=r"Broken: .*the tournament does not start"):
        arena.run(tournament, progress=False)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"games": 3}, "match: games: found 3; expected an even number"),
        ({"b": "random x"}, "'x' is not an option; expected NAME=VALUE"),
        ({"limits": ("depth=1",)}, "found limits for 1"),
        ({"workers": 0}, "workers is 0; expected a whole number of at least 1"),
        ({"output": 3}, "output is 3; expected the name of a folder"),
        ({"cluster": "nowhere"}, "cluster is 'nowhere'; expected"),
        ({"cluster": 4}, "cluster is 4; expected"),
        ({"openings": {"radom": 2}}, "match: openings"),
    ],
)
def test_a_mistake_in_a_match_is_a_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ArenaError, match=words):
        arena.match(**{"a": "greedy", "b": "random", "games": 2, "progress": False, **given})


def test_exact_answers_are_asked_for_positions_and_games() -> None:
    with pytest.raises(BadOption, match="found 3; expected moves"):
        arena.solve(3)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="found 3; expected a game"):
        arena.analyse(3)  # type: ignore[arg-type]
    with pytest.raises(ArenaError, match="there is no journal nowhere"):
        arena.analyse("nowhere")


def test_a_line_tells_how_far_a_run_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.show.progress.LINE_EVERY", 0.0)
    arena.match("greedy", "random", games=4)
    lines = capsys.readouterr().err.splitlines()
    assert any(line.startswith("getting ready: greedy") for line in lines)
    assert lines[-1].startswith("playing games 4/4")


def test_what_is_no_tournament_is_refused() -> None:
    with pytest.raises(ArenaError, match="found a int; expected a tournament"):
        arena.run(3)  # type: ignore[arg-type]


def test_a_position_solved() -> None:
    solution = arena.solve("32525123213"[:9], game="5x4")
    assert solution.score is not None
    assert set(solution.best) <= set(solution.scores)
    assert "<table>" in solution._repr_html_()
    assert re.search(r"(?m)^ column +score\n", str(solution))
    assert "Solution(" not in repr(solution)
    with pytest.raises(BadOption, match="nothing to solve"):
        arena.solve("1212121")


def test_a_game_analysed() -> None:
    game = arena.play("greedy", "random", game="5x4", seed=1)
    analysis = arena.analyse(game, seconds=5)
    assert isinstance(analysis, GameAnalysis)
    assert len(analysis.to_pandas()) == game.plies
    moves = arena.analyse(game.notation, game="5x4", seconds=5)
    assert isinstance(moves, GameAnalysis)
    assert moves.judged.scores == analysis.judged.scores
    assert "<table>" in moves._repr_html_()
    assert str(analysis).startswith("greedy against random, ")
    assert len(str(analysis).splitlines()) == game.plies + 4
    assert repr(analysis).startswith("<GameAnalysis of greedy against random")


def test_a_check_has_a_verdict() -> None:
    assert arena.check(engine("Steady")).passed
    broken = arena.check(engine("Broken", BROKEN))
    assert not broken.passed
    assert str(broken).startswith("Broken is not valid: ")
    assert re.search(r"(?m)^ *check +detail\n", str(broken))
    assert "<table>" in broken._repr_html_()


def test_ratings_print_as_a_table() -> None:
    ratings = arena.rate([("a", "b", 1), ("b", "c", "1/2-1/2"), ("c", "a", 0)])
    assert re.search(r"(?m)^ place +engine +Elo", str(ratings))
    assert repr(ratings) == "<Ratings of 3 players>"
    assert ratings.elo["a"] == max(filter(None, ratings.elo.values()))
