"""The body of `arena doctor`: each diagnosis is printed when it is there, then the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from arena.cli.actions.journals import journal_path
from arena.doctor.diagnosis import Diagnosis, print_diagnosis, print_verdict
from arena.doctor.hardware import examine_hardware
from arena.doctor.journal import examine_journal
from arena.doctor.kernels import examine_kernels
from arena.doctor.place import examine_place, next_steps
from arena.doctor.software import examine_engines, examine_software
from arena.show.progress import Progress
from arena.show.terminal import console, print_json


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
