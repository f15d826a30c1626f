"""A diagnosis of the doctor: whether something is as it should be, and the remedy if it is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rich.console import Console
from rich.text import Text

from arena.show.numbers import how_many
from arena.show.terminal import cross, tick

State = Literal["ok", "warning", "problem"]

TOPIC_WIDTH = 14


@dataclass(frozen=True)
class Diagnosis:
    """One line of the doctor's report; `data` are the figures in it, for other programs."""

    topic: str
    state: State
    detail: str
    remedy: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


def one_line(error: BaseException) -> str:
    """An error in one line."""
    words = " ".join(str(error).split())
    return words or type(error).__name__


def print_diagnosis(out: Console, diagnosis: Diagnosis) -> None:
    """A line with a sign, the topic and what was seen; the remedy below, if it needs one."""
    sign, style = {
        "ok": (tick(), "green"),
        "warning": ("!", "yellow"),
        "problem": (cross(), "bold red"),
    }[diagnosis.state]
    detail = (diagnosis.detail, "dim" if diagnosis.state == "ok" else style)
    topic = f" {diagnosis.topic:{TOPIC_WIDTH}} "
    out.print(Text.assemble((f"{sign:>3}", style), topic, detail), soft_wrap=True)
    if diagnosis.remedy:
        out.print(f"{'':{TOPIC_WIDTH + 5}}remedy: {diagnosis.remedy}", style=style, soft_wrap=True)


def print_verdict(
    out: Console, diagnoses: Sequence[Diagnosis], steps: Sequence[str], well: str
) -> None:
    """The last lines: how ill it is, and what comes next."""
    states = Counter(diagnosis.state for diagnosis in diagnoses)
    counts = [how_many(states[state], state) for state in ("problem", "warning") if states[state]]
    style = "bold red" if states["problem"] else "yellow" if states["warning"] else "bold green"
    ready = f"Not {well.lower()}" if states["problem"] else well
    out.print(f"\n{ready}{': ' if counts else ''}{', '.join(counts)}.", style=style)
    for step in steps:
        out.print(f"Next: {step}")
