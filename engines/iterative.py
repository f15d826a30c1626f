"""Iterative: the strong practical one. It searches 1, 2, 3, ... plies until its time is up.

Each search is ordered by what the one before it learned, through the transposition table, the
killers and the history, so that the sum of all costs less than the last one alone would have.
"""

from __future__ import annotations

from arena.engines.alphabeta import AlphaBeta


class Iterative(AlphaBeta):
    """Deepens ply by ply until time, nodes or depth run out, remembering all it has seen.

    Source: Slate and Atkin 1977 (Chess 4.5)
    """

    ordering = "value"
    deepening = True
    killers = True
    history = True
    table = 32

    usual_depth = 12
    deeper = True
