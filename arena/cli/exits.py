"""What the exit code of a command says: one table for all commands, the help and the README."""

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
        "compare --fail-if-weaker a weaker engine, or grade left somebody undecided"
    ),
    BAD_INPUT: "bad input, or a file that cannot be used, told in one sentence",
    RESUMABLE: "a run or a training was interrupted, or left games unplayed, and is ready to go on",
    FAILED: "an expectation of a tournament file failed",
    HUNG_UP: "the terminal was closed",
    BROKEN_OFF: "broken off by Ctrl-C",
    TERMINATED: "terminated from outside",
}
