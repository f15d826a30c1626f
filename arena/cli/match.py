"""`arena match`: two engines against each other, in this process, game after game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import completing
from arena.cli.options import AsJson, GameName, LimitsOfEach, MatchSeed, OpeningPlies, Workers
from arena.errors import BadOption

if TYPE_CHECKING:
    from arena.engine.contract import Limits
    from arena.game.rules import Rules
    from arena.play import GameRecord, Player
    from arena.play.seating import Seating


def match(
    first: Annotated[
        str,
        typer.Argument(
            metavar="ENGINE",
            help='A name with options: "alphabeta depth=6".',
            autocompletion=completing.engines,
        ),
    ],
    second: Annotated[
        str,
        typer.Argument(
            metavar="ENGINE",
            help="The other, or FILE.py:Class.",
            autocompletion=completing.engines,
        ),
    ],
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many games to play.")] = 10,
    game: GameName = "connect4",
    limit: LimitsOfEach = None,
    seed: MatchSeed = 1,
    opening_plies: OpeningPlies = 2,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Play a match of two engines, each opening from both sides.

    With --workers the games are played on as many cores, each on a table of its own, where a
    crash or a hang costs one game; limits by depth, nodes or playouts give the same games.

    Example: arena match "alphabeta depth=6" mcts --games 20 --limit seconds=0.1

    Example: arena match my_bot.py mcts --games 100 --limit playouts=1000 --workers 2
    """
    from arena.game.rules import Rules
    from arena.show.progress import counted
    from arena.show.terminal import print_json

    rules = Rules.named(game)
    specs = first, second
    players = seat_players(specs, limit or [])
    playing = play(specs, players, rules, games, seed, opening_plies, workers)
    if as_json:
        records = list(counted(playing, "playing games", games, at_once=True))
        print_json(_as_data(rules, players, records))
    else:
        from arena.cli.views.match import MatchView

        MatchView(rules, players, games, seed).show(playing)


def play(
    specs: tuple[str, str],
    players: tuple[Player, Player],
    rules: Rules,
    games: int,
    seed: int,
    opening_plies: int,
    workers: int | None,
) -> Iterator[GameRecord]:
    """The games of a match, in this process or on tables, once the engines are warm."""
    from arena.play import play_match
    from arena.show.progress import warm_up_shown
    from arena.tournament.openings import RandomPlies

    RandomPlies(rules, opening_plies, seed)  # whether there are any, before anything compiles
    warm_up_shown([(player.name, player.engine) for player in players], rules)
    warn_if_crowded(players, workers or 1)
    if workers is None:
        return play_match(players, rules, games, seed, opening_plies)
    from arena.runners.match import play_match_on_tables

    seating = _seating(specs, players, rules)
    return play_match_on_tables(seating, min(workers, games), games, seed, opening_plies)


def _seating(specs: tuple[str, str], players: tuple[Player, Player], rules: Rules) -> Seating:
    """What a table has to know of a match."""
    from arena.engine.registry import engine_words
    from arena.run import seating_of
    from arena.tournament import spec

    seated = []
    for words, player in zip(specs, players, strict=True):
        engine, *given = engine_words(words)
        options = dict(word.split("=", 1) for word in given)
        seated.append(
            spec.Player(name=player.name, engine=engine, options=options, limits=player.limits)
        )
    return seating_of(spec.Tournament(name="match", players=tuple(seated), rules=rules))


def warn_if_crowded(players: Sequence[Player], tables: int = 1) -> None:
    """A line on stderr, if games by the clock are about to be played on a crowded machine."""
    from arena.cli.views.run import say
    from arena.run import crowded

    words = crowded([player.limits for player in players], tables)
    if words is not None:
        say(f"arena: warning: {words}")


def seat_players(specs: tuple[str, str], limits: list[str]) -> tuple[Player, Player]:
    """The two players with their limits; players of the same name are told apart by a number."""
    from arena.engine.errors import build_engine
    from arena.play import Player

    first, second = (_name(spec) for spec in specs)
    if first == second:
        first, second = f"{first} #1", f"{second} #2"
    each = read_limits(limits)
    return (
        Player(first, build_engine(specs[0]), each[0]),
        Player(second, build_engine(specs[1]), each[1]),
    )


def read_limits(texts: list[str]) -> tuple[Limits, Limits]:
    """The limits of both players: none given, one for both, or one for each."""
    from arena.engine.contract import Limits

    if len(texts) > 2:
        raise BadOption(f"--limit was given {len(texts)} times; once for both engines, or twice")
    limits = [Limits.parse(text) for text in texts] or [Limits()]
    return limits[0], limits[-1]


def _name(spec: str) -> str:
    """What a player is called: the words it was given by, without directories."""
    from arena.engine.registry import engine_words

    engine, *options = engine_words(spec)
    return " ".join([engine.rpartition("/")[2], *options])


def _as_data(rules: Rules, players: Sequence[Player], records: list[GameRecord]) -> dict[str, Any]:
    from arena.game.notation import write_moves
    from arena.play.mistakes import Mistakes
    from arena.play.record import GOOD_ENDS
    from arena.play.tally import tally, wilson
    from arena.standings.rating_compare import match_difference

    scores = []
    for player in players:
        sums = tally(records, player.name)
        low, high = wilson(sums.points, sums.games)
        share = {"score": sums.points / sums.games, "low": low, "high": high}
        known = {
            "points": sums.points,
            "mean_seconds": sums.mean_seconds,
            "node_rate": sums.node_rate,
        }
        scores.append(
            {"player": player.name, "limits": str(player.limits), **asdict(sums), **known, **share}
        )
    games = [
        {
            **asdict(record),
            "moves": [move._asdict() for move in record.moves],
            "notation": write_moves(record.columns, rules),
        }
        for record in records
    ]
    mistakes = Mistakes()
    for number, record in enumerate(records, start=1):
        if record.reason not in GOOD_ENDS:
            mistakes.add(number, record.detail, record.trace)
    told = [asdict(mistake) for mistake in mistakes]
    found = match_difference(records, players[0].name)
    return {
        "rules": rules.name,
        "players": scores,
        "difference": None if found is None else asdict(found),
        "mistakes": told,
        "games": games,
    }
