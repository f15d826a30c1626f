"""What `arena bench solver` measures, and how that is shown: as tables or as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.table import Table

from arena.bench.solver import (
    Ablation,
    Effort,
    Ours,
    Question,
    Row,
    ablations,
    contest,
    empty_board,
    other_boards,
    the_peer,
    warm_up,
)
from arena.bench.solver_sets import PositionSet, seeded_sets, sets_in
from arena.bench.space import Reach, reaches
from arena.show.progress import Progress
from arena.show.terminal import amount, console, cross, dash, duration, print_json, tick

GET_PEER = "bitbully is not installed; to compare with it: pip install 'connect-arena[bench]'"
CONDITIONS = (
    "One thread, processor time, no book. Tables are emptied before each set and kept within it; "
    "sets below {short} s are repeated {repeats} times by turns, and the best time counts."
)
WINNERS = {1: "first player", -1: "second player", 0: "draw"}
SHOWN = 3  # positions that are told when scores differ


@dataclass(slots=True)
class Findings:
    """All that was measured, part by part; a part that was not asked for is empty."""

    peer: str | None = None
    sets: list[Row] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    ablations: list[Ablation] = field(default_factory=list)
    space: list[Reach] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """Every score that is not what it should be."""
        return [
            *(f"{row.name}: {wrong}" for row in self.sets for wrong in row.wrong),
            *(
                f"{found.board}, {found.asked}: {found.answer}, is {found.expected}"
                for found in self.questions
                if found.is_wrong
            ),
            *(
                f"{found.name}: {found.wrong} scores differ"
                for found in self.ablations
                if found.wrong
            ),
        ]


def measure_parts(
    folder: Path | None, parts: Sequence[str], seconds: float, megabytes: float
) -> Findings:
    """Measure the sets, unless only other parts are wanted, and then those; told on stderr."""
    found = Findings()
    with Progress("measuring") as progress:
        if folder is not None or not parts:
            _measure_sets(found, sets_in(folder) if folder else seeded_sets(), megabytes, progress)
        for part in parts:
            progress.begin(f"measuring {part}")
            progress.draw_again()
            if part != "space":
                warm_up()
            for item in _items(part, seconds, megabytes):
                _add(found, item)
                progress.show(0, item.name)
    return found


def _measure_sets(
    found: Findings, sets: Sequence[PositionSet], megabytes: float, progress: Progress
) -> None:
    progress.begin("compiling the solver")
    progress.draw_again()
    warm_up()
    ours, peer = Ours(megabytes), the_peer()
    found.peer = None if peer is None else peer.name
    for number, given in enumerate(sets, start=1):
        progress.step(given.name, number, len(sets))
        found.sets.append(contest(given, ours, peer))


def _items(part: str, seconds: float, megabytes: float) -> Iterator[Question | Ablation | Reach]:
    if part == "empty":
        yield from empty_board(megabytes)
    elif part == "boards":
        yield from other_boards(seconds, megabytes)
    elif part == "ablation":
        yield from ablations(megabytes)
    else:
        yield from reaches(megabytes)


def _add(found: Findings, item: Question | Ablation | Reach) -> None:
    if isinstance(item, Question):
        found.questions.append(item)
    elif isinstance(item, Ablation):
        found.ablations.append(item)
    else:
        found.space.append(item)


def show(found: Findings, short: float, repeats: int) -> None:
    """Print all parts that were measured."""
    out = console()
    for part in _tables(found):
        out.print(part)
        out.print()
    if found.sets:
        out.print(CONDITIONS.format(short=short, repeats=repeats), style="dim")
        if found.peer is None:
            out.print(GET_PEER, style="yellow")
    for fault in found.faults[:SHOWN]:
        out.print(f"{cross()} {fault}", style="red")
    if len(found.faults) > SHOWN:
        out.print(f"{cross()} and {len(found.faults) - SHOWN} more", style="red")
    elif not found.faults and (found.sets or found.questions or found.ablations):
        out.print(f"{tick()} {_agreed(found)}")


def _agreed(found: Findings) -> str:
    if found.sets and found.peer is not None:
        return "all scores agree"
    return "all scores are right as far as they are known"


def _tables(found: Findings) -> Iterator[Table]:
    if found.sets:
        yield sets_table(found.sets, found.peer)
    if found.questions:
        yield questions_table(found.questions)
    if found.ablations:
        yield ablation_table(found.ablations)
    if found.space:
        yield space_table(found.space)


def _table(first: str, *numbers: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column(first, no_wrap=True)
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def sets_table(rows: Sequence[Row], peer: str | None) -> Table:
    """A row a set: what it cost us, what it cost the peer, and how much faster we are."""
    headings = [
        "positions",
        "arena",
        "nodes each",
        *([peer, "nodes each", "faster"] if peer else []),
    ]
    table = _table("set", *headings)
    for row in rows:
        cells = [row.name, f"{row.positions:,}", *_effort(row.ours, row.positions)]
        if row.peer is not None:
            cells += [*_effort(row.peer, row.positions), f"{row.ratio:.1f} x"]
        table.add_row(*cells)
    return table


def _effort(effort: Effort, positions: int) -> tuple[str, str]:
    return duration(effort.seconds), amount(effort.nodes / positions)


def questions_table(questions: Sequence[Question]) -> Table:
    """A row a board: the answer and its price."""
    table = _table("empty board", "asked", "answer", "time", "nodes", "nodes/s", "")
    for found in questions:
        answer = dash() if found.answer is None else _answer(found)
        mark = (
            "not proven in time" if found.answer is None else cross() if found.is_wrong else tick()
        )
        speed = amount(found.nodes / found.seconds) if found.seconds else dash()
        table.add_row(
            found.board,
            found.asked,
            answer,
            duration(found.seconds),
            amount(found.nodes),
            speed,
            mark,
        )
    return table


def _answer(found: Question) -> str:
    assert found.answer is not None
    winner = WINNERS[(found.answer > 0) - (found.answer < 0)]
    return winner if found.asked == "who wins" else f"{found.answer:+d}, {winner}"


def ablation_table(ablations: Sequence[Ablation]) -> Table:
    """A row a feature: what the search costs without it, or with it if it usually is off."""
    table = _table("search", "nodes", "time")
    for found in ablations:
        table.add_row(found.name, f"x {found.nodes:.2f}", f"x {found.seconds:.2f}")
    return table


def space_table(reaches: Sequence[Reach]) -> Table:
    """A row a number of empty cells: how many random positions were solved in which time."""
    allowed = list(reaches[0].solved)
    table = _table("empty cells", "positions", *(f"within {seconds:g} s" for seconds in allowed))
    for reach in reaches:
        shares = (f"{count / reach.positions:.0%}" for count in reach.solved.values())
        table.add_row(f"{reach.board}, {reach.empty}", str(reach.positions), *shares)
    return table


def show_json(found: Findings, machine: dict[str, str]) -> None:
    """Print all of it as data."""
    print_json(
        {
            "machine": machine,
            "peer": found.peer,
            "sets": [_row_data(row) for row in found.sets],
            "questions": [_plain(question) for question in found.questions],
            "ablations": [_plain(ablation) for ablation in found.ablations],
            "space": [_plain(reach) for reach in found.space],
            "faults": found.faults,
        }
    )


def _row_data(row: Row) -> dict[str, Any]:
    def side(effort: Effort | None) -> dict[str, Any] | None:
        return {"seconds": effort.seconds, "nodes": effort.nodes} if effort else None

    return {
        "set": row.name,
        "positions": row.positions,
        "arena": side(row.ours),
        "peer": side(row.peer),
        "ratio": row.ratio,
    }


def _plain(found: Question | Ablation | Reach) -> dict[str, Any]:
    return asdict(found)
