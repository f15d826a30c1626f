"""A line of characters: where its dots are."""

from __future__ import annotations

from arena.learning.line_plot import line_plot


def test_a_rising_line_in_stars() -> None:
    assert line_plot([(0, 0), (3, 1)], 4, 4, fine=False) == ["   *", "  * ", " *  ", "*   "]


def test_the_corners_in_dots() -> None:
    assert line_plot([(0, 1), (1, 1)], 1, 1) == ["⠉"]
    assert line_plot([(0, 0), (1, 0)], 1, 1) == ["⣀"]
    assert line_plot([(5, 0), (9, 1)], 1, 1) == ["⡜"]


def test_a_single_point_and_points_beyond_the_scale_are_drawn() -> None:
    assert line_plot([(7, 0.5)], 3, 3, fine=False) == ["   ", "*  ", "   "]
    assert line_plot([(0, 2), (2, -1)], 3, 3, fine=False)[0][0] == "*"
