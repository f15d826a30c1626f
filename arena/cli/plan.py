"""`arena run --dry-run`: the games of a tournament, and about how long they take."""

from __future__ import annotations

from itertools import islice

from arena.game.notation import write_moves
from arena.machine import usable_cores
from arena.show.numbers import how_many, listed, span
from arena.show.progress import saying
from arena.show.table import Column, Table
from arena.show.terminal import console, print_json
from arena.tournament.parts import local_workers
from arena.tournament.spec import Tournament

MAX_GAMES = 12  # of the first round
FIELDS = ("number", "round", "first", "second", "opening", "seed")


def show_plan(tournament: Tournament, as_json: bool) -> None:
    """Print the first games, the number of all games and an estimate of the time."""
    address = tournament.runner.cluster
    workers = tournament.workers or (address and local_workers(address)) or usable_cores()
    schedule = tournament.schedule()
    total, names = schedule.total, [player.name for player in tournament.players]
    with saying() as say:
        if tournament.openings.kind == "balanced":
            say("solving balanced openings")
        games = list(islice(schedule.games(1) or (), MAX_GAMES))
    learners = [player.name for player in tournament.players if player.learns]
    longest = longest_seconds(tournament, total, 1 if learners else workers)
    rows = [
        (game.number, game.round, names[game.first], names[game.second],
         write_moves(game.opening, tournament.rules), game.seed)
        for game in games
    ]  # fmt: skip
    if as_json:
        print_json(
            {
                "name": tournament.name,
                "game": tournament.rules.name,
                "engines": names,
                "games": total,
                "workers": workers,
                "learners": learners,
                "at_most_seconds": longest,
                "first_games": [dict(zip(FIELDS, row, strict=True)) for row in rows],
            }
        )
        return
    count = "as many games as the results need" if total is None else how_many(total, "game")
    print(f"{tournament.name}: {tournament.format.kind} of {len(names)} engines")
    print(f"{tournament.rules}, {count} on {how_many(workers, 'worker')}, seed {tournament.seed}")
    if longest is None:
        print("Time: unknown before the first games, as the moves have no time limit.")
    else:
        on_reference = any(player.limits.on for player in tournament.players)
        core = " of a reference core" if on_reference else ""
        print(f"Time: at most {span(longest)}{core}, if every move uses its whole limit.")
    if learners:
        verb, their = ("learns", "its") if len(learners) == 1 else ("learn", "their")
        print(f"{listed(learners)} {verb}: {their} games are played one after another.")
    columns = tuple(
        Column(name, str if name in ("game", "round") else None)
        for name in ("game", "round", "first", "second", "opening")
    )
    cells = tuple((*row[:4], row[4] or "none") for row in rows)
    console().print(Table("", columns, cells).screen())
    print("Nothing was written.")


def longest_seconds(tournament: Tournament, games: int | None, workers: int) -> float | None:
    """A bound on the time if every move has one: both players use all of it on a full board."""
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
