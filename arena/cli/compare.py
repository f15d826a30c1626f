"""`arena compare`: is the new one stronger?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from arena.cli import completing
from arena.cli.exits import FOUND
from arena.cli.options import AsJson, GameName, LimitsOfEach, MatchSeed, OpeningPlies, Workers
from arena.errors import ArenaError, BadOption, UnknownName

if TYPE_CHECKING:
    from arena.journal import Journal
    from arena.play import GameRecord
    from arena.standings.rating_compare import Difference, Duel, Games
    from arena.standings.sprt import Sprt

    Game = tuple[
        int, bool, int, bytes, str, bytes
    ]  # round, one first?, result, opening, end, moves

JOURNALS = (".db", ".yaml", ".yml")


def compare(
    one: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A journal, a player, or an engine.",
            autocompletion=completing.sides,
        ),
    ],
    other: Annotated[
        str,
        typer.Argument(
            metavar="B", help="What it is compared with.", autocompletion=completing.sides
        ),
    ],
    journal: Annotated[
        Path | None,
        typer.Option(
            "--in",
            metavar="JOURNAL",
            help="Where A and B are players.",
            autocompletion=completing.journals,
        ),
    ] = None,
    games: Annotated[
        int, typer.Option(min=2, max=1_000_000, help="Games to play, if A and B are engines.")
    ] = 200,
    game: GameName = "connect4",
    limit: LimitsOfEach = None,
    seed: MatchSeed = 1,
    opening_plies: OpeningPlies = 4,
    workers: Workers = None,
    sprt: Annotated[
        bool, typer.Option("--sprt", help="Stop as soon as the SPRT decides; --games at most.")
    ] = False,
    fail_if_weaker: Annotated[
        bool, typer.Option("--fail-if-weaker", help="Exit code 1 if A is shown to be weaker.")
    ] = False,
    elo0: Annotated[float, typer.Option(help="SPRT: no stronger than this.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="SPRT: as strong as this.")] = 10.0,
    alpha: Annotated[float, typer.Option(help="SPRT: risk of taking elo0 for elo1.")] = 0.05,
    beta: Annotated[float, typer.Option(help="SPRT: risk of taking elo1 for elo0.")] = 0.05,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="MODEL",
            help="SPRT: logistic or normalized Elo.",
            autocompletion=completing.models,
        ),
    ] = "logistic",
    as_json: AsJson = False,
) -> None:
    """Tell whether A is stronger than B, and how sure that is.

    A and B are two engines, which then play a match here; or two players of one journal, named
    with --in; or two journals (a .db, a directory, a tournament file): then the ratings of the
    players they share are compared.

    With --sprt the match ends when the test between --elo0 and --elo1 is decided, and the Elo
    that is told allows for that. A is shown to be weaker where the 95 % interval lies below 0, or
    where the test accepts elo0 against an elo1 of 0 or less.

    Example: arena compare mcts alphabeta --games 100

    Example: arena compare new.py old.py --sprt --elo0=-20 --elo1=0 --games 2000 --fail-if-weaker

    Example: arena compare mcts oracle --in reports/quickstart

    Example: arena compare reports/before reports/after
    """
    from arena.cli.views.compare import show_duel

    test = make_test(elo0, elo1, alpha, beta, model)
    kinds = [journal is None and _is_journal(word) for word in (one, other)]
    if sprt and (journal is not None or any(kinds)):
        raise BadOption("--sprt stops a match; these games have been played already")
    if all(kinds):
        if fail_if_weaker:
            raise BadOption("--fail-if-weaker is for two players, not for two journals")
        _two_journals(Path(one), Path(other), as_json)
        return
    if any(kinds):
        which, rest = (one, other) if kinds[0] else (other, one)
        raise BadOption(f"{which} is a journal, but {rest!r} is not; --in {which} names players")
    if journal is not None:
        decision = show_duel(_recorded(journal, one, other), test, as_json)
    else:
        playing = _match((one, other), games, game, limit or [], seed, opening_plies, workers)
        duel, stopped = _played(*playing, games, test if sprt else None)
        decision = show_duel(duel, test, as_json, stopped)
    if fail_if_weaker and decision == "weaker":
        raise typer.Exit(FOUND)


def make_test(elo0: float, elo1: float, alpha: float, beta: float, model: str) -> Sprt:
    """The sequential test, if it is one."""
    from arena.standings.sprt import Model, Sprt

    if model not in get_args(Model):
        raise UnknownName("model", model, get_args(Model))
    if not -1000 <= elo0 < elo1 <= 1000:
        raise BadOption(f"--elo0 {elo0:g} must be below --elo1 {elo1:g}, both within 1000")
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise BadOption("--alpha and --beta must be above 0, and below 1 together")
    return Sprt(elo0, elo1, alpha, beta, "logistic" if model == "logistic" else "normalized")


def _is_journal(word: str) -> bool:
    path = Path(word)
    return path.suffix.lower() in JOURNALS or path.is_dir()


def _recorded(path: Path, one: str, other: str) -> Duel:
    """Two players of a journal: their games with each other, and what all games say."""
    from arena.cli.journals import open_journal
    from arena.cli.reading import passed
    from arena.show.progress import Progress
    from arena.standings.rating_compare import by_ratings

    with open_journal(path) as journal:
        header = journal.header
        seats = header.player(one), header.player(other)
        if seats[0] == seats[1]:
            raise BadOption(f"{one!r} cannot be compared with itself")
        with Progress("reading all games", at_once=True) as progress:
            overall = None
            if len(header.names) > 2:
                table, names, by_opening = _games(journal)
                overall = by_ratings(table, names, *seats, by_opening=by_opening)
            progress.begin("reading their games")
            rows = journal.rows(player=seats[0], opponent=seats[1], telemetry=False)
            games = (
                (row.round, row.first == seats[0], row.result, row.opening, row.reason, row.moves)
                for row in passed(rows, progress, journal.count())
            )
            return _count((one, other), games, overall)


def _match(
    specs: tuple[str, str],
    games: int,
    game: str,
    limits: list[str],
    seed: int,
    plies: int,
    workers: int | None,
) -> tuple[tuple[str, str], Iterator[GameRecord]]:
    """The names of two engines and the match that they are about to play."""
    from arena.cli.match import play, seat_players
    from arena.game.rules import Rules

    rules = Rules.named(game)
    players = seat_players(specs, limits)
    names = players[0].name, players[1].name
    return names, play(specs, players, rules, games, seed, plies, workers)


def _played(
    names: tuple[str, str], playing: Iterator[GameRecord], games: int, test: Sprt | None
) -> tuple[Duel, bool]:
    """A match of two engines, played now, and whether the test has stopped it."""
    from arena.show.progress import Progress
    from arena.standings.stopping import StopRules

    rules = StopRules(list(names), None if test is None else (0, 1, test))
    told: list[Game] = []
    with closing(playing), Progress("playing games", games, at_once=True) as progress:  # type: ignore[type-var]
        for number, record in enumerate(playing, start=1):
            leads, opening = record.players[0] == names[0], bytes(record.opening)
            pair, seats = (number - 1) // 2, (0, 1) if leads else (1, 0)
            told.append((pair, leads, record.result, opening, record.reason, bytes(record.columns)))
            progress.at(number)
            if rules.add(number, pair, *seats, record.result, opening) is not None:
                break
    return _count(names, told, None), rules.said is not None


def _count(names: tuple[str, str], games: Iterable[Game], overall: Difference | None) -> Duel:
    from arena.play.record import GOOD_ENDS
    from arena.standings.rating_compare import Duel
    from arena.standings.tally import PairOutcomes

    single, pairs = PairOutcomes(0, 1, swapped=False), PairOutcomes(0, 1, swapped=True)
    faults, distinct = 0, set()
    for round_, leads, result, opening, reason, moves in games:
        first, second = (0, 1) if leads else (1, 0)
        for outcomes in (single, pairs):
            outcomes.add(round_, first, second, result, opening)
        faults += reason not in GOOD_ENDS
        distinct.add((leads, moves))
    counts = tuple(single.counts), tuple(pairs.counts)
    return Duel(names, *counts, faults, len(distinct), overall)


def _games(journal: Journal) -> Games:
    """All games of a journal."""
    import numpy as np

    from arena.standings.rating_compare import Games
    from arena.standings.tally import GamesByOpening

    size = len(journal.header.names)
    table, by_opening = np.zeros((size, size, 3), dtype=np.int64), GamesByOpening(size)
    for _, _, first, second, result, opening in journal.outcomes():
        table[first, second, result + 1] += 1
        by_opening.add(first, second, result, opening)
    return Games(table, journal.header.names, by_opening)


def _two_journals(before: Path, after: Path, as_json: bool) -> None:
    """The players that two journals share, by their ratings in each."""
    from arena.cli.journals import open_journal
    from arena.cli.views.compare import show_shifts
    from arena.show.progress import saying
    from arena.standings.rating_compare import shifts

    with saying() as say, open_journal(before) as one, open_journal(after) as other:
        say("reading all games")
        games = [_games(each) for each in (one, other)]
        played = one.header.game, other.header.game
    found = shifts(*games)
    if len(found) < 2:
        raise ArenaError(
            f"{before} and {after} share {len(found)} players that met others in both; "
            "ratings are relative, so it takes two"
        )
    show_shifts(found, (str(before), str(after)), played, as_json)
