"""Every command of `arena`, found by walking through the app; nothing heavy is imported here."""

from __future__ import annotations

from functools import cache
from typing import Any

import typer

from arena.cli.app import app

Path = tuple[str, ...]


@cache
def root() -> Any:
    """The command `arena`."""
    return typer.main.get_command(app)


def commands() -> dict[Path, Any]:
    """Every command that does something, by its words: ("run",), ("bench", "kernels")."""
    return {path: command for path, command in everything().items() if not _members(command)}


def groups() -> dict[Path, Any]:
    """Every command that only holds others."""
    return {path: command for path, command in everything().items() if _members(command)}


def everything() -> dict[Path, Any]:
    """All commands and groups but `arena` itself."""
    found: dict[Path, Any] = {}
    left: list[tuple[Path, Any]] = [
        ((name,), command) for name, command in _members(root()).items()
    ]
    while left:
        path, command = left.pop(0)
        if not command.hidden:
            found[path] = command
            left += [((*path, name), inner) for name, inner in _members(command).items()]
    return found


def _members(command: Any) -> dict[str, Any]:
    return dict(getattr(command, "commands", {}))


def words(path: Path) -> str:
    """How a command is called on the command line."""
    return " ".join(path)
