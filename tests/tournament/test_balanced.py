"""Balanced openings: of the value asked for, different, by seed alone, and found only once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arena.game import CONNECT4, Rules
from arena.game.notation import play_moves
from arena.solver.flat.search import Solver
from arena.tournament.identity import canonical
from arena.tournament.load import load_text
from arena.tournament.openings import (
    Balanced,
    Opening,
    RandomPlies,
    Scores,
    SolvedOpening,
)
from tests.engines.exhaustive import exact_score

SMALL = Rules.flat(5, 4)
DRAW = Scores(0, 0)


def first(openings: Balanced, count: int) -> list[Opening]:
    return [openings.opening(k) for k in range(count)]


def for_first(line: Opening, rules: Rules) -> int:
    """The exact score for the player who begins, found by trying everything."""
    position = play_moves(line, rules)
    return exact_score(position) if position.to_move == 0 else -exact_score(position)


@pytest.mark.parametrize("plies", [9, 10])
@pytest.mark.parametrize(
    "scores", [DRAW, Scores(1, 6), Scores(-5, -1), Scores(1, 1), Scores(-1, 2)], ids=str
)
def test_openings_have_the_value_that_was_asked_for(plies: int, scores: Scores) -> None:
    found = first(Balanced(SMALL, plies, scores, seed=3), 12)
    assert all(len(line) == plies for line in found)
    assert all(scores.least <= for_first(line, SMALL) <= scores.most for line in found)
    if scores.least < scores.most:
        assert len({for_first(line, SMALL) for line in found}) > 1


def test_the_same_on_the_board_that_everybody_plays() -> None:
    found = first(Balanced(CONNECT4, 14, DRAW, seed=1), 8)
    solver = Solver(CONNECT4, 16, book=False)
    assert [solver.score(play_moves(line)) for line in found] == [0] * 8


def test_none_is_left_out() -> None:
    """They are the random openings of the seed without those of another value."""
    random = RandomPlies(SMALL, 11, seed=5)
    lines: list[Opening] = []
    keys = set()
    for k in range(80):
        line = random.opening(k)
        key = play_moves(line, SMALL).symmetry_key
        if for_first(line, SMALL) == 0 and key not in keys:
            keys.add(key)
            lines.append(line)
    assert 5 < len(lines) < 60
    assert first(Balanced(SMALL, 11, DRAW, seed=5), len(lines)) == lines


def test_no_position_comes_twice_nor_its_mirror_image() -> None:
    found = first(Balanced(SMALL, 8, DRAW, seed=1), 60)
    assert len({play_moves(line, SMALL).symmetry_key for line in found}) == 60


def test_it_does_not_matter_what_was_asked_for_before() -> None:
    one, other = (Balanced(SMALL, 9, DRAW, seed=2) for _ in range(2))
    backwards = [other.opening(k) for k in reversed(range(10))][::-1]
    assert first(one, 10) == backwards
    assert first(Balanced(SMALL, 9, DRAW, seed=3), 10) != backwards


def test_the_order_depends_on_the_seed_and_stays_for_ever() -> None:
    assert first(Balanced(CONNECT4, 14, DRAW, seed=1), 2) == [
        (5, 5, 6, 1, 0, 6, 6, 6, 6, 5, 5, 2, 1, 4),
        (6, 1, 6, 3, 2, 0, 4, 1, 3, 6, 3, 0, 2, 1),
    ]


def test_when_they_run_out_they_repeat_in_a_new_order() -> None:
    openings = Balanced(Rules.flat(4, 4), 2, DRAW, seed=1)
    assert openings.count is None
    openings.opening(1000)
    count = openings.count
    assert count is not None
    assert 1 < count < 16
    laps = [[openings.opening(lap * count + k) for k in range(count)] for lap in range(4)]
    assert all(sorted(lap) == sorted(laps[0]) for lap in laps)
    assert len({tuple(lap) for lap in laps}) > 1


def test_what_an_earlier_run_has_found_is_not_solved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Balanced(SMALL, 9, DRAW, seed=4)
    noted: list[str] = []
    before.note = lambda found: noted.append(str(found))
    found = first(before, 6)
    after = Balanced(SMALL, 9, DRAW, seed=4)
    after.recall(map(SolvedOpening.parse, noted))
    with monkeypatch.context() as patch:
        patch.setattr(Balanced, "_beats", lambda *args: pytest.fail("solved again"))
        assert first(after, 6) == found
    assert first(after, 10) == first(Balanced(SMALL, 9, DRAW, seed=4), 10)


@pytest.mark.parametrize(
    ("written", "scores"),
    [
        ("8", (0, 0)),
        ("{plies: 8}", (0, 0)),
        ("{plies: 8, value: draw}", (0, 0)),
        ("{plies: 8, value: first}", (1, 17)),
        ("{plies: 8, value: second}", (-17, -1)),
        ("{plies: 8, value: -3}", (-3, -3)),
        ("{plies: 8, value: [-2, 2]}", (-2, 2)),
    ],
)
def test_how_a_tournament_asks_for_them(written: str, scores: tuple[int, int]) -> None:
    made = load_text(f"engines: [random, reflex]\nopenings: {{balanced: {written}}}\n")
    least, most = scores
    expected = {"kind": "balanced", "plies": 8, "least": least, "most": most}
    assert canonical(made)["openings"] == expected
    assert isinstance(made.schedule().openings, Balanced)


@pytest.mark.parametrize(
    ("format", "games", "needed"),
    [
        ("round-robin", 10, 5),
        ("gauntlet", 10, 5),
        ("pyramid", 10, 5),
        ("{kind: pairs, pairs: [[mcts, random], [greedy, reflex]]}", 10, 5),
        ("{kind: swiss, rounds: 3}", 4, 6),
        ("knockout", 4, 4),
    ],
)
def test_so_many_are_found_before_the_first_game(format: str, games: int, needed: int) -> None:
    head = f"engines: [random, reflex, greedy, mcts]\nformat: {format}\ngames: {games}\n"
    schedule = load_text(head + "openings: {random: 4}\n").schedule()
    assert schedule.openings_needed == needed
    asked: list[int] = []
    schedule.opening = lambda k: asked.append(k) or ()  # type: ignore[assignment, func-returns-value]
    if not schedule.needs_results:
        list(schedule.part(1) or ())
        assert sorted(set(asked)) == list(range(needed))


def test_a_file_is_checked_without_compiling_anything() -> None:
    script = (
        "import sys; from arena.tournament.load import load_text; "
        "load_text('engines: [random, reflex]\\nopenings: {balanced: 8}\\n').schedule(); "
        "print('arena.solver.flat.search' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
