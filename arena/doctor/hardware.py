"""The doctor on the machine: cores, memory, load, and whether other processes can be started."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from arena.doctor.diagnosis import Diagnosis, one_line
from arena.machine import processor, usable_cores
from arena.show.numbers import duration, in_bytes

CHILD_PATIENCE = 30.0  # seconds
FOR_EACH_TABLE = 300e6  # bytes of memory, about what a table needs
CGROUPS = Path("/sys/fs/cgroup")


def examine_hardware() -> Iterator[Diagnosis]:
    """Every diagnosis of the machine; the operating system is told with the software."""
    yield Diagnosis("processor", "ok", processor(), data={"processor": processor()})
    yield cores()
    yield load()
    yield memory()
    yield processes()


def cores() -> Diagnosis:
    """How many tables can be played on at once."""
    usable, all_cores, quota = usable_cores(), os.cpu_count() or 1, cpu_quota()
    data = {"usable": usable, "cores": all_cores, "quota": quota}
    detail = f"{usable} usable of {all_cores}"
    if quota is not None and quota < usable:
        tables = max(1, int(quota))
        remedy = f"give --workers {tables} to arena run, so that no clock stands still"
        detail += f", but processor time for {quota:g}"
        return Diagnosis("cores", "warning", detail, remedy, data)
    return Diagnosis("cores", "ok", detail, data=data)


def cpu_quota(groups: Path = CGROUPS) -> float | None:
    """How many cores' worth of time a container may use; None without a limit."""
    pair = _words(groups / "cpu.max")
    if not pair:
        pair = _words(groups / "cpu/cpu.cfs_quota_us") + _words(groups / "cpu/cpu.cfs_period_us")
    try:
        limit, period = (float(word) for word in pair)
    except ValueError:  # "max", or not there
        return None
    return limit / period if limit > 0 and period > 0 else None


def load() -> Diagnosis:
    """Whether the machine is busy with something else: that makes timings wrong."""
    average = psutil.getloadavg()[0]
    data = {"average": average}
    if average > usable_cores():
        detail = f"{average:.1f} processes want to run at once: times of engines will be off"
        remedy = "let other work end before a tournament with time limits"
        return Diagnosis("load", "warning", detail, remedy, data)
    return Diagnosis("load", "ok", f"{average:.1f}", data=data)


def memory() -> Diagnosis:
    """Whether there is enough for a table on each core."""
    free = memory_left()
    detail, data = f"{in_bytes(free)} free", {"free": free}
    if free < FOR_EACH_TABLE * usable_cores():
        tables = max(1, int(free // FOR_EACH_TABLE))
        remedy = f"give --workers {tables} to arena run, or close other programs"
        return Diagnosis("memory", "warning", detail, remedy, data)
    return Diagnosis("memory", "ok", detail, data=data)


def memory_left(groups: Path = CGROUPS) -> float:
    """Bytes that can still be used, of this machine or of the container around us."""
    left = float(psutil.virtual_memory().available)
    for limit, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        try:
            left = min(left, float(_words(groups / limit)[0]) - float(_words(groups / used)[0]))
        except (IndexError, ValueError):  # not there, or "max"
            continue
    return max(0.0, left)


def _words(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return []


def processes() -> Diagnosis:
    """Start a child as a table is started, and hear it answer."""
    try:
        from arena.runners.local import start_method  # which needs the compiler
    except ImportError as error:
        detail = f"not tried: {one_line(error)}"
        return Diagnosis("processes", "problem", detail, "install the packages")
    try:
        spent = child_answers(start_method())
    except Exception as error:
        remedy = "see whether this system limits the processes of a user (ulimit -u)"
        detail = f"no process can be started: {one_line(error)}"
        return Diagnosis("processes", "problem", detail, remedy)
    data = {"start_method": start_method(), "seconds": spent}
    detail = f"a child answers after {duration(spent)} ({start_method()})"
    return Diagnosis("processes", "ok", detail, data=data)


def child_answers(method: str) -> float:
    """How long it takes until a child process has answered."""
    import multiprocess  # without which only this is not tried

    begin = time.perf_counter()
    context: Any = multiprocess.get_context(method)
    ours, theirs = context.Pipe()
    child = context.Process(target=_answer, args=(theirs,), daemon=True)
    child.start()
    theirs.close()  # so that we hear it if the child ends
    try:
        if not ours.poll(CHILD_PATIENCE):
            raise TimeoutError(f"the child has not answered for {CHILD_PATIENCE:g} s")
        ours.recv()
    except EOFError:
        raise ChildProcessError("the child has ended without an answer") from None
    finally:
        child.kill()
        child.join()
    return time.perf_counter() - begin


def _answer(pipe: Any) -> None:
    pipe.send("here")
