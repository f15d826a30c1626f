"""Telemetry as plain data: a list for each figure, and back to the very same bytes."""

from __future__ import annotations

from base64 import b64decode, b64encode
from math import isfinite
from typing import Any

from arena.errors import ArenaError
from arena.play.record import MoveRecord
from arena.play.row import GameRow, pack_telemetry

FIGURES = ("seconds", "cpu", "score", "depth", "nodes")


def telemetry_as_data(row: GameRow) -> dict[str, list[float | None]] | str | None:
    """Lists of figures; None where there are none, base64 where the bytes say something else."""
    if not row.telemetry:
        return None
    try:
        moves = row.move_records()
        same = pack_telemetry(moves) == row.telemetry
    except ValueError:
        same = False
    if not same or not all(map(_is_finite, moves)):
        return b64encode(row.telemetry).decode("ascii")
    return {name: [getattr(move, name) for move in moves] for name in FIGURES}


def telemetry_from_data(data: Any, columns: bytes) -> bytes:
    """The bytes that `telemetry_as_data` told about; the columns are those after the opening."""
    if data is None:
        return b""
    try:
        if isinstance(data, str):
            return b64decode(data, validate=True)
        figures = [data[name] for name in FIGURES]
        told = list(zip(columns, *figures, strict=True))
        return pack_telemetry([MoveRecord(*move) for move in told])
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ArenaError(
            f"telemetry is not what it should be: lists of {len(columns)} numbers for "
            + ", ".join(FIGURES)
        ) from None


def _is_finite(move: MoveRecord) -> bool:
    return isfinite(move.seconds) and isfinite(move.cpu) and isfinite(move.score or 0.0)
