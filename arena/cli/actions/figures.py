"""The body of `arena figures`: what can be measured, and how a tournament file asks for it."""

from __future__ import annotations

from dataclasses import asdict

from rich.table import Table
from rich.text import Text

from arena.show.terminal import console, print_json
from arena.tournament.figures import MEASURES, Measure

EXAMPLES = """\
expect:
  - {score: my_bot against random as first, at_least: 90%}
  - {time: my_bot, take: p95, at_most: 100ms, points: 1}
  - {elo: my_bot against mcts, at_least: 0, confidence: 95%}
  - {nodes: alphabeta, over: {nodes: minimax}, at_most: 0.1}
  - {score: "* against random", at_least: 50%}
  - {score: my_bot against reflex, more_than: {score: random against reflex}}
figures:
  - {elo: my_bot against mcts}
published:
  - {wins: my_bot against mcts, value: 75%, of: 100, source: table 2}
"""


def print_figures(as_json: bool) -> None:
    """Print them all."""
    if as_json:
        print_json([{"name": name, **asdict(measure)} for name, measure in MEASURES.items()])
        return
    out, grid = console(), Table.grid(padding=(0, 2), pad_edge=True)
    grid.add_column(style="green", no_wrap=True)
    grid.add_column()
    for name, measure in MEASURES.items():
        text = Text(f"{{{name}: {measure.example}}}\n", style="bold") + Text(measure.words)
        grid.add_row(name, text + Text(f"\n{_keys(measure)}", style="dim"))
    out.print("figures, each with an example\n", style="bold")
    out.print(grid)
    out.print("\nin a tournament file\n", style="bold")
    out.print(Text(EXAMPLES), style="dim")


def _keys(measure: Measure) -> str:
    """What may stand beside it."""
    takes = [f"take: {' | '.join(measure.takes)}"] if measure.takes else []
    return "; ".join([*takes, f"narrowed by {', '.join(measure.keys)}"])
