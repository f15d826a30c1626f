"""Kill and stop whatever belongs to a run: `python -m tests.benchmarks.kills [SIGNALS [CASE ...]]`.

Each case is played once undisturbed. Then its processes get signals, one after another: the run,
its workers, the process they are forked from, bots and their keepers, workers of a cluster. A run
that ends before its last game is started again. Its games must be those of the undisturbed run:
none is lost, doubled or different. And nothing may be left behind.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import psutil

from arena.journal import Journal
from tests.support.stories import story
from tests.table import bots, pupils

PAUSE = 0.4  # seconds at most between two signals
STOPPED = 0.3  # seconds at most until a stopped process continues
PATIENCE = 300.0  # seconds for a run that nobody disturbs any more
WHOLE_RUN = 0.1  # of the signals go to the run itself
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGSTOP)
# If Python's own resource tracker is killed, the next one complains of names it does not know.
TRACKER = re.compile(r"^Traceback.*\n  File .*resource_tracker.py.*\n.*\nKeyError: '/mp-.*\n", re.M)
DONE = {"grade": (0, 1, 4)}  # exit codes of a command that came to its end; others: 0

BOTS, PUPILS = bots.__file__, pupils.__file__
FIELD = f"[{{engine: '{BOTS}:Ponders'}}, {{engine: '{BOTS}:UsesSharedChance'}}, reflex, random]"
HEAD = "name: kills\ngame: 4x4\nseed: 5\nworkers: 2\noutput: out\n"
PLAYED = {
    "round robin": f"games: 30\nengines: {FIELD}\n",
    "in the worker": f"games: 30\nisolation: none\nengines: {FIELD}\n",
    "swiss": f"format: {{kind: swiss, rounds: 6}}\ngames: 10\nengines: {FIELD}\n",
    "knockout": f"format: knockout\ngames: 30\nengines: {FIELD}\n",
    "gauntlet": f"format: gauntlet\ngames: 40\nopenings: {{random: 2}}\nengines: {FIELD}\n",
    "learners": f"games: 20\nengines: ['{PUPILS}:Diary', '{PUPILS}:Other', '{BOTS}:Ponders']\n",
    "adjudication": f"games: 30\nadjudication: {{solver: true}}\nengines: {FIELD}\n",
    "cluster": f"games: 30\nrunner: {{cluster: local:2}}\nengines: {FIELD}\n",
}
GRADED = "games: 20\nengines: [student, random]\nexpect:\n  - {score: student, at_least: 10%}\n"
CASES = (*PLAYED, "grading")


def command(case: str, folder: Path) -> list[str]:
    """Write the files of a case; the command that plays it from the beginning, or goes on."""
    folder.mkdir()
    file = folder / "kills.yaml"
    file.write_text(HEAD + PLAYED.get(case, GRADED))
    words = ["run", file.name, "--no-report", "--plain"]
    if case == "grading":
        (folder / "class").mkdir()
        for name in ("anna", "bert"):
            (folder / "class" / f"{name}.py").write_text(f"from {bots.__name__} import Ponders\n")
        words = ["grade", "class", "--with", file.name, "--accuracy", "0"]
    return [sys.executable, "-m", "arena", *words]


def start(words: list[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a run in a session of its own; it appends what it prints to a file."""
    root = str(Path(__file__).parents[2])
    with (folder / "printed.txt").open("ab") as printed:
        return subprocess.Popen(
            words, cwd=folder, stdout=printed, stderr=printed, start_new_session=True,
            env={**os.environ, "PYTHONPATH": root, "DASK_LOGGING__DISTRIBUTED": "critical"},
        )  # fmt: skip


def games(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """What must be the same: the games of every journal, in order of their numbers."""
    found = {}
    for file in sorted(folder.rglob("games.db")):
        with Journal.read(file) as journal:
            found[str(file.relative_to(folder))] = sorted(map(story, journal.rows()), key=str)
    return found


def disturb(run: subprocess.Popen[bytes], chance: Random, signals: int) -> Counter[str]:
    """Send signals to processes of a run until it ends; how many of each kind."""
    sent: Counter[str] = Counter()
    while sent.total() < signals:
        time.sleep(chance.random() * PAUSE)
        if run.poll() is not None:
            break
        with suppress(psutil.Error, IndexError):
            own = psutil.Process(run.pid)
            victim = own
            if chance.random() > WHOLE_RUN:
                victim = chance.choice(own.children(recursive=True))
            number = chance.choice(SIGNALS)
            victim.send_signal(number)
            sent[signal.Signals(number).name] += 1
            if number == signal.SIGSTOP:
                time.sleep(chance.random() * STOPPED)
                victim.resume()
    return sent


def left_behind(folder: Path) -> list[psutil.Process]:
    """Processes that still work in the folder, after a moment in which they may leave."""
    until = time.monotonic() + 30
    while True:
        left = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.cwd().startswith(str(folder)):
                    left.append(process)
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.1)


def play(case: str, folder: Path, chance: Random, signals: int) -> Counter[str]:
    """Disturb runs of a case until one of them has all its games; the signals that were sent."""
    words, sent, runs = command(case, folder), Counter[str](), 0
    done = DONE.get(words[3], (0,))
    while True:
        runs += 1
        assert runs < 5 + 2 * signals, (case, (folder / "printed.txt").read_text()[-2000:])
        run = start(words, folder)
        sent += disturb(run, chance, signals - sent.total())
        code = run.wait(PATIENCE)
        left = left_behind(folder)
        assert not left, (case, left)
        if code in done:
            break
    printed = TRACKER.sub("", (folder / "printed.txt").read_text())
    assert "Traceback" not in printed, printed[printed.index("Traceback") :][:4000]
    return sent


def main(signals: int, cases: tuple[str, ...]) -> None:
    """Play each case undisturbed and then, again and again, with its share of the signals."""
    every: Counter[str] = Counter()
    for number, case in enumerate(cases):
        with tempfile.TemporaryDirectory(prefix="kills-") as place:
            folder, sent, rounds = Path(place).resolve(), Counter[str](), 0
            play(case, folder / "undisturbed", Random(0), 0)
            expected = games(folder / "undisturbed")
            assert expected, case
            while sent.total() < signals // len(cases):
                rounds += 1
                chance = Random(1000 * number + rounds)
                missing = signals // len(cases) - sent.total()
                sent += play(case, folder / str(rounds), chance, missing)
                assert games(folder / str(rounds)) == expected, f"{case}: other games"
        count = sum(map(len, expected.values()))
        print(f"{case}: {rounds} times {count} games, {sent.total()} signals", flush=True)
        every += sent
    print(f"{every.total()} signals {dict(every)}: no game was lost, doubled or different")


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["500"])[0]), tuple(sys.argv[2:]) or CASES)
