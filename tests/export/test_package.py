"""A package holds what its engine needs, and unpacks under a name of its own."""

from __future__ import annotations

import re
import tempfile
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.errors import ArenaError
from arena.export import package as packing
from arena.export.loader import unpack
from arena.export.package import pack, rename_imports

BOT = """
from pathlib import Path
from arena import Choice, Engine, option
import my_eval

class Bot(Engine):
    \"\"\"Likes what a table says.\"\"\"
    table: str = option("centre.txt", "a file of numbers")

    def new_game(self, rules, seed):
        super().new_game(rules, seed)
        beside = Path(__file__).with_name(self.table)
        file = beside if beside.is_file() else Path(self.table)
        self.numbers = [int(word) for word in file.read_text().split()]

    def choose(self, position, limits):
        if position.ply > 60:
            import my_ends
        return Choice(my_eval.best(position, self.numbers))
"""
EVAL = """
print("loaded, on stdout")

def best(position, numbers):
    return max(position.legal, key=lambda column: (numbers[column], column))
"""
FILES = {
    "bots/my_bot.py": BOT,
    "bots/my_eval.py": EVAL,
    "bots/my_ends.py": "",
    "bots/not_needed.py": "",
    "bots/centre.txt": "0 1 2 3 2 1 0 0 0",
    "bots/notes.txt": "of no use",
    "other.txt": "9 8 7 6 5 4 3 2 1",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A student's folder, two levels deep, and we are in it."""
    (tmp_path / "bots").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_bot_comes_with_its_folder(folder: Path) -> None:
    (folder / "bots" / ".hidden").write_text("")
    (folder / "bots" / "env").mkdir()
    (folder / "bots" / "env" / "pyvenv.cfg").write_text("")
    package = pack(["bots/my_bot.py:Bot"])
    assert package.words == ["@folder@/bot/my_bot.py:Bot"]
    own = {place for place in package.contents if place.startswith("bot/")}
    assert own == {f"bot/{name.removeprefix('bots/')}" for name in FILES if name != "other.txt"}
    assert f"from {package.name} import Choice".encode() in package.contents["bot/my_bot.py"]
    assert package.others == []
    assert package.archive() == pack(["bots/my_bot.py:Bot"]).archive()


def test_everything_that_our_modules_import_is_packed() -> None:
    package = pack(["random"])
    assert f"{package.name}/game/notation.py" in package.contents
    assert f"{package.name}/engines/mcts.py" in package.contents
    assert not any("export/kaggle" in place or "tournament" in place for place in package.contents)
    for place, content in package.contents.items():
        if place.endswith(".py"):
            assert not re.search(rb"^ *(from|import) arena\b", content, re.MULTILINE), place
    assert package.engines["mcts"] == f"{package.name}.engines.mcts:MCTS"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("from arena import Engine", "from arena_1 import Engine"),
        ("    from arena.jit import kernel", "    from arena_1.jit import kernel"),
        ("import arena", "import arena_1, arena_1 as arena"),
        ("import arena as a", "import arena_1 as a"),
        ("import os, arena.jit", "import os, arena_1.jit, arena_1 as arena"),
        ("import arenas  # no arena", "import arenas  # no arena"),
        ("from arenas import x", "from arenas import x"),
        ("files = 'arena.net'", "files = 'arena.net'"),
    ],
)
def test_imports_of_our_package_are_renamed(line: str, expected: str) -> None:
    assert rename_imports(line.encode(), "arena_1", "bot/bot.py").decode() == expected


def test_a_folder_with_too_much_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MEGABYTES", 0)
    with pytest.raises(ArenaError, match="move the engine into a folder of its own"):
        pack(["bots/my_bot.py"])


def test_packages_of_others_are_reported(folder: Path) -> None:
    (folder / "bots" / "more.py").write_text("import torch, my_eval\nfrom numpy import linalg\n")
    assert pack(["bots/my_bot.py"]).others == ["torch"]


def test_a_file_in_an_option_is_packed(folder: Path) -> None:
    package = pack(["bots/my_bot.py", "table=other.txt"])
    assert package.words[1:] == ["table=@folder@/files/table/other.txt"]
    assert package.contents["files/table/other.txt"] == FILES["other.txt"].encode()


def test_a_file_in_the_words_of_another_engine_is_packed(folder: Path) -> None:
    (folder / "plain.yaml").write_text("name: plain\nown: {1: 1, 2: 10, 3: 50}\n")
    package = pack(["book", "around=greedy evaluation=plain.yaml"])
    assert package.words[1] == "around=greedy evaluation=@folder@/files/around/plain.yaml"
    assert "files/around/plain.yaml" in package.contents


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def archive(files: dict[str, str]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return buffer.getvalue()


def test_an_archive_is_unpacked_once_and_repaired(temporary: Path) -> None:
    packed = archive({"code/a.py": "A = 1\n", "bot/b.txt": "text"})
    folder = unpack(packed)
    stamp = (folder / "code" / "a.py").stat().st_mtime_ns
    (folder / "bot" / "b.txt").unlink()
    assert unpack(packed) == folder
    assert (folder / "code" / "a.py").stat().st_mtime_ns == stamp  # kernels stay compiled
    assert (folder / "bot" / "b.txt").read_text() == "text"
    assert unpack(archive({"code/a.py": "A = 2\n"})) != folder
    assert [each.name for each in folder.rglob(".*")] == []


def test_a_folder_that_others_can_write_to_is_not_trusted(temporary: Path) -> None:
    packed = archive({"code/a.py": "A = 1\n"})
    folder = unpack(packed)
    (folder / "code" / "a.py").write_text("A = 9\n")
    folder.chmod(0o777)
    other = unpack(packed)
    assert other != folder
    assert (other / "code" / "a.py").read_text() == "A = 1\n"
