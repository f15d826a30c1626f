"""What `arena analyse` prints: a judged game with its verdicts, or the accuracies of a journal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table as RichTable
from rich.text import Text

from arena.cli.journals import open_journal
from arena.errors import ArenaError, BadOption
from arena.files import disk_errors, write_atomic
from arena.game.notation import column_name, move_data, move_words, play_moves
from arena.game.position import DISCS, STEAL
from arena.game.rules import Rules
from arena.judge.game import Judged
from arena.judge.judge import PHASES, VALUES, Blunder, in_words, nth
from arena.judge.sampling import Memory, judge_journal
from arena.library.analysis import GameAnalysis, game_data, judged_in
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
from arena.show.board import COLOURS, MARGIN, board_text
from arena.show.numbers import how_many, percent, span, two_digits, whole
from arena.show.progress import Progress, ready_judge
from arena.show.table import Cell, Column, Table
from arena.show.terminal import console, dot, print_json, symbol
from arena.standings.accuracy import Accuracy
from arena.standings.accuracy import accuracy as accuracy_of
from arena.standings.evidence import value_of
from arena.text import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMS = (".svg", ".png")
WIDE = 90  # characters of a screen
ONLY_IN_REPORTS = ("loss, 95 %", *(f"in the {phase}" for phase in PHASES))  # screens are small
STYLES = {"best": "green", "slower win": "yellow", "faster loss": "yellow"}
BLOCKS, PLAIN = "▁▂▃▄▅▆▇█", "_.:-=+*#"  # of the sparkline
NAME_WIDTH = 8  # of its lines
UNPROVEN = ("?", "dim")


def show(analysis: GameAnalysis, plot: Path | None, as_json: bool) -> None:
    """Print a judged game, or its data, and draw its plot."""
    if plot is not None:
        _draw(plot, lambda: game_plot(analysis.judged, analysis.rules, analysis.names))
    if as_json:
        print_json(game_data(analysis))
    else:
        _print_game(analysis)


def game_of_journal(place: Path, number: int, seconds: float) -> GameAnalysis:
    """A game of a journal."""
    with open_journal(place) as journal:
        header, row = journal.header, journal.row(number)
    judged = judged_in(row.moves, len(row.opening), header.rules, seconds)
    title = f" {dot()} ".join([printable(header.name), f"game {number}", str(header.rules)])
    names = printable(header.names[row.first]), printable(header.names[row.second])
    return GameAnalysis(header.rules, title, names, judged, row.result, row.reason)


def analyse_journal(
    place: Path,
    seconds: float,
    plot: Path | None,
    as_json: bool,
    engine: str | None,
    openings: Path | None,
) -> None:
    """Judge as many games of a journal as the time allows, and print the accuracies."""
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
        _print_journal(header.name, accuracy)


def by_accuracy(accuracy: Accuracy) -> list[int]:
    """The players, the most accurate first."""

    def value(player: int) -> float:
        return -(value_of(accuracy.players[player].groups["all"].kept_value) or 0.0)

    return sorted(range(len(accuracy.names)), key=value)


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


def _print_journal(name: str, accuracy: Accuracy) -> None:
    """Print how much was judged, the tables, and a line for each of the worst blunders."""
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


def check_plot(file: Path) -> None:
    """Refuse a file that could not be written after the judging."""
    if file.suffix.lower() not in FORMS:
        raise BadOption(f"--plot {file}: a plot is an .svg or a .png file")
    if not file.parent.is_dir():
        raise BadOption(f"{file} cannot be written: there is no directory {file.parent}")
    if not can_plot():
        raise ArenaError("no plot: matplotlib is not installed")


def _draw(file: Path, make: Callable[[], Figure | None]) -> None:
    """Write a plot to a file, unless there is nothing to draw."""
    with styled():
        figure = make()
    if figure is None:
        print("arena: no plot: nothing was judged", file=sys.stderr)
        return
    with disk_errors(file):
        write_atomic(file, picture(figure, file.suffix.lower().removeprefix(".")))


# ---- one game


def _print_game(game: GameAnalysis) -> None:
    """Print the final board, the moves, the course of the score, and the accuracies."""
    out, judged = console(), game.judged
    out.print(game.title, style="dim")
    players = Text()
    for seat, name in enumerate(game.names):
        players.append(" against " if seat else "")
        players.append(DISCS[seat], style=COLOURS[seat]).append(f" {name}", style="bold")
    out.print(players)
    out.print()
    out.print(board_text(play_moves(judged.moves, game.rules)), soft_wrap=True)
    out.print()
    out.print(_moves(game))
    out.print(sparkline(judged, game.rules), soft_wrap=True)
    out.print()
    out.print(_accuracy(game).screen(ruled=False))
    out.print(decision_words(game))
    if game.result is None and judged.scores[-1] is not None:
        ply = len(judged.moves)
        discs = judged.discs(ply)
        words = in_words(judged.scores[-1], discs, game.rules, discs < ply)
        out.print(f"It is not over: {DISCS[ply % 2]} {words}.")


def _moves(game: GameAnalysis) -> RichTable:
    table = RichTable(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    first = "move" if game.rules.pie else "disc"
    for heading in (first, "", "column", "verdict", "the best", "this one", "instead"):
        table.add_column(heading, justify="right" if heading in (first, "column") else "left")
    for ply, column in enumerate(game.judged.moves):
        who = Text(DISCS[ply % 2], style=COLOURS[ply % 2])
        move = "steal" if column == STEAL else column_name(column, game.rules)
        table.add_row(str(ply + 1), who, move, *_verdict_cells(game, ply))
    return table


def _verdict_cells(game: GameAnalysis, ply: int) -> list[Text | str]:
    if ply < game.judged.opening:
        return [Text("opening", style="dim"), "", "", ""]
    verdict = game.judged.verdict(ply, game.rules)
    if verdict is None:
        return [Text("unjudged", style="dim"), "", "", ""]
    scores = verdict.before, verdict.after
    before, after = (verdict.outcome(score, game.rules) for score in scores)
    better = [column_name(column, game.rules) for column in verdict.better_moves if column != STEAL]
    instead = ", ".join([*better, *(["s"] if STEAL in verdict.better_moves else [])])
    mark = f" {dot()} critical" if verdict.critical and verdict.keeps_value else ""
    style = STYLES.get(verdict.kind, "bold red")
    kind = Text(verdict.words, style=style).append(mark, style="not bold dim")
    return [kind, before, "" if verdict.keeps_score else after, instead]


def _accuracy(game: GameAnalysis) -> Table:
    columns = (
        Column("accuracy"), Column("moves", whole), Column("unjudged", whole),
        Column("keeps value", percent), Column("if critical", percent),
        Column("keeps score", percent), Column("mean loss", two_digits),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for seat, name in enumerate(game.names):
        player = game.counted(seat)
        count, critical = player.groups["all"], player.groups["critical"]
        rows.append(
            (f"{DISCS[seat]} {name}", count.moves, count.unjudged, value_of(count.kept_value),
             value_of(critical.kept_value), value_of(count.kept_score), value_of(count.mean_loss))
        )  # fmt: skip
    return Table("", columns, tuple(rows))


def decision_words(game: GameAnalysis) -> str:
    """Where the game was decided, in a sentence."""
    decided, names = game.decided, game.names
    if decided.how == "start":
        return "The value never changed."
    if decided.how == "end":
        return (
            "The result is not the value of the final position: the board did not decide the game."
        )
    verdict = None if decided.ply is None else game.judged.verdict(decided.ply, game.rules)
    if verdict is None:
        return "The deciding move is not proven."
    lost = f"turned a {VALUES[verdict.value_before]} into a {VALUES[verdict.value_after]}"
    so_far = "Decided" if game.result is not None else "The last change of value came"
    return (
        f"{so_far} by {nth(verdict.ply, game.rules)}: {DISCS[verdict.seat]} {names[verdict.seat]} "
        f"{lost} with {move_words(verdict.column, game.rules)}."
    )


def sparkline(judged: Judged, rules: Rules) -> Text:
    """Score, leader and blunders by position; ? is unproven.

    The score is the first player's, from the lowest to the highest of the game.
    """
    blocks, empty = symbol(BLOCKS, PLAIN), [(" ", "")] * judged.opening
    reach = max([1, *(abs(score) for score in judged.scores if score is not None)])
    heights, leaders = list(empty), list(empty)
    for ply, score in enumerate(judged.scores, start=judged.opening):
        if score is None:
            heights.append(UNPROVEN)
            leaders.append(UNPROVEN)
            continue
        score *= (-1) ** ply
        height = round((score + reach) / (2 * reach) * (len(blocks) - 1))
        ahead, colour = ("=", "dim") if score == 0 else (DISCS[score < 0], COLOURS[score < 0])
        heights.append((blocks[height], colour if score else ""))
        leaders.append((ahead, colour))
    blunders = [(" ", "")] * (len(judged.moves) + 1)
    for ply, verdict in judged.verdicts(rules):
        if verdict is not None and not verdict.keeps_value:
            blunders[ply + 1] = ("^", "bold")  # below the position that it led to
    lines = []
    for name, marks in (("score", heights), ("ahead", leaders), ("blunder", blunders)):
        line = Text(f"{MARGIN}{name.ljust(NAME_WIDTH)}", style="dim")
        for mark, style in marks:
            line.append(mark, style=f"not dim {style}")
        line.rstrip()
        lines.append(line)
    return Text("\n").join(lines)
