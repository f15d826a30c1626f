"""A program of ours that deals with an engine, in a process apart: it answers with one line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from arena.engine.errors import Fault
from arena.errors import EngineFailure
from arena.seat.engine import MEMORY
from arena.seat.process import SeatProcess

PATIENCE = 600.0  # seconds: kernels may have to be compiled

T = TypeVar("T")


def answer_of(
    form: Callable[..., T],
    arguments: Sequence[str],
    problem: str,
    folder: Path | None = None,
    **variables: str,
) -> T:
    """What Python answers when it is run with these arguments; nothing of it is left behind.

    The answer is an `error` in words, or what makes this form. If there is none, that is told with
    the beginning of a sentence, the problem.
    """
    environment = {**os.environ, **variables}
    process = SeatProcess([sys.executable, *arguments], folder, MEMORY, environment)
    try:
        answer = json.loads(process.read(process.wait(PATIENCE)))
        if "error" not in answer:
            return form(**answer)
    except Fault as fault:
        raise EngineFailure(f"{problem}: {fault.detail}") from None
    except (ValueError, TypeError):
        raise EngineFailure(f"{problem}: it wrote into the pipe of its own process") from None
    finally:
        process.close()
    raise EngineFailure(str(answer["error"]), str(answer.get("trace", "")))
