"""`arena run --dry-run`: what would be played, and about how long it would take."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from arena.game.notation import write_moves
from arena.machine import usable_cores
from arena.show.numbers import how_many, listed, span
from arena.show.progress import saying
from arena.show.table import Column, Table
from arena.show.terminal import console, print_json
from arena.tournament.load import load
from arena.tournament.parts import local_workers, runner_of
from arena.tournament.spec import Tournament

SHOWN = 12  # games of the first round
FIELDS = ("number", "round", "first", "second", "opening", "seed")


def show_plan(
    file: Path,
    workers: int | None,
    as_json: bool,
    skip_missing: bool,
    full: bool,
    cluster: str | None = None,
) -> None:
    """Print the pairings of the first round, the number of games and an estimate of the time."""
    tournament = load(file, skip_missing, full)
    address = (tournament.runner if cluster is None else runner_of(cluster)).cluster
    there = None if address is None else local_workers(address)
    tables = workers or tournament.workers or there or usable_cores()
    schedule = tournament.schedule()
    total, names = schedule.total, [player.name for player in tournament.players]
    with saying() as say:
        if tournament.openings.kind == "balanced":
            say("finding balanced openings")
        first = list(islice(schedule.games(1) or (), SHOWN))
    learners = [player.name for player in tournament.players if player.learns]
    longest = longest_seconds(tournament, total, 1 if learners else tables)
    rows = [
        (game.number, game.round, names[game.first], names[game.second],
         write_moves(game.opening, tournament.rules), game.seed)
        for game in first
    ]  # fmt: skip
    if as_json:
        print_json(
            {
                "name": tournament.name,
                "game": tournament.rules.name,
                "engines": names,
                "games": total,
                "workers": tables,
                "learners": learners,
                "at_most_seconds": longest,
                "first_games": [dict(zip(FIELDS, row, strict=True)) for row in rows],
            }
        )
        return
    print(f"{tournament.name}: {tournament.format.kind} of {len(names)} engines")
    count = "as many games as results ask for" if total is None else how_many(total, "game")
    print(f"{tournament.rules}, {count} on {how_many(tables, 'worker')}, seed {tournament.seed}")
    if longest is None:
        print("Time: not known before the first games; only limits by the clock set one.")
    else:
        on_reference = any(player.limits.on for player in tournament.players)
        whose = " of a reference core" if on_reference else ""
        print(f"Time: at most {span(longest)}{whose}, if every move uses all it may.")
    if learners:
        learn = "learns: its" if len(learners) == 1 else "learn: their"
        print(f"{listed(learners)} {learn} games are played one after another.")
    columns = tuple(
        Column(name, str if name in ("game", "round") else None)
        for name in ("game", "round", "first", "second", "opening")
    )
    cells = tuple((*row[:4], row[4] or "none") for row in rows)
    console().print(Table("", columns, cells).screen())
    print("Nothing was written.")


def longest_seconds(tournament: Tournament, games: int | None, workers: int) -> float | None:
    """A bound on the time, where every move has one: both use all of it on a full board."""
    if games is None:
        return None
    cells = tournament.adjudication.max_plies or tournament.rules.cells
    each = []
    for player in tournament.players:
        limits = player.limits
        if limits.clock is not None:
            each.append(limits.clock + limits.increment * cells / 2)
        elif limits.seconds is not None:
            each.append(limits.seconds * cells / 2)
        else:
            return None
    return games * 2 * sum(each) / len(each) / workers
