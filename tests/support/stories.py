"""What two games have in common that were played from the same seed."""

from __future__ import annotations

from arena.table.game import Game


def story(row: Game) -> tuple[object, ...]:
    """What the same seed must repeat: all but times and words printed."""
    figures = [(move.score, move.depth, move.nodes) for move in row.move_records()]
    return (row.number, row.round, row.first, row.second, row.opening, row.moves,
            row.result, row.reason, row.detail, row.seed, figures)  # fmt: skip
