"""Tables and boards as HTML, for pages and notebooks."""

from __future__ import annotations

from arena.game.position import Position
from arena.game.rules import Rules
from arena.show.html import board_html, escape, table_html, titled
from arena.show.numbers import whole
from arena.show.table import Column, Table

TABLE = Table("Who & what", (Column("<name>"), Column("won", whole)), (("a<b", 3), ("c\x1b", None)))


def test_words_of_others_are_escaped() -> None:
    assert escape("<b>\x1b") == "&lt;b&gt; "
    page = TABLE._repr_html_()
    assert page == titled("Who & what", table_html(TABLE))
    assert "<strong>Who &amp; what</strong>" in page
    assert "<td>a&lt;b</td>" in page
    assert "\x1b" not in page


def test_numbers_have_their_value_to_sort_by() -> None:
    page = table_html(TABLE, sorted_by_hand=True)
    assert '<td class="number" data-v="3">3</td>' in page
    assert '<button type="button">won</button>' in page
    assert "<button" not in table_html(TABLE)


def test_a_flat_board_and_one_in_space() -> None:
    page = board_html(Position.parse("4545454"))
    assert page.count("●") == 7
    assert page.count("underline") == 4
    assert "1 2 3 4 5 6 7" in page
    space = board_html(Position.parse("1,1", Rules.named("4x4x4")))
    assert space.count("●") == 2
    assert "level 4" in space
