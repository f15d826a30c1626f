"""The doctor on software: Python, the packages that are needed, the engines that are offered."""

from __future__ import annotations

import platform
import re
import sys
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

from arena import __version__
from arena.bots.find import load_all
from arena.doctor import Diagnosis, State, one_line
from arena.engine.registry import ENTRY_POINTS
from arena.errors import ArenaError

PACKAGE = "connect-arena"
INSTALL = "run python -m pip install -e . in the directory of the sources"
FEW = 3  # engines that do not load, told one by one
ONLY_FOR_PLOTS = "matplotlib"
# A requirement without a condition: "numpy>=2.0", but not 'pandas>=2.2; extra == "pandas"'.
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)\s*(?P<versions>[^;\[\]@]*)")


def examine_software() -> Iterator[Diagnosis]:
    """Every diagnosis of the arena and what it stands on."""
    yield arena_itself()
    yield system()
    yield python()
    for name, wanted in needed():
        yield package(name, wanted)


def system() -> Diagnosis:
    """The operating system; `arena` itself refuses to start on another than these two."""
    name = f"{platform.system()} {platform.release()} {platform.machine()}"
    return Diagnosis("system", "ok", f"{name}; Linux and macOS are supported", data={"name": name})


def arena_itself() -> Diagnosis:
    """Whether the arena is installed, and not only lying about."""
    try:
        installed = version(PACKAGE)
    except PackageNotFoundError:
        detail = f"{__version__}, not installed: no engine is known by name"
        return Diagnosis("arena", "problem", detail, INSTALL)
    data = {"version": __version__, "installed": installed}
    if installed != __version__:
        detail = f"{__version__}, but {installed} is what was installed"
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


def needed() -> list[tuple[str, str]]:
    """The packages that are needed and the versions that will do: ("numpy", ">=2.0").

    What the compiler itself stands on is as important as what is declared here.
    """
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
    """Whether a package is there in a version that will do."""
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
    for name, error in islice(broken.items(), FEW):
        remedy = f"reinstall or remove {_offered_by(name, points)}"
        yield Diagnosis("engine", "problem", f"{name}: {one_line(error)}", remedy)
    if len(broken) > FEW:
        more = f"{len(broken) - FEW} more do not load"
        yield Diagnosis("engines", "problem", more, "arena engines tells why")
    yield from _twins(points)


def _twins(points: Sequence[EntryPoint]) -> Iterator[Diagnosis]:
    """Names that two packages offer: which of them plays is chance."""
    for name, same in groupby(sorted(points, key=lambda point: point.name), lambda p: p.name):
        values = sorted({point.value for point in same})
        if len(values) > 1:
            remedy = "remove one of the packages, or name the engine by its file"
            both = f"{name} is offered as {' and '.join(values)}"
            yield Diagnosis("engine", "warning", both, remedy)


def _offered_by(name: str, points: Sequence[EntryPoint]) -> str:
    for point in points:
        if point.name == name and point.dist is not None:
            return point.dist.name
    return "the package that offers it"
