"""The doctor on the user's place: the terminal, the history of games, and what to do next."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.doctor.diagnosis import Diagnosis, one_line
from arena.errors import ArenaError
from arena.human.history import VARIABLE, History
from arena.show.numbers import how_many
from arena.show.terminal import console, is_live, symbol

NARROW = 80  # columns, below which tables are cut
QUICKSTART = Path("tournaments/quickstart.yaml")


def examine_place() -> Iterator[Diagnosis]:
    """Every diagnosis of terminal and files."""
    yield terminal()
    yield history()


def terminal() -> Diagnosis:
    """What can be shown: a screen that changes, colours, Unicode, and how wide."""
    out = console()
    coloured = out.color_system is not None and not out.no_color
    unicode = symbol("✓", "") != ""
    data = {
        "live": is_live(sys.stdout),
        "colour": out.color_system if coloured else None,
        "unicode": unicode,
        "encoding": out.encoding,
        "width": out.width,
    }
    if not sys.stdout.isatty():
        return Diagnosis("terminal", "ok", "none: output is plain and stays as it is", data=data)
    parts = [f"{out.width} columns", "colours" if coloured else "no colours"]
    parts.append("Unicode" if unicode else f"no Unicode ({out.encoding})")
    detail = ", ".join(parts)
    if not is_live(sys.stdout):
        remedy = "set TERM to what the terminal is, such as xterm-256color"
        return Diagnosis("terminal", "warning", f"{detail}, but it cannot redraw", remedy, data)
    if not unicode:
        remedy = "set LANG to a UTF-8 locale, such as C.UTF-8"
        return Diagnosis("terminal", "warning", detail, remedy, data)
    if out.width < NARROW:
        return Diagnosis("terminal", "warning", detail, f"make it {NARROW} columns wide", data)
    return Diagnosis("terminal", "ok", detail, data=data)


def history() -> Diagnosis:
    """Where the games that people played are kept."""
    kept = History()
    try:
        games = len(kept.games())
    except ArenaError as error:
        remedy = f"move the file away, or let {VARIABLE} name another"
        return Diagnosis("history", "problem", one_line(error), remedy)
    data = {"path": kept.path, "games": games}
    if not _writable(kept.path):
        remedy = f"make it writable, or let {VARIABLE} name another file"
        return Diagnosis("history", "warning", f"{kept.path} cannot be written", remedy, data)
    count = how_many(games, "game") if games else "no games yet"
    return Diagnosis("history", "ok", f"{kept.path}, {count}", data=data)


def _writable(file: Path) -> bool:
    """Whether a file can be written, or made where it is to be."""
    there = file.absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    return os.access(there, os.W_OK) and (there == file.absolute() or there.is_dir())


def next_steps(diagnoses: Sequence[Diagnosis]) -> list[str]:
    """What a fresh user does next: first the remedies, then a match, a tournament, a game."""
    if any(each.state == "problem" for each in diagnoses):
        return ["arena doctor, once the problems are gone"]
    cold = any(each.topic == "kernel cache" and not each.data.get("files") for each in diagnoses)
    compiling = "; the first run compiles the engines, about half a minute" if cold else ""
    steps = [f"arena match alphabeta mcts{compiling}"]
    if QUICKSTART.is_file():
        return [*steps, f"arena run {QUICKSTART}"]
    return [*steps, "arena init, then arena run tournament.yaml"]
