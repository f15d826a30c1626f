"""The command `arena`: its commands in groups, errors in one sentence, exit codes."""

from __future__ import annotations

import sys
import warnings
from contextlib import suppress
from functools import wraps
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperGroup

from arena import __version__, streams
from arena.cli import (
    analyse,
    bench,
    build,
    check,
    doctor,
    engines,
    explain,
    files,
    games,
    grade,
    match,
    play,
    rate,
    report,
    run,
    topics,
    train,
)
from arena.cli.exits import BAD_INPUT, DONE, INTERRUPTED, MEANINGS, PROBLEM
from arena.errors import ArenaError, ArenaWarning, BadOption, EngineFailure
from arena.show.terminal import colour_wanted
from arena.text import printable, printable_lines

# Typer does not export the ancestor of its usage errors.
UsageError: type[Exception] = typer.BadParameter.__mro__[2]

GROUPS = {
    "Play": (play.play, match.match),
    "Run": (run.run, train.train, grade.grade, files.init, check.check),
    "Read": (report.report, games.games, analyse.analyse, explain.explain, rate.rate),
    "Build": (engines.engines, build.export, build.speak, build.book),
    "Measure": (bench.bench, doctor.doctor),
}
RENAMED = {
    "cache": "doctor --clear-cache",
    "compare": "match, or arena rate for games that were played",
    "figures": "help figures",
    "history": "games without a journal",
    "leaderboard": "rate without a source",
    "replay": "games JOURNAL NUMBER",
    "schema": "init --schema",
    "solve": "explain",
    "studies": "run --list",
    "validate": "check FILE.yaml",
}
MAX_NUMBER = 1 << 63  # SQLite and the kernels hold numbers below it


class PlainGroup(TyperGroup):
    """A group of commands whose help needs no library but Typer."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options; a flag not given is False, as Typer loads a library to read None."""
        options = super().get_params(ctx)
        for option in options:
            if getattr(option, "is_bool_flag", False) and option.default is None:
                option.default = False
        return options


