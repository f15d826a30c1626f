"""The bodies of `arena doctor`, with each diagnosis when it is there, and of `arena cache`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.text import Text

from arena.cli.actions.journals import journal_path
from arena.doctor import Diagnosis
from arena.doctor.journal import examine_journal
from arena.doctor.kernels import directory, every_cache, examine_kernels, is_ours, remove
from arena.doctor.software import examine_engines, examine_software
from arena.doctor.surroundings import examine_hardware, examine_place, next_steps
from arena.show.numbers import how_many, in_bytes
from arena.show.progress import Progress
from arena.show.terminal import console, cross, print_json, tick

TOPIC_WIDTH = 14


def is_well(journal: Path | None, as_json: bool) -> bool:
    """Examine everything here, or a journal, and print it; whether there is no problem."""
    out = console()
    diagnoses: list[Diagnosis] = []
    doing = "looking around" if journal is None else "reading the journal"
    with Progress(doing, at_once=True) as progress:
        for each in examine() if journal is None else examine_journal(journal_path(journal)):
            diagnoses.append(each)
            if not as_json:
                progress.clear()
                print_diagnosis(out, each)
                progress.draw_again()
    well = all(each.state != "problem" for each in diagnoses)
    steps = next_steps(diagnoses) if journal is None else []
    if as_json:
        print_json({"ok": well, "findings": [asdict(each) for each in diagnoses], "next": steps})
    else:
        print_verdict(out, diagnoses, steps, "Ready" if journal is None else "Sound")
    return well


def examine() -> Iterator[Diagnosis]:
    """Every diagnosis but that of journals, each as soon as it is there."""
    yield from examine_software()
    yield from examine_hardware()
    yield from examine_kernels()
    yield from examine_engines()
    yield from examine_place()


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


def show_caches(as_json: bool) -> None:
    """Print where compiled kernels are kept, and how much there is."""
    current, caches = directory(), every_cache()
    chosen = current is not None and not is_ours(current)
    if as_json:
        data = [asdict(each) for each in caches]
        print_json({"directory": current, "chosen_by_user": chosen, "caches": data})
        return
    if current is None:
        print("No directory can be written: each run compiles.")
    elif chosen:
        print(f"{current}, as NUMBA_CACHE_DIR says")
    for each in caches:
        kind = "of this version" if each.current else "of another version"
        print(f"{each.path}  {each.files:>4} files  {in_bytes(each.bytes):>8}  {kind}")
    if stale := [each for each in caches if not each.current]:
        total = in_bytes(sum(each.bytes for each in stale))
        print(f"arena cache clear would free {total}.")


def clear_caches(everything: bool) -> None:
    """Remove the kernels of other versions, those of this one too if wanted."""
    files = size = 0
    for each in every_cache():
        if each.current and not everything:
            continue
        sizes = remove(each.path)
        files, size = files + len(sizes), size + sum(sizes)
        if each.path.exists():
            print(f"{each.path}: the folder stays, it is in use or not empty", file=sys.stderr)
    print(f"{how_many(files, 'file')} removed, {in_bytes(size)} freed")
    current = directory()
    if current is not None and not is_ours(current):
        print(f"{current} is left alone: NUMBA_CACHE_DIR names it", file=sys.stderr)
