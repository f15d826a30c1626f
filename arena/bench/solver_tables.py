"""`arena bench solver`: sets are measured, and the figures printed as a table or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.bench.measurements import machine
from arena.bench.solver import (
    EMPTY_BOARD,
    REPEATS,
    SHORT,
    Effort,
    Ours,
    SetRow,
    contest,
    find_peer,
    seeded_sets,
    sets_in,
    warm_up,
)  # fmt: skip
from arena.show.numbers import amount, duration, whole
from arena.show.progress import Progress
from arena.show.table import Cell, Column, Table
from arena.show.terminal import console, cross, print_json, tick

GET_PEER = "bitbully is not installed; to compare with it: pip install 'connect-arena[bench]'"
CONDITIONS = (
    "One thread, processor time, no book. Tables are emptied before each set and kept within it; "
    f"sets below {SHORT} s are repeated {REPEATS} times, taking turns, and the best time counts."
)
MAX_FAULTS = 3  # printed


def bench_solver(folder: Path | None, empty: bool, megabytes: float, as_json: bool) -> bool:
    """Measure the sets of a folder or the seeded ones, and the empty board; False: a wrong score.

    With the empty board, the seeded sets are left out.
    """
    sets = sets_in(folder) if folder else [] if empty else seeded_sets()
    peer = find_peer() if sets else None
    boards = [EMPTY_BOARD] if empty else []  # takes the peer minutes
    rows = []
    with Progress("compiling the solver") as progress:
        progress.draw_again()
        warm_up()
        ours = Ours(megabytes)
        for number, given in enumerate([*sets, *boards], start=1):
            progress.step(given.name, number, len(sets) + len(boards))
            rows.append(contest(given, ours, peer if number <= len(sets) else None))
    faults = [f"{row.name}: {wrong}" for row in rows for wrong in row.wrong]
    name = None if peer is None else peer.name
    if as_json:
        print_json(
            {
                "machine": machine(),
                "peer": name,
                "sets": [_as_data(row) for row in rows],
                "faults": faults,
            }
        )
    else:
        _print(rows, name, faults)
        if sets and peer is None:
            console().print(GET_PEER, style="yellow")
    return not faults


def _print(rows: Sequence[SetRow], peer: str | None, faults: Sequence[str]) -> None:
    out = console()
    out.print(_sets_table(rows, peer).screen(ruled=False))
    out.print()
    out.print(CONDITIONS, style="dim")
    for fault in faults[:MAX_FAULTS]:
        out.print(f"{cross()} {fault}", style="red")
    if len(faults) > MAX_FAULTS:
        out.print(f"{cross()} and {len(faults) - MAX_FAULTS} more", style="red")
    elif not faults:
        out.print(
            f"{tick()} all scores {'agree' if peer else 'are right as far as they are known'}"
        )


def _sets_table(rows: Sequence[SetRow], peer: str | None) -> Table:
    """One row for each set: our cost, the cost of the peer, and how much faster we are."""
    cost = (Column("arena", duration), Column("nodes each", amount))
    columns: tuple[Column, ...] = (Column("set"), Column("positions", whole), *cost)
    if peer:
        theirs = (Column(peer, duration), Column("nodes each", amount))
        columns += (*theirs, Column("faster", "{:.1f} x".format))
    return Table("", columns, tuple(_set_cells(row)[: len(columns)] for row in rows))


def _set_cells(row: SetRow) -> tuple[Cell, ...]:
    ours = (row.ours.seconds, row.ours.nodes / row.positions)
    theirs: tuple[Cell, ...] = (None, None, None)
    if row.peer is not None:
        theirs = (row.peer.seconds, row.peer.nodes / row.positions, row.ratio)
    return (row.name, row.positions, *ours, *theirs)


def _as_data(row: SetRow) -> dict[str, Any]:
    return {
        "set": row.name,
        "positions": row.positions,
        "arena": _effort_data(row.ours),
        "peer": _effort_data(row.peer),
        "ratio": row.ratio,
    }


def _effort_data(effort: Effort | None) -> dict[str, Any] | None:
    return None if effort is None else {"seconds": effort.seconds, "nodes": effort.nodes}
