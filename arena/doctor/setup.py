"""The doctor on software and machine: packages, engines, cores, memory, terminal, history."""

from __future__ import annotations

import os
import platform
import re
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import (
    EntryPoint,
    PackageNotFoundError,
    entry_points,
    metadata,
    requires,
    version,
)
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import psutil

from arena import __version__
from arena.bots.find import load_all
from arena.doctor import Diagnosis, State, one_line
from arena.engine.registry import ENTRY_POINTS
from arena.errors import ArenaError
from arena.human.history import VARIABLE, History
from arena.machine import free_memory, processor, usable_cores
from arena.show.numbers import duration, how_many, in_bytes
from arena.show.terminal import console, is_live, symbol

PACKAGE = "connect-arena"
INSTALL = "run python -m pip install -e . in the directory of the sources"
MAX_NAMED = 3  # engines that do not load, named one by one
ONLY_FOR_PLOTS = "matplotlib"
# A requirement without a condition: "numpy>=2.0", but not 'pandas>=2.2; extra == "pandas"'.
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)\s*(?P<versions>[^;\[\]@]*)")
CHILD_PATIENCE = 30.0  # seconds
WORKER_MEMORY = 300e6  # bytes, about what a worker needs
MIN_WIDTH = 80  # columns, below which tables are cut
QUICKSTART = "quickstart"  # a bundled tournament


def examine_software() -> Iterator[Diagnosis]:
    """Every diagnosis of Arena and the packages that it needs."""
    yield installation()
    name = f"{platform.system()} {platform.release()} {platform.machine()}"
    yield Diagnosis("system", "ok", f"{name}; Linux and macOS are supported", data={"name": name})
    yield python()
    for package_name, wanted in requirements():
        yield package(package_name, wanted)


def installation() -> Diagnosis:
    """Whether Arena is installed, in the version of these sources."""
    try:
        installed = version(PACKAGE)
    except PackageNotFoundError:
        detail = f"{__version__}, not installed: no engine is known by name"
        return Diagnosis("arena", "problem", detail, INSTALL)
    data = {"version": __version__, "installed": installed}
    if installed != __version__:
        detail = f"{__version__}, but {installed} is installed"
        return Diagnosis("arena", "warning", detail, INSTALL, data)
    return Diagnosis("arena", "ok", __version__, data=data)


def python(wanted: str | None = None) -> Diagnosis:
    """Whether this Python is new enough."""
    if wanted is None:
        try:
            wanted = metadata(PACKAGE)["Requires-Python"] or ""
        except (PackageNotFoundError, KeyError):
            wanted = ""
    ours = platform.python_version()
    data = {"version": ours, "wanted": wanted, "executable": sys.executable}
    detail = f"{platform.python_implementation()} {ours}"
    if meets(ours, wanted):
        return Diagnosis("Python", "ok", detail, data=data)
    remedy = f"make the virtual environment with a Python {wanted}"
    return Diagnosis("Python", "problem", f"{detail}, needed {wanted}", remedy, data)


def requirements() -> list[tuple[str, str]]:
    """The packages that Arena and its compiler need, with their versions: ("numpy", ">=2.0")."""
    wanted = {**_requirements("numba"), **_requirements(PACKAGE)}
    return sorted(wanted.items(), key=lambda each: each[0].lower())


def _requirements(name: str) -> dict[str, str]:
    try:
        lines = requires(name) or []
    except PackageNotFoundError:
        return {}
    return {
        part["name"]: part["versions"].strip()
        for line in lines
        if (part := REQUIREMENT.fullmatch(line))
    }


def package(name: str, wanted: str) -> Diagnosis:
    """Whether a package is installed in one of the versions wanted."""
    state: State = "warning" if name == ONLY_FOR_PLOTS else "problem"
    remedy = f"python -m pip install --upgrade '{name}{wanted}'"
    try:
        installed = version(name)
    except PackageNotFoundError:
        lacking = "not installed" + (": reports have no plots" if state == "warning" else "")
        return Diagnosis(name, state, lacking, remedy, {"version": None, "wanted": wanted})
    data = {"version": installed, "wanted": wanted}
    if meets(installed, wanted):
        return Diagnosis(name, "ok", f"{installed} ({wanted})", data=data)
    return Diagnosis(name, state, f"{installed}, needed {wanted}", remedy, data)


def meets(installed: str, wanted: str) -> bool:
    """Whether a version is one of those wanted, as in ">=0.61" or "<0.51,>=0.50" (PEP 440).

    Without `packaging`, which comes with matplotlib, any version will do.
    """
    try:
        from packaging.specifiers import SpecifierSet
        from packaging.version import InvalidVersion, Version
    except ImportError:
        return True
    try:
        return SpecifierSet(wanted).contains(Version(installed), prereleases=True)
    except InvalidVersion:
        return not wanted


