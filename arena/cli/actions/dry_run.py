"""`arena run --dry-run`: what would be played, and about how long it would take."""

from __future__ import annotations

from itertools import islice
from typing import Any

from rich.table import Table as RichTable

from arena.game.notation import write_moves
from arena.run import workers_of
from arena.show.numbers import how_many, span
from arena.show.progress import saying
from arena.show.table import Column, Table
from arena.show.terminal import console, print_json
from arena.tournament.schedule import ScheduledGame
from arena.tournament.spec import Tournament

SHOWN = 12  # games of the first round


def show_plan(tournament: Tournament, as_json: bool) -> None:
    """Print the pairings of the first round, the number of games and an estimate of the time."""
    schedule = tournament.schedule()
    with saying() as say:
        if tournament.openings.kind == "balanced":
            say("finding balanced openings")
        first = list(islice(schedule.games(1) or (), SHOWN))
    workers = workers_of(tournament)
    longest = longest_seconds(tournament, schedule.total, workers)
    if as_json:
        print_json(
            {
                "name": tournament.name,
                "game": tournament.rules.name,
                "engines": [player.name for player in tournament.players],
                "games": schedule.total,
                "workers": workers,
                "at_most_seconds": longest,
                "first_games": [_as_data(game, tournament) for game in first],
            }
        )
        return
    print(f"{tournament.name}: {tournament.format.kind} of {len(tournament.players)} engines")
    total, tables = schedule.total, how_many(workers, "table")
    games = "as many games as results ask for" if total is None else how_many(total, "game")
    print(f"{tournament.rules}, {games} on {tables}, seed {tournament.seed}")
    print(_time_in_words(longest))
    console().print(_games_table(first, tournament))
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


def _time_in_words(seconds: float | None) -> str:
    if seconds is None:
        return "Time: not known before the first games; only limits by the clock set one."
    return f"Time: at most {span(seconds)}, if every move uses all it may."


def _games_table(games: list[ScheduledGame], tournament: Tournament) -> RichTable:
    names = [player.name for player in tournament.players]
    rows = tuple(
        (game.number, game.round, names[game.first], names[game.second],
         write_moves(game.opening, tournament.rules) or "none")
        for game in games
    )  # fmt: skip
    columns = (Column("game", str), Column("round", str), *map(Column, ("first", "second")))
    return Table("", (*columns, Column("opening")), rows).screen()


def _as_data(game: ScheduledGame, tournament: Tournament) -> dict[str, Any]:
    names = [player.name for player in tournament.players]
    return {
        "number": game.number,
        "round": game.round,
        "first": names[game.first],
        "second": names[game.second],
        "opening": write_moves(game.opening, tournament.rules),
        "seed": game.seed,
    }
