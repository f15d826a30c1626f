"""When an answer is too late, and the words for it: the same for every process that waits."""

from __future__ import annotations

from arena.engine.contract import MARGIN

MARGIN_SHARE = 0.10  # of the limit, where that is more


def latest(seconds: float, margin: float = MARGIN) -> float:
    """When an answer that is due after so many seconds is too late."""
    return seconds + max(margin, MARGIN_SHARE * seconds)


def no_answer(thinking: bool, seconds: float, waiting: float) -> str:
    """The words for a player that did not even answer too late: it was thinking, or not ready."""
    return f"{'gave no answer' if thinking else 'was not ready'} in {spell(seconds, waiting)}"


def spell(seconds: float, waiting: float) -> str:
    """A time, and how much of it the machine is to blame for."""
    if waiting < 0.0005:
        return f"{seconds:.3f} s"
    return f"{seconds:.3f} s ({waiting:.3f} s of it waiting for a processor)"
