"""An exported file where nothing of ours can be imported: asked about positions, as Kaggle asks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena import CONNECT4, Position, Rules
from arena.bots.boards import NUMBERS, flat_board

PROGRAM = """
import json, sys

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name == "arena":
            raise ModuleNotFoundError("outside of the file there is no " + name)

sys.meta_path.insert(0, Nothing())
file, questions = sys.argv[1:]
names = {}
exec(compile(open(file, encoding="utf-8").read(), file, "exec"), names)
last = [name for name, value in names.items() if callable(value)][-1]
agent = names[last]
args = agent.__code__.co_argcount
answers = [agent(*question[:args]) for question in json.loads(questions)]
ours = [name for name in sys.modules if name.partition(".")[0] == "arena"]
print(json.dumps([last, "__file__" in names, answers, ours]))
"""


def ask(
    file: Path, positions: Sequence[str], rules: Rules = CONNECT4, program: str = PROGRAM
) -> list[int]:
    """The columns that an exported file answers, in a process of its own and an empty folder."""
    questions = [question(Position.parse(moves, rules)) for moves in positions]
    folder = file.parent / "elsewhere"
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-I", "-c", program, str(file), json.dumps(questions)],
        cwd=folder, env={**os.environ, "TMPDIR": str(folder)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    name, has_file, answers, ours = json.loads(done.stdout)
    assert name == "agent"
    assert not has_file
    assert ours == []
    return [int(answer) for answer in answers]


def question(position: Position) -> tuple[dict[str, Any], dict[str, Any]]:
    """An observation and a configuration."""
    rules = position.rules
    return (
        {"board": flat_board(position, NUMBERS), "mark": position.to_move + 1},
        {"columns": rules.columns, "rows": rules.height, "inarow": rules.connect, "actTimeout": 60},
    )
