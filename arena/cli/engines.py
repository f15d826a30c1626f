"""`arena engines`: what can play, and with which options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import completing
from arena.cli.options import AsJson
from arena.errors import ArenaError, EngineFailure

if TYPE_CHECKING:
    from rich.table import Table

    from arena.engine.options import Option
    from arena.engine.registry import Entry


def engines(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="One to explain: a name, or FILE.py:Class.",
            autocompletion=completing.engines,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List all engines and their options, or explain one.

    Example: arena engines mcts
    """
    from arena.engine.registry import find
    from arena.show.terminal import print_json
    from arena.show.warming import saying

    found: dict[str, Entry | ArenaError]
    with saying() as say:
        say("loading engines")
        found = load_all() if name is None else {name: find(name)}
    if as_json:
        data = [_as_data(known, entry) for known, entry in found.items()]
        print_json(data if name is None else data[0])
    elif name is None:
        _print_list(found)
    else:
        _print_one(find(name))


def load_all() -> dict[str, Entry | ArenaError]:
    """Every engine that has a name; for one that does not load, why."""
    from arena.engine.registry import find, names

    found: dict[str, Entry | ArenaError] = {}
    while missing := [name for name in names() if name not in found]:  # a module may add names
        for name in missing:
            try:
                found[name] = find(name)
            except ArenaError as error:
                found[name] = error
            except Exception as error:  # one broken plugin must not hide the others
                found[name] = EngineFailure(f"{type(error).__name__}: {error}")
    return dict(sorted(found.items()))


def _print_list(found: Mapping[str, Entry | ArenaError]) -> None:
    from arena.show.terminal import console

    out = console()
    loaded = {name: entry for name, entry in found.items() if not isinstance(entry, ArenaError)}
    plain = {name: entry for name, entry in loaded.items() if not entry.preset}
    bases = {entry.engine: name for name, entry in plain.items()}
    engines, presets, broken = _grid(found), _grid(found), _grid(found)
    for name, entry in plain.items():
        _add(engines, name, entry.summary, _defaults(entry.engine.options))
    for name, entry in loaded.items():
        if entry.preset:
            base = bases.get(entry.engine, entry.engine.__name__)
            _add(presets, name, entry.summary, f"{base} {_words(entry.preset)}")
    for name, error in found.items():
        if isinstance(error, ArenaError):
            _add(broken, name, str(error), "")
    for title, table in (
        ("engines", engines),
        ("presets: engines with some options set", presets),
        ("not available", broken),
    ):
        if table.row_count:
            out.print(f"{title}\n", style="bold")
            out.print(table)
            out.print()
    out.print("`arena engines NAME` explains one with all its options.", style="dim")


def _print_one(entry: Entry) -> None:
    from inspect import cleandoc

    from rich.padding import Padding

    from arena.printable import printable, printable_lines
    from arena.show.terminal import console

    out = console()
    out.print(entry.name, style="bold green")
    if entry.preset:
        out.print(Padding(f"{entry.summary}\n", (0, 0, 0, 2)))
        out.print(Padding(f"{entry.engine.__name__} {_words(entry.preset)}\n", (0, 0, 0, 2)))
    written = printable_lines(cleandoc(entry.engine.__doc__ or "It has no docstring."))
    out.print(Padding(written, (0, 0, 0, 2)))
    if entry.engine.source:
        source = printable(entry.engine.source)
        out.print(Padding(f"\nSource: {source}", (0, 0, 0, 2)), style="italic")
    settings = {
        name: f"{name}={_word(entry.preset.get(name, option.default))}"
        for name, option in entry.engine.options.items()
    }
    options = _grid(settings.values())
    for name, option in entry.engine.options.items():
        words = (settings[name], option.help or "(no help)", option.expected)
        _add(options, *map(printable, words))
    title = "\noptions, as they are unless set\n" if settings else "\nIt has no options."
    out.print(title, style="bold")
    if settings:
        out.print(options)


def _grid(names: Iterable[str]) -> Table:
    from rich.table import Table

    grid = Table.grid(padding=(0, 2), pad_edge=True)
    grid.add_column(style="green", no_wrap=True, min_width=max(map(len, names), default=0))
    grid.add_column()
    return grid


def _add(grid: Table, name: str, text: str, more: str) -> None:
    from rich.text import Text

    grid.add_row(name, Text(text) + Text(f"\n{more}" if more else "", style="dim"))


def _defaults(options: Mapping[str, Option]) -> str:
    return _words({name: option.default for name, option in options.items()})


def _words(options: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={_word(value)}" for name, value in options.items())


def _word(value: Any) -> str:
    """A value as it is written on a command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _as_data(name: str, entry: Entry | ArenaError) -> dict[str, Any]:
    if isinstance(entry, ArenaError):
        return {"name": name, "error": str(entry)}
    return {
        "name": name,
        "summary": entry.summary,
        "source": entry.engine.source,
        "preset": {key: _plain(value) for key, value in entry.preset.items()},
        "options": [
            {
                "name": option.name,
                "expected": option.expected,
                "default": _plain(entry.preset.get(option.name, option.default)),
                "help": option.help,
            }
            for option in entry.engine.options.values()
        ],
    }


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str | None) else str(value)
