"""The body of `arena match`: the two sides, their games, and the result for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from arena.cli.actions.watching import say
from arena.cli.views.match import MatchView
from arena.engine.contract import Limits
from arena.engine.errors import Mistakes, build_engine
from arena.engine.registry import engine_words
from arena.errors import BadOption
from arena.game.notation import write_moves
from arena.game.rules import Rules
from arena.play import GameRecord
from arena.play.record import GOOD_ENDS
from arena.play.seating import Seating
from arena.run import crowded, seating_of
from arena.runners.match import Side, move_totals, play_match, play_match_on_tables
from arena.show.progress import counted, warm_up_with_progress
from arena.show.terminal import print_json
from arena.standings.compare import head_to_head, match_scoreboard
from arena.standings.scoreboard import WDL
from arena.tournament import spec
from arena.tournament.openings import RandomPlies


def match_engines(
    specs: tuple[str, str],
    games: int,
    game: str,
    limits: list[str],
    seed: int,
    opening_plies: int,
    workers: int | None,
    *,
    as_json: bool,
) -> None:
    """Play a match and show it, or print it as data."""
    rules = Rules.named(game)
    sides = sides_of(specs, limits)
    playing = play(specs, sides, rules, games, seed, opening_plies, workers)
    if as_json:
        records = list(counted(playing, "playing games", games, at_once=True))
        print_json(_as_data(rules, sides, records))
    else:
        MatchView(rules, sides, games, seed).show(playing)


def play(
    specs: tuple[str, str],
    sides: tuple[Side, Side],
    rules: Rules,
    games: int,
    seed: int,
    opening_plies: int,
    workers: int | None,
) -> Iterator[GameRecord]:
    """The games of a match, in this process or on tables, once the engines are warm."""
    RandomPlies(rules, opening_plies, seed)  # whether there are any, before anything compiles
    warm_up_with_progress([(side.name, side.engine) for side in sides], rules)
    warn_if_crowded(sides, workers or 1)
    if workers is None:
        return play_match(sides, rules, games, seed, opening_plies)
    seating = _seating(specs, sides, rules)
    return play_match_on_tables(seating, min(workers, games), games, seed, opening_plies)


def _seating(specs: tuple[str, str], sides: tuple[Side, Side], rules: Rules) -> Seating:
    """What a table has to know of a match."""
    seated = []
    for words, side in zip(specs, sides, strict=True):
        engine, *given = engine_words(words)
        options = dict(word.split("=", 1) for word in given)
        seated.append(
            spec.Player(name=side.name, engine=engine, options=options, limits=side.limits)
        )
    return seating_of(spec.Tournament(name="match", players=tuple(seated), rules=rules))


def warn_if_crowded(sides: Sequence[Side], tables: int = 1) -> None:
    """A line on stderr, if games by the clock are about to be played on a crowded machine."""
    words = crowded([side.limits for side in sides], tables)
    if words is not None:
        say(f"arena: warning: {words}")


def sides_of(specs: tuple[str, str], limits: list[str]) -> tuple[Side, Side]:
    """The two sides with their limits; sides of the same name are told apart by a number."""
    first, second = (_name(words) for words in specs)
    if first == second:
        first, second = f"{first} #1", f"{second} #2"
    each = read_limits(limits)
    return (
        Side(first, build_engine(specs[0]), each[0]),
        Side(second, build_engine(specs[1]), each[1]),
    )


def read_limits(texts: list[str]) -> tuple[Limits, Limits]:
    """The limits of both sides: none given, one for both, or one for each."""
    if len(texts) > 2:
        raise BadOption(f"--limit was given {len(texts)} times; once for both engines, or twice")
    limits = [Limits.parse(text) for text in texts] or [Limits()]
    return limits[0], limits[-1]


def _name(words: str) -> str:
    """What a side is called: the words it was given by, without directories."""
    engine, *options = engine_words(words)
    return " ".join([engine.rpartition("/")[2], *options])


def _as_data(
    rules: Rules, sides: tuple[Side, Side], records: Sequence[GameRecord]
) -> dict[str, Any]:
    scoreboard = match_scoreboard(records, [side.name for side in sides])
    difference = head_to_head(scoreboard)
    mistakes = Mistakes()
    for number, record in enumerate(records, start=1):
        if record.reason not in GOOD_ENDS:
            mistakes.add(number, record.detail, record.trace)
    return {
        "rules": rules.name,
        "players": [
            _side_data(side, score, records)
            for side, score in zip(sides, scoreboard.scores, strict=True)
        ],
        "difference": None if difference is None else asdict(difference),
        "mistakes": [asdict(mistake) for mistake in mistakes],
        "games": [
            {
                **asdict(record),
                "moves": [move._asdict() for move in record.moves],
                "notation": write_moves(record.columns, rules),
            }
            for record in records
        ],
    }


def _side_data(side: Side, score: WDL, records: Sequence[GameRecord]) -> dict[str, Any]:
    totals, (low, high) = move_totals(records, side.name), score.interval
    return {
        "player": side.name,
        "limits": str(side.limits),
        **score._asdict(),
        **asdict(totals),
        "points": score.points,
        "mean_seconds": totals.mean_seconds,
        "node_rate": totals.node_rate,
        "score": score.share,
        "low": low,
        "high": high,
    }
