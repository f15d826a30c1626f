"""What is packed: what an engine needs, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import ArenaError, EngineFailure
from arena.export.pack import pack

BOT = """
from pathlib import Path
from arena import Choice, Engine, option
import my_eval

class Bot(Engine):
    \"\"\"Likes what a table says.\"\"\"
    table: str = option("centre.txt", "a file of numbers")

    def new_game(self):
        super().new_game()
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
WRITES = """
import os
for file in range(3, 9):
    try:
        os.write(file, b"1\\n")
    except OSError:
        pass
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


def test_a_bot_comes_with_its_neighbours_and_the_files_that_it_reads(folder: Path) -> None:
    package = pack(["bots/my_bot.py:Bot"])
    assert package.words == ["@folder@/bot/my_bot.py:Bot"]
    own = {place for place in package.contents if place.startswith("bot/")}
    assert own == {
        f"bot/{name}" for name in ("my_bot.py", "my_eval.py", "my_ends.py", "centre.txt")
    }
    assert "code/arena/game/notation.py" in package.contents  # imported inside a function
    assert not any("export" in place or "tournament" in place for place in package.contents)
    assert package.others == []
    assert package.archive() == pack(["bots/my_bot.py"]).archive()


def test_a_file_that_an_option_names_comes_along(folder: Path) -> None:
    package = pack(["bots/my_bot.py", "table=other.txt"])
    assert package.words[1:] == ["table=@folder@/files/table/other.txt"]
    assert package.contents["files/table/other.txt"] == folder / "other.txt"
    assert "bot/centre.txt" not in package.contents


def test_a_file_that_the_words_of_another_engine_name_comes_along(folder: Path) -> None:
    (folder / "plain.yaml").write_text("name: plain\nown: {1: 1, 2: 10, 3: 50}\n")
    package = pack(["book", "around=greedy evaluation=plain.yaml"])
    assert package.words[1] == "around=greedy evaluation=@folder@/files/around/plain.yaml"
    assert package.contents["files/around/plain.yaml"] == folder / "plain.yaml"
    assert package.engines["greedy"] == "arena.engines.greedy:Greedy"


def test_names_lead_to_their_engines_and_those_that_these_name() -> None:
    package = pack(["oracle-easy"])
    assert package.engines["oracle-easy"] == "arena.engines.presets:ORACLE_EASY"
    assert package.engines["oracle"] == "arena.engines.oracle:Oracle"
    assert {"code/engines/presets.py", "code/engines/oracle.py"} <= set(package.contents)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("import os\nos._exit(0)\n", "cannot play: its process left with exit code 0"),
        (WRITES, "wrote into the pipe"),
        ("import no_such_module\n", "my_bot.py:1: ModuleNotFoundError"),
        (
            "from arena import Engine\nclass B(Engine):\n  def choose(self, p, l): 1 / 0\n",
            r"ZeroDivisionError.*my_bot.py:3",
        ),
        ("", "expected one class made from Engine"),
    ],
)
def test_an_engine_that_does_not_play_is_told(folder: Path, text: str, sentence: str) -> None:
    (folder / "bots" / "my_bot.py").write_text(text)
    with pytest.raises(EngineFailure, match=sentence):
        pack(["bots/my_bot.py"])


def test_an_engine_that_nobody_knows_is_told() -> None:
    with pytest.raises(ArenaError, match="unknown engine 'randum'; did you mean 'random'"):
        pack(["randum"])
