"""Engines that are services on the net: one POST for each move, JSON both ways.

    {"game": {"columns": 7, "rows": 6, "connect": 4, "pie": false}, "moves": [3, 3, 2],
     "board": [[0, 0, 0, 0, 0, 0, 0], ...], "you": 2, "limits": {"seconds": 0.5}, "seed": 17}

is answered by {"column": 3}, with "score", "depth" and "nodes" if it likes. Columns count from 0,
the board is its rows from the top with 0, 1 and 2 for empty, first and second, and -2 is a steal by
the pie rule. Every request says all there is to know, so that a service needs no memory; the
connection is kept open.
"""

from __future__ import annotations

import io
import json
from dataclasses import fields
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from arena.bots.adapter import WORDS, Adapter
from arena.bots.boards import NUMBERS, board_rows
from arena.bots.hosted import Terms
from arena.engine.contract import Choice, Limits
from arena.engine.errors import Fault
from arena.errors import BadOption, EngineFailure
from arena.game.position import STEAL, Position
from arena.text import printable
from arena.timing import GRACE, format_seconds

MOST_BYTES = 1 << 16  # of an answer
HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


class Address(NamedTuple):
    """Where a service is."""

    scheme: str
    host: str
    port: int | None
    path: str

    @classmethod
    def read(cls, text: str) -> Address:
        """An address as people write it."""
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError as error:
            raise BadOption(f"{printable(text)!r} is no address: {error}") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadOption(f"{printable(text)!r} is no address; expected http://HOST:PORT/PATH")
        if parts.username is not None:
            raise BadOption(f"{printable(parts.hostname)}: an address takes no user and password")
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        return cls(parts.scheme, parts.hostname, port, path)


class Service:
    """Takes one POST after the other."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._connection: HTTPConnection | None = None

    def post(self, body: bytes, until: float) -> tuple[int, bytes]:
        """The status and the answer; a connection that was let go meanwhile is made anew."""
        is_old = self._connection is not None
        try:
            return self._exchange(body, until)
        except TimeoutError:
            raise
        except (OSError, HTTPException):
            self.close()
            if not is_old:
                raise
            return self._exchange(body, until)

    def _exchange(self, body: bytes, until: float) -> tuple[int, bytes]:
        scheme, host, port, path = self.address
        if self._connection is None:
            kind = HTTPSConnection if scheme == "https" else HTTPConnection
            self._connection = kind(host, port)
        connection = self._connection
        connection.timeout = _left(until)
        if connection.sock is not None:
            connection.sock.settimeout(_left(until))
        connection.response_class = partial(_TimedResponse, until)  # type: ignore[assignment]
        connection.request("POST", path, body, HEADERS)
        response = connection.getresponse()
        answer = response.read(MOST_BYTES + 1)
        if len(answer) > MOST_BYTES:
            raise HTTPException(f"an answer of more than {MOST_BYTES} bytes")
        return response.status, answer

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _TimedResponse(HTTPResponse):
    """A response that is read up to a point in time, however slowly it trickles in."""

    def __init__(self, until: float, sock: Any, *rest: Any, **named: Any) -> None:
        super().__init__(sock, *rest, **named)
        self.fp.close()
        self.fp = io.BufferedReader(_TimedReader(until, sock))


class _TimedReader(io.RawIOBase):
    """The bytes of a socket up to a point in time."""

    def __init__(self, until: float, sock: Any) -> None:
        self.until = until
        self.socket = sock
        self.stream = sock.makefile("rb", buffering=0)  # keeps the socket open

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Some bytes; a TimeoutError when the time is over."""
        self.socket.settimeout(_left(self.until))
        count: int | None = self.stream.readinto(buffer)
        return count

    def close(self) -> None:
        """Let go of the socket."""
        self.stream.close()
        super().close()


def _left(until: float) -> float:
    left = until - perf_counter()
    if left <= 0:
        raise TimeoutError
    return left


STEAL_NUMBER = -2  # by the pie rule: the first disc is taken over
LONGEST_ANSWER = 60  # characters of an answer that a sentence repeats
TRIAL = Limits(depth=2, nodes=100, playouts=10, seconds=1.0)


class Url(Adapter):
    """A service on the net that answers with a column, as in url:http://localhost:8000/move."""

    kind = "url"
    in_host = False
    hears = frozenset(WORDS)
    plays_pie = True

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.terms = Terms()
        self._service = Service(Address.read(target))

    def new_game(self) -> None:
        """See that it is a board that can be described to the service."""
        self.check_rules(self.rules)

    def warm_up(self) -> None:
        """See that the service is there and answers, before anything depends on it."""
        try:
            self.choose(Position(self.rules), TRIAL)
        except Fault as fault:
            raise EngineFailure(fault.detail) from None

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Ask the service, and read the column from its answer."""
        since = perf_counter()
        until = since + self.terms.for_move(limits) - GRACE  # before the table gives it up
        body = json.dumps(request_of(position, limits, self.seed_of_game)).encode()
        try:
            status, answer = self._service.post(body, until)
        except TimeoutError:
            self.close()
            taken = format_seconds(perf_counter() - since)
            raise Fault("time", f"gave no answer in {taken}") from None
        except (OSError, HTTPException, UnicodeError) as error:
            self.close()
            raise Fault("crash", f"cannot be asked: {_words(error)}") from None
        if status != 200:
            raise Fault("exception", f"answered with status {status}: {_short(answer)}")
        return read_choice(answer)

    def close(self) -> None:
        """Hang up."""
        self._service.close()


def request_of(position: Position, limits: Limits, seed: int) -> dict[str, Any]:
    """What a service is told: the game, where it stands, whose turn it is, and the limits."""
    rules = position.rules
    is_whole = len(position.moves) == position.ply + position.stolen
    moves = [STEAL_NUMBER if column == STEAL else column for column in position.moves]
    given = {field.name: getattr(limits, field.name) for field in fields(limits)}
    return {
        "game": {
            "columns": rules.columns,
            "rows": rules.height,
            "connect": rules.connect,
            "pie": rules.pie,
        },
        "moves": moves if is_whole else None,
        "board": board_rows(position, NUMBERS),
        "you": position.to_move + 1,
        "limits": {name: value for name, value in given.items() if value},
        "seed": seed,
    }


def read_choice(answer: bytes) -> Choice:
    """The column that an answer names, and what else it tells; the referee judges the rest."""
    try:
        reply = json.loads(answer)
    except (ValueError, RecursionError):
        raise Fault("illegal move", f"answered {_short(answer)}, which is no JSON") from None
    if not isinstance(reply, dict) or "column" not in reply:
        raise Fault("illegal move", f"answered {_short(answer)}; expected {{'column': NUMBER}}")
    column = reply["column"]
    if column == STEAL_NUMBER and type(column) is int:
        column = STEAL
    elif column == STEAL:
        raise Fault("illegal move", f"column {STEAL + 1} is not on the board")
    return Choice(column, reply.get("score"), reply.get("depth"), reply.get("nodes"))


def _words(error: Exception) -> str:
    """Why a connection failed."""
    words = error.strerror if isinstance(error, OSError) else ""
    return printable(words or str(error) or type(error).__name__)


def _short(answer: bytes) -> str:
    text = printable(answer[: 2 * LONGEST_ANSWER].decode(errors="replace").strip())
    return repr(text if len(text) <= LONGEST_ANSWER else text[: LONGEST_ANSWER - 3] + "...")
