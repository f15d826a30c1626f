"""The standings: one table for the end of a run, for a report and for a screen.

The order is that of the format, and what it ranks by stands beside the names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rich.table import Table as RichTable

from arena.show.numbers import halves, likely, one_digit, percent, whole
from arena.show.table import Cell, Column, Table
from arena.show.terminal import symbol
from arena.standings.rating import Ratings
from arena.standings.scoreboard import WDL, Scoreboard
from arena.tournament.formats import Ranking

OUTCOMES = (Column("won", whole), Column("drawn", whole), Column("lost", whole))
RECORD = (Column("games", whole), Column("points", halves), Column("score", percent), *OUTCOMES)

SHORT = {"place": "", "won": "+", "drawn": "=", "lost": "-"}  # headings on a screen
LESS_WANTED = (("+", "=", "-"), ("games",), ("points",))  # what is left out first if room is short
CELL_WIDTH = 6  # of how each did against each


def record(wdl: WDL) -> tuple[Cell, ...]:
    """Games, points, score, won, drawn, lost: the cells of RECORD."""
    return (wdl.games, wdl.points, wdl.share if wdl.games else None, *wdl)


def standings_table(
    scoreboard: Scoreboard, ratings: Ratings | None, ranking: Ranking | None = None
) -> Table:
    """Who is best, with ratings and their 95 % errors; groups that never met are told apart.

    Ratings know the ranking of a journal; that of a run, which may have none yet, is given.
    """
    ranking = ranking or (None if ratings is None else ratings.ranking)
    own = {} if ranking is None else ranking.columns
    columns = (
        Column("place", whole), Column("engine"), *_columns(own),
        Column("group", whole), Column("Elo", one_digit), Column("±", one_digit), *RECORD,
        Column("better than next", likely),
    )  # fmt: skip
    order, scores = places(ratings, ranking), scoreboard.scores
    rows: list[tuple[Cell, ...]] = []
    for place, (player, after) in enumerate(zip(order, [*order[1:], None], strict=True), start=1):
        rows.append(
            (place, scoreboard.names[player], *(values[player] for values in own.values()),
             *_rating(ratings, player), *record(scores[player]),
             _superiority(ratings, player, after))
        )  # fmt: skip
    table = Table("Standings", columns, tuple(rows))
    apart = ratings is not None and len(ratings.groups) > 1
    return table if apart else table.without("group")


def places(ratings: Ratings | None, ranking: Ranking | None) -> Sequence[int]:
    """The players, the first first."""
    if ranking is not None:
        return ranking.order
    return () if ratings is None else ratings.order


def _columns(own: Mapping[str, Sequence[float | str]]) -> list[Column]:
    """The columns of what a format ranks by: words, or points."""
    words = {name for name, values in own.items() if any(isinstance(v, str) for v in values)}
    return [Column(name, None if name in words else halves) for name in own]


def _rating(ratings: Ratings | None, player: int) -> tuple[Cell, ...]:
    if ratings is None:
        return (None, None, None)
    return (ratings.group[player] + 1, ratings.elo[player], ratings.error[player])


def _superiority(ratings: Ratings | None, player: int, other: int | None) -> float | None:
    if ratings is None or other is None or not ratings.comparable(player, other):
        return None
    return float(ratings.los[player, other])


def standings_screen(
    title: str,
    scoreboard: Scoreboard,
    ratings: Ratings | None,
    ranking: Ranking | None = None,
    width: int = 100,
) -> RichTable:
    """The standings on a screen, with how each did against each where there is room for that."""
    table = _shortened(standings_table(scoreboard, ratings, ranking).without("better than next"))
    for part in LESS_WANTED:
        if table.screen_width() > width:
            table = table.without(*part)
    if table.screen_width() + CELL_WIDTH * len(table.rows) <= width:
        table = _with_crosstable(table, scoreboard, places(ratings, ranking))
    return replace(table, title=title).screen()


def _shortened(table: Table) -> Table:
    """Shorter headings, and ratings without decimals."""
    shows = {"Elo": lambda elo: f"{elo:+z.0f}", "±": lambda error: f"{error:.0f}"}
    columns = (
        Column(SHORT.get(column.name, column.name), shows.get(column.name, column.show))
        for column in table.columns
    )
    sign = symbol("±", "+-")
    columns = (replace(column, name=sign) if column.name == "±" else column for column in columns)
    return replace(table, columns=tuple(columns))


def _with_crosstable(table: Table, scoreboard: Scoreboard, order: Sequence[int]) -> Table:
    """A column for each opponent: the points made against it; nothing where they have not met."""
    columns = [Column(str(place), halves) for place in range(1, len(order) + 1)]
    rows = (
        (*row, *(_against(scoreboard, player, other) for other in order))
        for player, row in zip(order, table.rows, strict=True)
    )
    return Table(table.title, (*table.columns, *columns), tuple(rows))


def _against(scoreboard: Scoreboard, player: int, other: int) -> Cell:
    if player == other:
        return None
    met = scoreboard.versus(player, other)
    return met.points if met.games else ""
