"""The doctor on software: Python, the packages that are needed, the engines that are offered."""

from __future__ import annotations

import operator
import platform
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import (
    EntryPoint,
    PackageNotFoundError,
    entry_points,
    metadata,
    requires,
    version,
)
from itertools import groupby, islice, zip_longest
from typing import Any

from arena.cli.machine.finding import Finding, State, told
from arena.errors import ArenaError

PACKAGE = "connect-arena"
INSTALL = "run python -m pip install -e . in the directory of the sources"
FEW = 3  # engines that do not load, told one by one
ONLY_FOR_PLOTS = "matplotlib"
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(\[.*?\])?\s*\(?(?P<wanted>[^;)]*)\)?")  # no marker
CLAUSE = re.compile(rf"({'|'.join(COMPARED)})\s*([\d.]+)")


def software() -> Iterator[Finding]:
    """Every finding about the arena and what it stands on."""
    yield arena_itself()
    yield system()
    yield python()
    for name, wanted in needed():
        yield package(name, wanted)


def system() -> Finding:
    """The operating system; `arena` itself refuses to start on another than these two."""
    name = f"{platform.system()} {platform.release()} {platform.machine()}"
    return Finding("system", "ok", f"{name}; Linux and macOS are supported", data={"name": name})


def arena_itself() -> Finding:
    """Whether the arena is installed, and not only lying about."""
    from arena import __version__

    try:
        known = version(PACKAGE)
    except PackageNotFoundError:
        detail = f"{__version__}, not installed: no engine is known by name"
        return Finding("arena", "problem", detail, INSTALL)
    data = {"version": __version__, "installed": known}
    if known != __version__:
        detail = f"{__version__}, but {known} is what was installed"
        return Finding("arena", "warning", detail, INSTALL, data)
    return Finding("arena", "ok", __version__, data=data)


def python(wanted: str | None = None) -> Finding:
    """Whether this Python is new enough."""
    if wanted is None:
        try:
            wanted = metadata(PACKAGE)["Requires-Python"] or ""
        except (PackageNotFoundError, KeyError):
            wanted = ""
    found = platform.python_version()
    data = {"version": found, "wanted": wanted, "executable": sys.executable}
    detail = f"{platform.python_implementation()} {found}"
    if meets(found, wanted):
        return Finding("Python", "ok", detail, data=data)
    remedy = f"make the virtual environment with a Python {wanted}"
    return Finding("Python", "problem", f"{detail}, needed {wanted}", remedy, data)


def needed() -> list[tuple[str, str]]:
    """The packages that are needed and the versions that will do: ("numpy", ">=2.0").

    What the compiler itself stands on is as important as what is declared here.
    """
    found = _requirements(PACKAGE)
    names = [name for name, _ in found]
    below = [each for each in _requirements("numba") if each[0] not in names]
    return sorted(found + below, key=lambda each: each[0].lower())


def _requirements(name: str) -> list[tuple[str, str]]:
    try:
        lines = requires(name) or []
    except PackageNotFoundError:
        return []
    parted = (REQUIREMENT.fullmatch(line) for line in lines)
    return [(each["name"], each["wanted"].strip()) for each in parted if each]


def package(name: str, wanted: str) -> Finding:
    """Whether a package is there in a version that will do."""
    state: State = "warning" if name == ONLY_FOR_PLOTS else "problem"
    remedy = f"python -m pip install --upgrade '{name}{wanted}'"
    try:
        found = version(name)
    except PackageNotFoundError:
        lacking = "not installed" + (": reports have no plots" if state == "warning" else "")
        return Finding(name, state, lacking, remedy, {"version": None, "wanted": wanted})
    data = {"version": found, "wanted": wanted}
    if meets(found, wanted):
        return Finding(name, "ok", f"{found} ({wanted})", data=data)
    return Finding(name, state, f"{found}, needed {wanted}", remedy, data)


def meets(found: str, wanted: str) -> bool:
    """Whether a version is one of those wanted, as in ">=0.61" or "<0.51,>=0.50"."""
    for sign, bound in CLAUSE.findall(wanted):
        one, other = zip(*zip_longest(_numbers(found), _numbers(bound), fillvalue=0), strict=True)
        if not COMPARED[sign](one, other):
            return False
    return True


def _numbers(words: str) -> list[int]:
    """The leading numbers of a version: 0.50.0rc1 is [0, 50, 0]."""
    leading = re.match(r"[\d.]*", words)
    return [int(part) for part in (leading[0] if leading else "").split(".") if part] or [0]


def engines() -> Iterator[Finding]:
    """Whether every engine that an installed package offers can be loaded."""
    from arena.engine.registry import load_all

    points = list(entry_points(group="arena.engines"))
    found = load_all()
    broken = {name: error for name, error in found.items() if isinstance(error, ArenaError)}
    sound = len(found) - len(broken)
    data = {"loaded": sound, "broken": sorted(broken)}
    if sound:
        yield Finding("engines", "ok", f"{sound} can play", data=data)
    else:
        yield Finding("engines", "problem", "none is installed", INSTALL, data)
    for name, error in islice(broken.items(), FEW):
        remedy = f"reinstall or remove {_offered_by(name, points)}"
        yield Finding("engine", "problem", f"{name}: {told(error)}", remedy)
    if len(broken) > FEW:
        more = f"{len(broken) - FEW} more do not load"
        yield Finding("engines", "problem", more, "arena engines tells why")
    yield from _twins(points)


def _twins(points: Sequence[EntryPoint]) -> Iterator[Finding]:
    """Names that two packages offer: which of them plays is chance."""
    for name, same in groupby(sorted(points, key=lambda point: point.name), lambda p: p.name):
        values = sorted({point.value for point in same})
        if len(values) > 1:
            remedy = "remove one of the packages, or name the engine by its file"
            both = f"{name} is offered as {' and '.join(values)}"
            yield Finding("engine", "warning", both, remedy)


def _offered_by(name: str, points: Sequence[EntryPoint]) -> str:
    for point in points:
        if point.name == name and point.dist is not None:
            return point.dist.name
    return "the package that offers it"
