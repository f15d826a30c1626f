"""`arena bench solver`: the parts that are asked for are measured, and shown as tables or data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from arena.bench import machine
from arena.bench.solver import (
    REPEATS,
    SHORT,
    Effort,
    Ours,
    PositionSet,
    SetRow,
    contest,
    find_peer,
    seeded_sets,
    sets_in,
    warm_up,
)  # fmt: skip
from arena.bench.solver_boards import BoardAnswer, Reach, empty_board, other_boards, reaches
from arena.show.numbers import amount, duration, whole, whole_percent
from arena.show.progress import Progress
from arena.show.table import Cell, Column, Table
from arena.show.terminal import console, cross, print_json, tick

Part = TypeVar("Part", BoardAnswer, Reach)

GET_PEER = "bitbully is not installed; to compare with it: pip install 'connect-arena[bench]'"
CONDITIONS = (
    "One thread, processor time, no book. Tables are emptied before each set and kept within it; "
    f"sets below {SHORT} s are repeated {REPEATS} times by turns, and the best time counts."
)
WINNERS = {1: "first player", -1: "second player", 0: "draw"}
SHOWN = 3  # positions that are told when scores differ


@dataclass(slots=True)
class SolverFigures:
    """All that was measured, part by part; a part that was not asked for is empty."""

    peer: str | None = None
    sets: list[SetRow] = field(default_factory=list)
    questions: list[BoardAnswer] = field(default_factory=list)
    space: list[Reach] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """Every score that is not what it should be."""
        return [
            *(f"{row.name}: {wrong}" for row in self.sets for wrong in row.wrong),
            *(
                f"{each.name}: {each.answer}, is {each.expected}"
                for each in self.questions
                if each.is_wrong
            ),
        ]


def bench_solver(
    folder: Path | None, parts: Sequence[str], seconds: float, megabytes: float, as_json: bool
) -> bool:
    """Measure the sets, unless only other parts are wanted, and these; whether no score is wrong.

    The parts are "empty", "boards" and "space".
    """
    figures = SolverFigures()
    with Progress("measuring") as progress:
        if folder is not None or not parts:
            sets = sets_in(folder) if folder else seeded_sets()
            _measure_sets(figures, sets, megabytes, progress)
        for part in parts:
            progress.begin(f"measuring {part}")
            progress.draw_again()
            if part != "space":
                warm_up()
            if part == "empty":
                figures.questions += _named(empty_board(megabytes), progress)
            elif part == "boards":
                figures.questions += _named(other_boards(seconds, megabytes), progress)
            else:
                figures.space += _named(reaches(megabytes), progress)
    if as_json:
        print_json(_as_data(figures))
    else:
        _print(figures)
    return not figures.faults


def _measure_sets(
    figures: SolverFigures, sets: Sequence[PositionSet], megabytes: float, progress: Progress
) -> None:
    progress.begin("compiling the solver")
    progress.draw_again()
    warm_up()
    ours, peer = Ours(megabytes), find_peer()
    figures.peer = None if peer is None else peer.name
    for number, given in enumerate(sets, start=1):
        progress.step(given.name, number, len(sets))
        figures.sets.append(contest(given, ours, peer))


def _named(items: Iterable[Part], progress: Progress) -> Iterator[Part]:
    """The items of a part; each is named when it is there."""
    for item in items:
        progress.show(0, item.name)
        yield item


def _print(figures: SolverFigures) -> None:
    """Print all parts that were measured."""
    out = console()
    tables = [
        _sets_table(figures.sets, figures.peer) if figures.sets else None,
        _boards_table(figures.questions) if figures.questions else None,
        _space_table(figures.space) if figures.space else None,
    ]
    for table in filter(None, tables):
        out.print(table.screen(ruled=False))
        out.print()
    if figures.sets:
        out.print(CONDITIONS, style="dim")
        if figures.peer is None:
            out.print(GET_PEER, style="yellow")
    for fault in figures.faults[:SHOWN]:
        out.print(f"{cross()} {fault}", style="red")
    if len(figures.faults) > SHOWN:
        out.print(f"{cross()} and {len(figures.faults) - SHOWN} more", style="red")
    elif not figures.faults and (figures.sets or figures.questions):
        all_asked = figures.sets and figures.peer is not None
        right = "agree" if all_asked else "are right as far as they are known"
        out.print(f"{tick()} all scores {right}")


def _sets_table(rows: Sequence[SetRow], peer: str | None) -> Table:
    """A row a set: what it cost us, what it cost the peer, and how much faster we are."""
    cost = (Column("arena", duration), Column("nodes each", amount))
    columns: tuple[Column, ...] = (Column("set"), Column("positions", whole), *cost)
    if peer:
        theirs = (Column(peer, duration), Column("nodes each", amount))
        columns += (*theirs, Column("faster", "{:.1f} x".format))
    return Table("", columns, tuple(map(_set_cells, rows)))


def _set_cells(row: SetRow) -> tuple[Cell, ...]:
    ours = (row.ours.seconds, row.ours.nodes / row.positions)
    if row.peer is None:
        return (row.name, row.positions, *ours)
    theirs = (row.peer.seconds, row.peer.nodes / row.positions, row.ratio)
    return (row.name, row.positions, *ours, *theirs)


def _boards_table(answers: Sequence[BoardAnswer]) -> Table:
    """A row a board: the answer and its price."""
    columns = (
        Column("empty board"), Column("asked", str), Column("answer", str),
        Column("time", duration), Column("nodes", amount), Column("nodes/s", amount),
        Column("", str),
    )  # fmt: skip
    return Table("", columns, tuple(map(_board_cells, answers)))


def _board_cells(board: BoardAnswer) -> tuple[Cell, ...]:
    speed = board.nodes / board.seconds if board.seconds else None
    cost = (board.seconds, board.nodes, speed)
    if board.answer is None:
        return (board.board, board.asked, None, *cost, "not proven in time")
    winner = WINNERS[(board.answer > 0) - (board.answer < 0)]
    answer = winner if board.asked == "who wins" else f"{board.answer:+d}, {winner}"
    return (board.board, board.asked, answer, *cost, cross() if board.is_wrong else tick())


def _space_table(reaches: Sequence[Reach]) -> Table:
    """A row a number of empty cells: how many random positions were solved in which time."""
    shares = (Column(f"within {seconds:g} s", whole_percent) for seconds in reaches[0].solved)
    columns = (Column("empty cells"), Column("positions", str), *shares)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (f"{each.board}, {each.empty}", each.positions,
         *(count / each.positions for count in each.solved.values()))
        for each in reaches
    )  # fmt: skip
    return Table("", columns, rows)


def _as_data(figures: SolverFigures) -> dict[str, Any]:
    def side(effort: Effort | None) -> dict[str, Any] | None:
        return {"seconds": effort.seconds, "nodes": effort.nodes} if effort else None

    return {
        "machine": machine(),
        "peer": figures.peer,
        "sets": [
            {
                "set": row.name,
                "positions": row.positions,
                "arena": side(row.ours),
                "peer": side(row.peer),
                "ratio": row.ratio,
            }
            for row in figures.sets
        ],
        "questions": [asdict(each) for each in figures.questions],
        "space": [asdict(each) for each in figures.space],
        "faults": figures.faults,
    }
