"""Which modules a source file imports, at any time: a function may do so long after loading."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

TYPES_ONLY = "TYPE_CHECKING"


def with_imports(files: Iterable[Path], roots: Iterable[Path]) -> list[Path]:
    """These source files, and all that they may import from below these folders."""
    folders, waiting = tuple(roots), list(files)
    seen: dict[Path, None] = {}
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen[file] = None
            for name in imported_names(file, folders):
                for root in folders:
                    waiting += _files_of(name, root)
    return sorted(seen)


def imported_names(file: Path, roots: Iterable[Path] = ()) -> set[str]:
    """The modules that a file imports, by their full names; `from a import b` may mean a.b."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return set()
    inside = _package_of(file, roots)
    return {name for statement in _imports(tree) for name in _names(statement, inside)}


def _imports(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements of a piece of code that is ever run."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and _is_for_types(child.test)):
            yield from _imports(child)


def _is_for_types(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == TYPES_ONLY


def _names(statement: ast.Import | ast.ImportFrom, inside: tuple[str, ...]) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
        return
    above = inside[: len(inside) - statement.level + 1] if statement.level else ()
    module = ".".join([*above, *([statement.module] if statement.module else [])])
    if module:
        yield module
    for alias in statement.names:
        yield f"{module}.{alias.name}" if module else alias.name


def _package_of(file: Path, roots: Iterable[Path]) -> tuple[str, ...]:
    """The package that a file belongs to, from one of these folders on."""
    for root in roots:
        if root in file.parents:
            return file.parent.relative_to(root).parts
    return ()


def _files_of(name: str, root: Path) -> Iterator[Path]:
    """The source files that are run when a module below a folder is imported."""
    place = root
    for part in name.split("."):
        place /= part
        if (place / "__init__.py").is_file():
            yield place / "__init__.py"
        elif place.with_name(f"{part}.py").is_file():
            yield place.with_name(f"{part}.py")
            return
        elif not place.is_dir():
            return
