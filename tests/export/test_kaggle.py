"""Submissions that are written: they play where nothing of ours is, as the engine itself does."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

import arena
from arena import CONNECT4, Limits, Position, Rules
from arena.bots.kaggle import Kaggle
from arena.engine.registry import find
from arena.errors import ArenaError, EngineFailure
from arena.export.kaggle import MARK, check_target, submission, try_out, write_submission
from arena.export.package import Package, pack
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
    return write_submission(folder / "submission.py", text)


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An engine that has nothing to compile."""
    return exported(tmp_path_factory.mktemp("quick"), "probabilities")


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is unpacked in this process goes away with the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def columns(positions: tuple[str, ...], rules: Rules, *words: str) -> list[int]:
    """What the engine itself plays, each in a game of its own."""
    options = dict(word.split("=") for word in words[1:])
    answers = []
    for moves in positions:
        engine = find(words[0]).build(options)
        engine.begin(rules, 0)
        answers.append(engine.ask(Position.parse(moves, rules), Limits()).column)
    return answers


@pytest.mark.parametrize("rules", [CONNECT4, SMALL])
def test_it_answers_as_the_engine_does_on_any_board(quick: Path, rules: Rules) -> None:
    games = GAMES if rules == CONNECT4 else ("", "3", "1145", "55412")
    assert ask(quick, games, rules) == columns(games, rules, "probabilities")


def test_kernels_and_networks_come_along(tmp_path: Path) -> None:
    file = exported(tmp_path, "ntuple")
    assert ask(file, GAMES) == columns(GAMES, CONNECT4, "ntuple")


@pytest.mark.parametrize("rules", [CONNECT4, SMALL])
def test_a_bot_is_packed_with_the_files_beside_it(
    tmp_path: Path, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    Path("beside.py").write_text("LIKED = 7\n")
    games = GAMES if rules == CONNECT4 else ("", "3", "1145", "55412")
    expected = columns(games, rules, "bot.py:Bot", "step=3")
    file = exported(tmp_path, "bot.py:Bot", "step=3")
    Path("bot.py").unlink()
    Path("beside.py").unlink()
    assert ask(file, games, rules) == expected
    assert len(set(expected)) > 2


def test_a_bot_plays_game_after_game_in_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT.replace("@kernel", "").replace("from arena.jit", "# from"))
    Path("beside.py").write_text("LIKED = 7\n")
    expected = columns(GAMES, CONNECT4, "bot.py")
    engine = Kaggle(str(exported(tmp_path, "bot.py")))
    modules = set()
    for moves, column in zip(GAMES, expected, strict=True):
        engine.begin(CONNECT4, 0)  # the file is run anew, its modules are not
        assert engine.ask(Position.parse(moves), Limits(seconds=60)).column == column
        modules.add(frozenset(sys.modules))
    assert len(modules) == 1


def test_another_version_is_not_disturbed(quick: Path) -> None:
    check = 'assert sys.modules["arena"] is fake\nours = [n for n in ours if n != "arena"]\n'
    program = FAKE + PROGRAM.replace("print(", f"{check}print(")
    assert ask(quick, GAMES, program=program) == columns(GAMES, CONNECT4, "probabilities")


def test_it_plays_here_as_any_other_submission(quick: Path) -> None:
    before = {name: module for name, module in sys.modules.items() if name.startswith("arena")}
    engine = Kaggle(str(quick))
    engine.begin(CONNECT4, 0)
    [expected] = columns(("44521",), CONNECT4, "probabilities")
    assert engine.ask(Position.parse("44521"), Limits(seconds=60)).column == expected
    assert sys.modules["arena"] is arena
    assert before.items() <= sys.modules.items()


def test_the_seconds_of_a_move_are_written_down(quick: Path) -> None:
    package = Package(["probabilities"])
    assert "'seconds': None" in quick.read_text()
    assert "'seconds': 0.5" in submission(package, "probabilities", 0.5)


def test_words_of_many_lines_are_a_comment_of_one(quick: Path) -> None:
    text = submission(Package(["random"]), "random\nx='a\rb\x0b'\n1 / 0", None)
    assert text.splitlines()[1:3] == [
        f"# random x='a b ' 1 / 0, of Connect Arena {arena.__version__}",
        "",
    ]


def test_a_first_move_is_timed(quick: Path) -> None:
    trial = try_out(quick.read_text())
    assert (trial.board, trial.column) == ("7x6", columns(("",), CONNECT4, "probabilities")[0])
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