def examine_engines() -> Iterator[Diagnosis]:
    """Whether every engine that an installed package offers can be loaded."""
    points = list(entry_points(group=ENTRY_POINTS))
    entries = load_all()
    broken = {name: error for name, error in entries.items() if isinstance(error, ArenaError)}
    sound = len(entries) - len(broken)
    data = {"loaded": sound, "broken": sorted(broken)}
    if sound:
        yield Diagnosis("engines", "ok", f"{sound} can play", data=data)
    else:
        yield Diagnosis("engines", "problem", "none is installed", INSTALL, data)
    for name, error in islice(broken.items(), MAX_NAMED):
        remedy = f"reinstall or remove {_offered_by(name, points)}"
        yield Diagnosis("engine", "problem", f"{name}: {one_line(error)}", remedy)
    if len(broken) > MAX_NAMED:
        more = f"{len(broken) - MAX_NAMED} more do not load"
        yield Diagnosis("engines", "problem", more, "arena engines lists them")
    for name, same in groupby(sorted(points, key=lambda point: point.name), lambda p: p.name):
        values = sorted({point.value for point in same})
        if len(values) > 1:  # which of them plays is chance
            remedy = "remove one of the packages, or name the engine by its file"
            both = f"{name} is offered as {' and '.join(values)}"
            yield Diagnosis("engine", "warning", both, remedy)


def _offered_by(name: str, points: Sequence[EntryPoint]) -> str:
    for point in points:
        if point.name == name and point.dist is not None:
            return point.dist.name
    return "the package that offers it"


def examine_hardware() -> Iterator[Diagnosis]:
    """Every diagnosis of the machine."""
    yield Diagnosis("processor", "ok", processor(), data={"processor": processor()})
    usable, cores = usable_cores(), os.cpu_count() or 1
    data = {"usable": usable, "cores": cores}
    yield Diagnosis("cores", "ok", f"{usable} usable of {cores}", data=data)
    yield load()
    yield memory()
    yield processes()


def load() -> Diagnosis:
    """Whether the machine is busy with other work, which makes timings wrong."""
    average = psutil.getloadavg()[0]
    data = {"average": average}
    if average > usable_cores():
        detail = f"{average:.1f} processes want to run at once: times of engines will be off"
        remedy = "let other work end before a tournament with time limits"
        return Diagnosis("load", "warning", detail, remedy, data)
    return Diagnosis("load", "ok", f"{average:.1f}", data=data)


def memory() -> Diagnosis:
    """Whether there is enough memory for a worker on each core."""
    free = free_memory()
    detail, data = f"{in_bytes(free)} free", {"free": free}
    if free < WORKER_MEMORY * usable_cores():
        workers = max(1, int(free // WORKER_MEMORY))
        remedy = f"give --workers {workers} to arena run, or close other programs"
        return Diagnosis("memory", "warning", detail, remedy, data)
    return Diagnosis("memory", "ok", detail, data=data)


def processes() -> Diagnosis:
    """Start a process as a worker is started, and wait for its answer."""
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
    detail = f"worker processes start in {duration(spent)} ({start_method()})"
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
    """The abilities of the terminal: redrawing, colours, Unicode, and its width."""
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
    if out.width < MIN_WIDTH:
        return Diagnosis("terminal", "warning", detail, f"make it {MIN_WIDTH} columns wide", data)
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
    if not _is_writable(kept.path):
        remedy = f"make it writable, or let {VARIABLE} name another file"
        return Diagnosis("history", "warning", f"{kept.path} cannot be written", remedy, data)
    count = how_many(games, "game") if games else "no games yet"
    return Diagnosis("history", "ok", f"{kept.path}, {count}", data=data)


def _is_writable(file: Path) -> bool:
    """Whether a file can be written, or created."""
    existing = file.absolute()
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    is_whole = existing == file.absolute() or existing.is_dir()
    return os.access(existing, os.W_OK) and is_whole


def next_steps(diagnoses: Sequence[Diagnosis]) -> list[str]:
    """The next steps of a new user: first the remedies, then a match and a tournament."""
    if any(each.state == "problem" for each in diagnoses):
        return ["arena doctor, once the problems are gone"]
    cold = any(each.topic == "kernel cache" and not each.data.get("files") for each in diagnoses)
    compiling = "; the first run compiles the engines, about half a minute" if cold else ""
    return [f"arena match alphabeta mcts{compiling}", f"arena run {QUICKSTART}"]
