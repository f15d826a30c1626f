"""`arena doctor`: whether everything is ready here, a journal is sound, and the kernel cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from arena.cli.exits import PROBLEM
from arena.cli.options import AsJson, OptionalJournal, option, refuse

if TYPE_CHECKING:
    from rich.console import Console

    from arena.doctor import Diagnosis

TOPIC_WIDTH = 14


def doctor(
    journal: OptionalJournal = None,
    save: Path | None = option(
        None, "--save NEW", "Copy all sound games of the journal into a new one."
    ),
    clear_cache: bool = option(
        False, "--clear-cache", "Remove compiled kernels that were not used for 30 days."
    ),
    all_: bool = option(False, "--all", "With --clear-cache: remove all compiled kernels."),
    as_json: AsJson = False,
) -> None:
    """Check your setup, or verify a journal.

    It checks versions, cores, memory, processes, the compiler and its cache, engines and the
    terminal. For a journal, it verifies every checksum, replays every game and lists what is
    damaged; --save copies the sound games into a new journal, and the tournament resumes from it.

    --clear-cache removes only Arena's own kernels and does not disturb a run in progress. Arena
    compiles a kernel again only when its code, Numba or the processor changes.

    The exit code is 0 if there is no problem, and 1 if there is one.

    Example: arena doctor

    Example: arena doctor reports/quickstart --save saved.db
    """
    if journal is None:
        refuse("without a journal", save=save)
    if not clear_cache:
        refuse("without --clear-cache", all=all_)
    else:
        refuse("with --clear-cache", json=as_json, JOURNAL=journal)
        _clear_cache(all_)
        return
    if not _examine(journal, save, as_json):
        raise typer.Exit(PROBLEM)


def _examine(journal: Path | None, save: Path | None, as_json: bool) -> bool:
    """Print each diagnosis when it is made; return whether there is no problem."""
    from dataclasses import asdict

    from arena.cli.journals import journal_path
    from arena.doctor.journal import examine_journal
    from arena.doctor.setup import next_steps
    from arena.show.progress import Progress
    from arena.show.terminal import console, print_json

    out = console()
    diagnoses: list[Diagnosis] = []
    doing = "checking" if journal is None else "reading the journal"
    with Progress(doing, at_once=True) as progress:
        found = _setup() if journal is None else examine_journal(journal_path(journal), save)
        for each in found:
            diagnoses.append(each)
            if not as_json:
                progress.clear()
                _print_diagnosis(out, each)
                progress.draw_again()
    is_well = all(each.state != "problem" for each in diagnoses)
    steps = next_steps(diagnoses) if journal is None else []
    if as_json:
        found_data = [asdict(each) for each in diagnoses]
        print_json({"ok": is_well, "findings": found_data, "next": steps})
    else:
        _print_verdict(out, diagnoses, steps, "Ready" if journal is None else "Sound")
    return is_well


def _setup() -> Iterator[Diagnosis]:
    from arena.doctor.kernels import examine_kernels
    from arena.doctor.setup import (
        examine_engines,
        examine_hardware,
        examine_place,
        examine_software,
    )

    yield from examine_software()
    yield from examine_hardware()
    yield from examine_kernels()
    yield from examine_engines()
    yield from examine_place()


def _print_diagnosis(out: Console, diagnosis: Diagnosis) -> None:
    """A line with a sign, the topic and what was found; the remedy below, if there is one."""
    from rich.text import Text

    from arena.show.terminal import cross, tick

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


def _print_verdict(
    out: Console, diagnoses: Sequence[Diagnosis], steps: Sequence[str], well: str
) -> None:
    """The last lines: how many problems there are, and what comes next."""
    from arena.show.numbers import how_many

    states = Counter(diagnosis.state for diagnosis in diagnoses)
    counts = [how_many(states[state], state) for state in ("problem", "warning") if states[state]]
    style = "bold red" if states["problem"] else "yellow" if states["warning"] else "bold green"
    verdict = f"Not {well.lower()}" if states["problem"] else well
    out.print(f"\n{verdict}{': ' if counts else ''}{', '.join(counts)}.", style=style)
    for step in steps:
        out.print(f"Next: {step}")


def _clear_cache(everything: bool) -> None:
    """Remove the kernels that were not used for a month, or all."""
    from arena.doctor.kernels import kernel_files, remove
    from arena.show.numbers import how_many, in_bytes

    sizes = remove(file for file in kernel_files() if everything or file.is_unused)
    print(f"{how_many(len(sizes), 'file')} removed, {in_bytes(sum(sizes))} freed")
