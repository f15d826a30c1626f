"""A service on the net: one connection that is kept open, and answers that come in time or not."""

from __future__ import annotations

import io
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from arena.errors import BadOption
from arena.text import printable

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
