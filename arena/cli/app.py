"""The command `arena`: commands in groups, mistakes in one sentence, exit codes, closed pipes."""

from __future__ import annotations

import sys
import warnings
from contextlib import suppress
from typing import Annotated, Any, TextIO

import typer

from arena import __version__, streams
from arena.cli.commands import GROUPS, LazyCommands, LightGroup
from arena.cli.exits import BAD_INPUT, BROKEN_OFF, DONE, FOUND, MEANINGS
from arena.errors import ArenaError, ArenaWarning, EngineFailure
from arena.show.terminal import colour_wanted
from arena.text import printable, printable_lines

# Typer's complaints share an ancestor that it does not export under its own name.
UsageError: type[Exception] = typer.BadParameter.__mro__[2]


class ArenaGroup(LightGroup):
    """All commands; what goes wrong in one is told in one sentence on stderr, exit code 2."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.commands = LazyCommands()  # as good as a dict

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command and leave with its exit code."""
        streams.replace_unprintable()
        warnings.simplefilter("always", ArenaWarning)
        warnings.showwarning = _show_warning
        ours = {"standalone_mode": False, "color": colour_wanted()}
        try:
            code = super().main(*args, **{**kwargs, **ours})
            sys.stdout.flush()
        except ArenaError as error:
            code = _complain(str(error), _frames(error))
        except UsageError as error:
            code = _complain(_usage_mistake(error))
        except (KeyboardInterrupt, typer.Abort):
            code = BROKEN_OFF
        except BrokenPipeError:  # whoever read our output has seen enough; nothing is wrong
            streams.discard_output()
            code = DONE
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            code = _complain(f"{where}{error.strerror or error}")
            streams.discard_output()
        except MemoryError as error:
            code = _complain(f"the memory of this machine is not enough: {error}")
        except ModuleNotFoundError as error:
            code = _complain(_lacking(error))
        except SystemExit as leaving:
            code = leaving.code
            if isinstance(leaving.__context__, BrokenPipeError):
                streams.discard_output()  # Rich and Typer leave with 1 where nobody reads any more
                code = DONE if code == FOUND else code
        sys.exit(code if isinstance(code, int) else DONE)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a broken pipe is no matter if nobody reads our output any more."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            if streams.output_closed():
                raise
            raise RuntimeError("a pipe to another process is broken") from error

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the words of the command; the only refusal in here is that of a shell."""
        try:
            return super().make_context(*args, **kwargs)
        except typer.Exit as leaving:
            if leaving.exit_code != FOUND:
                raise
            script = "_ARENA_COMPLETE=source_bash arena"
            raise ArenaError(
                "completion knows bash, zsh, fish and PowerShell, and this is none of them; "
                f"{script} prints the script for bash"
            ) from None

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """`arena help run` is `arena run --help`."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands by what they are for."""
        width = max(map(len, self.commands))
        for title, summaries in GROUPS.items():
            with formatter.section(title):
                rows = [(name.ljust(width), summary) for name, summary in summaries.items()]
                formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Tell the exit codes, and where to begin."""
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), words) for code, words in MEANINGS.items()])
        super().format_epilog(ctx, formatter)


def _complain(sentence: str, frames: str = "") -> int:
    with suppress(OSError):
        lines = printable_lines("\n".join(filter(None, [sentence, frames])))
        print(f"arena: {lines}", file=sys.stderr)
    return BAD_INPUT


def _show_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int,
    file: TextIO | None = None, line: str | None = None,
) -> None:  # fmt: skip
    """Something to know, in one sentence; of others' warnings, as Python tells them."""
    text = f"arena: {printable(str(message))}\n"
    if not issubclass(category, ArenaWarning):
        text = warnings.formatwarning(message, category, filename, lineno, line)
    with suppress(OSError, ValueError):
        (file or sys.stderr).write(text)


def _frames(error: ArenaError) -> str:
    """The lines of an engine that led to an error of its own."""
    if not isinstance(error, EngineFailure):
        return ""
    from arena.engine.errors import root_trace

    return root_trace(error)


def _usage_mistake(error: Any) -> str:
    """What is wrong with the words of a command; of a number, what was found and expected."""
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
    return _uncapitalised(error.format_message())


def _uncapitalised(message: str) -> str:
    """Typer's sentence in the form of ours: no capital, no full stop."""
    message = " ".join(message.split()).rstrip(".")
    return message[:1].lower() + message[1:].replace(". Did you mean", "; did you mean")


def _lacking(error: ModuleNotFoundError) -> str:
    """Which package is missing; if it is one of ours, the mistake is ours too."""
    package = (error.name or "").partition(".")[0]
    if package in ("", "arena"):
        raise error
    return f"the package {package!r} is not installed; arena doctor tells what is needed"


app = typer.Typer(
    name="arena",
    cls=ArenaGroup,
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
        print(f"arena {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
