"""All hostile bots against two good ones: `python -m tests.benchmarks.hostile [FIRST LAST]`.

Every deed of tests/support/bots/naughty.py is done at each of five moments: hundreds of bots. A
hostile bot may lose, be left unplayed, or play on; a good one may never lose by a fault, and no
process stays.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from arena import Limits
from tests.bots.test_campaign import (
    GOOD_ENDS,
    HEROES,
    SENDS,
    bot_of,
    hostile_player,
    processes_left,
)
from tests.support.bots import naughty
from tests.support.campaign import Bot, play_gauntlet

MOMENTS = ("later", "first", "begin", "after", "built")
SIGNALS = ("TERM", "INT", "HUP", "QUIT", "STOP", "TSTP", "SEGV", "ABRT", "BUS", "FPE", "ILL",
           "ALRM", "PIPE", "USR1", "USR2", "XCPU", "RTMIN")  # fmt: skip
CHUNK = 20  # bots of one run
LIMITS, MAX_STOPPED = Limits(seconds=0.2), 1.0


def bots(folder: Path) -> list[Bot]:
    """Every deed at every moment."""
    deeds = [name for name in naughty.DEEDS if not name.endswith("_opponent")]
    deeds += [f"{SENDS}{name}" for name in SIGNALS]
    names = [f"{deed}-{when}" for deed in deeds for when in MOMENTS]
    return [bot_of(name, folder, LIMITS) for name in names]


def main(first: int, last: int) -> None:
    """Play them all, and count."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        chosen = bots(folder)[first:last]
        ends: Counter[str] = Counter()
        wrong: list[str] = []
        began = time.monotonic()
        for at in range(0, len(chosen), CHUNK):
            games, lost = play_gauntlet(HEROES, chosen[at : at + CHUNK], start=3.0,
                                       attempts=2, max_stopped=MAX_STOPPED)  # fmt: skip
            for game in games:
                name = hostile_player(game)
                ends[game.reason] += 1
                if game.reason not in GOOD_ENDS and game.winner in (None, name):
                    wrong.append(f"{name} made another one lose: {game.detail}")
            unplayed = [each for each in lost if each.unplayed is not None]
            ends["unplayed"] += len(unplayed)
            wrong += [f"a worker was lost with a game: {each}" for each in lost if each.game]
            print(f"{at + CHUNK} bots, {time.monotonic() - began:.0f} s", dict(ends), flush=True)
            for each in unplayed:
                print("  unplayed:", each.why, flush=True)
        wrong += [f"{name} left a process" for name in processes_left(folder)]
        print(f"{len(chosen)} bots, {len(HEROES) * len(chosen)} games:", dict(ends))
        print("\n".join(wrong) or "nobody else lost, and nothing was left behind")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3] or (0, 10_000)))
