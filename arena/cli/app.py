"""The command `arena`; what it can do is listed in arena/cli/group.py, one file a command."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.group import OneSentence

app = typer.Typer(
    name="arena",
    cls=OneSentence,
    help="Pit engines of the Connect Four family against each other, on flat boards and in space.",
    epilog=(
        "arena COMMAND --help tells more about each, with an example.\n\n"
        "To begin: arena match alphabeta mcts"
    ),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def arena(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Pit engines of the Connect Four family against each other, on flat boards and in space."""
    if version:
        from arena import __version__

        print(f"arena {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
