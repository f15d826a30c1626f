"""What stands beside an engine's file can be imported, and hides nothing of Python or of ours."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from arena import Engine, Limits, Position
from arena.bots.find import build_engine
from arena.engine import registry
from arena.engine.registry import check_shared_process
from arena.errors import EngineFailure
from tests.cli.running import assert_one_sentence, run

build_here = partial(build_engine, isolated=False)

BOT = """\
from arena import Choice, Engine
{imports}

class Bot(Engine):
    def choose(self, position, limits):
        {lazily}
        return Choice({column})
"""


def folder_of(folder: Path, files: Mapping[str, str]) -> Path:
    """A folder with these files, and the path of the bot in it."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder / "my_bot.py"


def bot(imports: str = "", column: str = "COLUMN", lazily: str = "pass") -> str:
    return BOT.format(imports=imports, column=column, lazily=lazily)


def column(engine: Engine) -> int:
    return engine.ask(Position(), Limits()).column


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("import my_eval", "my_eval.COLUMN"),
        ("import my_eval as e", "e.COLUMN"),
        ("from my_eval import COLUMN", "COLUMN"),
        ("from my_eval import *", "COLUMN"),
        ("from .my_eval import COLUMN", "COLUMN"),
        ("import parts.inner", "parts.inner.COLUMN"),
        ("import parts.inner as p", "p.COLUMN"),
        ("from parts import inner", "inner.COLUMN"),
        ("from parts.inner import COLUMN", "COLUMN"),
        ("import loose.inner", "loose.inner.COLUMN"),
        ("import chain", "chain.COLUMN"),
    ],
)
@pytest.mark.parametrize("lazily", [False, True])
def test_a_bot_imports_files_beside_it(
    tmp_path: Path, statement: str, value: str, lazily: bool
) -> None:
    if lazily and "*" in statement:
        pytest.skip("Python allows a star at the top of a file only")
    text = bot(lazily=statement, column=value) if lazily else bot(statement, value)
    files = {
        "my_bot.py": text,
        "my_eval.py": "COLUMN = 4\n",
        "parts/__init__.py": "from . import inner\n",
        "parts/inner.py": "from my_eval import COLUMN\n",  # the folder of the bot, not its own
        "loose/inner.py": "COLUMN = 4\n",
        "chain.py": "import parts.inner\nCOLUMN = parts.inner.COLUMN\n",
    }
    assert column(build_here(str(folder_of(tmp_path / "a folder", files)))) == 4


def two_bots(folder: Path) -> list[str]:
    text = bot("from my_eval import COLUMN")
    return [
        str(folder_of(folder / name, {"my_bot.py": text, "my_eval.py": f"COLUMN = {number}\n"}))
        for number, name in enumerate(("one", "two"))
    ]


def test_bots_of_one_name_have_their_own_neighbours(tmp_path: Path) -> None:
    one, two = two_bots(tmp_path)
    assert [column(build_engine(f"'{path}'")) for path in (one, two)] == [0, 1]
    assert [column(build_here(f"'{path}'")) for path in (one, two, one)] == [0, 1, 0]


def test_bots_with_modules_of_one_name_are_refused_in_one_process(tmp_path: Path) -> None:
    one, two = two_bots(tmp_path)
    other = folder_of(tmp_path / "three", {"my_bot.py": bot(column="1")}).rename(
        tmp_path / "three" / "three.py"
    )
    sentence = r"cannot share a process: both folders have a module my_(bot|eval); rename one"
    with pytest.raises(EngineFailure, match=sentence):
        check_shared_process([Path(one), other, Path(two)])
    check_shared_process([Path(one), other, Path(one)])
    assert_one_sentence(run("match", one, two, "--trust"), "cannot share a process")
    assert run("match", one, str(other), "--trust", "--games", "1").exit_code == 0


def test_a_change_of_the_file_or_of_a_neighbour_is_seen(tmp_path: Path) -> None:
    path = folder_of(
        tmp_path, {"my_bot.py": bot("from my_eval import COLUMN"), "my_eval.py": "COLUMN = 2\n"}
    )
    engine = build_here(str(path))
    assert type(build_here(str(path))) is type(engine)
    (tmp_path / "my_eval.py").write_text("COLUMN = 33 // 11\n", encoding="utf-8")
    assert column(build_here(str(path))) == 3
    path.write_text(bot("from my_eval import COLUMN", "COLUMN + 1"), encoding="utf-8")
    assert column(build_here(str(path))) == 4
    assert column(engine) == 2


@pytest.mark.parametrize("name", ["random", "arena", "queue", "engines", "a bot"])
def test_a_file_may_be_called_as_it_likes(tmp_path: Path, name: str) -> None:
    text = bot("import random, queue, arena.jit", "len([random.random(), queue.Queue()])")
    file = tmp_path / f"{name}.py"
    file.write_text(text, encoding="utf-8")
    for build in (build_here, build_engine):
        assert column(build(f"'{file}'")) == 2
    assert sys.modules["random"] is random


def test_no_neighbour_hides_python_or_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)  # not imported before
    files = {
        "my_bot.py": bot("import random, colorsys, numpy.linalg", "len([random.random()])"),
        "random.py": "raise RuntimeError('hidden')\n",
        "colorsys.py": "raise RuntimeError('hidden')\n",
        "arena.py": "raise RuntimeError('hidden')\n",
        "numpy/data.txt": "a mere folder\n",
    }
    assert column(build_here(str(folder_of(tmp_path, files)))) == 1
    assert sys.modules["random"] is random


def test_a_neighbour_may_use_the_bot_itself(tmp_path: Path) -> None:
    files = {
        "my_bot.py": bot("START = 2\nimport my_eval", "my_eval.column()"),
        "my_eval.py": "def column():\n    from my_bot import START\n    return START\n",
    }
    assert column(build_here(str(folder_of(tmp_path, files)))) == 2


def test_a_bot_of_a_bot_beside_it_is_the_only_one_of_its_file(tmp_path: Path) -> None:
    files = {
        "my_bot.py": "from base import Bot\n\n\nclass Better(Bot):\n    COLUMN = 6\n",
        "base.py": bot("from arena import register", "self.COLUMN").replace(
            "class Bot", '@register("base-bot")\nclass Bot'
        ),
    }
    path = folder_of(tmp_path, files)
    try:
        build_here(str(tmp_path / "base.py"))
        assert column(build_here(str(path))) == 6
    finally:
        registry._registered.pop("base-bot", None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\n1 / 0\n", "my_eval.py:2: ZeroDivisionError: division by zero"),
        ("x = (\n", "my_eval.py:1: SyntaxError: '(' was never closed"),
        ("import nowhere_at_all\n", "my_eval.py:1: ModuleNotFoundError: No module named"),
    ],
)
def test_a_neighbour_that_does_not_load_is_named_and_may_be_mended(
    tmp_path: Path, text: str, told: str
) -> None:
    path = folder_of(tmp_path, {"my_bot.py": bot("from my_eval import COLUMN"), "my_eval.py": text})
    with pytest.raises(EngineFailure) as refused:
        build_here(str(path))
    assert str(refused.value).startswith(str(tmp_path / told))
    (tmp_path / "my_eval.py").write_text("COLUMN = 3\n", encoding="utf-8")
    assert column(build_here(str(path))) == 3


def test_nothing_is_left_in_the_folder_of_a_bot(tmp_path: Path) -> None:
    files = {"my_bot.py": bot("from my_eval import COLUMN"), "my_eval.py": "COLUMN = 3\n"}
    build_here(str(folder_of(tmp_path, files)))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["my_bot.py", "my_eval.py"]
