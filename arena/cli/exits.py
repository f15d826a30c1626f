"""Exit codes and their meanings, for all commands, the help and the documentation."""

from __future__ import annotations

DONE = 0
FOUND = 1
BAD_INPUT = 2
RESUMABLE = 3
FAILED = 4
HUNG_UP = 129
BROKEN_OFF = 130
TERMINATED = 143

MEANINGS = {
    DONE: "done",
    FOUND: (
        "check or doctor found something, bench solver a wrong score, "
        "or compare --fail-if-weaker a weaker engine"
    ),
    BAD_INPUT: "bad input, or a file that cannot be used, told in one sentence",
    RESUMABLE: "a run or a training was interrupted, or left games unplayed, and is ready to go on",
    FAILED: "an expectation of a tournament file failed",
    HUNG_UP: "the terminal was closed",
    BROKEN_OFF: "broken off by Ctrl-C",
    TERMINATED: "terminated from outside",
}
