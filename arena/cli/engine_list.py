"""What `arena engines` prints: all engines with their options, or one of them in detail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from arena.bots.find import find, kind_entry, load_all
from arena.bots.names import KINDS
from arena.engine.registry import Entry, changed_defaults, preset_of
from arena.errors import ArenaError
from arena.show.progress import saying
from arena.show.terminal import console, print_json
from arena.text import printable, printable_lines


def show_engines(as_json: bool) -> None:
    """Print a list of all engines."""
    with saying() as say:
        say("loading engines")
        entries = load_all()
    if as_json:
        print_json([_engine_data(name, entry) for name, entry in entries.items()])
    else:
        _print_engines(entries)


def show_engine(name: str, as_json: bool) -> None:
    """Explain one engine."""
    with saying() as say:
        say("loading engines")
        entry = kind_entry(name) if name in KINDS else find(name)
    if as_json:
        print_json(_engine_data(name, entry))
    else:
        _print_engine(entry)


def _print_engines(entries: Mapping[str, Entry | ArenaError]) -> None:
    out = console()
    loaded = {name: entry for name, entry in entries.items() if not isinstance(entry, ArenaError)}
    names = {entry.engine: name for name, entry in loaded.items()}
    listed, presets, broken, kinds = _grid(entries), _grid(entries), _grid(entries), _grid(KINDS)
    for name, entry in loaded.items():
        base = preset_of(entry.engine)
        if base is None:
            defaults = {option.name: option.default for option in entry.engine.options.values()}
            _add_row(listed, name, entry.summary, _words(defaults))
        else:
            words = _words(changed_defaults(entry.engine, base))
            more = f"{names.get(base, base.__name__)} {words}".strip()
            _add_row(presets, name, entry.summary, more)
    for name, failure in entries.items():
        if isinstance(failure, ArenaError):
            _add_row(broken, name, str(failure), "")
    for word, kind in KINDS.items():
        _add_row(kinds, f"{word}:", kind.about, f"{word}:{kind.example}")
    for title, table in (
        ("engines", listed),
        ("presets: engines with some options set", presets),
        ("external bots, each in a process of its own", kinds),
        ("not available", broken),
    ):
        if table.row_count:
            out.print(f"{title}\n", style="bold")
            out.print(table)
            out.print()
    out.print("`arena engines NAME` explains one with all its options.", style="dim")


def _print_engine(entry: Entry) -> None:
    out = console()
    out.print(entry.name, style="bold green")
    about = printable_lines(cleandoc(entry.engine.__doc__ or "It has no docstring."))
    out.print(Padding(about, (0, 0, 0, 2)))
    base = preset_of(entry.engine)
    if base is not None:
        words = _words(changed_defaults(entry.engine, base))
        out.print(Padding(f"\n{base.__name__} {words}".rstrip(), (0, 0, 0, 2)))
    options = entry.engine.options.values()
    if not options:
        out.print("\nIt has no options.", style="bold")
        return
    settings = [f"{each.name}={_word(each.default)}" for each in options]
    table = _grid(settings)
    for each, setting in zip(options, settings, strict=True):
        more = "\n".join(map(printable, [each.expected, *each.detail]))
        _add_row(table, printable(setting), printable(each.help or "(no help)"), more)
    out.print("\noptions and their defaults\n", style="bold")
    out.print(table)


def _grid(names: Iterable[str]) -> Table:
    grid = Table.grid(padding=(0, 2), pad_edge=True)
    grid.add_column(style="green", no_wrap=True, min_width=max(map(len, names), default=0))
    grid.add_column()
    return grid


def _add_row(grid: Table, name: str, text: str, more: str) -> None:
    grid.add_row(name, Text(text) + Text(f"\n{more}" if more else "", style="dim"))


def _words(options: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={_word(value)}" for name, value in options.items())


def _word(value: Any) -> str:
    """A value as it is written on a command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _engine_data(name: str, entry: Entry | ArenaError) -> dict[str, Any]:
    if isinstance(entry, ArenaError):
        return {"name": name, "error": str(entry)}
    base = preset_of(entry.engine)
    preset = {} if base is None else changed_defaults(entry.engine, base)
    return {
        "name": name,
        "summary": entry.summary,
        "source": printable(cleandoc(entry.engine.__doc__ or "")).partition("Source: ")[2],
        "preset": {key: _plain(value) for key, value in preset.items()},
        "options": [
            {
                "name": option.name,
                "expected": option.expected,
                "detail": option.detail,
                "default": _plain(option.default),
                "help": option.help,
            }
            for option in entry.engine.options.values()
        ],
    }


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str | None) else str(value)
