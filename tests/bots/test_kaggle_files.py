"""Kaggle submissions in every form: folders, archives, notebooks, Kaggle's folder and package."""

from __future__ import annotations

import json
import re
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena import Limits, Position
from arena.bots.kaggle import Kaggle
from arena.errors import EngineFailure

MAIN = """
import sys
sys.path.append("/kaggle_simulations/agent/")
from helper_of_agent import offset

with open("/kaggle_simulations/agent/weights.txt") as file:
    column = int(file.read())

def agent(observation, configuration):
    return column + offset()
"""
HELPER = """
from pathlib import Path

FOLDER = Path("/kaggle_simulations/agent")

def offset():
    return len(list(FOLDER.glob("*.txt")))
"""
FILES = {"main.py": MAIN, "helper_of_agent.py": HELPER, "weights.txt": "4"}


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Unpack into a folder of the test; forget what a submission has imported."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    places = [*sys.path]
    yield
    sys.path[:] = places
    for name in ("helper_of_agent", "lib_of_notebook"):
        sys.modules.pop(name, None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "my agent"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def pack(folder: Path) -> Path:
    archive = folder.parent / "submission.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for file in folder.iterdir():
            tar.add(file, file.name)
    return archive


def notebook(path: Path, *cells: str) -> Path:
    code = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    text = [{"cell_type": "markdown", "source": ["def agent(x): pass"]}]
    path.write_text(json.dumps({"cells": [*text, *code], "nbformat": 4}), encoding="utf-8")
    return path


def column(path: Path, **options: Any) -> int:
    return Kaggle(str(path), **options).ask(Position(), Limits()).column


def test_a_folder_plays_its_main_with_what_lies_beside(folder: Path) -> None:
    assert column(folder) == column(folder / "main.py") == 5
    assert column(folder, callable="offset") == 1
    assert not (folder / "__pycache__").exists()


def test_an_archive_is_unpacked_once_for_its_content(folder: Path, tmp_path: Path) -> None:
    assert column(pack(folder)) == 5
    (unpacked,) = (tmp_path / "tmp").iterdir()
    assert len([*unpacked.iterdir()]) == 1
    (folder / "weights.txt").write_text("1")
    assert column(pack(folder)) == 2
    assert len([*unpacked.iterdir()]) == 2
    assert column(pack(folder)) == 2


WRITTEN = "%%writefile submission.py\ndef agent(obs, config):\n    return 6\n"
OWN_FUNCTIONS = """
import inspect, os

def write_agent_to_file(function, file):
    with open(file, "a") as f:
        f.write(inspect.getsource(function))

write_agent_to_file(my_agent, "submission.py")
"""
AGENT = "!pip install x\ndef my_agent(obs, config):\n    import random\n    return 4\n"
PLAYS = "from kaggle_environments import make\nenv = make('connectx')\nenv.run([my_agent])\n1 / 0\n"


@pytest.mark.parametrize(
    ("cells", "played"),
    [
        ((PLAYS, WRITTEN, PLAYS), 6),
        (("%%writefile main.py\nfrom lib_of_notebook import agent\n",
          "%%writefile lib_of_notebook.py\ndef agent(obs, config):\n",
          "%%writefile -a lib_of_notebook.py\n    return 2\n"), 2),
        ((AGENT, PLAYS, "def later(obs, config):\n    return 1\n", OWN_FUNCTIONS), 4),
        ((AGENT, "import inspect\nopen('s.py', 'w').write(inspect.getsource(my_agent))"), 4),
        ((AGENT, "import inspect\nf = my_agent\nopen('s', 'w').write(inspect.getsource(f))"), 4),
    ],
)  # fmt: skip
def test_a_notebook_plays_what_it_writes(
    tmp_path: Path, cells: tuple[str, ...], played: int
) -> None:
    assert column(notebook(tmp_path / "agent.ipynb", *cells)) == played


def test_the_package_has_a_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("kaggle_environments")]:
        monkeypatch.delitem(sys.modules, name)
    file = tmp_path / "submission.py"
    file.write_text(
        "from kaggle_environments import evaluate, make, utils\n"
        "from kaggle_environments.utils import structify\n"
        "env = make('connectx', debug=True)\n"
        "env.run(['random', 'negamax'])\nenv.render(mode='ipython')\n"
        "env.train([None, 'random']).reset()\n"
        "rewards = evaluate('connectx', ['random', 'random'], num_episodes=2)\n"
        "assert sum(each[0] for each in rewards) == 0 and len(rewards) == 2\n"
        "settings = structify({'a': [{'b': 3}]})\n"
        "def agent(obs, config):\n"
        "    return env.configuration.columns - 1 - settings.a[0].b\n"
    )
    assert column(file) == 3


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("empty", None, "empty has no main.py; Kaggle expects one at the top"),
        ("no.tar.gz", b"no archive", "no.tar.gz cannot be unpacked: "),
        ("absent.tar.gz", b"", "absent.tar.gz: No such file"),
        ("no.ipynb", b"{}", "no.ipynb is not a notebook"),
        ("plain.ipynb", b'{"cells": []}', "plain.ipynb writes no agent; expected a cell that"),
    ],
)
def test_what_is_no_submission(
    tmp_path: Path, name: str, content: bytes | None, sentence: str
) -> None:
    if content is None:
        (tmp_path / name).mkdir()
    elif content:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(EngineFailure, match=re.escape(sentence)):
        column(tmp_path / name)


def test_an_archive_cannot_write_outside_its_folder(tmp_path: Path) -> None:
    archive = tmp_path / "bad.tar.gz"
    (tmp_path / "main.py").write_text("def agent(obs, config):\n    return 3\n")
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(tmp_path / "main.py", "../../main.py")
    with pytest.raises(EngineFailure, match=r"bad\.tar\.gz cannot be unpacked: .*outside"):
        column(archive)
