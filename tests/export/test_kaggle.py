"""An exported file holds what its engine needs, and plays as the engine does where Arena is not."""

from __future__ import annotations

import re
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

import arena
from arena import CONNECT4, Limits, Position, Rules
from arena.bots.kaggle import Kaggle
from arena.engine.registry import find
from arena.errors import ArenaError, EngineFailure
from arena.export import kaggle
from arena.export.kaggle import (
    MARK,
    Package,
    check_target,
    pack,
    rename_imports,
    submission,
    try_out,
)
from arena.export.loader import unpack
from arena.files import write_atomic
from tests.export.playing import PROGRAM, ask

GAMES = ("", "4", "44521", "1122114455", "776651142")
SMALL = Rules.flat(5, 4, 3)
FAKE = """
import sys, types
fake = types.ModuleType("arena")
fake.__version__, fake.__path__ = "9.9", []
sys.modules["arena"] = fake
"""
BOT = """
from arena import Choice, Engine, option
from arena.jit import kernel
from beside import LIKED

class Bot(Engine):
    \"\"\"Counts with a kernel.\"\"\"
    step: int = option(1, "how far to go")

    def choose(self, position, limits):
        column = fold(position.first, position.second, self.step * LIKED)
        return Choice(position.legal[column % len(position.legal)])

@kernel
def fold(first, second, step):
    return (3 * first + 5 * second) * step % 1009
"""


def exported(folder: Path, *words: str, seconds: float | None = None) -> Path:
    text = submission(pack(words), " ".join(words), seconds)
    return write_atomic(folder / "submission.py", text.encode())


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An engine that has nothing to compile."""
    return exported(tmp_path_factory.mktemp("quick"), "probabilities")


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is unpacked in this process goes away with the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


FILES = {
    "bots/my_bot.py": BOT,
    "bots/beside.py": "LIKED = 7\n",
    "bots/centre.txt": "0 1 2 3 2 1 0",
    "other.txt": "6 5 4 3 2 1 0",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A student's folder, two levels deep, and we are in it."""
    (tmp_path / "bots").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def columns(positions: tuple[str, ...], rules: Rules, *words: str) -> list[int]:
    """What the engine itself plays, each in a game of its own."""
    options = dict(word.split("=") for word in words[1:])
    answers = []
    for moves in positions:
        engine = find(words[0]).build(options)
        engine.begin(rules, 0)
        answers.append(engine.ask(Position.parse(moves, rules), Limits()).column)
    return answers


def test_it_answers_as_the_engine_does_on_any_board(quick: Path) -> None:
    assert ask(quick, GAMES) == columns(GAMES, CONNECT4, "probabilities")
    games = ("", "3", "1145", "55412")
    assert ask(quick, games, SMALL) == columns(games, SMALL, "probabilities")


def test_kernels_and_networks_come_along(tmp_path: Path) -> None:
    file = exported(tmp_path, "ntuple")
    assert ask(file, GAMES) == columns(GAMES, CONNECT4, "ntuple")


def test_a_bot_is_packed_with_the_files_beside_it(folder: Path) -> None:
    words = ("bots/my_bot.py:Bot", "step=3")
    expected = columns(GAMES, CONNECT4, *words)
    file = exported(folder, *words)
    Path("bots").rename("elsewhere")
    assert ask(file, GAMES) == expected
    assert len(set(expected)) > 2


def test_another_version_is_not_disturbed(quick: Path) -> None:
    check = 'assert sys.modules["arena"] is fake\nours = [n for n in ours if n != "arena"]\n'
    program = FAKE + PROGRAM.replace("print(", f"{check}print(")
    assert ask(quick, GAMES, program=program) == columns(GAMES, CONNECT4, "probabilities")


def test_it_plays_game_after_game_here_as_any_other_submission(quick: Path) -> None:
    before = {name: module for name, module in sys.modules.items() if name.startswith("arena")}
    engine, modules = Kaggle(str(quick)), set()
    for moves, column in zip(GAMES, columns(GAMES, CONNECT4, "probabilities"), strict=True):
        engine.begin(CONNECT4, 0)  # the file is run anew, its modules are not
        assert engine.ask(Position.parse(moves), Limits(seconds=60)).column == column
        modules.add(frozenset(sys.modules))
    assert len(modules) == 1
    assert sys.modules["arena"] is arena
    assert before.items() <= sys.modules.items()


def test_words_of_many_lines_are_a_comment_of_one(quick: Path) -> None:
    text = submission(Package(["random"]), "random\nx='a\rb\x0b'\n1 / 0", None)
    assert text.splitlines()[1:3] == [
        f"# random x='a b ' 1 / 0, of Connect Arena {arena.__version__}",
        "",
    ]


def test_a_first_move_is_timed(quick: Path) -> None:
    trial = try_out(quick.read_text())
    assert trial.column == columns(("",), CONNECT4, "probabilities")[0]
    assert min(trial.loading, trial.first_move, trial.processor) > 0
    with pytest.raises(EngineFailure, match=r"does not play: NameError: .*nope"):
        try_out("def agent(o, c):\n    nope\n")
    with pytest.raises(EngineFailure, match="its process left with exit code 0"):
        try_out("import os\nos._exit(0)\n")


def test_files_of_others_are_not_written_over(tmp_path: Path, quick: Path) -> None:
    file = tmp_path / "mine.py"
    check_target(file, force=False)
    file.write_text("precious = 1\n")
    with pytest.raises(ArenaError, match=r"was not written by arena export; --force replaces it"):
        check_target(file, force=False)
    check_target(file, force=True)
    file.write_text(quick.read_text())
    assert file.read_text().startswith(MARK)
    check_target(file, force=False)
    with pytest.raises(ArenaError, match="is a directory; name a file"):
        check_target(tmp_path, force=True)
    with pytest.raises(ArenaError, match="there is no directory"):
        check_target(tmp_path / "none" / "submission.py", force=False)


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
    monkeypatch.setattr(kaggle, "MAX_MEGABYTES", 0)
    with pytest.raises(ArenaError, match="move the engine into a folder of its own"):
        pack(["bots/my_bot.py"])


def test_packages_of_others_are_reported(folder: Path) -> None:
    (folder / "bots" / "more.py").write_text("import torch, beside\nfrom numpy import linalg\n")
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


def archive(files: dict[str, str]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return buffer.getvalue()


def test_an_archive_is_unpacked_once_and_repaired() -> None:
    packed = archive({"code/a.py": "A = 1\n", "bot/b.txt": "text"})
    folder = unpack(packed)
    stamp = (folder / "code" / "a.py").stat().st_mtime_ns
    (folder / "bot" / "b.txt").unlink()
    assert unpack(packed) == folder
    assert (folder / "code" / "a.py").stat().st_mtime_ns == stamp  # kernels stay compiled
    assert (folder / "bot" / "b.txt").read_text() == "text"
    assert unpack(archive({"code/a.py": "A = 2\n"})) != folder
    assert [each.name for each in folder.rglob(".*")] == []


def test_a_folder_that_others_can_write_to_is_not_trusted() -> None:
    packed = archive({"code/a.py": "A = 1\n"})
    folder = unpack(packed)
    (folder / "code" / "a.py").write_text("A = 9\n")
    folder.chmod(0o777)
    other = unpack(packed)
    assert other != folder
    assert (other / "code" / "a.py").read_text() == "A = 1\n"
