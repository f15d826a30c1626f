"""`arena bench strength`: engines are measured, and shown as tables, JSON, CSV and a picture."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console

from arena.bench.strength import (
    BUDGETS,
    GROUPS,
    PERFECT,
    WIDEST,
    Bench,
    Declined,
    Score,
    Steps,
    Strength,
    balanced,
    every_engine,
)
from arena.bots.find import build_engine
from arena.engine.contract import Limits
from arena.errors import ArenaError, BadOption
from arena.files import write_atomic, writing
from arena.game.rules import Rules
from arena.judge.exam import draw_positions, solve_positions
from arena.judge.judge import PHASES
from arena.report.canvas import (
    FAINT,
    can_plot,
    label,
    line_style,
    one_axes,
    picture,
    styled,
    time_tick,
)  # fmt: skip
from arena.show.numbers import duration, percent_range, whole_percent
from arena.show.progress import Progress, counted, warm_up_with_progress
from arena.show.table import Cell, Column, Table
from arena.show.terminal import console, print_json
from arena.solver.flat.search import Solver
from arena.standings.evidence import Estimate, value_of
from arena.standings.games import WDL

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STDOUT = "-"


def bench_strength(
    engines: Sequence[str],
    budgets: Sequence[str],
    game: str,
    positions: int,
    games: int,
    seed: int,
    output: Output,
) -> None:
    """Measure these engines, or all there are, with these budgets, and write the output.

    What cannot be done complains first; then the exam is solved and the openings are found.
    """
    output.check()
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
        rows = list(bench.measure(engines, limits, Steps(progress.at)))
    output.write(rows, bench)


@dataclass(frozen=True)
class Output:
    """Where the figures go: a table, JSON or CSV on stdout, and files."""

    plot: Path | None
    csv: str | None
    as_json: bool

    def check(self) -> None:
        """Refuse what would fail after minutes of measuring."""
        if self.plot is not None and self._form not in ("svg", "png"):
            raise BadOption(f"--plot {self.plot}: expected a file that ends in .svg or .png")
        if self.plot is not None and not can_plot():
            raise BadOption(f"--plot {self.plot}: matplotlib is not installed")
        if self.csv == STDOUT and self.as_json:
            raise BadOption("--csv - and --json both want stdout; write the CSV to a file")
        for file in (self.plot, None if self.csv is None else Path(self.csv)):
            if file is not None and not file.parent.is_dir():
                raise BadOption(f"{file} cannot be written: there is no directory {file.parent}")

    @property
    def _form(self) -> str:
        return "" if self.plot is None else self.plot.suffix.lower().removeprefix(".")

    def write(self, measured: Sequence[Strength | Declined], bench: Bench) -> None:
        """Write the files, and print what is to be printed."""
        rows = [row for row in measured if isinstance(row, Strength)]
        declined = [row for row in measured if isinstance(row, Declined)]
        if self.as_json:
            print_data(rows, declined, bench)
        elif self.csv != STDOUT:
            print_tables(rows, declined, bench)
        if self.csv is not None:
            with writing(self.csv) as out:
                write_csv(rows, out)
        if self.plot is not None:
            try:
                write_atomic(self.plot, picture_of(rows, self._form))
            except OSError as error:
                raise ArenaError(f"{self.plot} cannot be written: {error.strerror}") from None


def print_tables(rows: Sequence[Strength], declined: Sequence[Declined], bench: Bench) -> None:
    """Print the exam and the games, and who was left out."""
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
    for one in declined:
        out.print(f"{one.engine} was left out: {one.why}", style="yellow")


def _exam(rows: Sequence[Strength]) -> Table:
    """How much of the best result each kept: of all positions, the critical ones, and by phase."""
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
        cells.append((*_who(row), row.seconds, *both, *phases, exact))
    return Table("", columns, tuple(cells))


def print_games(rows: Sequence[Strength], out: Console) -> None:
    """Print scores against perfect play, where there were games enough to say something."""
    parts = {
        heading: scores
        for heading, scores in (
            ("first, empty board", [row.from_start for row in rows]),
            ("drawn openings", [row.from_draws for row in rows]),
        )
        if any(score.says_something for score in scores)
    }
    if parts:
        figures = (Column("score", whole_percent), Column("95 %", str))
        columns = [column for heading in parts for column in (Column(heading, str), *figures)]
        cells = tuple(
            (*_who(row), *(cell for each in parts.values() for cell in _score(each[place])))
            for place, row in enumerate(rows)
        )
        out.print("\nGames against perfect play")
        table = Table("", (Column("engine"), Column("budget"), *columns), cells)
        out.print(table.screen(ruled=False))
    every = [score for row in rows for score in (row.from_start, row.from_draws)]
    if not all(score.says_something for score in every):
        out.print(
            f"\nScores whose 95 % interval is {100 * WIDEST:.0f} points or wider are left out: 35 "
            "games are enough for one who always loses, 380 for an even score (--games).",
            style="yellow",
        )


def _who(row: Strength) -> tuple[str, str]:
    return row.engine, "any" if row.budget is None else str(row.budget)


def _score(score: Score) -> tuple[Cell, Cell, Cell]:
    if not score.says_something:
        return "", None, ""
    wdl = score.wdl
    return f"+{wdl.won} ={wdl.drawn} -{wdl.lost}", wdl.share, _range(wdl)


def _range(of: Estimate | WDL | None) -> str:
    if of is None:
        return ""
    return percent_range(*(of.interval if isinstance(of, WDL) else of.interval()))


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
    wdl = score.wdl
    share = (wdl.share, *wdl.interval) if wdl.games else (None, None, None)
    figures = dict(zip(("score", "low", "high"), share, strict=True))
    return {**wdl._asdict(), "faults": score.faults, "games": wdl.games, **figures}


def print_data(rows: Sequence[Strength], declined: Sequence[Declined], bench: Bench) -> None:
    """Print everything as JSON."""
    print_json(
        {
            "rules": bench.rules.name,
            "positions": len(bench.questions),
            "critical": sum(question.is_critical for question in bench.questions),
            "games": bench.games_in_all,
            "seed": bench.seed,
            "engines": [as_data(row) for row in rows],
            "left_out": [{"engine": one.engine, "why": one.why} for one in declined],
        }
    )


def write_csv(rows: Sequence[Strength], out: TextIO) -> None:
    """One line for an engine with a budget, all figures side by side."""
    lines = [_flat("", as_data(row)) for row in rows]
    writer = csv.DictWriter(out, list(lines[0]) if lines else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)


def _flat(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {name: value}
    under = f"{name}_" if name and name != "exam" else ""
    return {key: one for k, v in value.items() for key, one in _flat(f"{under}{k}", v).items()}


def frontier(rows: Sequence[Strength]) -> list[Strength]:
    """Those that nobody beats in the same time or less, the quickest first (Pareto)."""
    best: list[Strength] = []
    for row in sorted(rows, key=lambda row: (row.seconds, -_kept(row).value)):
        if not best or _kept(row).value > _kept(best[-1]).value:
            best.append(row)
    return best


def picture_of(rows: Sequence[Strength], form: str) -> bytes:
    """The share of critical positions in which the value was kept, by time; one line an engine."""
    examined = [row for row in rows if row.counts["critical"].moves]
    with styled():
        figure, axes = one_axes(8.0, 4.8, "Strength against time")
        engines = list(dict.fromkeys(row.engine for row in examined))
        for number, engine in enumerate(engines):
            _draw(axes, number, engine, [row for row in examined if row.engine == engine])
        front = frontier(examined)
        axes.plot(
            [row.seconds for row in front], [_kept(row).value for row in front],
            color=FAINT, linewidth=6, alpha=0.35, zorder=0, label="best for its time",
        )  # fmt: skip
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda seconds, _: time_tick(seconds))
        axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
        axes.set_xlabel("mean time a move")
        axes.set_ylabel("value kept in critical positions")
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return picture(figure, form)


def _draw(axes: Axes, number: int, engine: str, rows: list[Strength]) -> None:
    """An engine with its budgets, and the 95 % interval of each."""
    shares, seconds = [_kept(row).value for row in rows], [row.seconds for row in rows]
    ends = [_kept(row).interval() for row in rows]
    lows = [share - low for share, (low, _) in zip(shares, ends, strict=True)]
    highs = [high - share for share, (_, high) in zip(shares, ends, strict=True)]
    style = line_style(number)
    axes.errorbar(
        seconds, shares, yerr=[lows, highs], capsize=2, elinewidth=0.8, label=label(engine), **style
    )


def _kept(row: Strength) -> Estimate:
    kept = row.counts["critical"].kept_value
    return kept or Estimate(0.0, 0.0, 0.0, 0.0, 0, "share")
