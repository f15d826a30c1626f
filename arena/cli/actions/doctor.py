"""The bodies of `arena doctor`, with each diagnosis when it is there, and of `arena cache`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.text import Text

from arena.cli.actions.journals import journal_path
from arena.doctor import Diagnosis
from arena.doctor.journal import examine_journal
from arena.doctor.kernels import directory, examine_kernels, kernel_files, remove
from arena.doctor.setup import (
    examine_engines,
    examine_hardware,
    examine_place,
    examine_software,
    next_steps,
)
from arena.errors import BadOption
from arena.show.numbers import how_many, in_bytes
from arena.show.progress import Progress
from arena.show.terminal import console, cross, print_json, tick

TOPIC_WIDTH = 14


def is_well(journal: Path | None, save: Path | None, as_json: bool) -> bool:
    """Examine everything here, or a journal, and print it; whether there is no problem."""
    if journal is None and save is not None:
        raise BadOption("--save needs the journal whose games it copies")
    out = console()
    diagnoses: list[Diagnosis] = []
    doing = "looking around" if journal is None else "reading the journal"
    with Progress(doing, at_once=True) as progress:
        for each in examine() if journal is None else examine_journal(journal_path(journal), save):
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


def show_cache(as_json: bool) -> None:
    """Print where compiled kernels are kept, and how much there is."""
    where, files = directory(), kernel_files()
    unused = [file for file in files if file.is_unused]
    size, unused_size = (sum(file.bytes for file in some) for some in (files, unused))
    if as_json:
        print_json(
            {
                "directory": where,
                "files": len(files),
                "bytes": size,
                "unused_files": len(unused),
                "unused_bytes": unused_size,
            }
        )
        return
    if where is None:
        print("No writable cache directory: kernels are recompiled on every run.")
    else:
        print(f"{where}: {how_many(len(files), 'file')}, {in_bytes(size)}")
    if unused:
        print(f"arena cache clear would free {in_bytes(unused_size)}.")


def clear_cache(everything: bool) -> None:
    """Remove the kernels that were not used for a month, or all."""
    sizes = remove(file for file in kernel_files() if everything or file.is_unused)
    print(f"{how_many(len(sizes), 'file')} removed, {in_bytes(sum(sizes))} freed")
