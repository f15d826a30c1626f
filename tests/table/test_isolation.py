"""Where an engine runs decides none of its moves, also where it draws from anybody's generators."""

from __future__ import annotations

from pathlib import Path

from arena.journal import Journal
from arena.session import Run, Watcher, header_of
from arena.tournament.load import load_text

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
