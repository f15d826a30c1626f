"""Lines of UCI: limits one way, what a search found the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import Choice, Limits
from arena.bots.uci_words import (
    HANDSHAKES,
    MATE,
    Handshake,
    Report,
    rank_of,
    read_go,
    write_go,
    write_info,
)

UCI, UGI = HANDSHAKES["uci"], HANDSHAKES["ugi"]


@pytest.mark.parametrize(
    ("limits", "line"),
    [
        ("seconds=0.25", "go movetime 250"),
        ("seconds=0.0001", "go movetime 1"),
        ("cpu=0.1", "go movetime 100"),
        ("cpu=0.1 seconds=0.05", "go movetime 50"),
        ("depth=7", "go depth 7"),
        ("nodes=1000 depth=7", "go depth 7 nodes 1000"),
        ("clock=60+1", "go wtime 60000 btime 60000 winc 1000 binc 1000"),
        ("clock=60 seconds=2", "go wtime 60000 btime 60000 winc 0 binc 0 movetime 2000"),
        ("playouts=10 depth=3", "go depth 3"),
    ],
)
def test_limits_become_one_line(limits: str, line: str) -> None:
    assert write_go(Limits.parse(limits), UCI) == line


def test_relatives_have_other_words_for_clocks() -> None:
    line = write_go(Limits.parse("clock=10+0.5 depth=4"), UGI)
    assert line == "go p1time 10000 p2time 10000 p1inc 500 p2inc 500 depth 4"


def test_a_player_reads_its_own_clock() -> None:
    line = "go wtime 1000 btime 2500 winc 10 binc 20 movestogo 5"
    assert read_go(line, 0) == Limits(clock=1.0, increment=0.01)
    assert read_go(line, 1) == Limits(clock=2.5, increment=0.02)
    assert read_go("go p1time 1000 p2time 2000 p2inc 7", 1) == Limits(clock=2.0, increment=0.007)


@pytest.mark.parametrize(
    ("line", "limits"),
    [
        ("go", ""),
        ("go infinite", ""),
        ("go depth 5 nodes 7", "depth=5 nodes=7"),
        ("go movetime 250", "seconds=0.25"),
        ("go movetime 0 depth 0", "seconds=0.001 depth=1"),
        ("go wtime -20 btime 5", "clock=0.001"),
        ("go depth many mate 3 movetime", ""),
        ("go movetime 999999999999999", "seconds=1e8"),
    ],
)
def test_odd_limits_are_understood_as_far_as_they_go(line: str, limits: str) -> None:
    assert read_go(line, 0) == Limits.parse(limits)


milliseconds = st.integers(1, 10**9).map(lambda count: count / 1000)
counts = st.none() | st.integers(1, 10**12)


@given(
    st.builds(
        Limits, depth=counts, nodes=counts, seconds=st.none() | milliseconds,
        clock=st.none() | milliseconds,
    ),
    st.sampled_from([*HANDSHAKES.values()]),
    st.sampled_from([0, 1]),
)  # fmt: skip
def test_limits_in_milliseconds_are_read_back(
    limits: Limits, handshake: Handshake, seat: int
) -> None:
    again = read_go(write_go(limits, handshake), seat)
    assert (again.depth, again.nodes) == (limits.depth, limits.nodes)
    for name in ("seconds", "clock"):
        assert getattr(again, name) == pytest.approx(getattr(limits, name), abs=0.0011)


def heard(*lines: str) -> Report:
    report = Report()
    for line in lines:
        report = report.with_line(line)
    return report


def test_a_search_is_told_line_by_line() -> None:
    report = heard(
        "info depth 1 seldepth 1 multipv 1 score cp 2 nodes 7 nps 7000 time 1 pv P@d1",
        "info depth 2 seldepth 2 multipv 1 score cp -24 nodes 16 nps 16000 time 1 pv P@d1 P@b1",
        "info string depth 99 is what I dream of",
        "info depth 3 currmove P@a1 currmovenumber 2",
    )
    assert report == Report(-24, 3, 16, ("P@d1", "P@b1"))
    assert heard("info time 5", "hello", "") == Report()


def test_lines_of_play_have_a_rank() -> None:
    assert rank_of("info depth 3 multipv 2 score cp 500 nodes 99 pv P@a1") == 2
    assert rank_of("info depth 3 score cp 500") == rank_of("info multipv") == 1


@pytest.mark.parametrize(
    ("words", "score"),
    [
        ("score cp 35", 35),
        ("score mate 3", MATE - 3),
        ("score mate -3", -MATE + 3),
        ("score mate 0", -MATE),
        ("score cp 35 lowerbound", None),
        ("score mate 2 upperbound", None),
        ("score cp nan", None),
        ("score", None),
    ],
)
def test_scores_are_finite(words: str, score: float | None) -> None:
    assert heard(f"info depth 1 {words} nodes 5").score == score


def test_an_answer_is_written_as_it_is_read() -> None:
    choice = Choice(3, score=-0.25, depth=6, nodes=1234)
    line = write_info(choice, ["P@d1", "P@d2"], 0.0123)
    assert line == "info depth 6 score cp -25 nodes 1234 time 12 pv P@d1 P@d2"
    assert heard(line) == Report(-25, 6, 1234, ("P@d1", "P@d2"))
    unsure = write_info(Choice(3, score=float("inf")), ["P@d1"], 0.0)
    assert unsure == "info time 0 pv P@d1"
