"""The value of a position from its parts, the naive twin of the kernels; names to try it on."""

from __future__ import annotations

from arena.evaluation import EVALUATIONS, Evaluation
from arena.game import Position

# Evaluations whose weights were written by hand serve every board.
BY_HAND = sorted(name for name, weights in EVALUATIONS.items() if weights.network is None)


def value_of(evaluation: Evaluation, position: Position, player: int) -> float:
    """The value to a player, as the position stands on the board.

    A drawn game has none. A won one has that of `win`, unless the weights give a value to full
    lines.
    """
    if position.is_draw:
        return 0.0
    parts = evaluation.breakdown(position, player)
    if position.winner is None:
        return sum(parts.values())
    if not evaluation.has_win_weights:
        return (1 if position.winner == player else -1) * (evaluation.win or 0.0)
    return sum(parts.values()) - parts["tempo"]
