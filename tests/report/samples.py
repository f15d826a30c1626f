"""Results made by hand, of any number of engines, for plots and pages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.report.data import ReportData
from arena.report.markdown import document
from arena.report.sections import SECTIONS, compose
from arena.standings.endings import Endings
from arena.standings.games import DRAW, Games
from arena.standings.moves import Curve, Moves
from arena.standings.results import Results
from arena.standings.sketch import Spread
from arena.standings.timekeeping import Timekeeping
from arena.standings.wins import Missed
from arena.table.game import Game

HOSTILE = (
    "<script>alert(1)</script>|`=cmd()`",
    "../../x",
    "=1+1|*a*_b_",
    "$x^2$ 名 \n\x1b[31m",
    "a" * 90,
)
SEVEN = bytes([3, 0, 3, 0, 3, 0, 3])
WON = Game(3, 1, 0, 1, b"", SEVEN, 1, "line", "", 1, 0.0, 0.5, b"")


def markdown(data: ReportData) -> str:
    """The whole report as Markdown, without plots."""
    return document(data.header.name, *compose(data, SECTIONS))


def made_results(names: Sequence[str], games: int = 20, seed: int = 1) -> Results:
    """A round robin among players whose strength falls with their number."""
    random, count = np.random.default_rng(seed), len(names)
    strength = np.linspace(2.0, -2.0, count)
    outcomes = np.zeros((count, count, 3), dtype=np.int64)
    for first in range(count):
        for second in range(count):
            if first != second:
                won = 1 / (1 + np.exp(strength[second] - strength[first] - 0.3))
                shares = [0.9 * (1 - won), 0.1, 0.9 * won]
                outcomes[first, second] = random.multinomial(games, shares)
    total = int(outcomes.sum())
    return Results(
        scoreboard=scoreboard_of(names, outcomes),
        moves=tuple(made_moves(player) for player in range(count)),
        notable={"shortest win": WON},
        time=Timekeeping(wall=1.02, cpu=1.0),
        seconds=total * 0.5,
        missed=tuple(Missed(total, player) for player in range(count)),
        endings=tuple(made_endings(player) for player in range(count)) if total else (),
    )


def made_endings(player: int) -> Endings:
    """Games that are longer when they are lost, and evaluations that tell somewhat which."""
    random = np.random.default_rng(player)
    lengths = np.stack([np.bincount(random.binomial(43, mean, 90), minlength=44)
                        for mean in (0.7, 0.9, 0.5)])  # fmt: skip
    values = tuple(random.normal(mean, 2.0, 90) for mean in (-1.0, 0.0, 1.0))
    return Endings(lengths, values, 270)


def scoreboard_of(names: Sequence[str], outcomes: NDArray[np.int64]) -> Games:
    """Games with these outcomes, well mixed and none of them in pairs."""
    cells = np.repeat(np.argwhere(outcomes), outcomes[outcomes > 0], axis=0)
    mixed = np.random.default_rng(len(cells)).permutation(cells).tolist()
    board = Games(names)
    for round_, (first, second, outcome) in enumerate(mixed):
        board.append(first, second, outcome - DRAW, b"\3\3", round_)
    rows, random = board.rows, np.random.default_rng(1)
    board.reasons = ["line", "full board"]
    rows["reason"] = np.where(board.result == DRAW, 1, 0)
    rows["plies"] = random.integers(9, 43, len(rows))
    return board


def made_moves(player: int) -> Moves:
    """Moves that fall in time and rise in depth; every third player tells nothing of its search."""
    x = np.arange(1, 20)
    count = 200 // x
    spread = Spread(0.1, 0.09, 0.2, 0.4, 9)
    time = Curve("time", x, 10.0 ** (-player % 5 - 3) * np.exp(-x / 9), count)
    nodes = Curve("nodes", x, 10.0 ** (player % 4 + 2) * np.exp(-x / 9), count)
    silent = player % 3 == 2
    return Moves(
        count=int(count.sum()),
        seconds=spread,
        cpu=spread,
        nodes=None if silent else Spread(1e4, 9e3, 3e4, 1e5, 9),
        depth=None if silent else Spread(4.5, 4, 8, 12, 9),
        nodes_per_second=None if silent else 1.5e6,
        used=None,
        by_move=(time,) if silent else (time, nodes),
        depth_by_ply=None if silent else Curve("depth", x, 3 + player % 7 + x / 8, count),
    )
