"""The games inside a page: as JSON, a few hundred bytes each, as many as the page may hold.

A game is a list: number, round, first, second, result, reason, plies of the opening, moves (one
character a column), detail, then for each move after the opening microseconds, score, depth and
nodes; then for a judged game the kind of each move (its place in KINDS, - if unjudged), the exact
scores of all positions, and by ply the columns that would have kept what a blunder gave away. A
list of which nothing is known is 0. The page knows the order as well.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from arena.game.rules import Rules
from arena.journal import Journal
from arena.judge.game import Judged
from arena.judge.verdict import KINDS
from arena.play.record import GameRow, MoveRecord

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
MOST_GAMES, MOST_BYTES = 10_000, 4_000_000
LONGEST_DETAIL = 200


@dataclass(frozen=True)
class Embedded:
    """Games as JSON that can stand inside a page, and how many of all they are."""

    text: str
    games: int
    total: int


def embed_games(
    journal: Journal,
    notable: Sequence[int],
    judged: Mapping[int, Judged],
    most: int = MOST_GAMES,
    room: int = MOST_BYTES,
) -> Embedded:
    """The notable games and the newest others, as far as there is room."""
    newest = deque(journal.finished, maxlen=most)
    wanted = {*notable, *newest}
    reasons: dict[str, int] = {}
    rules = journal.header.rules
    texts = {}
    for row in journal.rows(numbers=wanted):
        verdicts = _verdicts(judged.get(row.number), rules)
        texts[row.number] = _json([*_compact(row, reasons), *verdicts])
    chosen: dict[int, str] = {}
    for number in [*notable, *reversed(newest)]:
        if number in texts and number not in chosen and len(chosen) < most:
            room -= len(texts[number])
            if room < 0:
                break
            chosen[number] = texts[number]
    data = {"rules": _rules(rules), "names": journal.header.names, "reasons": list(reasons),
            "kinds": KINDS}  # fmt: skip
    games = ",\n".join(chosen[number] for number in sorted(chosen))
    text = f'{_json(data)[:-1]},"games":[\n{games}\n]}}'
    return Embedded(harmless(text), len(chosen), journal.count())


def harmless(text: str) -> str:
    """JSON that ends no script and begins no comment, whatever names it holds."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _rules(rules: Rules) -> dict[str, Any]:
    return {"width": rules.width, "depth": rules.depth, "height": rules.height,
            "connect": rules.connect}  # fmt: skip


def _compact(row: GameRow, reasons: dict[str, int]) -> list[Any]:
    reason = reasons.setdefault(row.reason, len(reasons))
    columns = "".join(ALPHABET[column] for column in row.moves)
    try:
        moves = row.move_records()
    except ValueError:  # bytes that are no telemetry
        moves = []
    figures = _figures(moves) if moves else [0, 0, 0, 0]
    detail = row.detail[:LONGEST_DETAIL]
    return [row.number, row.round, row.first, row.second, row.result, reason,
            len(row.opening), columns, detail, *figures]  # fmt: skip


def _verdicts(judged: Judged | None, rules: Rules) -> list[Any]:
    """The kind of each move, the score of each position, and what blunders should have been."""
    if judged is None:
        return [0, 0, 0]
    verdicts = [verdict for _, verdict in judged.verdicts(rules)]
    kinds = "".join("-" if each is None else str(KINDS.index(each.kind)) for each in verdicts)
    right = {ply: "".join(ALPHABET[c] for c in columns) for ply, columns in judged.keepers.items()}
    return [kinds, judged.scores, right]


def _figures(moves: Sequence[MoveRecord]) -> list[Any]:
    """Times in microseconds, scores, depths and nodes, rounded to what is shown."""
    return [
        _list_or_0(_rounded(move.seconds * 1e6, 3) for move in moves),
        _list_or_0(_rounded(move.score, 5) for move in moves),
        _list_or_0(move.depth for move in moves),
        _list_or_0(_rounded(move.nodes, 4) for move in moves),
    ]


def _list_or_0(values: Iterable[float | None]) -> list[float | None] | int:
    figures = list(values)
    return figures if any(figure is not None for figure in figures) else 0


def _rounded(value: float | None, digits: int) -> float | None:
    if value is None or not isfinite(value):
        return None
    number = float(f"{value:.{digits}g}")
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
