from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena import CONNECT4
from arena.bots.hosted import Terms
from arena.engine.contract import Limits
from arena.errors import ClusterFailure
from arena.table.dask import room
from arena.table.dask.parcel import Parcel, installed_sources, pack, unpack
from arena.table.dask.room import (
    Chunk,
    Played,
    Room,
    RoomClosed,
    check_player,
    play_chunk,
    rows_in,
)
from arena.table.runner import PlayerChecked, Seating
from arena.tournament.schedule import Player, ScheduledGame

BOT = """
from arena import Choice, Engine
from pieces.middle import middle_of

class Middle(Engine):
    def choose(self, position, limits):
        return Choice(middle_of(position.legal))
"""

OPENS = """
from pathlib import Path
from arena import Choice, Engine
import beside

SECRET = "../secret.txt"
LONG = "x" * 5000 + "\\0"

class Opens(Engine):
    def choose(self, position, limits):
        here = Path(__file__).parent
        for file in (here / "weights.json", here / "data/lines.txt", here / beside.DATA):
            assert file.read_text() == "1"
        return Choice(position.legal[0])
"""


def seated(*engines: str) -> Seating:
    players = tuple(Player(name, name, {}, Limits(depth=1)) for name in engines)
    return Seating(CONNECT4, players, Terms(margin=1.0, memory=None))


def games(count: int) -> list[ScheduledGame]:
    return [ScheduledGame(number, 1, number % 2, 1 - number % 2, (), number)
            for number in range(1, count + 1)]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CHUNK", 1000.0)


@pytest.fixture
def bot(tmp_path: Path) -> str:
    home = tmp_path / "bots"
    (home / "pieces").mkdir(parents=True)
    (home / "bot.py").write_text(BOT)
    (home / "pieces/__init__.py").write_text("")
    (home / "pieces/middle.py").write_text("from .choosing import middle_of\n")
    (home / "pieces/choosing.py").write_text("def middle_of(x): return x[len(x) // 2]\n")
    return f"{home / 'bot.py'}:Middle"


@pytest.fixture
def entered(tmp_path: Path) -> Iterator[Room]:
    kept = Room(pack("a run", seated("random", "greedy")), 1, str(tmp_path))
    room.ROOMS["a run"] = kept
    yield kept
    room.leave("a run")


def test_what_stands_there_already_is_not_copied(bot: str, tmp_path: Path) -> None:
    parcel = pack("a run", seated(bot, "random"))
    assert unpack(parcel, tmp_path / "room").players[0].engine == bot
    assert not (tmp_path / "room").exists()


def test_files_and_modules_beside_them_are_sent(bot: str, tmp_path: Path) -> None:
    parcel: Parcel = pickle.loads(pickle.dumps(pack("a run", seated(bot, "random"))))
    (tmp_path / "bots").rename(tmp_path / "elsewhere")
    kept = Room(parcel, 1, str(tmp_path))
    file, _, name = kept.seating.players[0].engine.rpartition(":")
    assert name == "Middle"
    assert Path(file).is_relative_to(kept.folder)
    assert Path(file).parent.name == "bots"
    sent = {path.relative_to(Path(file).parent).as_posix() for path in kept.folder.rglob("*.py")}
    assert sent == {"bot.py", "pieces/__init__.py", "pieces/middle.py", "pieces/choosing.py"}
    room.ROOMS["a run"] = kept
    played: Played = pickle.loads(play_chunk("a run", pickle.dumps(games(2)), {}))
    assert rows_in(played) == 2
    assert not played.left
    room.leave("a run")
    assert not kept.folder.exists()


def test_files_are_sent_whose_names_stand_in_the_sources(tmp_path: Path) -> None:
    home = tmp_path / "bots"
    (home / "data").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("not for others")
    named = ("weights.json", "data/lines.txt", "data/small.bin")
    for name in (*named, "other.json", "data/other.bin"):
        (home / name).write_text("1")
    (home / "bot.py").write_text(OPENS)
    (home / "beside.py").write_text('from pathlib import Path\nDATA = Path("data", "small.bin")\n')
    parcel = pack("a run", seated(f"{home / 'bot.py'}:Opens", "random"))
    sent = {Path(file).relative_to(home).as_posix() for file in parcel.files}
    assert sent == {"bot.py", "beside.py", *named}
    home.rename(tmp_path / "elsewhere")
    kept = room.ROOMS["a run"] = Room(parcel, 1, str(tmp_path))
    played: Played = pickle.loads(play_chunk("a run", pickle.dumps(games(1)), {}))
    room.leave("a run")
    assert [event.game.reason for event in played.events] == ["line"]  # type: ignore[union-attr]
    assert not kept.folder.exists()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    parcel = replace(pack("a run", seated("random", "greedy")), folders=("/no/such/folder",))
    with pytest.raises(ClusterFailure, match="there is no folder /no/such/folder"):
        Room(parcel, 1, str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_engines_of_ours_are_proven_by_their_sources(bot: str) -> None:
    assert set(installed_sources(seated(bot, "random"))) == {"random"}


def test_no_game_is_begun_after_its_time_but_one_that_was_put_back() -> None:
    chunk = Chunk(games(3), time.monotonic() + 1000, lambda: False)
    (first,) = chunk.take_some(1)
    chunk.until = 0.0
    assert chunk.take_some(2) == []
    chunk.put_back(first)
    assert chunk.left == [1, 2, 3]
    assert chunk.take_some(2) == [first]
    assert chunk.left == [2, 3]


def test_a_halted_room_begins_no_game(entered: Room) -> None:
    room.halt("a run")
    played: Played = pickle.loads(play_chunk("a run", pickle.dumps(games(3)), {}))
    assert not played.events
    assert played.left == [1, 2, 3]


def test_who_is_broken_forfeits(entered: Room) -> None:
    assert check_player("a run", 0).wrong is None
    broken = PlayerChecked(1, "it does not work", reason="time")
    packed = play_chunk("a run", pickle.dumps(games(2)), {1: broken})
    played: Played = pickle.loads(packed)
    assert [event.game.reason for event in played.events] == ["time"] * 2  # type: ignore[union-attr]
    assert len(entered.free) == 1


def test_a_room_that_is_closed_or_unused_has_to_be_entered_again(
    entered: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not entered.is_unused
    monkeypatch.setattr(room, "UNUSED", -1.0)
    assert entered.is_unused
    entered.close()
    with pytest.raises(RoomClosed):
        play_chunk("a run", pickle.dumps(games(1)), {})
    with pytest.raises(RoomClosed):
        play_chunk("another run", pickle.dumps(games(1)), {})
    assert not entered.folder.exists()
