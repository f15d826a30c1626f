"""Workers and tables as they are seen from home, without any process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from typing import Any, cast

import pytest

from arena import CONNECT4
from arena.bots.hosted import Terms
from arena.dashboard.table_view import WatchedTable
from arena.engine.contract import Limits
from arena.session import CROWDED
from arena.table.channel import Heartbeat
from arena.table.dask.cluster import Cluster
from arena.table.dask.hall import Hall
from arena.table.dask.lookout import LOOK_EVERY, SHARE, Glimpses, Lookout
from arena.table.dask.parcel import pack
from arena.table.dask.room import Glimpse, Proof, Room
from arena.table.dask.runner import DaskRunner
from arena.table.local import LocalRunner
from arena.table.runner import Seating
from arena.tournament.agenda import Agenda
from arena.tournament.formats import RoundRobin
from arena.tournament.schedule import Player, ScheduledGame
from tests.table.test_channel import Alone
from tests.tournament.playing import schedule

MOVES = b"\3\3\2"


class OneVoice:
    """A cluster of which nobody but this test knows: what was asked, and what is answered."""

    address, is_local, is_connected = "tcp://home:8786", False, True

    def __init__(self, glimpses: Glimpses | None = None) -> None:
        self.glimpses, self.asked = glimpses, list[list[str]]()

    def start(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(asyncio.run(work))
        except Exception as error:
            future.set_exception(error)
        return future

    async def tell(self, workers: list[str], task: Callable[..., Any], *args: Any) -> Glimpses:
        self.asked.append(workers)
        if self.glimpses is None:
            raise OSError("cut off")
        return self.glimpses

    async def ask(self, worker: str, task: Callable[..., Any], *args: Any) -> Any:
        raise OSError("nobody plays here")

    async def workers(self) -> dict[str, int]:
        return {}


def proof(host: str, threads: int = 1, cores: int = 8, speed: float | None = None) -> Proof:
    return Proof(host, threads, cores, "", {}, speed)


def game(number: int) -> ScheduledGame:
    return ScheduledGame(number, 1, 0, 1, (3, 3), number)


@pytest.fixture
def hall() -> Hall:
    """Two hosts; on the second a game is being played."""
    made = Hall()
    made.seat("tcp://a:1", proof("a", 2), 100)
    made.seat("tcp://b:1", proof("b", 1, speed=5e6), 100)
    made.workers["tcp://b:1"].chunks[7] = [game(4)]
    return made


def glimpsed(number: int) -> Glimpses:
    return {"tcp://b:1": [Glimpse(0, number, MOVES, 1, 0.5, (1.0, 2.0))], "tcp://gone:1": []}


def test_numbers_of_tables_are_given_anew_when_their_worker_is_gone(hall: Hall) -> None:
    assert [table.number for table in hall.views()] == [0, 1, 2]
    hall.unseat("tcp://a:1")
    hall.seat("tcp://c:1", proof("c", 3), 100)
    numbers = {table.number: table.host for table in hall.views()}
    assert numbers == {0: "c", 1: "c", 2: "b", 3: "c"}


def test_a_far_table_shows_what_the_last_look_has_seen(hall: Hall) -> None:
    cluster = OneVoice(glimpsed(4))
    lookout = Lookout(cast(Cluster, cluster), hall, "a run")
    players = [("anna", Limits()), ("bert", Limits(seconds=1.0, on="reference"))]
    watched = WatchedTable(2, CONNECT4, players)
    assert watched.look(hall.views()[2], 0.0).position is None
    lookout.look(10.0)
    lookout.look(10.1)
    view = hall.views()[2]
    shown = watched.look(view, 1e9)
    assert (shown.game, shown.host, shown.allowed) == (4, "b", 2.0)
    assert shown.position is not None
    assert bytes(shown.position.moves) == MOVES
    assert shown.seats is not None
    assert [seat.thinking for seat in shown.seats] == [False, True]
    assert view.thinking is not None
    assert view.thinking.used == (1.0, 2.0)
    del hall.workers["tcp://b:1"].chunks[7]  # it has come home
    assert hall.views()[2].game is None


def test_workers_are_asked_only_while_somebody_watches_and_not_too_often(hall: Hall) -> None:
    cluster = OneVoice(glimpsed(4))
    lookout = Lookout(cast(Cluster, cluster), hall, "a run")
    lookout.look(1.0)
    assert not cluster.asked
    now = 10.0
    for _ in range(30):
        hall.views()
        lookout.look(now)
        now += LOOK_EVERY / 10
    assert cluster.asked == [["tcp://b:1"]] * 3  # the other has no games
    hall.workers["tcp://b:1"].size = 50  # whose games are over before they could be seen
    lookout.look(100.0)
    hall.views()
    lookout.look(200.0)
    assert len(cluster.asked) == 3


def test_a_look_that_took_long_is_followed_by_a_longer_pause(hall: Hall) -> None:
    cluster = OneVoice()  # which fails
    moments = iter((0.0, 1.0, 5.0, 5.0))
    lookout = Lookout(cast(Cluster, cluster), hall, "a run", lambda: next(moments))
    for now in (10.0, 11.0, 10.0 + 1.0 / SHARE - 0.1, 10.0 + 1.0 / SHARE):
        hall.views()
        lookout.look(now)
    assert len(cluster.asked) == 2
    assert hall.views()[2].thinking is None


def test_crowded_hosts_are_named(hall: Hall) -> None:
    hall.seat("tcp://c:1", proof("c", 3, cores=4), 100)
    assert not [*hall.new_crowds()]
    hall.seat("tcp://c:2", proof("c", 2, cores=4), 100)
    assert not [*hall.new_crowds(most=4)]
    (words,) = hall.new_crowds()
    assert "c has 5 tables on 4 cores" in words
    assert not [*hall.new_crowds()]


def seated(limits: Limits) -> Seating:
    players = tuple(Player(name, "random", {}, limits) for name in "ab")
    return Seating(CONNECT4, players, Terms(margin=1.0, memory=None))


@pytest.mark.parametrize(("limits", "told"), [(Limits(seconds=1), 1), (Limits(depth=1), 0)])
def test_a_crowd_is_told_once_and_only_where_the_clock_counts(limits: Limits, told: int) -> None:
    heard: list[tuple[str, str]] = []

    def tell(concern: str, words: str) -> None:
        heard.append((concern, words))

    runner = DaskRunner(cast(Cluster, OneVoice()), seated(limits), tell=tell)
    runner.hall.seat("tcp://c:1", proof("c", 3, cores=2), 100)
    runner._look_for_crowds()
    runner._look_for_crowds()
    assert [concern for concern, _ in heard] == [CROWDED] * told


@pytest.mark.parametrize(("most", "tables"), [(None, 5), (2, 2), (4, 4), (9, 5)])
def test_no_more_tables_play_than_a_user_wants(most: int | None, tables: int) -> None:
    runner = DaskRunner(cast(Cluster, OneVoice()), seated(Limits(depth=1)), most)
    runner.hall.seat("tcp://a:1", proof("a", 3), 100)
    runner.hall.seat("tcp://b:1", proof("b", 2), 100)
    runner.agenda = Agenda(schedule(RoundRobin(), 2, 50), set(), list)
    runner._hand_out()
    chunks = [games for worker in runner.hall.workers.values() for games in worker.chunks.values()]
    assert len(chunks) == tables
    assert len({game.number for games in chunks for game in games}) == tables


class OneTable:
    """Stands in for the runner of a room."""

    def __init__(self) -> None:
        self.heartbeat, self.tables = Heartbeat(Alone()), [self]

    def thinking(self) -> Any:
        return self.heartbeat.thinking()

    def close(self) -> None:
        """There is nothing to close."""


@pytest.fixture
def room(tmp_path: Any) -> Iterator[Room]:
    made = Room(pack("a run", seated(Limits(depth=1))), 1, str(tmp_path))
    yield made
    made.close()


def test_a_room_tells_what_is_on_its_tables(room: Room) -> None:
    table = OneTable()
    room.busy[3] = cast(LocalRunner, table)
    assert not [*room.glimpses()]
    table.heartbeat.begin_game(9, (3, 3))
    table.heartbeat.start_clocks()
    table.heartbeat.begin(0, 60.0)
    (seen,) = room.glimpses()
    assert seen[:4] == (3, 9, b"\3\3", 0)
    assert seen.thought >= 0
    assert seen.used == (0.0, 0.0)
    room.busy.clear()
