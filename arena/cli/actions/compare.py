"""The body of `arena compare`: two engines that play, two players of a journal, or two journals."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import NamedTuple, get_args

import typer

from arena.cli.actions.journals import open_journal, with_progress
from arena.cli.actions.match import play, sides_of
from arena.cli.exits import FOUND
from arena.cli.views.compare import show_duel, show_shifts
from arena.errors import ArenaError, BadOption, UnknownName
from arena.game.rules import Rules
from arena.journal import Journal
from arena.play.record import GOOD_ENDS
from arena.show.progress import Progress, saying
from arena.standings.compare import Duel, by_ratings, shifts
from arena.standings.scoreboard import Scoreboard
from arena.standings.sprt import StopRules
from arena.tournament.sprt import Model, Sprt

JOURNALS = (".db", ".yaml", ".yml")


class Match(NamedTuple):
    """How two engines would play."""

    games: int
    game: str
    limits: list[str]
    seed: int
    opening_plies: int
    workers: int | None


def compare_sides(
    sides: tuple[str, str],
    journal: Path | None,
    match: Match,
    test: Sprt,
    *,
    stop_early: bool,
    fail_if_weaker: bool,
    as_json: bool,
) -> None:
    """Find out what the two are, compare them, and leave with a code if that was asked for."""
    one, other = sides
    kinds = [journal is None and _is_journal(word) for word in sides]
    if stop_early and (journal is not None or any(kinds)):
        raise BadOption("--sprt stops a match; these games have been played already")
    if all(kinds):
        if fail_if_weaker:
            raise BadOption("--fail-if-weaker is for two players, not for two journals")
        _compare_journals(Path(one), Path(other), as_json)
        return
    if any(kinds):
        which, rest = (one, other) if kinds[0] else (other, one)
        raise BadOption(f"{which} is a journal, but {rest!r} is not; --in {which} names players")
    if journal is not None:
        decision = show_duel(_recorded(journal, one, other), test, as_json)
    else:
        duel, stopped = _played(sides, match, test if stop_early else None)
        decision = show_duel(duel, test, as_json, stopped)
    if fail_if_weaker and decision == "weaker":
        raise typer.Exit(FOUND)


def make_test(elo0: float, elo1: float, alpha: float, beta: float, model: str) -> Sprt:
    """The sequential test, if it is one."""
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
    with open_journal(path) as journal:
        header = journal.header
        seats = header.player(one), header.player(other)
        if seats[0] == seats[1]:
            raise BadOption(f"{one!r} cannot be compared with itself")
        scoreboard, faults, distinct = Scoreboard(header.names), 0, set()
        with Progress("reading their games", at_once=True) as progress:
            for row in with_progress(journal.rows(telemetry=False), progress, journal.count()):
                scoreboard.append(row.first, row.second, row.result, row.opening, row.round)
                if {row.first, row.second} == set(seats):
                    faults += row.reason not in GOOD_ENDS
                    distinct.add((row.first, row.moves))
    overall = None
    if len(header.names) > 2:
        outcomes, log = scoreboard.outcomes, scoreboard.log
        overall = by_ratings(outcomes, scoreboard.names, *seats, by_opening=log)
    return Duel(scoreboard, *seats, faults, len(distinct), overall)


def _played(specs: tuple[str, str], match: Match, test: Sprt | None) -> tuple[Duel, bool]:
    """A match of two engines, played now, and whether the test has stopped it."""
    rules = Rules.named(match.game)
    sides = sides_of(specs, match.limits)
    names = [side.name for side in sides]
    scoreboard, faults, distinct = Scoreboard(names), 0, set()
    stop_rules = StopRules(scoreboard, None if test is None else (0, 1, test))
    playing = play(specs, sides, rules, match.games, match.seed, match.opening_plies, match.workers)
    with closing(playing), Progress("playing games", match.games, at_once=True) as progress:  # type: ignore[type-var]
        for number, record in enumerate(playing, start=1):
            first, opening = names.index(record.players[0]), bytes(record.opening)
            scoreboard.add(number, (number - 1) // 2, first, 1 - first, record.result, opening)
            faults += record.reason not in GOOD_ENDS
            distinct.add((first, record.columns))
            progress.at(number)
            if stop_rules.check() is not None:
                break
    return Duel(scoreboard, 0, 1, faults, len(distinct)), stop_rules.verdict is not None


def _scoreboard(journal: Journal) -> Scoreboard:
    """All games of a journal."""
    scoreboard = Scoreboard(journal.header.names)
    for _, round_, first, second, result, opening in journal.outcomes():
        scoreboard.append(first, second, result, opening, round_)
    return scoreboard


def _compare_journals(before: Path, after: Path, as_json: bool) -> None:
    """The players that two journals share, by their ratings in each."""
    with saying() as say, open_journal(before) as one, open_journal(after) as other:
        say("reading all games")
        boards = _scoreboard(one), _scoreboard(other)
        played = one.header.game, other.header.game
    changes = shifts(*boards)
    if len(changes) < 2:
        raise ArenaError(
            f"{before} and {after} share {len(changes)} players that met others in both; "
            "ratings are relative, so it takes two"
        )
    show_shifts(changes, (str(before), str(after)), played, as_json)
