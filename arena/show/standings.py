"""The standings: one table for the end of a run, for a report and for a screen.

The order is that of the format, and what it ranks by stands beside the names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rich.table import Table as RichTable

from arena.show.numbers import elo, halves, likely, one_digit, percent, whole
from arena.show.table import Cell, Column, Table
from arena.show.terminal import symbol
from arena.standings.games import WDL, Games
from arena.standings.question import difference
from arena.standings.rating import Ratings
from arena.tournament.formats import Ranking

OUTCOMES = (Column("won", whole), Column("drawn", whole), Column("lost", whole))
RECORD = (Column("games", whole), Column("points", halves), Column("score", percent), *OUTCOMES)

SHORT = {"place": "", "won": "+", "drawn": "=", "lost": "-"}  # headings on a screen
LESS_WANTED = (("+", "=", "-"), ("games",), ("points",))  # what is left out first if room is short
BETTER = "better than next, by rating"
CELL_WIDTH = 6  # of how each did against each


def record(wdl: WDL) -> tuple[Cell, ...]:
    """Games, points, score, won, drawn, lost: the cells of RECORD."""
    return (wdl.games, wdl.points, wdl.share if wdl.games else None, *wdl)


def standings_table(
    scoreboard: Games, ratings: Ratings | None, ranking: Ranking | None = None
) -> Table:
    """Who is best, with ratings and their 95 % errors; a column names groups that never met.

    Ratings know the ranking of a journal; that of a run, which may have none yet, is given.
    """
    ranking = ranking or (None if ratings is None else ratings.ranking)
    own = {} if ranking is None else ranking.columns
    words = {name for name, values in own.items() if any(isinstance(v, str) for v in values)}
    is_match = len(scoreboard.names) == 2  # of two, their games with each other say it
    columns = (
        Column("place", whole), Column("engine"),
        *(Column(name, None if name in words else halves) for name in own),
        Column("group", whole), Column("Elo", one_digit),
        Column("±", one_digit, "elo_ci95"), *RECORD,
        Column("better than next" if is_match else BETTER, likely, "better_than_next"),
    )  # fmt: skip
    order, scores = places(ratings, ranking), scoreboard.scores
    rows: list[tuple[Cell, ...]] = []
    for place, (player, after) in enumerate(zip(order, [*order[1:], None], strict=True), start=1):
        rating: tuple[Cell, ...] = (None, None, None)
        better = None
        if ratings is not None:
            rating = (ratings.group[player] + 1, ratings.elo[player], ratings.error[player])
            if after is not None and ratings.comparable(player, after):
                apart = difference(scoreboard, ratings, player, after) if is_match else None
                better = float(ratings.los[player, after]) if apart is None else apart.los
        figures = (values[player] for values in own.values())
        rows.append((place, scoreboard.names[player], *figures, *rating, *record(scores[player]),
                     better))  # fmt: skip
    table = Table("Standings", columns, tuple(rows))
    has_groups = ratings is not None and len(ratings.groups) > 1
    return table if has_groups else table.without("group")


def places(ratings: Ratings | None, ranking: Ranking | None) -> Sequence[int]:
    """The players, the first first."""
    if ranking is not None:
        return ranking.order
    return () if ratings is None else ratings.order


def standings_screen(
    title: str,
    scoreboard: Games,
    ratings: Ratings | None,
    ranking: Ranking | None = None,
    width: int = 100,
) -> RichTable:
    """The standings on a screen, with how each did against each where there is room for that."""
    table = standings_table(scoreboard, ratings, ranking)
    table = table.without(table.headings()[-1])  # how sure the order is
    table = replace(table, title=title, columns=tuple(map(_shortened, table.columns)))
    for part in LESS_WANTED:
        if table.screen_width() > width:
            table = table.without(*part)
    if table.screen_width() + CELL_WIDTH * len(table.rows) <= width:
        table = _with_crosstable(table, scoreboard, places(ratings, ranking))
    return table.screen()


def _shortened(column: Column) -> Column:
    """A column with a shorter heading; ratings without decimals."""
    if column.name == "Elo":
        return Column("Elo", partial(elo, digits=0))
    if column.name == "±":
        return Column(symbol("±", "+-"), lambda error: f"{error:.0f}")
    return Column(SHORT.get(column.name, column.name), column.show)


def _with_crosstable(table: Table, scoreboard: Games, order: Sequence[int]) -> Table:
    """A column for each opponent: the points made against it; nothing where they have not met."""
    columns = [Column(str(place), halves) for place in range(1, len(order) + 1)]
    rows: list[tuple[Cell, ...]] = []
    for player, row in zip(order, table.rows, strict=True):
        cells: list[Cell] = []
        for other in order:
            met = scoreboard.versus(player, other)
            cells.append(None if player == other else met.points if met.games else "")
        rows.append((*row, *cells))
    return replace(table, columns=(*table.columns, *columns), rows=tuple(rows))
