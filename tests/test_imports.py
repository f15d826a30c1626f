"""The order of the packages: each imports only from what stands above it in arena/README.md."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]


def read_order(text: str) -> list[str]:
    """The packages in the order of the page that draws them; the public surface is ""."""
    section = text.split("## The order", 1)[1].split("\n## ", 1)[0]
    names = re.findall(r"^- `(\w+)`:", section, re.MULTILINE)
    return ["" if name == "arena" else name for name in names]


HOUSE = TOP / "arena"
PAGE = (HOUSE / "README.md").read_text(encoding="utf-8")
ORDER = read_order(PAGE)
RANK = {name: rank for rank, name in enumerate(ORDER)}

HEAVY = ("numba", "numpy", "rich", "yaml", "pydantic", "matplotlib")


def imports(file: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, anywhere in it, with the line."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), filename=str(file))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}:{node.lineno}: imports are written in full"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def part(module: str) -> str:
    """Which part of arena a module belongs to: `arena.game.rules` is of `game`."""
    inside = module.removeprefix("arena").removeprefix(".")
    first = inside.split(".")[0]
    is_part = (TOP / "arena" / first).is_dir() or (TOP / "arena" / f"{first}.py").is_file()
    return first if is_part else ""


def module_of(file: Path) -> str:
    parts = file.relative_to(TOP).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources(package: str) -> list[Path]:
    return sorted((TOP / package).rglob("*.py"))


def test_the_page_names_only_what_there_is() -> None:
    named = set(re.findall(r"`([\w/]+(?:\.(?:py|md|toml)|/))`", PAGE)) - {
        "cli/NAME.py",
    }
    missing = [name for name in named if not any((at / name).exists() for at in (TOP, HOUSE))]
    assert len(named) > 20
    assert not missing, f"arena/README.md names {', '.join(sorted(missing))}"


def test_every_part_of_arena_has_its_place() -> None:
    parts = {part(module_of(file)) for file in sources("arena")}
    unknown = sorted(parts - RANK.keys())
    assert not unknown, f"put {', '.join(unknown)} into the order of arena/README.md"


def against_the_order(file: Path, here: str) -> list[str]:
    """The imports of a file, part of `here`, that look down or sideways.

    The public surface names the library for type checkers alone, and loads it when it is asked for.
    """
    return [
        f"{file.name}:{line}: {here or 'arena'} imports {module}"
        for line, module in imports(file)
        if module.split(".")[0] == "arena"
        and part(module) != here
        and (here, part(module)) != ("", "library")
        and RANK.get(part(module), len(ORDER)) >= RANK.get(here, len(ORDER))
    ]


def test_arena_imports_only_from_above() -> None:
    files = [(file, part(module_of(file))) for file in sources("arena")]
    faults = [fault for file, here in files for fault in against_the_order(file, here)]
    assert not faults, "against the order of arena/README.md: " + "; ".join(faults)


def test_arena_never_imports_an_engine() -> None:
    faults = [
        f"{file.relative_to(TOP)}:{line}: imports {module}"
        for file in sources("arena")
        for line, module in imports(file)
        if module.startswith(("arena.engines", "tests"))
    ]
    assert not faults, "; ".join(faults)


def test_engines_import_from_arena_only_what_an_engine_may_know() -> None:
    """The contract and the kernels; nothing that plays or reports."""
    known = RANK["tournament"]
    faults = [
        f"{file.relative_to(TOP)}:{line}: imports {module}"
        for file in sources("engines")
        for line, module in imports(file)
        if module.split(".")[0] == "tests"
        or (
            (module.split(".")[0] == "arena" and RANK.get(part(module), known) >= known)
            and part(module) != "engines"
        )
    ]
    assert not faults, "; ".join(faults)


def test_parts_are_told_apart() -> None:
    assert part("arena") == part("arena.Engine") == ""
    assert part("arena.game.rules.Rules") == "game"
    assert part("arena.table.referee") == "table"
    assert part("arena.engine.contract.Engine") == "engine"


def test_an_import_against_the_order_is_found_wherever_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    lines = ("import arena.jit", "def f():", " from arena.cli.app import main", " import arena")
    file.write_text("\n".join(lines), encoding="utf-8")
    assert against_the_order(file, "game") == [
        "wrong.py:3: game imports arena.cli.app.main",
        "wrong.py:4: game imports arena",
    ]
    assert against_the_order(file, "cli") == []


@pytest.mark.parametrize("module", ["arena", "arena.cli"])
def test_importing_is_light(module: str) -> None:
    """Help texts and plain rules must not wait for a compiler."""
    if importlib.util.find_spec(module) is None or not sources(module.replace(".", "/")):
        pytest.skip(f"{module} does not exist yet")
    script = f"import sys, {module}; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == ""
