"""What frames show, and that any frame fits any window; tests/golden/frames has whole frames."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from arena.dashboard.cells import ASCII, UNICODE, width_of
from arena.dashboard.content import KEYS, FrameContent, Selection
from arena.dashboard.frame import draw
from arena.dashboard.panels import gauge
from arena.dashboard.state import Snapshot
from arena.dashboard.table_view import LiveTable
from arena.game.position import Position
from arena.game.rules import Rules
from arena.show.board import as_plain
from arena.standings.games import Settled
from arena.standings.sprt import SequentialTest
from arena.tournament.sprt import Sprt
from tests.dashboard.samples import (
    EIGHT,
    MANY,
    NAMES,
    RUNNING,
    SAMPLES,
    SPRT,
    STOPPING,
    crosstable,
    standings,
    tables,
)


@settings(max_examples=300)
@given(
    st.sampled_from(sorted(SAMPLES)),
    st.integers(1, 200),
    st.integers(1, 60),
    st.booleans(),
    st.builds(Selection, st.booleans(), st.integers(0, 60), st.integers(0, 20), st.just(1),
              st.booleans(), st.booleans()),
)  # fmt: skip
def test_every_frame_fits_its_window(
    name: str, width: int, height: int, plain: bool, selection: Selection
) -> None:
    content = FrameContent(SAMPLES[name], ASCII if plain else UNICODE, selection)
    frame = draw(content, width, height)
    assert [width_of(line) for line in frame] == [width] * height
    if plain:
        assert as_plain(frame).isascii()


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
    snapshot = replace(RUNNING, rules=rules, tables=live, standings=standings(players + 1),
                       crosstable=crosstable(players + 1))  # fmt: skip
    frame = draw(FrameContent(snapshot, UNICODE), width, height)
    assert [width_of(line) for line in frame] == [width] * height


def text(snapshot: Snapshot, width: int, height: int, selection: Selection | None = None) -> str:
    return as_plain(draw(FrameContent(snapshot, UNICODE, selection or Selection()), width, height))


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
    assert "and 14 more" in shown
    assert " more " not in text(EIGHT, 200, 60)


def test_a_small_window_still_tells_how_far_it_is() -> None:
    assert "123/300" in text(RUNNING, 40, 10)
    assert text(RUNNING, 20, 1) == "41% 123/300 ETA 0:15"


def test_the_test_has_a_gauge_between_its_bounds() -> None:
    line = text(SPRT, 80, 24).splitlines()[2]
    assert line.startswith(" SPRT -2.94 ├")
    assert "LLR +1.07  Elo +24 ± 39" in line
    scale = line.split("├")[1].split("┤")[0]
    assert scale.index("◆") == pytest.approx((1.07 + 2.94) / 5.88 * (len(scale) - 1), abs=0.6)


def test_the_test_tells_no_difference_before_outcomes_differ() -> None:
    test = SequentialTest(0, 1, Sprt(elo0=0, elo1=10), swapped=False)
    line = as_plain([gauge(test, ("a", "b"), 60, ASCII)])
    assert f"LLR {test.state.llr:+.2f}  Elo - " in line
    for number, result in enumerate([1] * 8 + [-1] * 4):
        test.add(Settled(0, 1, result, number, number, number))
    assert "Elo +120 +- " in as_plain([gauge(test, ("a", "b"), 60, ASCII)])


def test_stopping_is_told_in_the_title() -> None:
    assert "finishing games: interrupted" in text(STOPPING, 80, 24).splitlines()[0]


def test_an_estimate_is_marked() -> None:
    assert "123/~300" in text(EIGHT, 80, 24)
    assert "ETA <0:15" in text(SPRT, 80, 24)


def test_the_end_is_not_announced_before_it_comes() -> None:
    near = replace(RUNNING, done=2999, total=3000)
    assert "99%" in text(near, 80, 24)
    assert "100%  ETA" in text(replace(RUNNING, done=300, eta=0.0), 80, 24)


def renamed(snapshot: Snapshot, names: Sequence[str]) -> Snapshot:
    """The same moment of a run of engines with other names."""
    new = dict(zip(NAMES, names, strict=True))

    def of_table(table: LiveTable) -> LiveTable:
        if table.seats is None:
            return table
        one, other = (replace(seat, name=new[seat.name]) for seat in table.seats)
        return replace(table, seats=(one, other))

    return replace(
        snapshot,
        standings=tuple(replace(s, name=new.get(s.name, s.name)) for s in snapshot.standings),
        tables=tuple(map(of_table, snapshot.tables)),
        names=tuple(new.get(name, name) for name in snapshot.names),
    )


def at_tables(snapshot: Snapshot, game: str) -> Snapshot:
    """The same moment of a run on other boards."""
    rules = Rules.named(game)
    live = (t if t.seats is None else replace(t, position=begun(rules, 5)) for t in snapshot.tables)
    return replace(snapshot, rules=rules, tables=tuple(live))


SCENES = {**SAMPLES, "running 8x8": at_tables(RUNNING, "8x8"), "sprt 9x7": at_tables(SPRT, "9x7")}


@settings(max_examples=150, phases=[Phase.explicit, Phase.generate])  # a failure is small as it is
@given(
    st.sampled_from(sorted(SCENES)),
    st.tuples(*(st.integers(1, 20).map(letter.__mul__) for letter in "abcdef")),
    st.sampled_from([(60, 20), (80, 24), (100, 30), (152, 42), (200, 60)]),
    st.integers(0, 8),
)
@example("space", ("a-0", "a-00", "a-2", "a-1", "aaa-000000000", "a-01"), (60, 20), 2)
@example("space", ("a-0", "a-00", "a-3", "a-1", "a-2", "aaa-000000000"), (60, 20), 0)
@example("eight", ("a" * 15, "b" * 7, "c" * 16, "d" * 18, "e" * 10, "f" * 11), (152, 42), 4)
@example("running 8x8", ("a" * 7, "b" * 14, "c" * 13, "d" * 2, "e" * 3, "f" * 4), (60, 20), 6)
def test_in_usual_windows_no_name_of_a_game_or_an_opponent_is_cut(
    name: str, names: tuple[str, ...], size: tuple[int, int], first: int
) -> None:
    snapshot = renamed(SCENES[name], names)
    shown = text(snapshot, *size, Selection(table=first))
    lines = shown.splitlines()
    for table in snapshot.tables:
        if f" {table.number} · game {table.game} " in shown and table.seats is not None:
            for seat in table.seats:
                assert re.search(rf"●[ ▸]{seat.name} +[0-9.:]+m?s? │", shown)
    assert " · game " in shown or "waiting" in shown
    games = {str(game.number): game for game in snapshot.games}
    for line in lines:
        for match in re.finditer(r"[│ ] +([0-9]+) \S+ +(1-0|0-1|½-½) \S+", line):
            game = games[match[1]]
            one, other = (snapshot.names[player] for player in (game.first, game.second))
            assert re.search(rf" {match[1]} {one} +{match[2]} {other} ", line)
    for line in lines[3:]:
        standing = re.match(r"│ +[0-9]+ ([a-z]\S*) ", line)
        assert standing is None or "…" not in standing[1]


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_a_name_is_whole_beside_a_clock_of_hours(size: tuple[int, int]) -> None:
    names = [letter * 20 for letter in "abcdef"]
    snapshot = renamed(RUNNING, names)
    (table, *others), hours = snapshot.tables, 36_000.0
    assert table.seats is not None
    one, other = (replace(seat, left=hours) for seat in table.seats)
    snapshot = replace(snapshot, tables=(replace(table, seats=(one, other)), *others))
    shown = text(snapshot, *size)
    assert re.search(rf"●▸{names[0]} +10:00:00 │", shown)
    assert re.search(rf"● {names[1]} +10:00:00 │", shown)


def test_a_large_window_is_used() -> None:
    """No more than a quarter of the rows is empty in any column of panels, news apart."""
    many_ended = replace(RUNNING, games=RUNNING.games * 4)
    shown = text(many_ended, 200, 60).splitlines()[2:]
    left, right = [line[2:50].strip() for line in shown], [line[60:190].strip() for line in shown]
    assert all(word in "".join(left) for word in ("standings", "crosstable", "ratings", "events"))
    assert sum(not line for line in right) <= len(right) // 4
    assert sum(line.count("plies") == 2 for line in right) > 20  # games in two columns


def test_standings_are_scrolled() -> None:
    selection = Selection(standing=45)
    shown = text(MANY, 80, 24, selection)
    assert "engine number 50" in shown
    assert "1 alphabeta " not in shown.split("┐")[0].split("game 124")[0]
    assert "above, 0 below" in shown
    assert selection.standing == 50 - selection.page  # kept where the last page begins
    selection.press("page up", 50, 16)
    again = text(MANY, 80, 24, selection)
    assert f"{selection.standing} above, {50 - selection.standing - selection.page} below" in again


def test_tables_are_chosen() -> None:
    shown = text(MANY, 80, 24, Selection(table=7))
    assert " 8 · game 131 " in shown
    assert " 1 · game 124 " not in shown
    assert "and 14 more" in shown
    last = Selection(table=15)
    assert "16 · game" in text(MANY, 80, 24, last)
    assert last.table == 14


def test_the_help_lies_over_the_frame_and_names_every_key() -> None:
    shown = text(RUNNING, 80, 24, Selection(keys=True, help=True))
    for keys, does in KEYS.items():
        assert keys in shown
        assert does in shown
    assert "quickstart" in shown.splitlines()[0]


def test_a_pause_and_the_keys_are_told_in_the_title() -> None:
    title = text(RUNNING, 80, 24, Selection(keys=True)).splitlines()[0]
    assert "? keys" in title
    paused = text(RUNNING, 60, 20, Selection(keys=True, paused=True))
    assert "display paused" in paused.splitlines()[0]
    assert "? keys" not in text(RUNNING, 80, 24)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
def test_time_losses_and_a_busy_machine_stand_below_the_standings(size: tuple[int, int]) -> None:
    words = "12 time losses, wall/CPU 6.6"
    assert words in text(replace(RUNNING, time=words, is_late=True), *size)
    assert "wall/CPU" not in text(RUNNING, *size)
