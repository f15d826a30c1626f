"""`arena help TOPIC`: the manual, the figures and limits of tournament files, the exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import typer

from arena.cli.exits import MEANINGS
from arena.cli.options import argument, refuse
from arena.errors import UnknownName

PAGES = {
    "writing-an-engine": "build an engine step by step",
    "external-bots": "play with bots of other frameworks and programs",
    "tournament-files": "every key of a tournament file",
    "results": "reports, ratings, files for programs",
    "python": "use Arena from Python",
    "learning": "train engines",
    "algorithms": "the algorithms and their sources",
    "journal": "the file that holds the games",
    "performance": "speed of games and of the solver",
}
FIGURES = """\
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
LIMITS = """\
Limits of a move, for --limit, `limits:` in a file, and limits= in Python:

  depth=4              plies to search
  nodes=10000          positions to visit
  playouts=1000        games that MCTS plays to the end
  seconds=0.1          wall time of a move; also 100ms
  cpu=0.1              processor time of a move, of all threads and child processes
  clock=60             wall time of a whole game; also 1m
  clock=60+0.5         the same, with 0.5 s more after each move
  seconds=0.1 on=reference    seconds of a reference core, scaled to each machine

Several of them hold together: "depth=8 seconds=0.1". With depth, nodes or playouts, the
same seed gives the same games on any number of workers. `arena help tournament-files`
says how time is counted.
"""


def help_on(
    context: typer.Context,
    topic: str | None = argument(None, "TOPIC", "A command or a topic."),
    as_json: bool = typer.Option(False, "--json", help="Print figures as JSON."),
) -> None:
    """Explain a command or a topic.

    Example: arena help figures
    """
    parent: Any = context.parent
    topics: dict[str, Callable[[], None]] = {
        "figures": lambda: _print_figures(as_json),
        "limits": lambda: print(LIMITS, end=""),
        "exit-codes": _print_exit_codes,
        **{page: lambda page=page: _print_page(page) for page in PAGES},  # type: ignore[misc]
    }
    if topic != "figures":
        refuse("with this topic", json=as_json)
    if topic is None:
        print(parent.get_help())
        print("\nTopics, with arena help TOPIC:")
        summaries = {**PAGES, "figures": "what a tournament file can measure",
                     "limits": "how to limit moves", "exit-codes": "what they mean"}  # fmt: skip
        for name, summary in summaries.items():
            print(f"  {name:17}  {summary}")
    elif topic in topics:
        topics[topic]()
    elif topic in parent.command.commands:
        with parent.command.make_context(topic, [], parent=parent, resilient_parsing=True):
            command = parent.command.commands[topic]
            print(command.get_help(typer.Context(command, info_name=topic, parent=parent)))
    else:
        raise UnknownName("topic", topic, [*topics, *parent.command.commands])


def _print_page(name: str) -> None:
    """A page of the manual, laid out for a terminal and as it is elsewhere."""
    from rich.markdown import Markdown

    from arena.show.terminal import console

    text = files("arena").joinpath("docs", f"{name}.md").read_text(encoding="utf-8")
    out = console()
    if out.is_terminal:
        with out.pager(styles=True):
            out.print(Markdown(text))
    else:
        print(text, end="")


def _print_figures(as_json: bool) -> None:
    """Every figure with an example, and how files use them."""
    from dataclasses import asdict

    from rich.table import Table
    from rich.text import Text

    from arena.show.terminal import console
    from arena.tournament.figures import MEASURES

    if as_json:
        named = [{"name": name, **asdict(measure)} for name, measure in MEASURES.items()]
        print(json.dumps(named, indent=2, ensure_ascii=False))
        return
    out, grid = console(), Table.grid(padding=(0, 2), pad_edge=True)
    grid.add_column(style="green", no_wrap=True)
    grid.add_column()
    for name, measure in MEASURES.items():
        takes = [f"take: {' | '.join(measure.takes)}"] if measure.takes else []
        keys = "; ".join([*takes, f"narrowed by {', '.join(measure.keys)}"])
        text = Text(f"{{{name}: {measure.example}}}\n", style="bold") + Text(measure.words)
        grid.add_row(name, text + Text(f"\n{keys}", style="dim"))
    out.print("figures, each with an example\n", style="bold")
    out.print(grid)
    out.print("\nin a tournament file\n", style="bold")
    out.print(Text(FIGURES), style="dim")


def _print_exit_codes() -> None:
    for code, meaning in MEANINGS.items():
        print(f"{code:>4}  {meaning}")
