"""What the numbers of a report mean."""

from __future__ import annotations

from collections.abc import Iterator

from arena.report.blocks import Block, Words
from arena.report.data import ReportData


def glossary(data: ReportData) -> Iterator[Block]:
    """A paragraph for each kind of number."""
    ratings = data.ratings
    yield Words(
        "Place: the order of the format. A knockout ranks by the round reached; a Swiss by points "
        "with byes, then by Buchholz (the points of the opponents); a round-robin by score; other "
        "formats by rating. Ties are broken by rating."
    )
    yield Words(
        "Score: points per game; a win is one point, a draw half a point. Rating: the strengths "
        "that best explain all games together (Bradley and Terry's model, maximum likelihood), on "
        "the Elo scale: 400 points ahead means ten points scored for each one lost. The advantage "
        "of the first move is fitted with them. The mean of the rated engines is 0"
        + (f", with {ratings.anchor} fixed at {ratings.anchor_elo:g}." if ratings.anchor else ".")
    )
    yield Words(
        f"Prior: {ratings.prior_words}. It keeps the ratings of engines that won or lost every "
        "game finite, and has little effect otherwise."
    )
    yield Words(
        "±: half of the 95 % interval, estimated from the spread of the games, draws included. "
        "Games with the same opening count as one cluster. Overlapping intervals do not mean that "
        "two engines are equal: see “better than next”, the probability that an engine is stronger "
        "than the one below it."
    )
    yield Words(
        "Time: measured for each move, as wall time and processor time, without compilation. "
        "Medians and 95th percentiles (p95) are accurate to 1 %. The interval of a mean time is "
        "too narrow where a few moves take most of the time: the median tells more. A dash means "
        "unknown: engines need not report nodes or depth. Plots by move leave out points that "
        "stand for less than 2 % of an engine's games."
    )
