"""Tournaments on clusters of real processes, which come, go and are killed."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

import dask
import pytest

from arena.errors import ClusterFailure
from arena.journal import Journal
from arena.table import cluster
from tests.cli.running import assert_one_sentence, run
from tests.support.clusters import (
    arena_run,
    games_in,
    scheduler,
    started,
    until_games_are_told,
    without_times,
    worker,
)

BOT = """
import os, time
from arena import Choice, Engine
from middle import middle_of

if os.environ.get("NO_GOOD"):
    raise ImportError("no good here")


class Middle(Engine):
    def choose(self, position, limits):
        time.sleep(0.001)
        return Choice(middle_of(position.legal))


class Crashes(Engine):
    def choose(self, position, limits):
        if position.ply > 5 and self.random.random() < 0.05:
            os._exit(7)
        return Choice(self.random.choice(position.legal))
"""
BESIDE = "def middle_of(columns): return columns[len(columns) // 2]\n"
FILE = """
name: {name}
games: {games}
seed: 3
openings: {{random: 2}}
output: {name}
engines: [{engines}]
"""


def written(folder: Path, name: str, games: int, engines: str) -> Path:
    (folder / "bot.py").write_text(BOT)
    (folder / "middle.py").write_text(BESIDE)
    file = folder / f"{name}.yaml"
    file.write_text(FILE.format(name=name, games=games, engines=engines))
    return file


def test_tasks_of_dask_that_fail_as_a_cluster_ends_are_not_reported() -> None:
    def is_reported(kind: type[Exception]) -> bool:
        failure = (kind, kind(), None)
        record = logging.LogRecord("asyncio", logging.ERROR, "", 0, "", (), failure)
        return cluster.is_not_of_dask(record)

    assert not is_reported(import_module("distributed.client").AllExit)
    assert is_reported(ValueError)
    assert cluster.is_not_of_dask(logging.LogRecord("asyncio", logging.INFO, "", 0, "", (), None))


def test_games_are_the_same_here_on_a_local_cluster_and_on_separate_processes(
    tmp_path: Path,
) -> None:
    engines = "{engine: alphabeta, limits: {depth: 3}}, bot.py:Middle, bot.py:Crashes"
    files = [written(tmp_path, name, 8, engines) for name in ("here", "own", "apart")]
    with scheduler(tmp_path) as address, worker(address, tmp_path), worker(address, tmp_path):
        places = (["--workers", "1"], ["--cluster", "local:3"], ["--cluster", address])
        for file, place in zip(files, places, strict=True):
            played = arena_run(file, *place)
            assert played.returncode == 0, played.stderr
            assert ("can run code as you" in played.stderr) == (address in place)
    games = without_times(tmp_path / "here")
    assert len(games) == 24
    assert any(row.reason == "crash" for row, _ in games)
    assert without_times(tmp_path / "own") == games
    assert without_times(tmp_path / "apart") == games


def test_only_those_with_a_certificate_reach_a_local_cluster(tmp_path: Path) -> None:
    distributed: Any = import_module("distributed")
    with cluster.cluster_at("local:1") as own:
        address = own.client.scheduler.address
        security = own.client.security
        for place in (address, *own.first_workers()):
            plain = distributed.comm.connect(place.replace("tls:", "tcp:"), timeout=1)
            with pytest.raises(OSError, match=r"reset|closed"):
                own.start(plain).result()
        other = distributed.Security.temporary().get_connection_args("client")
        with pytest.raises(OSError, match="certificate"):
            own.start(distributed.comm.connect(address, timeout=1, **other)).result()
        with pytest.raises(ClusterFailure, match="no certificates"), cluster.cluster_at(address):
            pass
        files = {name: tmp_path / f"{name}.pem" for name in ("ca-file", "cert", "key")}
        files["ca-file"].write_text(security.tls_ca_file)
        files["cert"].write_text(security.tls_client_cert)
        files["key"].write_text(security.tls_client_key)
        keys = {"ca-file": str(files["ca-file"])}
        keys |= {f"client.{name}": str(files[name]) for name in ("cert", "key")}
        settings = {f"distributed.comm.tls.{key}": value for key, value in keys.items()}
        with dask.config.set(settings), cluster.cluster_at(address) as same:
            assert [*same.first_workers()] == [*own.first_workers()]


def read_until(words: str, client: subprocess.Popen[str]) -> None:
    """Read what a run prints until it says this."""
    assert client.stderr is not None
    printed = []
    for line in client.stderr:
        printed.append(line)
        if words in line:
            return
    raise AssertionError("".join(printed))


def test_workers_that_join_play_unless_they_cannot_and_ctrl_c_is_gentle(tmp_path: Path) -> None:
    """The first worker has two tables, the second one more, and the third gets none."""
    file = written(tmp_path, "late", 20_000, "random, bot.py:Middle")
    events = tmp_path / "late.jsonl"
    with (
        scheduler(tmp_path) as address,
        worker(address, tmp_path, threads=2),
        started(file, "--cluster", address, "--events", str(events)) as client,
    ):
        until_games_are_told(events, client, tables={1, 2})
        with worker(address, tmp_path):
            until_games_are_told(events, client, tables={1, 2, 3})
            with worker(address, tmp_path, NO_GOOD="1"):
                read_until("no good here; it gets no games", client)
            client.send_signal(signal.SIGINT)
            client.communicate()
    assert client.returncode == 3
    assert {(each["table"], each["host"]) for each in games_in(events)} == {
        (table, socket.gethostname()) for table in (1, 2, 3)
    }
    with Journal.read(tmp_path / "late") as journal:
        assert journal.count() == len(games_in(events)) < 20_000
        assert [each.kind for each in journal.events()].count("worker refused") == 1


def test_a_worker_with_another_version_is_named(tmp_path: Path) -> None:
    other = tmp_path / "other/connect_arena-9.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: connect-arena\nVersion: 9.9\n")
    file = written(tmp_path, "versions", 2, "random, bot.py:Middle")
    with scheduler(tmp_path) as address:
        with worker(address, tmp_path, PYTHONPATH=str(other.parent)):
            played = arena_run(file, "--cluster", address)
            assert played.returncode == 2
            (sentence,) = played.stderr.splitlines()[-1:]
            assert sentence.startswith("arena: worker tcp://127.0.0.1:")
            assert "connect-arena is 9.9 there" in sentence
        with worker(address, tmp_path, NO_GOOD="1"):
            played = arena_run(file, "--cluster", address)
        assert played.returncode == 2
        assert "arena: worker tcp://127.0.0.1:" in played.stderr
        assert "no good here" in played.stderr
        assert "Traceback" not in played.stderr.partition("arena: ")[0]


def test_bad_input_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cluster, "CONNECTING", 0.2)
    file = str(written(tmp_path, "bad", 2, "random, greedy"))
    assert_one_sentence(run("run", file, "--cluster", "host"), "--cluster is 'host'", "local:N")
    dry = run("run", file, "--dry-run", "--cluster", "host")
    assert_one_sentence(dry, "--cluster is 'host'")
    assert "on 5 workers" in run("run", file, "--dry-run", "--cluster", "local:5").stdout
    nobody = run("run", file, "--cluster", "tcp://127.0.0.1:1")
    assert_one_sentence(nobody, "no scheduler answers at tcp://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "cryptography", None)
    unprotected = run("run", file, "--cluster", "local:2")
    assert_one_sentence(unprotected, "cryptography: pip install 'connect-arena[cluster]'")
    monkeypatch.setitem(sys.modules, "distributed", None)
    missing = run("run", file, "--cluster", "local:2")
    assert_one_sentence(missing, "pip install 'connect-arena[cluster]'")
    assert not os.path.exists("bad")


def test_a_file_may_name_its_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cluster, "CONNECTING", 0.2)
    file = written(tmp_path, "named", 2, "random, greedy")
    text = file.read_text()
    file.write_text(f"{text}runner: {{cluster: nowhere}}\n")
    assert_one_sentence(run("run", str(file)), "runner.cluster", "found nowhere", "local:N")
    file.write_text(f"{text}runner: {{cluster: 'tcp://127.0.0.1:1'}}\n")
    assert_one_sentence(run("run", str(file)), "no scheduler answers at tcp://127.0.0.1:1")


def test_a_scheduler_that_is_gone_ends_a_run_that_can_go_on(tmp_path: Path) -> None:
    file = written(tmp_path, "cut", 20_000, "random, bot.py:Middle")
    with ExitStack() as there:
        address = there.enter_context(scheduler(tmp_path))
        there.enter_context(worker(address, tmp_path))
        with started(file, "--cluster", address) as client:
            read_until("games/s", client)
            there.close()
            _, printed = client.communicate()
    assert client.returncode == 3, printed
    assert "worker" not in printed
    assert 0 < len(without_times(tmp_path / "cut")) < 20_000


def test_a_player_who_learns_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pupil = "from arena import *\nclass Pupil(Engine):\n    learns = True\n"
    pupil += "    def choose(self, position, limits): return Choice(position.legal[0])\n"
    (tmp_path / "pupil.py").write_text(pupil)
    file = written(tmp_path, "class", 2, "random, pupil.py:Pupil")
    refused = run("run", str(file), "--cluster", "local:2")
    assert_one_sentence(refused, "Pupil learns from game to game", "without a cluster")


def test_local_workers_that_are_killed_at_the_start_are_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed: Any = import_module("distributed")
    start, attempts = distributed.LocalCluster, list[int]()

    def fail(*args: Any, **options: Any) -> Any:
        attempts.append(1)
        if len(attempts) == 2:
            return start(*args, **options)
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(distributed, "LocalCluster", fail)
    file = str(written(tmp_path, "killed", 2, "random, greedy"))
    assert run("run", file, "--cluster", "local:1", "--plain").exit_code == 0
    assert len(attempts) == 2
    assert_one_sentence(
        run("run", file, "--new", "--cluster", "local:1"),
        "cannot start the workers of local:1: Nanny failed to start. 3 times in a row",
        "use fewer workers",
    )
