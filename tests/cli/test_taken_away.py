"""A journal or a report folder that an engine takes away during `arena run`."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.journal import Journal
from tests.cli.running import run_apart

BOT = """
import os, shutil
from pathlib import Path
from arena import Choice, Engine

OUT = Path({out!r})
DONE = OUT.with_name("done")


class Bot(Engine):
    moves = 0

    def new_game(self):
        if Bot.moves > 40 and not DONE.exists():
            DONE.touch()
            {deed}

    def choose(self, position, limits):
        Bot.moves += 1
        return Choice(position.legal[0])
"""
DEEDS = {
    "folder": ("shutil.rmtree(OUT)", "was removed or moved"),
    "replaced": (
        'os.unlink(OUT / "games.db"); (OUT / "games.db").write_text("x")',
        "was replaced by another file",
    ),
    "log": ('os.unlink(OUT / "games.db-wal")', "games.db-wal was removed or moved"),
}


@pytest.mark.parametrize("name", DEEDS)
def test_a_journal_that_an_engine_removes_ends_the_run_with_one_sentence(
    tmp_path: Path, name: str
) -> None:
    out = tmp_path / "out"
    deed, sentence = DEEDS[name]
    (tmp_path / "bot.py").write_text(BOT.format(out=str(out), deed=deed))
    file = tmp_path / "cup.yaml"
    file.write_text(
        f"name: cup\ngames: 40\nworkers: 1\nopenings: {{random: 2}}\noutput: {out}\n"
        "engines: [{engine: bot.py, name: vandal}, random]\n"
    )
    result = run_apart("run", str(file), "--no-report", "--quiet")
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert f"{sentence} during the run" in result.stderr
    with Journal.read(out / ("games-saved-1.db" if name == "replaced" else "games.db")) as journal:
        count = journal.count()
        assert f"its {count} games are saved in {journal.path}" in result.stderr
    assert 0 < count < 40
    if name != "replaced":
        assert run_apart("run", str(file), "--no-report").returncode == 0
