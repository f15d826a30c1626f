"""Engines that are web services: one POST for each move, JSON both ways.

    {"game": {"columns": 7, "rows": 6, "connect": 4, "pie": false}, "moves": [3, 3, 2],
     "board": [[0, 0, 0, 0, 0, 0, 0], ...], "you": 2, "limits": {"seconds": 0.5}, "seed": 17}

The answer is {"column": 3}, optionally with "score", "depth" and "nodes". Columns count from 0. The
board lists its rows from the top: 0 is empty, 1 the first player, 2 the second. -2 is a steal by
the pie rule. Every request is complete, so a service needs no memory. The connection stays open.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from time import perf_counter
from typing import Any
from urllib.parse import SplitResult, urlsplit, urlunsplit

from arena.bots.adapter import LIMITS, TRIAL, Adapter
from arena.bots.boards import NUMBERS, STEAL_NUMBER, board_rows
from arena.bots.hosted import Terms
from arena.engine.contract import Choice, Limits
from arena.engine.errors import Fault
from arena.errors import BadOption, EngineFailure
from arena.game.notation import not_on_board
from arena.game.position import STEAL, Position
from arena.text import printable, quote
from arena.timing import GRACE, format_seconds

MAX_BYTES = 1 << 16  # of an answer
EXAMPLE = "http://HOST:PORT/PATH"
HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


def read_address(text: str) -> SplitResult:
    """Read the address of a service; BadOption if it is not one."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as error:
        raise BadOption(f"{printable(text)!r} is not an address: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadOption(f"{printable(text)!r} is not an address; expected {EXAMPLE}")
    if parts.username is not None:
        host = printable(parts.hostname)
        raise BadOption(f"{host}: user and password in an address are not supported")
    return parts


class Url(Adapter):
    """A web service that answers with a column, as in url:http://localhost:8000/move."""

    kind = "url"
    in_host = False
    supported_limits = frozenset(LIMITS)
    plays_pie = True

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.terms = Terms()
        address = read_address(target)
        self._path = urlunsplit(("", "", address.path or "/", address.query, ""))
        kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
        self._connection = kind(address.hostname or "", address.port)

    def new_game(self) -> None:
        self.check_rules(self.rules)

    def warm_up(self) -> None:
        """Check before the first game that the service answers."""
        try:
            self.choose(Position(self.rules), TRIAL)
        except Fault as fault:
            raise EngineFailure(fault.detail) from None

    def choose(self, position: Position, limits: Limits) -> Choice:
        since = perf_counter()
        seconds = self.terms.for_move(limits) - GRACE  # before the table gives up
        body = json.dumps(request_of(position, limits, self.seed_of_game)).encode()
        try:
            status, answer = self._post(body, seconds)
        except TimeoutError:
            self.close()
            taken = format_seconds(perf_counter() - since)
            raise Fault("time", f"gave no answer in {taken}") from None
        except (OSError, HTTPException, UnicodeError) as error:
            self.close()
            why = (error.strerror if isinstance(error, OSError) else "") or str(error)
            words = printable(why or type(error).__name__)
            raise Fault("crash", f"cannot be asked: {words}") from None
        if status != 200:
            raise Fault("exception", f"answered with status {status}: {_quoted(answer)}")
        return read_choice(answer, position)

    def close(self) -> None:
        self._connection.close()

    def _post(self, body: bytes, seconds: float) -> tuple[int, bytes]:
        """The status and the answer; reconnects once if the service has closed the connection."""
        is_old = self._connection.sock is not None
        try:
            return self._exchange(body, seconds)
        except TimeoutError:
            raise
        except (OSError, HTTPException):
            self.close()
            if not is_old:
                raise
            return self._exchange(body, seconds)

    def _exchange(self, body: bytes, seconds: float) -> tuple[int, bytes]:
        connection = self._connection
        connection.timeout = seconds
        if connection.sock is not None:
            connection.sock.settimeout(seconds)
        connection.request("POST", self._path, body, HEADERS)
        response = connection.getresponse()
        answer = response.read(MAX_BYTES + 1)
        if len(answer) > MAX_BYTES:
            raise HTTPException(f"the answer has more than {MAX_BYTES} bytes")
        return response.status, answer


def request_of(position: Position, limits: Limits, seed: int) -> dict[str, Any]:
    """The game, the position, the player to move and the limits."""
    rules = position.rules
    is_whole = len(position.moves) == position.ply + position.stolen
    moves = [STEAL_NUMBER if column == STEAL else column for column in position.moves]
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
        "limits": {name: value for name, value in asdict(limits).items() if value},
        "seed": seed,
    }


def read_choice(answer: bytes, position: Position) -> Choice:
    """Read the column and the optional figures; the referee judges the rest."""
    try:
        reply = json.loads(answer)
    except (ValueError, RecursionError):
        raise Fault("illegal move", f"answered {_quoted(answer)}, which is not JSON") from None
    if not isinstance(reply, dict) or "column" not in reply:
        raise Fault("illegal move", f"answered {_quoted(answer)}; expected {{'column': NUMBER}}")
    column = reply["column"]
    if column == STEAL_NUMBER and type(column) is int:
        column = STEAL
    elif column == STEAL:
        raise Fault("illegal move", not_on_board(STEAL, position.rules))
    return Choice(column, reply.get("score"), reply.get("depth"), reply.get("nodes"))


def _quoted(answer: bytes) -> str:
    return quote(answer[:120].decode(errors="replace"))
