"""The layout: recorded frames, and that any frame fits any window.

The recorded frames are made anew with RECORD_FRAMES=1 in the environment; look at them afterwards.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.dashboard.blocks import width_of
from arena.dashboard.glyphs import ASCII, UNICODE
from arena.dashboard.layout import arrange
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from tests.dashboard.samples import (
    EIGHT,
    MANY,
    RUNNING,
    SAMPLES,
    SPRT,
    STOPPING,
    standings,
    tables,
)

FRAMES = Path(__file__).with_name("snapshots")
RECORDED = [
    *(f"{name} 80x24" for name in SAMPLES),
    *(f"running {size}" for size in ("20x6", "40x10", "40x30", "60x15", "100x30", "120x40")),
    "space 120x40", "eight 120x40", "eight 200x60", "running 200x60", "beginning 120x40",
    "many 200x60", "sprt 60x15", "sprt 120x40",
    "running 80x24 ascii", "sprt 100x30 ascii",
]  # fmt: skip


@pytest.mark.parametrize("case", RECORDED)
def test_a_frame_looks_as_recorded(case: str) -> None:
    name, size, *ascii_ = case.split()
    width, height = (int(number) for number in size.split("x"))
    snapshot, rules = SAMPLES[name]
    frame = arrange(snapshot, rules, width, height, ASCII if ascii_ else UNICODE).plain + "\n"
    file = FRAMES / f"{case.replace(' ', '-')}.txt"
    if os.environ.get("RECORD_FRAMES"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(frame, encoding="utf-8")
    assert frame == file.read_text(encoding="utf-8")


@settings(max_examples=300)
@given(st.sampled_from(sorted(SAMPLES)), st.integers(1, 200), st.integers(1, 60), st.booleans())
def test_every_frame_fits_its_window(name: str, width: int, height: int, plain: bool) -> None:
    snapshot, rules = SAMPLES[name]
    frame = arrange(snapshot, rules, width, height, ASCII if plain else UNICODE)
    assert [width_of(line) for line in frame.lines] == [width] * height
    if plain:
        assert frame.plain.isascii()


BOARDS = ("connect4", "9x7", "16x4", "64x1c4", "1x64c4", "score4", "2x2x16c2", "8x2x4", "3x3c3")


def begun(rules: Rules, plies: int) -> Position:
    """A position after a few discs, or the end if that comes first."""
    position = Position(rules)
    while position.ply < plies and not position.is_over:
        position = position.play(position.legal[-1])
    return position


@settings(max_examples=200)
@given(
    st.sampled_from(BOARDS),
    st.integers(1, 12),
    st.integers(1, 30),
    st.integers(20, 200),
    st.integers(6, 60),
)
def test_every_board_fits(game: str, count: int, players: int, width: int, height: int) -> None:
    rules = Rules.named(game)
    live = tuple(replace(table, position=begun(rules, table.number)) for table in tables(count))
    snapshot = replace(RUNNING, tables=live, standings=standings(players + 1))
    frame = arrange(snapshot, rules, width, height, UNICODE)
    assert [width_of(line) for line in frame.lines] == [width] * height


def text(snapshot: object, width: int, height: int) -> str:
    return arrange(snapshot, CONNECT4, width, height, UNICODE).plain  # type: ignore[arg-type]


def test_a_usual_window_shows_all_that_matters() -> None:
    shown = text(RUNNING, 80, 24)
    for words in ("123/300", "41%", "ETA 0:15", "12.3 games/s", "round 4 of 10", "standings",
                  "+612   42", "1 · game 124", "2 · game 125", "crash"):  # fmt: skip
        assert words in shown


def test_a_large_window_shows_everything() -> None:
    shown = text(RUNNING, 120, 40)
    for words in ("crosstable", "last games", "events", "standings", "0:10 gone"):
        assert words in shown


def test_tables_and_players_without_room_are_counted() -> None:
    shown = text(MANY, 80, 24)
    assert "… 39 more" in shown
    assert "and 12 more" in shown
    assert " more " not in text(EIGHT, 200, 60)


def test_a_small_window_still_tells_how_far_it_is() -> None:
    assert "123/300" in text(RUNNING, 40, 10)
    assert text(RUNNING, 20, 1) == "41% 123/300 ETA 0:15"


def test_the_test_has_a_gauge_between_its_bounds() -> None:
    line = text(SPRT, 80, 24).splitlines()[2]
    assert line.startswith(" SPRT -2.94 ├")
    assert "LLR +1.07  Elo +24 ± 38" in line
    scale = line.split("├")[1].split("┤")[0]
    assert scale.index("◆") == pytest.approx((1.07 + 2.94) / 5.88 * (len(scale) - 1), abs=0.6)


def test_stopping_is_told_in_the_title() -> None:
    assert "finishing games: interrupted" in text(STOPPING, 80, 24).splitlines()[0]


def test_an_estimate_is_marked() -> None:
    assert "123/~300" in text(EIGHT, 80, 24)
    assert "ETA <0:15" in text(SPRT, 80, 24)


def test_the_end_is_not_announced_before_it_comes() -> None:
    near = replace(RUNNING, done=2999, total=3000)
    assert "99%" in text(near, 80, 24)
    assert "100%  ETA" in text(replace(RUNNING, done=300, eta=0.0), 80, 24)
