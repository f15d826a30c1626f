"""The body of `arena compare`: two engines that play, two players of a journal, or two journals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, get_args

import typer

from arena.cli.actions.journals import open_journal, with_progress
from arena.cli.exits import FOUND
from arena.errors import ArenaError, BadOption, UnknownName
from arena.journal import Journal
from arena.show.numbers import elo, likely, percent
from arena.show.progress import Progress, saying
from arena.show.table import Column, Table
from arena.show.terminal import console, print_json, symbol
from arena.standings.compare import Difference, Duel, Shift, by_ratings, shifts
from arena.standings.scoreboard import Scoreboard
from arena.standings.sprt import MOST, StopRules, after_stop, nelo_with_error, sprt_state
from arena.table.game import GOOD_ENDS
from arena.text import printable
from arena.tournament.sprt import Model, Sprt

JOURNALS = (".db", ".yaml", ".yml")
OPENING_PLIES = 4  # before each pair, where nothing is said
REPEATED = 0.9  # below this share of distinct games, the errors are called too small
BASIS = {
    "pairs": "from pairs of games with seats swapped",
    "games": "from single games",
    "ratings": "with a prior, as the games are too one-sided without",
}

Decision = Literal["stronger", "weaker", "undecided"]


def compare_sides(
    sides: tuple[str, str],
    journal: Path | None,
    test: Sprt,
    *,
    stop_early: bool,
    fail_if_weaker: bool,
    as_json: bool,
    **match: Any,
) -> None:
    """Find out what the two are, compare them, and leave with a code if that was asked for.

    What engines would play is told by `match`.
    """
    one, other = sides
    kinds = [
        journal is None and (Path(word).suffix.lower() in JOURNALS or Path(word).is_dir())
        for word in sides
    ]
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
        decision = _show_duel(_recorded(journal, one, other), test, as_json)
    else:
        duel, stopped = _played(sides, match, test if stop_early else None)
        decision = _show_duel(duel, test, as_json, stopped)
    if fail_if_weaker and decision == "weaker":
        raise typer.Exit(FOUND)


def make_test(elo0: float, elo1: float, alpha: float, beta: float, model: str) -> Sprt:
    """The sequential test, if it is one."""
    if model not in get_args(Model):
        raise UnknownName("model", model, get_args(Model))
    test = Sprt(elo0, elo1, alpha, beta, "logistic" if model == "logistic" else "normalized")
    if reason := test.out_of_bounds():
        raise BadOption(f"--{reason}")
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise BadOption("--alpha and --beta must be above 0, and below 1 together")
    return test


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


def _played(
    engines: tuple[str, str], match: dict[str, Any], test: Sprt | None
) -> tuple[Duel, bool]:
    """A match of two engines, played now, and whether the test has stopped it."""
    from arena.cli.actions.match import EngineMatch  # games that are over need no engines

    asked = EngineMatch(engines, **match, usual_plies=OPENING_PLIES)
    _, names = asked.rules, [side.name for side in asked.sides]
    scoreboard, faults, distinct = Scoreboard(names), 0, set()
    stop_rules = StopRules(scoreboard, None if test is None else (0, 1, test))
    playing = asked.play()
    with closing(playing), Progress("playing games", asked.games, at_once=True) as progress:  # type: ignore[type-var]
        for game in playing:
            scoreboard.add(game.outcome)
            faults += game.reason not in GOOD_ENDS
            distinct.add((game.first, game.moves))
            progress.at(game.number)
            if stop_rules.check() is not None:
                break
    return Duel(scoreboard, 0, 1, faults, len(distinct)), stop_rules.verdict is not None


def _scoreboard(journal: Journal) -> Scoreboard:
    """All games of a journal."""
    scoreboard = Scoreboard(journal.header.names)
    for game in journal.outcomes():
        scoreboard.append(game.first, game.second, game.result, game.opening, game.round)
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
    _show_shifts(changes, (str(before), str(after)), played, as_json)


def _show_duel(duel: Duel, test: Sprt, as_json: bool, stopped: bool = False) -> Decision:
    """Print what the games of two players say about them; how that is for the first of them."""
    difference = duel.difference
    if difference is None:
        raise ArenaError(f"{duel.names[0]} and {duel.names[1]} have no games to compare them by")
    decision = decide(duel, difference, test, stopped)
    if as_json:
        data = _duel_data(duel, difference, test, stopped)
        print_json({**data, "stopped": stopped, "decision": decision})
        return decision
    for line in _duel_lines(duel, difference, test, stopped):
        print(printable(line))
    return decision


def decide(duel: Duel, difference: Difference, test: Sprt, stopped: bool) -> Decision:
    """Whether the first is shown to be stronger or weaker, by an interval of 95 %.

    After a match that the test has stopped, the interval allows for that. A test that asks on one
    side of 0 alone decides by itself.
    """
    if not stopped:
        sure: Decision = "stronger" if difference.elo > 0 else "weaker"
        return sure if difference.is_sure else "undecided"
    accepted, estimate = sprt_state(test, duel.counts).verdict, after_stop(duel.counts, test)
    if estimate.low > 0 or (accepted == "H1" and test.elo0 >= 0):
        return "stronger"
    if estimate.high < 0 or (accepted == "H0" and test.elo1 <= 0):
        return "weaker"
    return "undecided"


def _duel_data(duel: Duel, difference: Difference, test: Sprt, was_stopped: bool) -> dict[str, Any]:
    nelo = nelo_with_error(duel.counts) if difference.basis != "ratings" else None
    state = sprt_state(test, duel.counts)
    stopped = after_stop(duel.counts, test) if state.verdict else None
    return {
        "players": duel.names,
        "games": duel.games.games,
        "lost_drawn_won": duel.games.trinomial,
        "pairs": duel.pairs,
        "faults": duel.faults,
        "distinct_games": duel.distinct,
        "difference": asdict(difference),
        "by_all_games": None if duel.overall is None else asdict(duel.overall),
        "normalized_elo": None if nelo is None else {"elo": nelo[0], "error": nelo[1]},
        "sprt": {**asdict(test), **asdict(state)},
        "after_stop": None if stopped is None else asdict(stopped),
        "verdict": _sentence(duel, difference, test, was_stopped),
    }


def _sentence(duel: Duel, difference: Difference, test: Sprt, stopped: bool) -> str:
    """The verdict; of a match that the test has stopped, the one that allows for it."""
    if not stopped:
        return verdict(duel.names, difference)
    estimate, names = after_stop(duel.counts, test), duel.names
    elo = f"{estimate.elo:+z.0f} Elo, 95 %: {_bound(estimate.low)} to {_bound(estimate.high)}"
    words = {
        "stronger": f"{names[0]} is stronger than {names[1]}",
        "weaker": f"{names[0]} is weaker than {names[1]}",
        "undecided": f"{names[0]} may be stronger or weaker than {names[1]}",
    }[decide(duel, difference, test, stopped)]
    return f"{words}: {elo}; the test has stopped the match"


def _duel_lines(duel: Duel, difference: Difference, test: Sprt, stopped: bool) -> Iterator[str]:
    """The match in words and numbers, the verdict last."""
    score = duel.games
    yield f"{duel.names[0]} against {duel.names[1]}: {score.games} games"
    if score.games:
        yield f"  score        +{score.won} ={score.drawn} -{score.lost}, {percent(score.share)}"
        if any(duel.pairs):
            points = zip(
                ("0", symbol("½", "1/2"), "1", symbol("1½", "3/2"), "2"), duel.pairs, strict=True
            )
            yield "  pairs        " + ", ".join(f"{n} x {name}" for name, n in points) + " points"
        yield f"  Elo          {_elo(difference)}, {BASIS[difference.basis]}"
        if difference.basis != "ratings":
            nelo, error = nelo_with_error(duel.counts)
            yield f"  normalized   {nelo:+z.1f} {_sign()} {error:.1f}"
    if duel.overall is not None:
        yield f"  ratings      {_elo(duel.overall)}, from all games, the first move taken out"
    yield f"  LOS          {likely(difference.los)} that {duel.names[0]} is the stronger"
    yield from _sprt_lines(duel, test)
    if duel.faults:
        yield f"  faults       {duel.faults} of the games ended by somebody's fault"
    if duel.distinct < REPEATED * score.games:
        yield f"  repetition   only {duel.distinct} games differ, so the errors are too small"
    yield _sentence(duel, difference, test, stopped)


def _sprt_lines(duel: Duel, test: Sprt) -> Iterator[str]:
    if not any(duel.counts):
        return
    state = sprt_state(test, duel.counts)
    words = f"{state.verdict} accepted" if state.verdict else "undecided"
    yield (
        f"  SPRT         {words}: LLR {state.llr:.2f}, bounds {state.lower:.2f} {state.upper:.2f}, "
        f"{test.elo0:g} against {test.elo1:g} {test.model} Elo"
    )
    if state.verdict:
        estimate = after_stop(duel.counts, test)
        yield (
            f"  after it     {estimate.elo:+z.1f} Elo (95 %: {_bound(estimate.low)} to "
            f"{_bound(estimate.high)}) if the test has stopped the match"
        )


def verdict(names: tuple[str, str], difference: Difference) -> str:
    """One sentence: who is stronger, and by how much, as far as that can be said."""
    better, worse = names if difference.elo >= 0 else names[::-1]
    elo = f"{abs(difference.elo):+z.0f} {_sign()} {difference.error:.0f} Elo"
    if difference.is_sure and difference.least is not None:
        likeliest = f"likeliest about {abs(difference.elo):+z.0f}"
        return f"{better} is stronger: at least {difference.least:+z.0f} Elo, {likeliest}"
    if difference.is_sure:
        return f"{better} is stronger: {elo}"
    if round(difference.elo) == 0:
        return f"{better} and {worse} are about as strong, as far as these games tell: {elo}"
    return f"not decided: {better} may be stronger, {elo}; more games would tell"


def _show_shifts(
    changes: list[Shift], paths: tuple[str, str], played: tuple[str, str], as_json: bool
) -> None:
    """Print how the players that two journals share do in each."""
    sentence = _shift_verdict(changes, paths[1])
    if as_json:
        players = [{**asdict(shift), "change": asdict(shift.change)} for shift in changes]
        print_json({"journals": paths, "games": played, "players": players, "verdict": sentence})
        return
    print(f"A is {paths[0]} ({played[0]}), B is {paths[1]} ({played[1]}).")
    print(
        f"Ratings of the {len(changes)} players in both, from all games of each; 0 is their mean."
    )
    names = ("player", "A", "B", "B - A", "stronger in B")
    columns = (Column(name, None if name == "player" else str) for name in names)
    rows = (
        (each.name, _with_error(each.before, each.before_error),
         _with_error(each.after, each.after_error), _elo(each.change),
         f"{likely(each.change.los)} likely")
        for each in sorted(changes, key=lambda shift: -shift.change.elo)
    )  # fmt: skip
    console().print(Table("", tuple(columns), tuple(rows)).screen())
    print(printable(sentence))


def _with_error(value: float, error: float) -> str:
    return f"{elo(value)} {_sign()} {error:.1f}"


def _shift_verdict(changes: list[Shift], after: str) -> str:
    most = max(changes, key=lambda shift: abs(shift.change.elo) / (shift.change.error or 1))
    if not most.change.is_sure:
        return "not decided: no player's rating changes by more than its error"
    word = "stronger" if most.change.elo > 0 else "weaker"
    elo = f"{most.change.elo:+z.0f} {_sign()} {most.change.error:.0f} Elo"
    return f"{most.name} is {word} in {after}: {elo} against the players of both"


def _elo(difference: Difference) -> str:
    return _with_error(difference.elo, difference.error)


def _bound(elo: float) -> str:
    """The end of an interval; beyond a limit it is not looked for."""
    return f"{elo:+z.1f}" if abs(elo) < MOST else "any more" if elo > 0 else "any less"


def _sign() -> str:
    return symbol("±", "+-")
