"""What installed engines are made of: every change of it shows, and none of something else."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from arena import engines
from arena.engine import registry
from arena.tournament.identity import (
    Source,
    change_in_words,
    changed_sources,
    sources,
)

BOT = """
from arena import Choice, Engine

class Bot(Engine):
    def choose(self, position, limits):
        return Choice(position.legal[0])
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with an engine in a module of it."""
    folder = tmp_path / "foreign_bots" / "inner"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "bot.py").write_text(BOT)
    (folder.parent / "__init__.py").write_text("")
    (folder.parent / "weights.bin").write_bytes(b"\1\2")
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("foreign", "foreign_bots.inner.bot:Bot", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "_entry_points", lambda: {"foreign": point})
    monkeypatch.setattr(registry, "_registered", {})
    yield folder.parent
    for name in [name for name in sys.modules if name.startswith("foreign_bots")]:
        del sys.modules[name]


def digest() -> str:
    importlib.invalidate_caches()
    return sources(["foreign"])["foreign"].sha256


def test_any_file_of_a_foreign_package_counts_but_what_python_leaves_there(package: Path) -> None:
    before = digest()
    (package / "__pycache__").mkdir(exist_ok=True)
    (package / "__pycache__" / "x.pyc").write_bytes(b"1")
    assert digest() == before
    (package / "weights.bin").write_bytes(b"\1\3")
    weighed = digest()
    (package / "inner" / "bot.py").write_text(BOT.replace("[0]", "[-1]"))
    assert len({before, weighed, digest()}) == 3


def test_engines_in_files_are_known_by_their_files(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    assert sources([f"{tmp_path / 'bot.py'}:Bot"]) == {}


def test_our_engines_are_known_by_what_they_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "engines"
    shutil.copytree(Path(engines.__file__).parent, folder)
    files = {name: registry.find(name).engine.__module__ for name in ("reflex", "random")}
    for module in files.values():
        place = folder / f"{module.rpartition('.')[2]}.py"
        monkeypatch.setattr(sys.modules[module], "__file__", str(place))
    before = sources(files)
    assert all(source.is_own and source.version for source in before.values())
    (folder / "random.py").write_text((folder / "random.py").read_text() + "\n# changed\n")
    assert set(changed_sources(before, sources(files))) == {"random"}


def test_a_change_is_one_of_what_was_known() -> None:
    old, new = Source("their-bots", "1.0", "a"), Source("their-bots", "1.1", "b")
    assert changed_sources({}, {"foreign": new}) == {}
    assert changed_sources({"foreign": old}, {"foreign": old}) == {}
    assert changed_sources({"foreign": old}, {"foreign": new}) == {"foreign": (old, new)}
    assert change_in_words("foreign", old, new) == (
        "foreign (their-bots 1.0 -> 1.1) has changed since game 1"
    )
    assert change_in_words("foreign", old, old._replace(sha256="b")) == (
        "foreign (their-bots) has changed since game 1"
    )


def test_what_a_bot_imports_from_its_folder_is_known_too(tmp_path: Path) -> None:
    """Also where it imports it in the middle of a game; what it does not import is nobody's."""
    folder = tmp_path / "bots"
    (folder / "parts").mkdir(parents=True)
    bot = folder / "my_bot.py"
    bot.write_text(
        "import random\nfrom arena import Choice, Engine\n\n\nclass Bot(Engine):\n"
        "    def choose(self, position, limits):\n        from my_eval import worth\n"
        "        return Choice(worth())\n"
    )
    (folder / "my_eval.py").write_text("import parts.inner\n\n\ndef worth():\n    return 1\n")
    for name in ("parts/__init__.py", "parts/inner.py", "other.py", "random.py", "arena.py"):
        (folder / name).write_text("X = 1\n")
    before = sources([str(bot)])
    assert list(before) == ["what bots/my_bot.py imports from its folder"]
    for name, counts in (("other.py", False), ("random.py", False), ("arena.py", False),
                         ("my_eval.py", True), ("parts/inner.py", True)):  # fmt: skip
        text = (folder / name).read_text()
        (folder / name).write_text(text + "Y = 2\n")
        assert bool(changed_sources(before, sources([str(bot)]))) == counts, name
        (folder / name).write_text(text)
    assert sources([str(bot)]) == before
