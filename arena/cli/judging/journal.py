"""The accuracy of a journal's engines on the screen, and as data."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from rich.table import Table as Shown
from rich.text import Text

from arena.judge.blunders import Blunder
from arena.judge.verdict import PHASES
from arena.printable import printable
from arena.report.accuracy import (
    accuracy_figures,
    coverage,
    decided_by_engine,
    decided_table,
    group_table,
    kinds_table,
)
from arena.report.games import MOST_BLUNDERS, blunder_words
from arena.show.table import Table
from arena.show.terminal import console
from arena.standings.accuracy import Accuracy

WIDE, NARROW = 90, 8  # characters of a screen, of a heading
ONLY_IN_REPORTS = (
    "loss, 95 %",
    *(f"in the {phase}" for phase in PHASES),
)  # a screen has little room


def by_accuracy(accuracy: Accuracy) -> list[int]:
    """The players, those who keep the value most often first."""

    def worth(player: int) -> float:
        return -(accuracy.players[player].groups["all"].kept_value.share or 0.0)

    return sorted(range(len(accuracy.names)), key=worth)


def as_data(accuracy: Accuracy) -> dict[str, Any]:
    """Figures, blunders, and where each judged game was decided."""
    decided = decided_table(accuracy)
    names = [name.replace(" ", "_") for name in decided.headings()]
    return {
        **accuracy_figures(accuracy),
        "blunders": [_blunder(each, accuracy) for each in accuracy.blunders(MOST_BLUNDERS)],
        "decided": [dict(zip(names, row, strict=True)) for row in decided.rows],
    }


def _blunder(blunder: Blunder, accuracy: Accuracy) -> dict[str, Any]:
    verdict = blunder.verdict
    return {
        "game": blunder.game,
        "disc": verdict.ply + 1,
        "engine": accuracy.names[blunder.player],
        "opponent": accuracy.names[blunder.opponent],
        "column": verdict.column + 1,
        "kind": verdict.kind,
        "before": verdict.before,
        "after": verdict.after,
        "would_have_kept": [column + 1 for column in verdict.keepers],
    }


def show_accuracy(accuracy: Accuracy, title: str) -> None:
    """Print how much was judged, then the tables, then the worst blunders in a line each."""
    out, order = console(), by_accuracy(accuracy)
    out.print(printable(title), style="bold")
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
        out.print(shown(table.only(table.title, names), out.width))
    blunders = accuracy.blunders(MOST_BLUNDERS)
    if blunders:
        out.print("\nWorst blunders", style="bold")
    for blunder in blunders:
        who = printable(accuracy.names[blunder.player])
        place = f"game {blunder.game}, disc {blunder.verdict.ply + 1}, {who}: "
        out.print(Text(place, style="red").append(_words(blunder, accuracy), style="default"))


def _words(blunder: Blunder, accuracy: Accuracy) -> str:
    return blunder_words(blunder.verdict, accuracy.rules)


def shown(table: Table, width: int) -> Shown:
    """A table of a report on a screen of so many characters; headings are broken, cells are not."""
    padding = (0, 2, 0, 0) if width >= WIDE else (0, 1, 0, 0)
    made = Shown(title=Text(f"\n{table.title}", style="bold"), title_justify="left", box=None,
                 padding=padding, pad_edge=False, header_style="dim")  # fmt: skip
    rows = [[printable(cell) for cell in row] for row in table.text()]
    for place, column in enumerate(table.columns):
        cells = (len(row[place]) for row in rows)
        heading = fill(column.name, max(*cells, *map(len, column.name.split()), NARROW))
        made.add_column(heading, justify="left" if column.show is None else "right", no_wrap=True)
    for row in rows:
        made.add_row(*map(Text, row))
    return made
