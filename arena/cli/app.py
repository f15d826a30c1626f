"""The command `arena` and its subcommands."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import (
    bench,
    cache,
    check,
    compare,
    doctor,
    engines,
    explain,
    games,
    history,
    init,
    match,
    play,
    rate,
    replay,
    report,
    run,
    schema,
    validate,
)
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


app.command("run")(run.run)
app.command("play")(play.play)
app.command("match")(match.match)
app.command("report")(report.report)
app.command("games")(games.games)
app.command("replay")(replay.replay)
app.command("compare")(compare.compare)
app.command("rate")(rate.rate)
app.command("history")(history.history)
app.command("engines")(engines.engines)
app.command("explain")(explain.explain)
app.command("check")(check.check)
app.command("init")(init.init)
app.command("validate")(validate.validate)
app.command("schema")(schema.schema)
app.command("doctor")(doctor.doctor)
app.add_typer(cache.app, name="cache")
app.add_typer(bench.app, name="bench")
