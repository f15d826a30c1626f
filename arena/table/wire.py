"""The wire between a table and its owner: messages in both directions.

What is sent together is one write, and one read brings all that has come. So thousands of games a
second cost their owner a few hundred calls of the system, and no more.
"""

from __future__ import annotations

import os
import pickle
from collections import deque
from struct import Struct
from typing import Any

LENGTH = Struct("<I")  # before each message
MOST = 1 << 16  # bytes read at a time


class Wire:
    """One end of a pipe; the standard pickle, as that of `multiprocess` takes its time."""

    def __init__(self, pipe: Any) -> None:
        self.pipe = pipe
        self._arrived: deque[Any] = deque()
        self._rest = b""  # of a message that has not come as a whole

    def fileno(self) -> int:
        """The descriptor, for whoever waits for several wires."""
        return int(self.pipe.fileno())

    def poll(self, seconds: float = 0.0) -> bool:
        """Whether something has come, or the other end is gone; wait for that if need be."""
        return bool(self._arrived or self.pipe.poll(seconds))

    def close(self) -> None:
        """Let go of it."""
        self.pipe.close()

    def send(self, *messages: object) -> None:
        """Send messages; an OSError if nobody is there."""
        packed = b""
        for message in messages:
            data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
            packed += LENGTH.pack(len(data)) + data
        left = memoryview(packed)
        while left:
            left = left[os.write(self.pipe.fileno(), left) :]

    def receive(self) -> Any:
        """The next message, waited for; EOFError or OSError if there will be none."""
        while not self._arrived:
            self._read()
        return self._arrived.popleft()

    def receive_all(self) -> list[Any]:
        """All that has come, after `poll` has told that there is something."""
        if not self._arrived:
            self._read()
        messages = [*self._arrived]
        self._arrived.clear()
        return messages

    def _read(self) -> None:
        data = os.read(self.pipe.fileno(), MOST)
        if not data:
            raise EOFError
        data = self._rest + data
        at, end = 0, len(data) - LENGTH.size
        while at <= end:
            start = at + LENGTH.size
            stop = start + LENGTH.unpack_from(data, at)[0]
            if stop > len(data):
                break
            self._arrived.append(pickle.loads(data[start:stop]))
            at = stop
        self._rest = data[at:]
