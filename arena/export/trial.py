"""Plays the first move of a submission as Kaggle does: `python -I trial.py FILE COLUMNSxROWS...`.

It is run as a program of its own, knows nothing of ours, and tells as JSON how long it took.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any


def first_move(agent: Any, size: str) -> int:
    """The column that is played on an empty board."""
    columns, rows = map(int, size.split("x"))
    observation = {"board": [0] * (columns * rows), "mark": 1, "step": 0}
    configuration = {"columns": columns, "rows": rows, "inarow": 4, "actTimeout": 2}
    return int(agent(observation, configuration))


def run(file: str, sizes: list[str]) -> dict[str, Any]:
    """Load the file in an empty namespace and play on the first board that it takes."""
    began = time.monotonic()
    names: dict[str, Any] = {}
    with open(file, encoding="utf-8") as text:
        exec(compile(text.read(), file, "exec", dont_inherit=True), names)
    agent = [value for value in names.values() if callable(value)][-1]
    loaded = time.monotonic() - began
    error: Exception | None = None
    for size in sizes:
        began = time.monotonic()
        try:
            column = first_move(agent, size)
        except Exception as failure:
            error = error or failure
            continue
        times = {"loading": loaded, "first_move": time.monotonic() - began}
        return {"board": size, "column": column, **times, "processor": time.process_time()}
    raise error or ValueError("no board was named")


def main() -> None:
    """Answer on stdout, where nothing of what is printed in between can come."""
    answer = os.dup(1)
    os.dup2(2, 1)
    try:
        result = run(sys.argv[1], sys.argv[2:])
    except Exception as error:
        result = {"error": f"the exported file does not play: {type(error).__name__}: {error}"}
    os.write(answer, f"{json.dumps(result)}\n".encode())


if __name__ == "__main__":
    main()
