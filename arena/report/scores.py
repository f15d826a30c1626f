"""Sections about who beats whom: standings, pairs, seats, openings, learning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from arena.game.notation import write_moves
from arena.report.blocks import LONG, Block, Words
from arena.report.cautions import cautions
from arena.report.conditions import limits_differ, limits_in_words, with_limits
from arena.report.data import ReportData
from arena.report.summary import pairs_sentence
from arena.report.verdicts import verdict_sentences
from arena.show.numbers import halves, how_many, listed, one_digit, percent, whole
from arena.show.standings import OUTCOMES, RECORD, record, standings_table
from arena.show.table import Cell, Column, Table
from arena.standings.games import WDL
from arena.standings.results import Results

HIDDEN = {"points", "won", "drawn", "lost"}  # columns of the standings that a page leaves out
FIFTHS = ("first", "second", "third", "fourth", "last")


def standings_of(data: ReportData) -> Table:
    """The standings, with limits if engines had different ones."""
    table = standings_table(data.results.scoreboard, data.ratings)
    players = data.header.players
    if limits_differ(players):
        table = with_limits(table, players, limits_in_words)
    brief = tuple(name for name in table.headings() if name not in HIDDEN)
    return replace(table, brief=brief, file="standings.csv")


def standings(data: ReportData) -> Iterator[Block]:
    """The standings, and how to read them."""
    yield standings_of(data)
    notes = []
    if limits_differ(data.header.players):
        notes.append("The limits differ, so the standings compare engines together with their "
                     "limits.")  # fmt: skip
    if len(data.ratings.groups) > 1:
        notes.append(
            "Engines of different groups have never met, not even through common opponents: "
            "their ratings cannot be compared."
        )
    if (pairs := pairs_sentence(data)) is not None:
        notes.append(pairs)
    if notes:
        yield Words(" ".join(notes))
    yield from conclusions(data)


def conclusions(data: ReportData) -> Iterator[Block]:
    """The verdicts in a sentence each, and everything to be careful about."""
    if sentences := verdict_sentences(data):
        yield Words(" ".join(sentences))
    yield from cautions(data)


def crosstable_section(data: ReportData) -> Iterator[Block]:
    """The score of each against each."""
    if data.results.games and len(data.order) <= LONG:
        yield Words("Score of the engine in the row against the one in the column.")
        yield crosstable(data.results, data.order)


def crosstable(results: Results, order: Sequence[int]) -> Table:
    """Each against each: the score of the row's player."""

    def score(player: int, other: int) -> float | None:
        met = results.scoreboard.versus(player, other)
        return met.share if met.games and player != other else None

    places = range(1, len(order) + 1)
    columns = [Column("place", whole), Column("engine")]
    columns += [Column(str(place), percent, f"score_against_{place}") for place in places]
    rows = [
        (place, results.names[player], *(score(player, other) for other in order))
        for place, player in enumerate(order, start=1)
    ]
    return Table("Crosstable", tuple(columns), tuple(rows))


def pairs_section(data: ReportData) -> Iterator[Block]:
    """Every pair once, in the order of the standings."""
    table = head_to_head(data.results, data.order)
    place = {data.names[player]: at for at, player in enumerate(data.order)}
    rows = [row for row in table.rows if place[str(row[0])] < place[str(row[1])]]
    if rows:
        yield replace(table, rows=tuple(rows))


def head_to_head(results: Results, order: Sequence[int]) -> Table:
    """Each against each in one row, for those who met."""
    games = results.scoreboard.outcomes.sum(axis=2)
    met, versus = games + games.T, results.scoreboard.versus
    rows = [
        (results.names[player], results.names[other], *record(versus(player, other)))
        for player in order
        for other in order
        if player != other and met[player, other]
    ]
    columns = Column("engine"), Column("opponent"), *RECORD
    return Table("Head to head", columns, tuple(rows), file="crosstable.csv")


def learning(data: ReportData) -> Iterator[Block]:
    """The course of the scores, where engines learn; the others are there to compare."""
    if not data.learners or not data.results.games:
        return
    names = [data.names[player] for player in data.learners]
    learn = "learns" if len(names) == 1 else "learn"
    still = len(data.names) - len(names)
    others = ("", "; the other does not")[still] if still < 2 else "; the others do not"
    yield Words(f"{listed(names)} {learn} from game to game{others}.")
    columns = (
        Column("engine"),
        Column("games", whole),
        *(Column(f"{fifth} fifth", percent) for fifth in FIFTHS),
    )
    rows = []
    for player in data.order:
        points = data.results.scoreboard.points_of(player)
        parts = np.array_split(points, len(FIFTHS))
        means = (float(part.mean()) if part.size else None for part in parts)
        rows.append((data.names[player], len(points), *means))
    yield Table("Score by fifths of the games", columns, tuple(rows))


def seats(data: ReportData) -> Iterator[Block]:
    """The value of the first move, and the score of each engine in both seats."""
    if not data.results.games:
        return
    words = f"The first player scored {percent(data.results.scoreboard.first_share)}"
    elo, error = data.ratings.first_advantage, data.ratings.first_advantage_error
    if elo is not None and error is not None:
        words += f"; first-move advantage: {elo:+z.0f} ± {error:.0f} Elo"
    yield Words(f"{words}.")
    columns = (
        Column("engine"),
        *(
            Column(f"{column.name} as {seat}", column.show)
            for seat in ("first", "second")
            for column in (Column("score", percent), *OUTCOMES)
        ),
    )
    rows = []
    for player in data.order:
        both = [WDL.of(counts) for counts in data.results.scoreboard.by_seat[player]]
        cells = (cell for wdl in both for cell in (wdl.share if wdl.games else None, *wdl))
        rows.append((data.names[player], *cells))
    yield Table("By seat", columns, tuple(rows))


def openings(data: ReportData) -> Iterator[Block]:
    """How the first player did from each opening, the most played ones first."""
    named, others = data.results.scoreboard.by_opening()
    if not set(named) - {b""}:
        return
    yield Words(f"{how_many(len(named), 'opening')}, the most played first.")
    columns = (
        Column("opening"), Column("games", whole), Column("points", halves),
        Column("score of first", percent), *OUTCOMES,
    )  # fmt: skip
    most_played = sorted(named.items(), key=lambda item: -int(item[1].sum()))
    rows = [(write_moves(moves, data.rules) or "empty board", *record(WDL.of(counts)))
            for moves, counts in most_played]  # fmt: skip
    if others.any():
        rows.append(("others", *record(WDL.of(others))))
    yield Table("Openings", columns, tuple(rows))


def games(data: ReportData) -> Iterator[Block]:
    """The games and their plies in one row, with what the first move was worth."""
    results = data.results
    if not results.games:
        return
    columns = (
        Column("games", whole), Column("shortest", whole), Column("mean plies", one_digit),
        Column("median", whole), Column("longest", whole), Column("distinct", percent),
        Column("score of first", percent),
    )  # fmt: skip
    lengths = results.scoreboard.lengths  # of games that no fault ended
    plies = np.repeat(np.arange(len(lengths)), lengths)
    figures: tuple[Cell, ...] = (None,) * 4
    if len(plies):
        middle = int(plies[(len(plies) - 1) // 2])
        figures = int(plies[0]), float(plies.mean()), middle, int(plies[-1])
    row = (results.games, *figures, results.distinct, results.scoreboard.first_share)
    yield Table("Games", columns, (row,))
