"""How the numbers of a report are made, for a reader who did not make them."""

from __future__ import annotations

from collections.abc import Iterator

from arena.report.blocks import Block, Words
from arena.standings.rating import Ratings


def glossary(ratings: Ratings) -> Iterator[Block]:
    """A paragraph for each kind of number."""
    yield Words(
        "Place: in the order of the format. A knockout ranks by how far each came; a Swiss by "
        "points with byes, then by Buchholz, the points of the opponents; a round-robin by score; "
        "the others by rating. What is equal goes by rating."
    )
    yield Words(
        "Score: a win is a point, a draw half a point; points over games. Ratings: the strengths "
        "that explain all games together best (Bradley and Terry's model, maximum likelihood), "
        "on the Elo scale: 400 points ahead means ten points scored for each one lost. The worth "
        "of the first move is fitted with them. Zero is the mean of the rated engines"
        + (f", with {ratings.anchor} held at {ratings.anchor_elo:g}." if ratings.anchor else ".")
    )
    yield Words(
        f"Prior: {ratings.prior_words}. It keeps the ratings of engines that won or lost "
        "everything finite, and matters little otherwise."
    )
    yield Words(
        "±: half of the 95 % interval, from the games' own spread, draws included; games with the "
        "same opening go together (clustered variance). Intervals that overlap do not mean that "
        "two engines are equal: see “better than next”, the likelihood that an engine is stronger "
        "than the one below it."
    )
    yield Words(
        "Times are measured for each move, on the wall and on the processor; compile time is never "
        "counted. Medians and 95th percentiles (p95) are estimated to 1 %. A dash is a number that "
        "is not known: an engine need not tell its nodes or its depth. In plots by move, a point "
        "that stands for less than 2 % of an engine's games is left out."
    )
