"""The bundled tournament and training files: listed, and copied by `arena init`."""

from __future__ import annotations

import re
import shutil
import sys
from itertools import takewhile
from pathlib import Path
from shlex import quote

from rich.padding import Padding

from arena.errors import ArenaError
from arena.files import disk_errors
from arena.learning.reading import is_training
from arena.show.terminal import console
from arena.tournament.bundled import (
    bundled_folder,
    bundled_names,
    files_named_in,
    folders,
    nearest_name,
)
from arena.tournament.load import is_grading
from arena.tournament.yaml import read


def folder_of(name: str) -> Path:
    """A folder of bundled files, or the user's own one of that name below tournaments/."""
    for folder in folders():
        if (folder / name).is_dir():
            return folder / name
    raise ArenaError(f"the bundled files are missing: there is no {bundled_folder() / name}")


def first_comment(text: str) -> str:
    """The comment that a file begins with, up to its first empty line."""
    lines = takewhile(lambda line: len(line) > 1 and line.startswith("#"), text.splitlines())
    return " ".join(line.lstrip("# ").rstrip() for line in lines)


def first_sentence(text: str) -> str:
    """The first sentence of that comment."""
    return re.split(r"(?<=[.?])\s", first_comment(text), maxsplit=1)[0]


def list_bundled() -> None:
    """Print the name of every bundled file, and its purpose."""
    out = console()
    for name in bundled_names():
        text = (bundled_folder() / f"{name}.yaml").read_text(encoding="utf-8")
        out.print(name, style="bold")
        out.print(Padding(first_sentence(text), (0, 0, 0, 2)))
    out.print("Copy one with arena init --from NAME.", style="dim")


def copy_bundled(name: str, target: Path | None, force: bool) -> None:
    """Copy a bundled file, and the bots and openings it uses, to where the user wants them."""
    name = name.removesuffix(".yaml")
    if name not in bundled_names():
        near = nearest_name(Path(name))
        hint = f"did you mean {near!r}?" if near else "arena init --list lists them"
        raise ArenaError(f"no bundled file is called {name!r}; {hint}")
    source = bundled_folder() / f"{name}.yaml"
    target = target or Path(source.name)
    used = files_named_in(source, source.read_text(encoding="utf-8"))
    copies = {source: target, **{path: target.with_name(path.name) for path in used}}
    if not force and (there := [str(path) for path in copies.values() if path.exists()]):
        exist = "exists" if len(there) == 1 else "exist"
        raise ArenaError(f"{', '.join(there)} {exist}; --force overwrites")
    for path, copy in copies.items():
        with disk_errors(copy):
            copy.parent.mkdir(parents=True, exist_ok=True)
            _copy(path, copy)
    print(f"wrote {', '.join(map(str, copies.values()))}", file=sys.stderr)
    print(f"run it with: {_command(target)}", file=sys.stderr)


def _copy(path: Path, copy: Path) -> None:
    if path.is_dir():
        leave_out = shutil.ignore_patterns("__pycache__")
        shutil.copytree(path, copy, dirs_exist_ok=True, ignore=leave_out)
    else:
        shutil.copyfile(path, copy)


def _command(file: Path) -> str:
    document = read(file)
    if is_training(document):
        return f"arena train {quote(str(file))}"
    if is_grading(document):
        return f"arena grade FOLDER --with {quote(str(file))}"
    return f"arena run {quote(str(file))}"
