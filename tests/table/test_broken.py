"""Where and how players get ready: those that do not, and those that run here or there."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import EngineFailure
from arena.journal import Journal
from arena.session import Run, Watcher, header_of
from arena.table.game import Game
from arena.tournament.load import load_text
from arena.tournament.mistakes import BadSpec

HEAD = "from time import sleep\nfrom arena import Choice, Engine\n"
GOOD = f"""{HEAD}
class Good(Engine):
    def choose(self, position, limits):
        return Choice(self.random.choice(position.legal))
"""
BOTS = {
    "good.py": GOOD,
    "syntax.py": "class Bot(Engine)\n",
    "fails.py": GOOD + "    def warm_up(self):\n        raise ValueError('no weights')\n",
    "hangs.py": GOOD + "    def new_game(self):\n        while True: sleep(1)\n",
}


class Noted(Watcher):
    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warned(self, words: str) -> None:
        self.warnings.append(words)


def run(folder: Path, broken: str, *bots: str) -> tuple[list[Game], list[str]]:
    for bot in bots:
        (folder / bot).write_text(BOTS[bot], encoding="utf-8")
    engines = "".join(f"- {bot}\n" for bot in bots)
    text = f"game: 4x4\ngames: 2\nworkers: 1\nstart: 4\nbroken: {broken}\noutput: {folder}/out\n"
    tournament = load_text(f"{text}engines:\n- random\n{engines}", folder / "t.yaml")
    watcher = Noted()
    with Journal.open(folder / "games.db", header_of(tournament)) as journal:
        assert Run(tournament, journal, watcher).run("test").ending == "finished"
        return sorted(journal.rows(), key=lambda row: row.number), watcher.warnings


def test_broken_bots_lose_their_games_and_the_others_play(tmp_path: Path) -> None:
    bots = ["good.py", "syntax.py", "fails.py", "hangs.py"]
    rows, warnings = run(tmp_path, "forfeit", *bots)
    assert len(rows) == 20
    sound = [row for row in rows if max(row.first, row.second) < 2]
    assert {row.reason for row in sound} <= {"line", "full board"}
    assert len(sound) == 2
    for row in rows:
        places = row.first, row.second
        if max(places) >= 2 and min(places) < 2:  # one of them is broken
            assert places[0 if row.result < 0 else 1] >= 2
            assert row.reason == ("time" if "was not ready in 4" in row.detail else "exception")
    words = {
        ("syntax.py:1: SyntaxError" in row.detail, "ValueError: no weights" in row.detail,
         "was not ready in 4" in row.detail)
        for row in rows if max(row.first, row.second) >= 2
    }  # fmt: skip
    assert words == {(True, False, False), (False, True, False), (False, False, True)}
    assert len(warnings) == 3
    assert all(warning.endswith("it loses its games") for warning in warnings)


def test_without_leave_a_broken_bot_stops_all(tmp_path: Path) -> None:
    with pytest.raises(EngineFailure, match=r"engine fails: ValueError: no weights.*: fix the"):
        run(tmp_path, "refuse", "fails.py")
    with pytest.raises(BadSpec, match="expected ':'"):
        run(tmp_path, "refuse", "syntax.py")


def test_a_file_that_is_not_there_is_a_mistake_in_any_case(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="No such file"):
        load_text("broken: forfeit\nengines: [random, absent.py]\n", tmp_path / "t.yaml")


BOT = """
import random
import numpy
from arena import Choice, Engine

class Bot(Engine):
    learns = True
    taste = 0

    def learn(self, game):
        self.taste += random.randrange(7) + int(numpy.random.randint(7))

    def choose(self, position, limits):
        chance = random.randrange(7) + int(numpy.random.randint(7)) + self.random.randrange(7)
        return Choice(position.legal[(chance + self.taste) % len(position.legal)])
"""


def games(folder: Path, isolation: str, workers: int) -> list[tuple[int, bytes, int]]:
    output = folder / f"{isolation}{workers}"
    text = f"game: 5x4\ngames: 6\nworkers: {workers}\nisolation: {isolation}\noutput: {output}\n"
    tournament = load_text(f"{text}engines: [random, bot.py]\n", folder / "t.yaml")
    with Journal.open(output / "games.db", header_of(tournament)) as journal:
        assert Run(tournament, journal, Watcher()).run("test").ending == "finished"
        return sorted((row.number, bytes(row.moves), row.result) for row in journal.rows())


def test_a_bot_plays_and_learns_the_same_in_a_seat_and_beside_the_referee(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    seated = games(tmp_path, "seat", 2)
    assert seated == games(tmp_path, "none", 1)
    assert len({moves for _, moves, _ in seated}) == 6
