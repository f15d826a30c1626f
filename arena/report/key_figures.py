"""The main numbers of a report, for programs."""

from __future__ import annotations

from dataclasses import asdict

from arena.report import tables
from arena.report.accuracy_files import accuracy_figures
from arena.report.content import Content
from arena.report.csv_files import with_limits

WORDS = {"±": "error", "Elo": "elo"}  # headings for programs


def key_figures(content: Content) -> dict[str, object]:
    """The main numbers for programs."""
    results, ratings = content.results, content.ratings
    table = with_limits(tables.standings(results, ratings), content.header)
    headings = [WORDS.get(name, name.replace(" ", "_")) for name in table.headings()]
    return {
        "name": content.title,
        "games": results.games,
        "answer": content.answer,
        "warnings": list(content.warnings),
        "distinct": results.distinct,
        "first_player_score": results.first_advantage,
        "first_move_elo": ratings.first_advantage,
        "first_move_elo_error": ratings.first_advantage_error,
        "draw_rate": ratings.draw_rate,
        "wall_over_cpu": results.busy,
        "seconds": results.seconds,
        "mistakes": [asdict(mistake) for mistake in content.mistakes],
        "standings": [dict(zip(headings, row, strict=True)) for row in table.rows],
        **({} if content.accuracy is None else {"accuracy": accuracy_figures(content.accuracy)}),
    }
