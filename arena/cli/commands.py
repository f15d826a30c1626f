"""Every command: its name, its group and its line of help; each is loaded when it is called.

The command NAME is the function NAME in arena/cli/NAME.py, or the Typer `app` there if it holds
several; those about tournament files share one. That file is the signature and the help; the body,
with all that is slow to import, is arena/cli/actions/NAME.py and imported when the command runs.
"""

from __future__ import annotations

from collections import UserDict
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from arena.errors import BadOption

GROUPS = {
    "Play": {
        "run": "Run or resume a tournament.",
        "play": "Play against an engine or a person, or watch two engines.",
        "grade": "Grade a class of submissions.",
        "studies": "List the bundled studies, and the results of those that were run.",
        "match": "Play a match between two engines.",
    },
    "Results": {
        "report": "Write a report: the answer, standings, accuracy, timing, plots.",
        "games": "List, filter, export or import games.",
        "replay": "Step through a game.",
        "analyse": "Judge the moves of a game or a journal exactly.",
        "compare": "Compare two engines, with confidence.",
        "rate": "Rate the players of any list of games.",
        "history": "Show your games and a leaderboard.",
    },
    "Engines": {
        "engines": "List engines and their options, or explain one.",
        "explain": "Show how an engine sees a position.",
        "solve": "Solve a position exactly.",
        "train": "Train an engine by playing, or resume a training.",
        "speak": "Run an engine as a UCI or other line-protocol program.",
        "export": "Write an engine as one file for another platform.",
        "book": "Build or show opening books of exact scores.",
        "check": "Check that engines are valid.",
    },
    "Tournament files": {
        "init": "Write a tournament file with comments, or copy a bundled one.",
        "validate": "Check tournament and training files.",
        "figures": "List the figures that files can measure.",
        "schema": "Print the JSON Schema of tournament or training files.",
    },
    "This machine": {
        "doctor": "Check your setup, or verify a journal.",
        "cache": "Show or clear the compiled kernels.",
        "bench": "Measure speed and strength on this machine.",
    },
}

MOST = 1 << 63  # SQLite and the kernels hold numbers below it


class LightGroup(TyperGroup):
    """A group of commands whose help needs no library but Typer."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options; a flag not given is False, for Typer loads a library to read None."""
        options = super().get_params(ctx)
        for option in options:
            if getattr(option, "is_bool_flag", False) and option.default is None:
                option.default = False
        return options


class LazyCommands(UserDict[str, Any]):
    """Commands by name, each loaded when it is looked up: one does not wait for all others."""

    def __init__(self) -> None:
        super().__init__()
        self.data = {name: None for names in GROUPS.values() for name in names}

    def __getitem__(self, name: str) -> Any:
        if self.data[name] is None:
            self.data[name] = load_command(name)
        return self.data[name]


def load_command(name: str) -> Any:
    """The command of this name, as Typer builds it of a function or of a group."""
    file = "tournament_files" if name in GROUPS["Tournament files"] else name
    module = import_module(f"arena.cli.{file}")
    holder = typer.Typer(cls=LightGroup, rich_markup_mode=None, add_completion=False)
    holder.callback()(lambda: None)  # without it, a single command would not be in a group
    if hasattr(module, "app"):
        holder.add_typer(module.app, name=name)
    else:
        holder.command(name)(getattr(module, name))
    group: Any = typer.main.get_command(holder)
    _check_numbers(group.commands[name])
    return group.commands[name]


def _check_numbers(command: Any) -> None:
    """Refuse a number that is none, or that no machine word holds, before the command runs."""
    for inner in getattr(command, "commands", {}).values():
        _check_numbers(inner)
    run, names = command.callback, {param.name: param.opts[0] for param in command.params}

    def checked(**arguments: Any) -> Any:
        for name, value in arguments.items():
            if isinstance(value, int | float) and not abs(value) < MOST:  # nor a nan
                raise BadOption(f"{names[name]}: expected a number between -2^63 and 2^63")
        return run(**arguments)

    if run is not None:
        command.callback = checked
