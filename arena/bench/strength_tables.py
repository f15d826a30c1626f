"""`arena bench strength`: engines are measured, and the figures printed as tables or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from arena.bench.strength import (
    BUDGETS,
    GROUPS,
    MAX_WIDTH,
    PERFECT,
    Bench,
    Score,
    Skipped,
    Strength,
    balanced,
    every_engine,
)
from arena.bots.find import build_engine
from arena.engine.contract import Limits
from arena.game.rules import Rules
from arena.judge.exam import draw_positions, solve_positions
from arena.judge.judge import PHASES
from arena.show.numbers import duration, percent_range, whole_percent
from arena.show.progress import Progress, counted, warm_up_with_progress
from arena.show.table import Cell, Column, Table
from arena.show.terminal import console, print_json
from arena.solver.flat.search import Solver
from arena.standings.evidence import Estimate, ends_of, value_of


def bench_strength(
    engines: Sequence[str],
    budgets: Sequence[str],
    game: str,
    positions: int,
    games: int,
    seed: int,
    as_json: bool,
) -> None:
    """Measure these engines, or all there are, with these budgets, and print the figures.

    Mistakes are reported before the exam is solved and the openings are found.
    """
    limits = [Limits.parse(text) for text in budgets] or BUDGETS
    engines = engines or every_engine()
    rules = Rules.named(game)
    solver = Solver(rules)
    for words in engines:
        build_engine(words)
    drawn = draw_positions(rules, positions, seed)
    warm_up_with_progress([(PERFECT, build_engine(PERFECT))], rules)
    questions = list(counted(solve_positions(drawn, solver), "solving positions", positions))
    draws = balanced(rules, games // 2, seed)
    openings = list(counted(draws, "finding drawn openings", games // 2))
    bench = Bench(rules, questions, openings, games, seed)
    with Progress("measuring", bench.steps(len(engines), len(limits)), at_once=True) as progress:
        measured = list(bench.measure(engines, limits, progress))
    rows = [row for row in measured if isinstance(row, Strength)]
    skipped = [row for row in measured if isinstance(row, Skipped)]
    show = print_data if as_json else print_tables
    show(rows, skipped, bench)


def print_tables(rows: Sequence[Strength], skipped: Sequence[Skipped], bench: Bench) -> None:
    """Print the exam, the games, and the engines left out."""
    out = console()
    asked, critical = len(bench.questions), sum(q.is_critical for q in bench.questions)
    out.print(f"Exam: {asked} positions on {bench.rules}, {critical} of them critical")
    out.print(_exam(rows).screen(ruled=False))
    if bench.games_in_all:
        print_games(rows, out)
    out.print(
        "\nKept: the best possible result was not given away; exact: nor was a sooner win or a "
        "later loss. Critical: not every column keeps the result. Ranges are 95 % intervals.",
        style="dim",
    )
    for one in skipped:
        out.print(f"{one.engine} was left out: {one.why}", style="yellow")


def _exam(rows: Sequence[Strength]) -> Table:
    """Share of positions in which the best result was kept: all, critical, and by phase."""
    columns = (
        Column("engine"), Column("budget"), Column("a move", duration),
        Column("kept", whole_percent), Column("95 %", str), Column("critical", whole_percent),
        Column("95 %", str), *(Column(phase, whole_percent) for phase in PHASES),
        Column("exact", whole_percent),
    )  # fmt: skip
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        kept = {group: row.counts[group].kept_value for group in GROUPS}
        both = [
            cell for group in GROUPS[:2] for cell in (value_of(kept[group]), _range(kept[group]))
        ]
        phases = [value_of(kept[phase]) for phase in PHASES]
        exact = value_of(row.counts["all"].kept_score)
        cells.append((*_names(row), row.seconds, *both, *phases, exact))
    return Table("", columns, tuple(cells))


def print_games(rows: Sequence[Strength], out: Console) -> None:
    """Print the scores against perfect play that rest on enough games."""
    parts = {
        heading: scores
        for heading, scores in (
            ("first, empty board", [row.from_start for row in rows]),
            ("drawn openings", [row.from_draws for row in rows]),
        )
        if any(score.is_precise for score in scores)
    }
    if parts:
        figures = (Column("score", whole_percent), Column("95 %", str))
        columns = [column for heading in parts for column in (Column(heading, str), *figures)]
        cells = tuple(
            (*_names(row), *(cell for each in parts.values() for cell in _score(each[place])))
            for place, row in enumerate(rows)
        )
        out.print("\nGames against perfect play")
        table = Table("", (Column("engine"), Column("budget"), *columns), cells)
        out.print(table.screen(ruled=False))
    every = [score for row in rows for score in (row.from_start, row.from_draws)]
    if not all(score.is_precise for score in every):
        out.print(
            f"\nScores whose 95 % interval is {100 * MAX_WIDTH:.0f} points or wider are left out: "
            "35 games are enough for an engine that always loses, 380 for an even score (--games).",
            style="yellow",
        )


def _names(row: Strength) -> tuple[str, str]:
    return row.engine, "any" if row.budget is None else str(row.budget)


def _score(score: Score) -> tuple[Cell, Cell, Cell]:
    if not score.is_precise:
        return "", None, ""
    wdl = score.wdl
    return f"+{wdl.won} ={wdl.drawn} -{wdl.lost}", wdl.share, _range(score.estimate)


def _range(of: Estimate | None) -> str:
    return "" if of is None else percent_range(*of.interval())


def as_data(row: Strength) -> dict[str, Any]:
    """A row with all its figures."""
    return {
        "engine": row.engine,
        "budget": None if row.budget is None else str(row.budget),
        "mean_seconds": row.seconds,
        "longest_seconds": row.longest,
        "exam": {
            group: {
                "positions": count.moves,
                "mean_score_loss": value_of(count.mean_loss),
                **_share_data("value", count.kept_value, count.moves),
                **_share_data("score", count.kept_score, count.moves),
            }
            for group, count in row.counts.items()
        },
        "from_start": _score_data(row.from_start),
        "from_draws": _score_data(row.from_draws),
    }


def _share_data(name: str, share: Estimate | None, moves: int) -> dict[str, Any]:
    low, high = (None, None) if share is None else share.interval()
    kept = 0 if share is None else round(share.value * moves)
    figures = {f"kept_{name}": kept, f"{name}_accuracy": value_of(share)}
    return {**figures, f"{name}_low": low, f"{name}_high": high}


def _score_data(score: Score) -> dict[str, Any]:
    wdl, (low, high) = score.wdl, ends_of(score.estimate)
    figures = {"score": value_of(score.estimate), "low": low, "high": high}
    return {**wdl._asdict(), "faults": score.faults, "games": wdl.games, **figures}


def print_data(rows: Sequence[Strength], skipped: Sequence[Skipped], bench: Bench) -> None:
    """Print everything as JSON."""
    print_json(
        {
            "rules": bench.rules.name,
            "positions": len(bench.questions),
            "critical": sum(question.is_critical for question in bench.questions),
            "games": bench.games_in_all,
            "seed": bench.seed,
            "engines": [as_data(row) for row in rows],
            "left_out": [{"engine": one.engine, "why": one.why} for one in skipped],
        }
    )
