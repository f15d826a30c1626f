"""How `arena` meets its user: commands in groups, mistakes in one sentence, quiet closed pipes."""

from __future__ import annotations

import os
import select
import sys
import warnings
from collections import UserDict
from contextlib import suppress
from functools import wraps
from importlib import import_module
from typing import Any, TextIO

import typer
from typer.core import TyperGroup

from arena.cli.exits import BAD_INPUT, BROKEN_OFF, DONE, FOUND, MEANINGS
from arena.errors import ArenaError, ArenaWarning, BadOption, EngineFailure
from arena.printable import printable, printable_lines
from arena.show.terminal import colour_wanted

# Each is a file arena/cli/NAME.py with a function NAME, or with a Typer `app` if it holds several.
GROUPS = {
    "Play": ("run", "play", "match"),
    "Results": ("report", "games", "replay", "analyse", "compare", "rate", "history"),
    "Engines": ("engines", "explain", "solve", "book", "check"),
    "Tournament files": ("init", "validate", "schema"),
    "This machine": ("doctor", "cache", "bench"),
}

MOST = 1 << 63  # what SQLite and the kernels hold is below

# Typer's complaints share an ancestor that it does not export under its own name.
UsageComplaint: type[Exception] = typer.BadParameter.__mro__[2]


class LightGroup(TyperGroup):
    """A group of commands whose help is told without delay."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options; a flag not given is False, for Typer loads a library to read None."""
        options = super().get_params(ctx)
        for option in options:
            if getattr(option, "is_bool_flag", False) and option.default is None:
                option.default = False
        return options


class OnDemand(UserDict[str, Any]):
    """Commands by name, each loaded when it is looked up: one does not wait for all others."""

    def __init__(self) -> None:
        super().__init__()
        self.data = {name: None for names in GROUPS.values() for name in names}

    def __getitem__(self, name: str) -> Any:
        if self.data[name] is None:
            self.data[name] = _built(name)
        return self.data[name]


def _built(name: str) -> Any:
    """The command of this name, as Typer makes it of a function or of a group."""
    module = import_module(f"arena.cli.{name}")
    holder = typer.Typer(cls=LightGroup, rich_markup_mode=None, add_completion=False)
    holder.callback()(lambda: None)  # without it, a single command would not be in a group
    if hasattr(module, "app"):
        holder.add_typer(module.app, name=name)
    else:
        holder.command(name)(getattr(module, name))
    made: Any = typer.main.get_command(holder)
    _watch_numbers(made.commands[name])
    return made.commands[name]


def _watch_numbers(command: Any) -> None:
    """No command is ever given a number that is none, or that no machine word holds."""
    for inner in getattr(command, "commands", {}).values():
        _watch_numbers(inner)
    if command.callback is not None:
        words = {param.name: param for param in command.params}
        command.callback = _with_sound_numbers(command.callback, words)


def _with_sound_numbers(callback: Any, params: dict[str, Any]) -> Any:
    @wraps(callback)
    def checked(**given: Any) -> Any:
        for name, value in given.items():
            if isinstance(value, int | float) and not abs(value) < MOST:  # nor a nan
                raise BadOption(f"{_option_of(params.get(name), name)} is {_in_short(value)}")
        return callback(**given)

    return checked


def _option_of(param: Any, name: str) -> str:
    """What the user calls a parameter: its longest flag, or its word in capitals."""
    flags = [flag for flag in getattr(param, "opts", ()) if flag.startswith("-")]
    return max(flags, key=len) if flags else (getattr(param, "metavar", None) or name.upper())


def _in_short(value: float) -> str:
    if isinstance(value, float):
        return f"{value:g}; expected a number of ordinary size"
    return f"a number of {len(f'{abs(value):x}') * 4} bits; expected one that fits into 64"


def _summary(name: str) -> str:
    """The first line of what a command says of itself, without building it."""
    return (getattr(import_module(f"arena.cli.{name}"), name).__doc__ or "").partition("\n")[0]


class OneSentence(LightGroup):
    """A group of commands that tells what went wrong in one sentence on stderr, exit code 2."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.commands = OnDemand()  # as good as a dict

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command and leave with its exit code."""
        _make_writable()
        warnings.simplefilter("always", ArenaWarning)
        warnings.showwarning = _tell_warning
        ours = {"standalone_mode": False, "color": colour_wanted()}
        try:
            code = super().main(*args, **{**kwargs, **ours})
            sys.stdout.flush()
        except ArenaError as error:
            code = _complain(str(error), _frames(error))
        except UsageComplaint as error:
            code = _complain(_uncapitalised(error.format_message()))  # type: ignore[attr-defined]
        except (KeyboardInterrupt, typer.Abort):
            code = BROKEN_OFF
        except BrokenPipeError:
            code = _left()
        except OSError as error:
            code = _failed(error)
        except MemoryError as error:
            code = _complain(f"the memory of this machine is not enough: {error}")
        except ModuleNotFoundError as error:
            code = _incomplete(error)
        except SystemExit as leaving:
            code = leaving.code
            if isinstance(leaving.__context__, BrokenPipeError):
                _drop_what_is_left()  # Rich and Typer leave with 1 where nobody reads any more
                code = DONE if code == FOUND else code
        sys.exit(code if isinstance(code, int) else DONE)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a broken pipe is no matter if nobody reads our output any more."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            if reader_left():
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
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), _summary(name)) for name in names])

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


def _tell_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int,
    file: TextIO | None = None, line: str | None = None,
) -> None:  # fmt: skip
    """Something to know, in one sentence; of others' warnings, as Python tells them."""
    told = f"arena: {printable(str(message))}\n"
    if not issubclass(category, ArenaWarning):
        told = warnings.formatwarning(message, category, filename, lineno, line)
    with suppress(OSError, ValueError):
        (file or sys.stderr).write(told)


def _frames(error: ArenaError) -> str:
    """The lines of an engine that led to an error of its own."""
    if not isinstance(error, EngineFailure):
        return ""
    from arena.engine.errors import trace_behind

    return trace_behind(error)


def _uncapitalised(message: str) -> str:
    """Typer's sentence in the form of ours: no capital, no full stop."""
    message = " ".join(message.split()).rstrip(".")
    return message[:1].lower() + message[1:].replace(". Did you mean", "; did you mean")


def _failed(error: OSError) -> int:
    """A file or a disk that no command has expected to fail."""
    where = f"{error.filename}: " if error.filename else ""
    code = _complain(f"{where}{error.strerror or error}")
    _drop_what_is_left()
    return code


def _left() -> int:
    """Whoever read our output has seen enough; nothing is wrong with that."""
    _drop_what_is_left()
    return DONE


def _incomplete(error: ModuleNotFoundError) -> int:
    """A package that is needed is missing; if it is one of ours, the mistake is ours too."""
    package = (error.name or "").partition(".")[0]
    if package in ("", "arena", "engines"):
        raise error
    return _complain(f"the package {package!r} is not installed; arena doctor tells what is needed")


def reader_left() -> bool:
    """Whether it is our own output that nobody reads any more, and no pipe to another process."""
    look = select.poll()
    for stream in (sys.stdout, sys.stderr):
        try:
            look.register(stream.fileno(), 0)
        except (OSError, ValueError):  # closed, or not a file
            return True
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in look.poll(0))


def _drop_what_is_left() -> None:
    """What could not be written must not be tried again when Python takes its leave."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _make_writable() -> None:
    """A closed stream swallows all; one without Unicode shows a question mark for what it lacks."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # to the end
        elif hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="replace")
