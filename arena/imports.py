"""The source files that a source file imports, also later, inside functions."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

KEPT = sys.stdlib_module_names | {"arena"}  # names that files beside an engine cannot take


def import_closure(files: Iterable[Path], folder: Path, package: str = "") -> set[Path]:
    """These files, and all files of a folder that they import, directly or indirectly.

    `package` is the name of the folder if it is a package; else its modules are at the top level.
    """
    waiting, reached = [*files], set[Path]()
    while waiting:
        file = waiting.pop()
        if file not in reached:
            reached.add(file)
            inside = file.parent.relative_to(folder).parts if folder in file.parents else ()
            for name in imported_names(file, ".".join([*filter(None, [package]), *inside])):
                waiting += _files_of(name, folder, package)
    return reached


def imported_names(file: Path, package: str = "") -> set[str]:
    """The modules that a file in a package imports; `from a import b` may mean a.b."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):  # it has changed since it was imported
        return set()
    return {name for statement in _imports(tree) for name in _names(statement, package)}


def _imports(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield import statements, except those for type checkers."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        return
    for child in ast.iter_child_nodes(node):
        yield from _imports(child)


def _names(statement: ast.Import | ast.ImportFrom, package: str) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
        return
    parts = package.split(".") if package else []
    above = parts[: len(parts) - statement.level + 1] if statement.level else []
    module = ".".join([*above, *filter(None, [statement.module])])
    yield from filter(None, [module])
    yield from (f"{module}.{alias.name}".lstrip(".") for alias in statement.names)


def _files_of(name: str, folder: Path, package: str) -> Iterator[Path]:
    """Yield the source files of a folder that run when a module is imported."""
    if package and not f"{name}.".startswith(f"{package}."):
        return
    if not package and name.partition(".")[0] in KEPT:
        return
    place, inside = folder, name[len(package) :]
    if package and (folder / "__init__.py").is_file():
        yield folder / "__init__.py"
    for part in filter(None, inside.split(".")):
        place /= part
        if (place / "__init__.py").is_file():
            yield place / "__init__.py"
        elif place.with_suffix(".py").is_file():
            yield place.with_suffix(".py")
            return
        elif not place.is_dir():
            return
