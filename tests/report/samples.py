"""Results made by hand, of any number of engines, for plots and pages."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.game.notation import play_moves, read_moves
from arena.game.rules import Rules
from arena.journal import Contestant, Journal, Session
from arena.judge.judge import Judge
from arena.report.data import ReportData
from arena.report.markdown import document
from arena.report.sections import SECTIONS, compose
from arena.report.write import Report, write_report
from arena.standings.endings import Endings
from arena.standings.games import DRAW, Games
from arena.standings.moves import Curve, Moves
from arena.standings.rating import rate_games
from arena.standings.results import Results
from arena.standings.sketch import Spread
from arena.standings.timekeeping import Timekeeping
from arena.standings.wins import Missed
from arena.table.game import Game
from arena.tournament.formats import Ranking
from tests.journal.examples import ended, make_header, make_row
from tests.judge.minimax import Minimax, random_game

HOSTILE = (
    "<script>alert(1)</script>|`=cmd()`",
    "../../x",
    "=1+1|*a*_b_",
    "$x^2$ 名 \n\x1b[31m",
    "a" * 90,
)
JUDGE = Minimax()
SEVEN = bytes([3, 0, 3, 0, 3, 0, 3])
WON = Game(3, 1, 0, 1, b"", SEVEN, 1, "line", "", 1, 0.0, 0.5, b"")


Score = tuple[int, int, int]  # won, drawn, lost, seats shared evenly


def small(folder: Path, games: int = 14) -> Path:
    """A journal of random games on 4x4, with openings so long that minimax ends soon."""
    rules = Rules.named("4x4")
    with Journal.open(folder, make_header("4x4")) as journal:
        for number in range(games):
            moves = random_game(rules, number)
            end = ended(play_moves(moves, rules))
            record = {"moves": moves, "opening": moves[:7], "telemetry": b"", **end}
            journal.write(make_row(number, "4x4", **record))
    return folder


def judged_report(
    folder: Path, judge: Callable[[], Judge] = lambda: JUDGE, seconds: float = 60.0, **more: Any
) -> Report:
    """The report of a journal in this folder, whose games are judged by plain minimax."""
    with Journal.read(folder) as journal, pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.report.data.ready_judge", lambda rules, quiet: judge())
        options: dict[str, Any] = {"formats": (), "judging": seconds, "sections": SECTIONS}
        return write_report(journal, folder, **{**options, **more})


def pie_report(folder: Path) -> Report:
    """The page of three judged games with the pie rule; in the second one a steal is missed."""
    rules = Rules.named("4x3c3+pie")
    with Journal.open(folder, make_header(rules.name)) as journal:
        for number, text in enumerate(("2s11423", "2112343", "1s2233"), start=1):
            moves = bytes(read_moves(text, rules))
            end = ended(play_moves(moves, rules))
            record = {"first": 0, "second": 1, "opening": b"", "telemetry": b"", **end}
            journal.write(make_row(number, rules.name, moves=moves, **record))
    return judged_report(folder, lambda: Judge(rules, 1), html=True)


def read_csv(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, strict=True))


def contestants(names: Sequence[str], limits: Sequence[str]) -> tuple[Contestant, ...]:
    return tuple(Contestant(name, "x", {}, one) for name, one in zip(names, limits, strict=True))


def played(names: Sequence[str], scores: Mapping[tuple[int, int], Score], **more: Any) -> Results:
    """Results of these matches; each is played from both seats."""
    outcomes = np.zeros((len(names), len(names), 3), dtype=np.int64)
    for (one, other), (won, drawn, lost) in scores.items():
        as_first = np.array([lost // 2, drawn // 2, won // 2])
        outcomes[one, other] = as_first
        outcomes[other, one] = (np.array([lost, drawn, won]) - as_first)[::-1]
    given = {"scoreboard": scoreboard_of(names, outcomes), **more}
    return replace(made_results(names, 2), **given)


def data_of(
    results: Results,
    why: str = "all games are played",
    ranking: Ranking | None = None,
    limit: str = "depth=4",
    **header: Any,
) -> ReportData:
    """What a report knows of these results, by default of a run that is over."""
    header = {"players": contestants(results.names, [limit] * len(results.names)), **header}
    ratings = rate_games(results.scoreboard)
    if ranking is not None:
        ratings = replace(ratings, order=ranking.order, ranking=ranking)
    sessions = (Session("arena run x.yaml", 2, {}, 1.0, 9.0, why),)
    return ReportData(make_header(**header), sessions, results, ratings)


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
