"""`arena doctor`: whether everything is ready here, and what to do if something is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import FOUND
from arena.cli.options import JOURNAL, AsJson
from arena.show.numbers import how_many

if TYPE_CHECKING:
    from rich.console import Console

    from arena.cli.machine.finding import Finding

TOPIC_WIDTH = 14


def doctor(
    journal: Annotated[Path | None, JOURNAL] = None,
    as_json: AsJson = False,
) -> None:
    """Look whether everything is ready here, or whether a journal is sound.

    It looks at versions, cores, memory, processes, the compiler and its cache, engines and the
    terminal; or it reads every row of a journal and tells what is sound, what is damaged, and how
    to save the rest. The exit code is 0 if there is no problem, and 1 if there is one.

    Example: arena doctor

    Example: arena doctor reports/quickstart
    """
    from arena.cli.machine.journal import journal_findings
    from arena.cli.machine.place import next_steps
    from arena.show.progress import Progress
    from arena.show.terminal import console, print_json

    out = console()
    found = []
    doing = "looking around" if journal is None else "reading the journal"
    with Progress(doing, at_once=True) as progress:
        for finding in findings() if journal is None else journal_findings(journal):
            found.append(finding)
            if not as_json:
                progress.clear()
                print_finding(out, finding)
                progress.draw_again()
    ill = any(each.state == "problem" for each in found)
    steps = next_steps(found) if journal is None else []
    if as_json:
        told = [asdict(finding) for finding in found]
        print_json({"ok": not ill, "findings": told, "next": steps})
    else:
        print_verdict(out, found, steps, "Ready" if journal is None else "Sound")
    if ill:
        raise typer.Exit(FOUND)


def findings() -> Iterator[Finding]:
    """All findings, as they are made."""
    from arena.cli.machine.hardware import machine
    from arena.cli.machine.kernels import kernels
    from arena.cli.machine.place import place
    from arena.cli.machine.software import engines, software

    yield from software()
    yield from machine()
    yield from kernels()
    yield from engines()
    yield from place()


def print_finding(out: Console, finding: Finding) -> None:
    """A line with a sign, the topic and what was seen; the remedy below, if it needs one."""
    from rich.text import Text

    from arena.show.terminal import cross, tick

    sign, style = {
        "ok": (tick(), "green"),
        "warning": ("!", "yellow"),
        "problem": (cross(), "bold red"),
    }[finding.state]
    seen = "dim" if finding.state == "ok" else style
    topic = f" {finding.topic:{TOPIC_WIDTH}} "
    line = Text.assemble((f"{sign:>3}", style), topic, (finding.detail, seen))
    out.print(line, soft_wrap=True)
    if finding.remedy:
        out.print(f"{'':{TOPIC_WIDTH + 5}}remedy: {finding.remedy}", style=style, soft_wrap=True)


def print_verdict(
    out: Console, found: Sequence[Finding], steps: Sequence[str], well: str = "Ready"
) -> None:
    """The last lines: how ill it is, and what comes next."""
    states = Counter(finding.state for finding in found)
    counts = [how_many(states[state], state) for state in ("problem", "warning") if states[state]]
    style = "bold red" if states["problem"] else "yellow" if states["warning"] else "bold green"
    ready = f"Not {well.lower()}" if states["problem"] else well
    out.print(f"\n{ready}{': ' if counts else ''}{', '.join(counts)}.", style=style)
    for step in steps:
        out.print(f"Next: {step}")
