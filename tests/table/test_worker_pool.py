"""A cluster run without a cluster: bundles, chunks on a worker, and workers that come and go."""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena import CONNECT4
from arena.bots.hosted import Terms
from arena.engine.contract import Limits
from arena.errors import ClusterFailure
from arena.table import bundle, dask, dask_worker, worker_pool
from arena.table.bundle import Bundle, digest_of_arena, installed_sources, pack, unpack
from arena.table.channel import Thinking
from arena.table.cluster import Cluster
from arena.table.dask import DaskRunner
from arena.table.dask_worker import (
    Chunk,
    PlayedChunk,
    WorkerInfo,
    WorkerTables,
    check_worker,
    play_chunk,
    view_tables,
)
from arena.table.runner import GameOver, PlayerChecked, Seating, TableView
from arena.table.worker_pool import WorkerPool
from arena.tournament.agenda import Agenda
from arena.tournament.formats import RoundRobin
from arena.tournament.games import Player, ScheduledGame
from tests.tournament.playing import schedule

BOT = """
from pathlib import Path
from arena import Choice, Engine
from pieces.middle import middle_of

class Middle(Engine):
    def choose(self, position, limits):
        assert Path(__file__).with_name("data").joinpath("weights.txt").read_text() == "1"
        return Choice(middle_of(position.legal))
"""
FILES = {
    "bot.py": BOT,
    "pieces/__init__.py": "",
    "pieces/middle.py": "def middle_of(x): return x[len(x) // 2]\n",
    "data/weights.txt": "1",
}
LEFT_OUT = (".secret", ".venv/lib.py", "out/games.db", "__pycache__/bot.pyc")
RUN = "a run"


def seated(*engines: str, limits: Limits = Limits(depth=1)) -> Seating:  # noqa: B008
    players = tuple(Player(name, name, {}, limits) for name in engines or ("random", "greedy"))
    return Seating(CONNECT4, players, Terms(margin=1.0, memory=None))


def games(count: int) -> list[ScheduledGame]:
    return [ScheduledGame(number, 1, number % 2, 1 - number % 2, (), number)
            for number in range(1, count + 1)]  # fmt: skip


@pytest.fixture
def bot(tmp_path: Path) -> str:
    for name in (*FILES, *LEFT_OUT):
        path = tmp_path / "bots" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FILES.get(name, ""))
    return f"{tmp_path}/bots/bot.py:Middle"


