"""Accuracy for programs: figures by engine and group of positions, and a line for each game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.judge.game import Decision
from arena.judge.recorded import JudgedGame
from arena.report.accuracy import GROUP_WORDS
from arena.report.csv_files import table_lines, write_lines
from arena.show.table import Cell, Column, Table
from arena.standings.accuracy import GROUPS, Accuracy

ACCURACY_FIELDS = (
    "engine", "positions", "moves", "unjudged", "keeps value", "keeps value low",
    "keeps value high", "keeps score", "keeps score low", "keeps score high", "mean loss",
    "mean loss error", "mean loss low", "mean loss high",
)  # fmt: skip
DECIDED_FIELDS = (
    "game", "first", "second", "result", "reason", "decided", "disc", "by", "column", "kind",
    "score before", "score after", "judged moves", "unjudged moves",
)  # fmt: skip
NAMES = ("accuracy.csv", "decided.csv")


def write_accuracy_files(folder: Path, accuracy: Accuracy, order: Sequence[int]) -> list[Path]:
    """Write both files; tell which."""
    tables = dict(
        zip(NAMES, (accuracy_table(accuracy, order), decided_table(accuracy)), strict=True)
    )
    return [write_lines(folder / name, table_lines(table)) for name, table in tables.items()]


def accuracy_figures(accuracy: Accuracy) -> dict[str, Any]:
    """The main figures as plain data."""
    names = [field.replace(" ", "_") for field in ACCURACY_FIELDS]
    table = accuracy_table(accuracy, range(len(accuracy.names)))
    return {
        "judged_games": len(accuracy.games),
        "games": accuracy.of,
        "seconds": accuracy.seconds,
        "judged_moves": accuracy.moves,
        "unjudged_moves": accuracy.unjudged,
        "engines": [dict(zip(names, row, strict=True)) for row in table.rows],
    }


def accuracy_table(accuracy: Accuracy, order: Sequence[int]) -> Table:
    """Every engine in every group of positions, intervals as numbers."""
    rows: list[tuple[Cell, ...]] = []
    for player in order:
        for group in GROUPS:
            count = accuracy.players[player].groups[group]
            value, score = count.kept_value, count.kept_score
            rows.append(
                (accuracy.names[player], GROUP_WORDS[group], count.moves,
                 accuracy.players[player].unjudged[group], value.share, *value.interval,
                 score.share, *score.interval, count.mean_loss, count.loss_error,
                 *count.loss_interval)
            )  # fmt: skip
    return Table("Accuracy", tuple(map(Column, ACCURACY_FIELDS)), tuple(rows))


def decided_table(accuracy: Accuracy) -> Table:
    """Every judged game: by which move it was decided, if by any. Discs and columns are from 1."""
    rows = tuple(_decided(accuracy, game, found) for game, found in accuracy.games)
    return Table("Where games were decided", tuple(map(Column, DECIDED_FIELDS)), rows)


def _decided(accuracy: Accuracy, game: JudgedGame, found: Decision) -> tuple[Cell, ...]:
    names = accuracy.names[game.first], accuracy.names[game.second]
    told = [verdict is not None for _, verdict in game.judged.verdicts(accuracy.rules)]
    counts = told.count(True), told.count(False)
    facts = (game.number, *names, game.result, game.reason, found.how)
    if found.ply is None:
        return (*facts, *[None] * 6, *counts)
    verdict = game.judged.verdict(found.ply, accuracy.rules)
    assert verdict is not None, "what decides a game is judged"
    move = (names[verdict.seat], verdict.column + 1, verdict.kind, verdict.before, verdict.after)
    return (*facts, found.ply + 1, *move, *counts)
