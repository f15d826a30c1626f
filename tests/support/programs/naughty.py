"""A bot in bare columns with a fault: python naughty.py FAULT [FOLDER]; see the functions.

With a folder it leaves the numbers of its processes there.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

FAULT = sys.argv[1]
MIDDLE_FIRST = (3, 2, 4, 1, 5, 0, 6)


def say(text: object) -> None:
    print(text, flush=True)


def sleep_forever() -> None:
    while True:
        time.sleep(60)


def chatter(column: int) -> None:
    """Talks all the time, also about numbers."""
    say(f"I see {column} of 7\n\n3 of them are fine\n-\n{column}\nthat was a move")


def twice(column: int) -> None:
    """Says everything twice, with a prompt for the next move."""
    print(f"{column}\n{column}\n> ", end="", flush=True)


def from_windows(column: int) -> None:
    """Marks its bytes and ends its lines as on Windows, one byte at a time."""
    for byte in f"\ufeff{column}\r\n".encode():
        os.write(1, bytes([byte]))


def wrong(column: int) -> None:
    """Drops beside the board."""
    say(99)


def negative(column: int) -> None:
    """Counts from the other end."""
    say(-3)


def words(column: int) -> None:
    """Answers what is no column."""
    say(f"column {column}, please")


def leaves(column: int) -> None:
    """Goes home early."""
    print("I had enough", file=sys.stderr)
    sys.exit(3)


def hangs(column: int) -> None:
    """Sleeps."""
    sleep_forever()


def floods(column: int) -> None:
    """Writes lines without end."""
    while True:
        print("still thinking about it")


def grumbles(column: int) -> None:
    """Writes much to stderr, and plays."""
    sys.stderr.write("grumble\n" * 100_000)
    sys.stderr.flush()
    say(column)


def breathless(column: int) -> None:
    """Never ends its line."""
    print(column, end="", flush=True)


def mute(column: int) -> None:
    """Closes its mouth, and lives on."""
    os.close(1)
    sleep_forever()


def fine(column: int) -> None:
    say(column)


def stay() -> None:
    """Will not go: neither when it is asked to nor when nobody is there any more."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    sleep_forever()


if __name__ == "__main__":
    if FAULT == "slow":
        say("Slow Bot 1.0, one moment please")
        time.sleep(1.0)
    if FAULT == "deaf":
        sleep_forever()
    if FAULT == "helper":
        code = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
        child = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
        Path(sys.argv[2], "helper").write_text(str(child.pid))
    if FAULT in ("helper", "stubborn"):
        Path(sys.argv[2], "bot").write_text(str(os.getpid()))
    heights = [0] * 7
    for heard in sys.stdin:
        if heard.strip() != "go!":
            heights[int(heard)] += 1
        chosen = next(column for column in MIDDLE_FIRST if heights[column] < 6)
        heights[chosen] += 1
        globals().get(FAULT, fine)(chosen)
    if FAULT == "stubborn":
        stay()
