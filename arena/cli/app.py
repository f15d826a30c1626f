"""The command `arena`: its subcommands, and how every mistake becomes one sentence."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from arena.cli import (
    bench,
    check,
    compare,
    engines,
    explain,
    games,
    init,
    match,
    rate,
    replay,
    report,
    run,
    schema,
    validate,
)
from arena.errors import ArenaError

BAD_INPUT, INTERRUPTED = 2, 130

# Typer's complaints share an ancestor that it does not export under its own name.
UsageComplaint: type[Exception] = typer.BadParameter.__mro__[2]


class OneSentence(TyperGroup):
    """A group of commands that tells what went wrong in one sentence on stderr, exit code 2."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command and leave with its exit code."""
        _replace_what_cannot_be_written()
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False})
            sys.stdout.flush()
        except ArenaError as error:
            code = _complain(str(error))
        except UsageComplaint as error:
            code = _complain(_uncapitalised(error.format_message()))  # type: ignore[attr-defined]
        except (KeyboardInterrupt, typer.Abort):
            code = INTERRUPTED
        except BrokenPipeError:  # whoever read our output has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = 0
        sys.exit(code if isinstance(code, int) else 0)


def _complain(sentence: str) -> int:
    print(f"arena: {sentence}", file=sys.stderr)
    return BAD_INPUT


def _uncapitalised(message: str) -> str:
    """Typer's sentence in the form of ours: no capital, no full stop."""
    message = " ".join(message.split()).rstrip(".")
    return message[:1].lower() + message[1:].replace(". Did you mean", "; did you mean")


def _replace_what_cannot_be_written() -> None:
    """A terminal without Unicode shows a question mark rather than nothing at all."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


app = typer.Typer(
    name="arena",
    cls=OneSentence,
    help="Pit engines of the Connect Four family against each other, on flat boards and in space.",
    epilog="Try: arena match alphabeta mcts",
    add_completion=False,
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
app.command("match")(match.match)
app.command("games")(games.games)
app.command("replay")(replay.replay)
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.command("rate")(rate.rate)
app.command("engines")(engines.engines)
app.command("explain")(explain.explain)
app.command("check")(check.check)
app.command("init")(init.init)
app.command("validate")(validate.validate)
app.command("schema")(schema.schema)
app.add_typer(bench.app, name="bench")
