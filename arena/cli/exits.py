"""Exit codes and their meanings, for all commands, the help and the documentation."""

from __future__ import annotations

DONE = 0
PROBLEM = 1
BAD_INPUT = 2
RESUMABLE = 3
FAILED = 4
HUNG_UP = 129
INTERRUPTED = 130
TERMINATED = 143

MEANINGS = {
    DONE: "success",
    PROBLEM: (
        "check or doctor found a problem, bench solver a wrong score, "
        "match --fail-if-weaker a weaker engine, or grade left a student undecided"
    ),
    BAD_INPUT: "bad input, or a file that cannot be used",
    RESUMABLE: "a run or training was interrupted or left games unplayed; it can be resumed",
    FAILED: "an expectation of a tournament file failed",
    HUNG_UP: "the terminal was closed",
    INTERRUPTED: "interrupted with Ctrl-C",
    TERMINATED: "terminated by a signal",
}
