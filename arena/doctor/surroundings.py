"""The doctor on the machine and the user's place on it: cores, processes, terminal, history."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil

from arena.doctor import Diagnosis, one_line
from arena.errors import ArenaError
from arena.human.history import VARIABLE, History
from arena.machine import processor, usable_cores
from arena.show.numbers import duration, how_many, in_bytes
from arena.show.terminal import console, is_live, symbol

CHILD_PATIENCE = 30.0  # seconds
FOR_EACH_TABLE = 300e6  # bytes of memory, about what a table needs
CGROUPS = Path("/sys/fs/cgroup")
NARROW = 80  # columns, below which tables are cut
QUICKSTART = "quickstart"  # a bundled tournament


def examine_hardware() -> Iterator[Diagnosis]:
    """Every diagnosis of the machine; the operating system is told with the software."""
    yield Diagnosis("processor", "ok", processor(), data={"processor": processor()})
    yield cores()
    yield load()
    yield memory()
    yield processes()


def cores() -> Diagnosis:
    """How many tables can be played on at once."""
    usable, all_cores, quota = usable_cores(), os.cpu_count() or 1, cpu_quota()
    data = {"usable": usable, "cores": all_cores, "quota": quota}
    detail = f"{usable} usable of {all_cores}"
    if quota is not None and quota < usable:
        tables = max(1, int(quota))
        remedy = f"give --workers {tables} to arena run, so that no clock stands still"
        detail += f", but processor time for {quota:g}"
        return Diagnosis("cores", "warning", detail, remedy, data)
    return Diagnosis("cores", "ok", detail, data=data)


def cpu_quota(groups: Path = CGROUPS) -> float | None:
    """How many cores' worth of time a container may use; None without a limit."""
    pair = _words(groups / "cpu.max")
    if not pair:
        pair = _words(groups / "cpu/cpu.cfs_quota_us") + _words(groups / "cpu/cpu.cfs_period_us")
    try:
        limit, period = (float(word) for word in pair)
    except ValueError:  # "max", or not there
        return None
    return limit / period if limit > 0 and period > 0 else None


def load() -> Diagnosis:
    """Whether the machine is busy with something else: that makes timings wrong."""
    average = psutil.getloadavg()[0]
    data = {"average": average}
    if average > usable_cores():
        detail = f"{average:.1f} processes want to run at once: times of engines will be off"
        remedy = "let other work end before a tournament with time limits"
        return Diagnosis("load", "warning", detail, remedy, data)
    return Diagnosis("load", "ok", f"{average:.1f}", data=data)


def memory() -> Diagnosis:
    """Whether there is enough for a table on each core."""
    free = memory_left()
    detail, data = f"{in_bytes(free)} free", {"free": free}
    if free < FOR_EACH_TABLE * usable_cores():
        tables = max(1, int(free // FOR_EACH_TABLE))
        remedy = f"give --workers {tables} to arena run, or close other programs"
        return Diagnosis("memory", "warning", detail, remedy, data)
    return Diagnosis("memory", "ok", detail, data=data)


def memory_left(groups: Path = CGROUPS) -> float:
    """Bytes that can still be used, of this machine or of the container around us."""
    left = float(psutil.virtual_memory().available)
    for limit, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        try:
            left = min(left, float(_words(groups / limit)[0]) - float(_words(groups / used)[0]))
        except (IndexError, ValueError):  # not there, or "max"
            continue
    return max(0.0, left)


def _words(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return []


def processes() -> Diagnosis:
    """Start a child as a table is started, and hear it answer."""
    try:
        from arena.table.local import start_method  # which needs the compiler
    except ImportError as error:
        detail = f"not tried: {one_line(error)}"
        return Diagnosis("processes", "problem", detail, "install the packages")
    try:
        spent = child_answers(start_method())
    except Exception as error:
        remedy = "see whether this system limits the processes of a user (ulimit -u)"
        detail = f"no process can be started: {one_line(error)}"
        return Diagnosis("processes", "problem", detail, remedy)
    data = {"start_method": start_method(), "seconds": spent}
    detail = f"a child answers after {duration(spent)} ({start_method()})"
    return Diagnosis("processes", "ok", detail, data=data)


def child_answers(method: str) -> float:
    """How long it takes until a child process has answered."""
    import multiprocess  # without which only this is not tried

    begin = time.perf_counter()
    context: Any = multiprocess.get_context(method)
    ours, theirs = context.Pipe()
    child = context.Process(target=_answer, args=(theirs,), daemon=True)
    child.start()
    theirs.close()  # so that we hear it if the child ends
    try:
        if not ours.poll(CHILD_PATIENCE):
            raise TimeoutError(f"the child has not answered for {CHILD_PATIENCE:g} s")
        ours.recv()
    except EOFError:
        raise ChildProcessError("the child has ended without an answer") from None
    finally:
        child.kill()
        child.join()
    return time.perf_counter() - begin


def _answer(pipe: Any) -> None:
    pipe.send("here")


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
    return [*steps, f"arena run {QUICKSTART}"]
