"""Adjudication: when a game ends early, and that the result is the proven one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from arena import Limits, Position, Rules
from arena.bots.find import build_engine
from arena.game.notation import play_moves
from arena.journal import Journal
from arena.table.adjudication import EarlyEnd, MostPlies, Proven, Ruling, fresh_proof
from arena.table.game import Game
from arena.table.referee import Referee
from tests.cli.running import run
from tests.engines.exhaustive import exact_score, sign
from tests.support.stories import story

SMALL = Rules.flat(5, 4)
NAMES = ("one", "other")
LINE = (0, 1, 2, 3, 4, 0, 1, 2, 4, 3, 0, 1)  # nobody wins


class Script:
    """A proof of a given result, from a ply on."""

    def __init__(self, result: int, ply: int) -> None:
        self.result, self.ply = result, ply
        self.asked: list[int] = []

    def __call__(self, position: Position) -> int | None:
        self.asked.append(position.ply)
        return self.result if position.ply >= self.ply else None


def played(ruling: Ruling, opening: Position) -> tuple[EarlyEnd | None, int]:
    """Drop discs from left to right until the ruling ends the game."""
    ruling.begin(opening)
    position = opening
    while not position.is_over:
        position = position.play(position.legal[0])
        ending = ruling.ending(position, NAMES)
        if ending is not None:
            return ending, position.ply
    return None, position.ply


def test_so_many_plies_are_a_draw() -> None:
    ending, ply = played(MostPlies(4), Position(SMALL))
    assert ending == (0, "max plies", "drawn after 4 plies")
    assert ply == 4
    stolen = Position.parse("2s", Rules.flat(5, 4, pie=True))
    assert played(MostPlies(4), stolen) == (ending, 3)  # discs: the steal was a ply as well


@pytest.mark.parametrize(
    ("result", "words"),
    [(1, "a win for one"), (-1, "a win for other"), (0, "a draw")],
)
def test_a_proof_ends_the_game_with_its_result(result: int, words: str) -> None:
    opening = play_moves(LINE[:8], SMALL)
    ending, ply = played(Proven(lambda: Script(result, 12)), opening)
    assert ending == (result, "adjudicated", f"proven {words} after 12 plies")
    assert ply == 12


@pytest.mark.parametrize(("opening", "start"), [(0, 10), (8, 10), (9, 11), (12, 14)])
def test_nobody_is_asked_before_the_middle_or_before_both_have_moved(
    opening: int, start: int
) -> None:
    judge = Script(0, start)
    ending, ply = played(Proven(lambda: judge), play_moves(LINE[:opening], SMALL))
    assert ending is not None
    assert (judge.asked, ply) == ([start], start)


def test_every_game_has_a_judge_of_its_own() -> None:
    made: list[Script] = []

    def fresh() -> Script:
        made.append(Script(0, 99))
        return made[-1]

    ruling = Proven(fresh)
    for _ in range(3):
        played(ruling, Position(SMALL))
    assert len(made) == 3


def test_what_the_solver_proves_is_true() -> None:
    proof, proven = fresh_proof(SMALL), 0
    position = Position(SMALL)
    for column in (2, 2, 1, 3, 1, 1, 3, 3, 0, 4, 4, 2, 0, 0):
        position = position.play(column)
        if position.ply < 8 or position.is_over:
            continue
        value = proof(position)
        if value is not None:
            proven += 1
            assert value == sign(exact_score(position)) * (1 if position.to_move == 0 else -1)
    assert proven > 3


def test_in_space_only_the_end_is_proven() -> None:
    rules = Rules.space(2, 2, 4, 4)
    proof = fresh_proof(rules)
    position = play_moves((0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1), rules)
    value = proof(position)
    assert value == sign(exact_score(position))
    assert fresh_proof(Rules.space(4, 4, 4))(Position(Rules.space(4, 4, 4))) is None


def test_the_time_for_a_proof_is_on_nobodys_clock() -> None:
    class Slow(Script):
        def __call__(self, position: Position) -> int | None:
            time.sleep(0.2)
            return super().__call__(position)

    referee = Referee(
        (build_engine("random"), build_engine("random")), SMALL, Limits(clock=0.1), margin=0.0
    )
    ruling = Proven(lambda: Slow(1, 12))
    ruling.begin(referee.position)
    while referee.ask():
        ending = ruling.ending(referee.position, NAMES)
        if ending is not None:
            referee.end(*ending)
    assert referee.finished_game().reason == "adjudicated"
    assert referee.finished_game().plies == 12


def tournament(folder: Path, workers: int) -> list[Game]:
    """A tournament from balanced openings whose games are adjudicated."""
    file, out = folder / "small.yaml", folder / f"out-{workers}"
    file.write_text(
        f"game: 5x4\ngames: 20\nworkers: {workers}\noutput: {out}\n"
        "openings: {balanced: 8}\nadjudication: {solver: true}\n"
        "engines: [random, reflex, {engine: mcts, limits: {playouts: 20}}]\n"
    )
    result = run("run", str(file), "--no-report", "--quiet")
    assert result.exit_code == 0, result.output
    with Journal.read(out) as journal:
        return list(journal.rows())


def test_the_same_seed_plays_the_same_games_on_any_number_of_tables(tmp_path: Path) -> None:
    rows = tournament(tmp_path, 1)
    assert [story(row) for row in rows] == [story(row) for row in tournament(tmp_path, 2)]
    ended = [row for row in rows if row.reason == "adjudicated"]
    assert len(ended) > 10
    for row in rows:
        opening = play_moves(row.opening, SMALL)
        assert exact_score(opening) == 0
        assert len(row.opening) == 8
    for row in ended:
        end = play_moves(row.moves, SMALL)
        assert not end.is_over
        assert row.result == sign(exact_score(end)) * (1 if end.to_move == 0 else -1)
        assert len(row.moves) >= SMALL.cells // 2
        assert f"after {len(row.moves)} plies" in row.detail
    assert run("games", str(tmp_path / "out-1"), "--reason", "adjudicated").stdout.count(
        "adjudicated"
    ) == len(ended)
