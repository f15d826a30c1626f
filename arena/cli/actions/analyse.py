"""The body of `arena analyse`: a game, or the games of a journal, are judged and shown."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from arena.cli.actions.analyse_game import show_game
from arena.cli.actions.journals import open_journal
from arena.errors import ArenaError, BadOption
from arena.files import disk_errors, write_atomic
from arena.game.notation import move_data
from arena.judge.judge import PHASES, Blunder, nth
from arena.judge.sampling import Memory, judge_journal
from arena.library.analysis import (
    GameAnalysis,
    game_data,
    game_from_moves,
    is_notation,
    judged_in,
)
from arena.machine import usable_cores
from arena.report.accuracy import (
    accuracy_figures,
    all_blunders,
    blunder_words,
    blunders_table,
    coverage,
    decided_by_engine,
    decided_table,
    group_table,
    kinds_table,
    opening_lines,
)
from arena.report.canvas import can_plot, picture, styled
from arena.report.data import MAX_BLUNDERS
from arena.report.plots import accuracy_plot, game_plot
from arena.show.numbers import how_many, span
from arena.show.progress import Progress, ready_judge
from arena.show.terminal import console, dot, print_json
from arena.standings.accuracy import Accuracy
from arena.standings.accuracy import accuracy as accuracy_of
from arena.standings.evidence import value_of
from arena.text import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMS = (".svg", ".png")
WIDE = 90  # characters of a screen
ONLY_IN_REPORTS = ("loss, 95 %", *(f"in the {phase}" for phase in PHASES))  # screens are small


def analyse_what(
    what: str,
    number: int | None,
    game: str | None,
    seconds: float,
    plot: Path | None,
    as_json: bool,
    engine: str | None = None,
    openings: Path | None = None,
) -> None:
    """Judge a game by its moves, a game of a journal, or the whole journal."""
    if plot is not None:
        _check_plot(plot)
    notation = is_notation(what)
    if notation and number is not None:
        raise BadOption(f"{what} is a game already; only a journal has a game {number}")
    if not notation and game is not None:
        raise BadOption(f"{what} is a journal, which knows its game: leave --game {game} out")
    if not notation and number is None:
        _analyse_journal(Path(what), seconds, plot, as_json, engine, openings)
        return
    if engine is not None or openings is not None:
        raise BadOption("--blunders and --openings are for a whole journal, not for one game")
    if number is None:
        analysis = game_from_moves(what, game or "connect4", seconds)
    else:
        analysis = game_of_journal(Path(what), number, seconds)
    if plot is not None:
        _draw(plot, lambda: game_plot(analysis.judged, analysis.rules, analysis.names))
    if as_json:
        print_json(game_data(analysis))
    else:
        show_game(analysis)


def game_of_journal(place: Path, number: int, seconds: float) -> GameAnalysis:
    """A game of a journal."""
    with open_journal(place) as journal:
        header, row = journal.header, journal.row(number)
    judged = judged_in(row.moves, len(row.opening), header.rules, seconds)
    title = f" {dot()} ".join([printable(header.name), f"game {number}", str(header.rules)])
    names = printable(header.names[row.first]), printable(header.names[row.second])
    return GameAnalysis(header.rules, title, names, judged, row.result, row.reason)


def _analyse_journal(
    place: Path,
    seconds: float,
    plot: Path | None,
    as_json: bool,
    engine: str | None,
    openings: Path | None,
) -> None:
    with open_journal(place) as journal:
        header, memory = journal.header, Memory.beside(journal)
        if engine is not None:
            header.player(engine)  # refuse a wrong name before the games are judged
        make_judge = partial(ready_judge, header.rules)
        with Progress("judging games") as progress:

            def show(done: int, of: int, left: float) -> None:
                progress.begin(f"judging games {done:,}/{of:,}, at most {span(left)} left")

            games = judge_journal(journal, memory, seconds, make_judge, usable_cores(), show)
    accuracy = accuracy_of(games, len(journal.finished), seconds, header.names, header.rules)
    if plot is not None:
        _draw(plot, lambda: accuracy_plot(accuracy, by_accuracy(accuracy)))
    chosen = all_blunders(accuracy, engine)
    if openings is not None:
        lines = opening_lines(chosen, header.rules)
        with disk_errors(openings):
            write_atomic(openings, "".join(f"{line}\n" for line in lines).encode())
        print(f"{openings}: {how_many(len(lines), 'position')}", file=sys.stderr)
    if as_json:
        some = accuracy.blunders(MAX_BLUNDERS) if engine is None else chosen
        blunders = [_blunder_data(each, accuracy) for each in some]
        print_json({"name": header.name, **accuracy_figures(accuracy), "blunders": blunders,
                    "decided": decided_table(accuracy).records()})  # fmt: skip
    elif engine is not None:
        console().print(blunders_table(accuracy, engine).without("engine").screen(broken=True))
    else:
        show_journal(header.name, accuracy)


def by_accuracy(accuracy: Accuracy) -> list[int]:
    """The players, those who keep the value most often first."""

    def worth(player: int) -> float:
        return -(value_of(accuracy.players[player].groups["all"].kept_value) or 0.0)

    return sorted(range(len(accuracy.names)), key=worth)


def _blunder_data(blunder: Blunder, accuracy: Accuracy) -> dict[str, Any]:
    verdict = blunder.verdict
    return {
        "game": blunder.game,
        "disc": verdict.ply + 1,
        "engine": accuracy.names[blunder.player],
        "opponent": accuracy.names[blunder.opponent],
        "column": move_data(verdict.column),
        "kind": verdict.kind,
        "before": verdict.before,
        "after": verdict.after,
        "would_have_kept": [move_data(column) for column in verdict.better_moves],
    }


def show_journal(name: str, accuracy: Accuracy) -> None:
    """Print how much was judged, then the tables, then the worst blunders in a line each."""
    out, order = console(), by_accuracy(accuracy)
    out.print(printable(name), style="bold")
    out.print(coverage(accuracy, "--seconds"))
    if not accuracy.moves:
        return
    tables = (
        group_table("All moves", accuracy, order, ["all"]),
        group_table("Critical positions", accuracy, order, ["critical"]),
        kinds_table(accuracy, order),
        decided_by_engine(accuracy, order),
    )
    for table in tables:
        names = [name for name in table.headings() if name not in ONLY_IN_REPORTS]
        out.print(f"\n{table.title}", style="bold")
        padding = 2 if out.width >= WIDE else 1
        out.print(table.only("", names).screen(ruled=False, padding=padding, broken=True))
    blunders = accuracy.blunders(MAX_BLUNDERS)
    if blunders:
        out.print("\nWorst blunders", style="bold")
    for blunder in blunders:
        who = printable(accuracy.names[blunder.player])
        place = f"game {blunder.game}, {nth(blunder.verdict.ply, accuracy.rules)}, {who}: "
        words = blunder_words(blunder.verdict, accuracy.rules)
        out.print(Text(place, style="red").append(words, style="default"))


def _check_plot(file: Path) -> None:
    """Refuse at once what would fail after all is judged."""
    if file.suffix.lower() not in FORMS:
        raise BadOption(f"--plot {file}: a plot is an .svg or a .png file")
    if not file.parent.is_dir():
        raise BadOption(f"{file} cannot be written: there is no directory {file.parent}")
    if not can_plot():
        raise ArenaError("no plot: matplotlib is not installed")


def _draw(file: Path, make: Callable[[], Figure | None]) -> None:
    """Write a plot to a file; nothing is written where there is nothing to draw."""
    with styled():
        figure = make()
    if figure is None:
        print("arena: no plot: nothing was judged", file=sys.stderr)
        return
    with disk_errors(file):
        write_atomic(file, picture(figure, file.suffix.lower().removeprefix(".")))
