"""The tournament and training files that come with the arena, found by name."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

import arena

CHECKOUT = "tournaments"  # in a checkout, or below the working directory
WHEEL = "bundled"  # in the installed package; pyproject.toml puts them there
SUFFIXES = (".yaml", ".yml")


def bundled_folder() -> Path:
    """The folder of all bundled files: inside an installed package, beside it in a checkout."""
    package = Path(arena.__file__).parent
    installed = package / WHEEL
    return installed if installed.is_dir() else package.parent / CHECKOUT


def folders() -> list[Path]:
    """Where names are looked up: in the user's own tournaments/ first, then in the bundle."""
    return [folder for folder in (Path(CHECKOUT), bundled_folder()) if folder.is_dir()]


def find_file(path: Path) -> Path:
    """The file at this path, or else the bundled one of this name, such as studies/blair."""
    if path.exists() and not path.is_dir():
        return path
    name = path.as_posix().removeprefix(f"{CHECKOUT}/")
    name = name if name.endswith(SUFFIXES) else f"{name}.yaml"
    found = (folder / name for folder in (Path(), *folders()))
    return next((file for file in found if file.is_file()), path)


def bundled_names() -> list[str]:
    """The name of every bundled file, the top level first."""
    folder = bundled_folder()
    return [name_of(file) for file in [*_sorted(folder, "*"), *_sorted(folder, "*/*")]]


def _sorted(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(f"{pattern}.yaml"))


def name_of(file: Path) -> str:
    """The name that finds a bundled file; the path of any other file."""
    if file.is_relative_to(folder := bundled_folder()):
        return file.relative_to(folder).with_suffix("").as_posix()
    return str(file)


def nearest_name(path: Path) -> str | None:
    """The bundled name that somebody may have meant: of the whole path, or of its last part."""
    names = {key: name for name in bundled_names() for key in (name.rpartition("/")[2], name)}
    wanted = path.as_posix().removeprefix(f"{CHECKOUT}/").removesuffix(path.suffix)
    for word in (wanted, path.stem):
        if near := get_close_matches(word, names, n=1, cutoff=0.75):
            return names[near[0]]
    return None


def files_named_in(file: Path, text: str) -> list[Path]:
    """The files and folders beside a bundled file that its text names: bots, openings."""
    beside = (path for path in sorted(file.parent.iterdir()) if path.suffix not in SUFFIXES)
    return [path for path in beside if path.name in text and not path.name.startswith("__")]