@pytest.fixture
def on_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process is a worker; a chunk takes its time."""
    (tmp_path / "scratch").mkdir()
    state = SimpleNamespace(nthreads=1)
    worker = SimpleNamespace(
        address="tcp://a:1", local_directory=str(tmp_path / "scratch"), state=state
    )
    monkeypatch.setattr("distributed.get_worker", lambda: worker)
    monkeypatch.setattr(dask_worker, "CHUNK", 1000.0)
    yield
    dask_worker.leave(RUN)


def checked(made: Bundle, *players: int) -> WorkerInfo:
    return check_worker(RUN, pickle.dumps(made), players, False)


def played(count: int, *broken: PlayerChecked) -> PlayedChunk:
    packed = play_chunk(RUN, pickle.dumps(games(count)), {each.player: each for each in broken})
    result: PlayedChunk = pickle.loads(packed)
    return result


def reasons(chunk: PlayedChunk) -> list[str]:
    return [event.game.reason for event in chunk.events if isinstance(event, GameOver)]


def test_files_that_are_there_are_not_copied(bot: str, tmp_path: Path) -> None:
    made = pack(RUN, seated(bot, "random"))
    assert unpack(made, tmp_path / "unpacked").players[0].engine == bot
    assert not (tmp_path / "unpacked").exists()
    assert pack(RUN, seated(bot, "random"), is_local=True).archive == b""


@pytest.mark.usefixtures("on_worker")
def test_the_folder_of_a_bot_is_sent(bot: str, tmp_path: Path) -> None:
    made: Bundle = pickle.loads(pickle.dumps(pack(RUN, seated(bot, "random"))))
    (tmp_path / "bots").rename(tmp_path / "elsewhere")
    info = checked(made, 0, 1)
    assert [each.wrong for each in info.players.values()] == [None, None]
    assert [*info.sources] == ["random"]
    folder = dask_worker.TABLES[RUN].folder
    sent = {path.relative_to(folder / "0/bots").as_posix() for path in folder.rglob("*.*")}
    assert sent >= {name for name in FILES if not name.startswith("pieces/__")}
    assert not sent & {*LEFT_OUT}
    assert reasons(played(2)) == ["line", "line"]
    dask_worker.TABLES.pop(RUN).close()
    assert not folder.exists()


def test_a_folder_that_is_too_large_is_named(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "MAX_FOLDER", 100)
    with pytest.raises(ClusterFailure, match=r"cannot send bot\.py to the workers: its folder .*"):
        pack(RUN, seated(bot, "random"))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    made = pack(RUN, seated())._replace(required=("/no/such/folder",))
    with pytest.raises(ClusterFailure, match="there is no folder /no/such/folder"):
        WorkerTables(made, str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_worker_scales_limits_by_the_speed_of_its_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_worker, "positions_a_second", lambda: 10_000_000.0 / 4)
    made = pack(RUN, seated(limits=Limits(seconds=0.5, on="reference")))
    tables = WorkerTables(made, str(tmp_path))
    assert {player.limits for player in tables.seating.players} == {Limits(seconds=2.0)}
    assert tables.seating.speed == 10_000_000.0 / 4
    tables.close()


def test_no_game_is_begun_after_its_time_but_one_that_was_put_back(tmp_path: Path) -> None:
    tables = WorkerTables(pack(RUN, seated()), str(tmp_path))
    chunk = Chunk(games(3), tables)
    (first,) = chunk.take_some(1)
    chunk.until = 0.0
    assert chunk.take_some(2) == []
    chunk.put_back(first)
    assert chunk.take_some(2) == [first]
    tables.close()


@pytest.mark.usefixtures("on_worker")
def test_a_worker_plays_forfeits_halts_and_forgets() -> None:
    assert played(1).is_unknown
    assert checked(pack(RUN, seated()), 0).players[0].wrong is None
    assert reasons(played(2)) == ["line", "line"]
    broken = PlayerChecked(1, "it does not work", reason="time")
    assert reasons(played(2, broken)) == ["time"] * 2
    assert view_tables(RUN) == []
    tables = dask_worker.TABLES[RUN]
    assert len(tables.runners) == 1
    assert not tables.is_unused
    tables.used -= dask_worker.MAX_UNUSED + 1
    assert tables.is_unused
    dask_worker.halt(RUN)
    assert reasons(played(2)) == []
    tables.close()
    assert played(1).is_unknown
    assert not tables.folder.exists()


class FakeCluster:
    """Workers without processes; those in `dying` are gone while they are checked."""

    address, is_local, is_connected = "tcp://home:8786", False, True

    def __init__(self, dying: str = "", sound: str = "", later: str = "") -> None:
        self.dying, self.there, self.later = dying, [*dying, *sound], [*later]
        self.broken: dict[int, str] = {}  # on every worker
        self.checks: list[tuple[str, list[int]]] = []
        self.told: dict[str, Any] = {}
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()

    def close(self) -> None:
        self.start(self._cancel_all()).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    async def _cancel_all(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def start(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def submit(self, task: Callable[..., Any], *args: Any) -> Any:
        return task(*args)

    def first_workers(self) -> list[str]:
        return [*self.there]

    async def workers(self) -> dict[str, int]:
        if not self.there:
            self.there, self.later = self.later[:1], self.later[1:]
            return {}
        return dict.fromkeys(self.there, 1)

    async def ask(self, workers: Iterable[str], task: Callable[..., Any], *args: Any) -> Any:
        (address,) = workers
        if task is version:
            return version(args[0])
        if task is play_chunk:
            await asyncio.sleep(1000)
        self.checks.append((address, [*args[2]]))
        while address not in self.there or address in self.dying:
            if address in self.there:
                self.there.remove(address)
            await asyncio.sleep(0.01)
        players = {each: PlayerChecked(each, self.broken.get(each)) for each in args[2]}
        sources = installed_sources(seated())
        return WorkerInfo(address, 1, digest_of_arena(), sources, None, players)

    async def tell(self, workers: list[str], task: Callable[..., Any], *args: Any) -> Any:
        return self.told


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., FakeCluster]]:
    made: list[FakeCluster] = []

    def make(*args: Any) -> FakeCluster:
        made.append(FakeCluster(*args))
        return made[-1]

    monkeypatch.setattr(worker_pool, "LOOK_EVERY", 0.01)
    monkeypatch.setattr(dask, "LOOK_EVERY", 0.01)
    yield make
    for cluster in made:
        cluster.close()


def checked_players(cluster: FakeCluster, forfeit: bool = False) -> dict[int, str | None]:
    runner = DaskRunner(cast(Cluster, cluster), seated("random", "greedy", "random"))
    try:
        found = {each.player: each.wrong for each in runner.check(forfeit) if not each.begun}
        assert runner.pool.fit
        assert runner.seating.broken.keys() == ({*cluster.broken} if forfeit else set())
    finally:
        runner.close()
    return found


@pytest.mark.parametrize(("dying", "sound", "later"), [("xy", "", "z"), ("x", "y", "")])
def test_workers_that_are_gone_are_not_missed(
    dying: str, sound: str, later: str, fake: Callable[..., FakeCluster]
) -> None:
    cluster = fake(dying, sound, later)
    assert checked_players(cluster) == {0: None, 1: None, 2: None}
    assert (later or sound, [0, 1, 2]) in cluster.checks


@pytest.mark.parametrize("forfeit", [False, True])
def test_a_player_that_is_broken_on_a_worker_is_named(
    forfeit: bool, fake: Callable[..., FakeCluster]
) -> None:
    cluster = fake("", "x")
    cluster.broken[1] = "it does not work"
    found = checked_players(cluster, forfeit)
    assert found[1] == "worker x: it does not work"
    assert len(found) == (3 if forfeit else 2)


def test_if_no_worker_comes_a_sentence_says_so(
    fake: Callable[..., FakeCluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_pool, "ALONE", 0.05)
    with pytest.raises(ClusterFailure, match="no worker of tcp://home:8786 is left"):
        checked_players(fake("x"))


def admitted(cluster: Any, **threads: int) -> WorkerPool:
    workers = WorkerPool(cluster, seated())
    for address, count in threads.items():
        workers.admit(address, WorkerInfo(f"host {address}", count, "", {}, 5e6, {}))
    return workers


def test_numbers_of_tables_are_reused(fake: Callable[..., FakeCluster]) -> None:
    workers = admitted(fake(), a=2, b=1)
    del workers.fit["a"]
    workers.admit("c", WorkerInfo("host c", 3, "", {}, None, {}))
    views = {view.number: (view.host, view.worker) for view in workers.views()}
    assert views == {2: ("host b", "b"), 0: ("host c", "c"), 1: ("host c", "c"), 3: ("host c", "c")}


def test_viewers_see_the_games_on_workers(fake: Callable[..., FakeCluster]) -> None:
    cluster = fake()
    workers = admitted(cluster, a=2)
    (game,) = games(1)
    thinking = Thinking(1, 1, 0.5, 0.0, (1.0, 2.0))  # for half a second
    cluster.told = {"a": [(1, TableView(0, game=game, moves=b"\3", thinking=thinking))], "gone": []}
    began = time.monotonic()
    cluster.start(workers._view()).result()
    idle, shown = workers.views()
    assert (idle.game, shown.number, shown.game, shown.moves) == (None, 1, game, b"\3")
    assert (shown.host, shown.speed) == ("host a", 5e6)
    assert shown.thinking is not None
    assert began - 0.5 <= shown.thinking.since <= time.monotonic() - 0.5
    assert shown.thinking == thinking._replace(since=shown.thinking.since)


@pytest.mark.parametrize(("most", "chunks"), [(None, 5), (2, 2), (4, 4), (9, 5)])
def test_no_more_games_are_played_at_once_than_wanted(
    most: int | None, chunks: int, fake: Callable[..., FakeCluster]
) -> None:
    runner = DaskRunner(cast(Cluster, fake()), seated(), most)
    runner.pool = admitted(runner.cluster, a=3, b=2)
    runner.agenda = Agenda(schedule(RoundRobin(), 2, 50), set(), list)
    runner._send_chunks()
    assert len(runner.sent) == chunks
    assert len({number for chunk in runner.sent.values() for number in chunk.games}) == chunks
    for worker in [*runner.pool.fit.values()]:
        runner._remove(worker, "is gone")
    assert not runner.sent
    assert len(runner.agenda.take_some(50)) == 50  # none is lost


def test_games_whose_chunks_always_fail_are_given_up(fake: Callable[..., FakeCluster]) -> None:
    runner = DaskRunner(cast(Cluster, fake()), seated())
    runner.pool = admitted(runner.cluster, a=1)
    runner.agenda = Agenda(schedule(RoundRobin(), 2, 2), set(), list)
    for _ in range(10):
        runner._send_chunks()
        (number,) = runner.sent
        events = [*runner._read(number, RuntimeError("4 workers died"))]
    assert runner.agenda.unplayed == [1]
    assert [getattr(event, "unplayed", None) for event in events] == [1]
