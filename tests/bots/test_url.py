"""Engines that are services: what they are told, and what becomes of what they answer."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

import arena
from arena.bots.find import build_engine
from arena.bots.url import Url, request_of
from arena.engine.contract import Limits
from arena.errors import BadOption, EngineFailure
from arena.game.notation import not_on_board
from arena.game.position import STEAL, Position
from arena.game.rules import CONNECT4, Rules
from arena.table.game import Game
from arena.table.referee import play_game

Answer = Callable[[dict[str, Any]], Any]
QUICK = Limits(seconds=0.1)
NO_LIMITS = Limits()


class Handler(BaseHTTPRequestHandler):
    """Answers every POST with what the server's `answer` says; keeps connections open."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append(json.loads(body))
        self.server.connections.add(self.client_address)
        answer = self.server.answer(self.server.requests[-1])
        text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(text)
        self.close_connection = self.server.hangs_up

    def handle(self) -> None:
        with suppress(OSError):
            super().handle()

    def log_message(self, *words: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    status = 200
    hangs_up = False
    answer: Answer

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[dict[str, Any]] = []
        self.connections: set[Any] = set()
        self.over = Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/move?level=3"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.over.set()
        server.shutdown()
        thread.join()


def leftmost(request: dict[str, Any]) -> dict[str, Any]:
    """The first column whose top cell is empty."""
    return {"column": request["board"][0].index(0), "score": 0.5, "depth": 3, "nodes": 8}


def play(server: Server, limits: Limits = NO_LIMITS) -> Game:
    engine = Url(server.address)
    record = play_game((engine, build_engine("random")), CONNECT4, limits, seed=7)
    engine.close()
    return record


def test_the_example_of_the_page_is_a_request() -> None:
    page = (Path(arena.__file__).parent / "docs/external-bots.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```json\n(\{\"game\".*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert json.loads(example) == request_of(Position.parse("443"), Limits(seconds=0.5), 17)


def test_a_steal_is_minus_two_both_ways(server: Server) -> None:
    server.answer = lambda request: {"column": -2}
    rules = Rules.flat(5, 4, pie=True)
    engine = Url(server.address)
    assert engine.ask(Position.parse("5", rules), NO_LIMITS).column == STEAL
    engine.ask(Position.parse("5s", rules), NO_LIMITS)
    engine.close()
    assert server.requests[0]["game"]["pie"] is True
    assert server.requests[1]["moves"] == [4, -2]
    assert (server.requests[1]["you"], server.requests[1]["board"][3]) == (1, [0, 0, 0, 0, 2])


def test_a_game_over_one_connection(server: Server) -> None:
    server.answer = leftmost
    record = play(server, Limits(seconds=20))
    assert record.reason == "line"
    assert len(server.connections) == 1
    assert {(move.score, move.depth, move.nodes) for move in record.move_records()[::2]} == {
        (0.5, 3, 8)
    }
    assert [request["moves"] for request in server.requests] == [
        list(record.columns[:ply]) for ply in range(0, len(record.columns), 2)
    ]


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (b"hello", "X: answered 'hello', which is not JSON"),
        ([3], "X: answered '[3]'; expected {'column': NUMBER}"),
        ({"move": 3}, """X: answered '{"move": 3}'; expected {'column': NUMBER}"""),
        ({"column": "3"}, "X: answered column '3', which is not a whole number"),
        ({"column": True}, "X: answered column True, which is not a whole number"),
        ({"column": STEAL}, f"X: {not_on_board(STEAL, CONNECT4)}"),
        ({"column": -2}, "X: STEAL is not allowed: the game is played without the pie rule"),
        ({"column": 7}, f"X: {not_on_board(7, CONNECT4)}"),
        (b"[" * 50_000, f"X: answered '{'[' * 57}...', which is not JSON"),
    ],
)
def test_answers_without_a_move(server: Server, answer: Any, detail: str) -> None:
    server.answer = lambda request: answer
    record = play(server)
    assert (record.reason, record.detail) == ("illegal move", detail)


def test_a_status_that_is_not_200(server: Server) -> None:
    server.answer, server.status = lambda request: b"out of memory", 500
    record = play(server)
    assert record.reason == "exception"
    assert record.detail == "X: answered with status 500: 'out of memory'"


def test_a_service_that_does_not_answer(server: Server) -> None:
    server.answer = lambda request: server.over.wait(60)
    record = play(server, QUICK)
    assert record.reason == "time"
    assert record.detail.startswith("X: gave no answer in ")


def test_a_service_that_is_not_there_is_reported_before_the_first_game() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(EngineFailure, match="cannot be asked: Connection refused"):
        Url(f"http://127.0.0.1:{port}").get_ready(CONNECT4)


@pytest.mark.parametrize(
    "address", ["", "localhost:8000", "ftp://host/x", "http://", "http://host:port/", "http://[x"]
)
def test_addresses_that_are_refused(address: str) -> None:
    with pytest.raises(BadOption, match="is not an address"):
        Url(address)


@pytest.mark.parametrize("address", ["http://h/\u00fc", "http://h/a b", f"http://{'x' * 80}/"])
def test_an_address_that_cannot_be_asked(address: str) -> None:
    with pytest.raises(EngineFailure, match="cannot be asked: "):
        Url(address).get_ready(CONNECT4)


def test_an_address_takes_no_password() -> None:
    with pytest.raises(
        BadOption, match="host: user and password in an address are not supported"
    ) as caught:
        Url("http://me:secret@host/")
    assert "secret" not in str(caught.value)


def test_a_service_that_hangs_up_after_each_answer(server: Server) -> None:
    server.answer, server.hangs_up = leftmost, True
    assert play(server).reason == "line"
    assert len(server.connections) == len(server.requests) > 1
