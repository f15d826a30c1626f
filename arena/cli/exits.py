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
    DONE: "success",
    FOUND: (
        "check or doctor found a problem, bench solver a wrong score, "
        "compare --fail-if-weaker a weaker engine, or grade left somebody undecided"
    ),
    BAD_INPUT: "bad input, or a file that cannot be used",
    RESUMABLE: "a run or training was interrupted or left games unplayed; it can be resumed",
    FAILED: "an expectation of a tournament file failed",
    HUNG_UP: "the terminal was closed",
    BROKEN_OFF: "interrupted with Ctrl-C",
    TERMINATED: "terminated by a signal",
}