class ArenaGroup(PlainGroup):
    """All commands. An error in one of them becomes one sentence on stderr and exit code 2."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command and exit with its code."""
        streams.replace_unprintable()
        warnings.simplefilter("always", ArenaWarning)
        warnings.showwarning = _show_warning
        ours = {"standalone_mode": False, "color": colour_wanted()}
        try:
            code = super().main(*args, **{**kwargs, **ours})
            sys.stdout.flush()
        except ArenaError as error:
            code = _complain(str(error), _engine_frames(error))
        except UsageError as error:
            code = _complain(_usage_mistake(error))
        except (KeyboardInterrupt, typer.Abort):
            code = INTERRUPTED
        except BrokenPipeError:  # the reader of our output has seen enough
            streams.discard_output()
            code = DONE
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            code = _complain(f"{where}{error.strerror or error}")
            streams.discard_output()
        except MemoryError as error:
            code = _complain(f"this machine has too little memory: {error}")
        except ModuleNotFoundError as error:
            code = _complain(_missing_package(error))
        except SystemExit as leaving:
            code = leaving.code
            if isinstance(leaving.__context__, BrokenPipeError):
                streams.discard_output()  # Rich and Typer exit with 1 when nobody reads any more
                code = DONE if code == PROBLEM else code
        sys.exit(code if isinstance(code, int) else DONE)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a broken pipe matters unless it is our output's."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            if streams.output_closed():
                raise
            raise RuntimeError("a pipe to another process is broken") from error

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parse the command line; Typer refuses here only to complete for an unknown shell."""
        try:
            return super().make_context(*args, **kwargs)
        except typer.Exit as leaving:
            if leaving.exit_code != PROBLEM:
                raise
            script = "_ARENA_COMPLETE=source_bash arena"
            raise ArenaError(
                "completion supports bash, zsh, fish and PowerShell; "
                f"{script} prints the script for bash"
            ) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; an old name gets a sentence with the new one."""
        if args and args[0] in RENAMED:
            raise BadOption(f"the command {args[0]!r} is now arena {RENAMED[args[0]]}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands by group."""
        width = max(map(len, self.commands))
        for title, functions in GROUPS.items():
            with formatter.section(title):
                named = [self.commands[function.__name__] for function in functions]
                formatter.write_dl(
                    [(str(each.name).ljust(width), _summary(each)) for each in named]
                )

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Print the exit codes and where to begin."""
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), words) for code, words in MEANINGS.items()])
        super().format_epilog(ctx, formatter)


def _summary(command: Any) -> str:
    return (command.help or "").partition("\n")[0]


def _complain(sentence: str, frames: str = "") -> int:
    with suppress(OSError):
        lines = printable_lines("\n".join(filter(None, [sentence, frames])))
        print(f"arena: {lines}", file=sys.stderr)
    return BAD_INPUT


def _show_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int,
    file: TextIO | None = None, line: str | None = None,
) -> None:  # fmt: skip
    """Print one of our warnings as a sentence, any other as Python does."""
    text = f"arena: {printable(str(message))}\n"
    if not issubclass(category, ArenaWarning):
        text = warnings.formatwarning(message, category, filename, lineno, line)
    with suppress(OSError, ValueError):
        (file or sys.stderr).write(text)


def _engine_frames(error: ArenaError) -> str:
    """The lines of an engine that raised an error."""
    if not isinstance(error, EngineFailure):
        return ""
    from arena.engine.errors import root_trace

    return root_trace(error)


def _usage_mistake(error: Any) -> str:
    """What is wrong with a command line; for a number, what was found and expected."""
    if errors := getattr(error.__cause__, "errors", None):  # pydantic's, which is slow to import
        first = errors()[0]
        limit = next(iter(first.get("ctx", {}).values()), None)
        expected = {
            "int_parsing": "a whole number",
            "float_parsing": "a number",
            "greater_than_equal": f"at least {limit}",
            "less_than_equal": f"at most {limit}",
        }.get(first["type"])
        if expected is not None:
            error.message = f"found {first['input']}; expected {expected}"
    message = " ".join(error.format_message().split()).rstrip(".")
    return message[:1].lower() + message[1:].replace(". Did you mean", "; did you mean")


def _missing_package(error: ModuleNotFoundError) -> str:
    """The package that is missing; a missing module of ours is a bug, not the user's mistake."""
    package = (error.name or "").partition(".")[0]
    if package in ("", "arena"):
        raise error
    return f"the package {package!r} is not installed; arena doctor lists what is needed"


def _checked(function: Any) -> Any:
    """The command, which refuses numbers that are not finite or exceed a machine word."""

    @wraps(function)
    def command(**arguments: Any) -> None:
        for name, value in arguments.items():
            if isinstance(value, int | float) and not abs(value) < MAX_NUMBER:  # nor a nan
                shown = name.strip("_").replace("_", "-")
                raise BadOption(f"--{shown}: expected a number between -2^63 and 2^63")
        function(**arguments)

    return command


app = typer.Typer(
    name="arena",
    cls=ArenaGroup,
    help="Pit engines of the Connect Four family against each other, on flat boards and in space.",
    epilog=(
        "arena COMMAND --help has details and examples; arena help lists the topics.\n\n"
        "To begin: arena match alphabeta mcts"
    ),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for functions in GROUPS.values():
    for function in functions:
        if function is bench.bench:
            benchmarks = typer.Typer(cls=PlainGroup)
            benchmarks.callback(invoke_without_command=True)(bench.bench)
            for benchmark in bench.BENCHMARKS:
                benchmarks.command()(_checked(benchmark))
            app.add_typer(benchmarks, name="bench")
        else:
            app.command()(_checked(function))
app.command("help", hidden=True)(topics.help_on)


@app.callback(invoke_without_command=True)
def arena(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Pit engines of the Connect Four family against each other, on flat boards and in space."""
    if version:
        print(f"arena {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
