"""The body of `arena compare`: two engines that play, two players of a journal, or two journals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import typer

from arena.cli.actions.journals import open_journal, with_progress
from arena.cli.exits import FOUND
from arena.errors import ArenaError, BadOption, UnknownName
from arena.journal import Journal
from arena.session.stop import StopRules
from arena.show.numbers import elo, likely, percent
from arena.show.progress import Progress, saying
from arena.show.strength import difference_data, elo_range, elo_words, verdict
from arena.show.table import Column, Table
from arena.show.terminal import console, print_json, symbol
from arena.standings.evidence import Estimate, ends_of
from arena.standings.games import WDL, Games
from arena.standings.ranking import RatingChange, rating_changes
from arena.standings.rating import rate_games
from arena.standings.results import decided_test
from arena.standings.sprt import DecidedTest, StoppedScore, after_stop, nelo_with_error, sprt_state
from arena.table.game import GOOD_ENDS
from arena.text import printable
from arena.tournament.sprt import MIN_RISK, Model, Sprt, out_of_bounds

JOURNALS = (".db", ".yaml", ".yml")
OPENING_PLIES = 4  # before each pair, where nothing is said
Decision = Literal["stronger", "weaker", "undecided"]


@dataclass(frozen=True)
class Duel:
    """Two players and their games with each other."""

    played: Games
    player: int
    other: int
    faults: int = 0  # games that ended by somebody's fault
    overall: Estimate | None = None  # by ratings, if there are games with others

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two."""
        return self.played.names[self.player], self.played.names[self.other]

    @property
    def games(self) -> WDL:
        """Their games, counted for the first of them."""
        return self.played.versus(self.player, self.other)

    @property
    def pairs(self) -> list[int]:
        """Points 0, 1/2, 1, 3/2, 2 of the first from two games with seats swapped."""
        return self.played.pentanomial(self.player, self.other)

    @cached_property
    def counts(self) -> list[float]:
        """The outcomes to test by, scaled down where games are copies."""
        return self.played.evidence(self.player, self.other)

    @cached_property
    def different(self) -> int:
        """Their games that are no copies of an earlier one."""
        return self.played.different_between(self.player, self.other)

    @cached_property
    def difference(self) -> Estimate | None:
        """The Elo difference: by their own games, else by those with others."""
        score = self.played.score(self.player, self.other)
        return self.overall if score is None else score.as_elo()


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
    scale: Model = "logistic" if model == "logistic" else "normalized"
    if reason := out_of_bounds(elo0, elo1, scale):
        raise BadOption(f"--{reason}")
    if not (alpha > MIN_RISK and beta > MIN_RISK and alpha + beta < 1):
        raise BadOption("--alpha and --beta must be above 0, and below 1 together")
    return Sprt(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta, model=scale)


def _recorded(path: Path, one: str, other: str) -> Duel:
    """Two players of a journal: their games with each other, and what all games say."""
    with open_journal(path) as journal:
        header = journal.header
        seats = header.player(one), header.player(other)
        if seats[0] == seats[1]:
            raise BadOption(f"{one!r} cannot be compared with itself")
        games, faults = Games(header.names, ended_by=decided_test(journal)), 0
        with Progress("reading their games", at_once=True) as progress:
            for row in with_progress(journal.rows(telemetry=False), progress, journal.count()):
                games.append(row.first, row.second, row.result, row.opening, row.round, row.moves)
                faults += {row.first, row.second} == set(seats) and row.reason not in GOOD_ENDS
    overall = rate_games(games).difference(*seats) if len(header.names) > 2 else None
    return Duel(games, *seats, faults, overall)


def _played(
    engines: tuple[str, str], match: dict[str, Any], test: Sprt | None
) -> tuple[Duel, bool]:
    """A match of two engines, played now, and whether the test has stopped it."""
    from arena.cli.actions.match import EngineMatch  # games that are over need no engines

    asked = EngineMatch(engines, **match, usual_plies=OPENING_PLIES)
    _, names = asked.rules, [side.name for side in asked.sides]
    games, faults = Games(names), 0
    stop_rules = StopRules(games, None if test is None else (0, 1, test))
    playing = asked.play()
    with closing(playing), Progress("playing games", asked.games, at_once=True) as progress:  # type: ignore[type-var]
        for game in playing:
            games.add(game.outcome)
            faults += game.reason not in GOOD_ENDS
            progress.at(game.number)
            if stop_rules.check() is not None:
                break
    if test is not None and sprt_state(test, games.evidence(0, 1)).verdict is not None:
        games.ended_by = DecidedTest(0, 1, test)
    return Duel(games, 0, 1, faults), stop_rules.verdict is not None


def _games(journal: Journal) -> Games:
    """All games of a journal."""
    games = Games(journal.header.names)
    for game in journal.outcomes():
        games.append(game.first, game.second, game.result, game.opening, game.round, game.moves)
    return games


def _compare_journals(before: Path, after: Path, as_json: bool) -> None:
    """The players that two journals share, by their ratings in each."""
    with saying() as say, open_journal(before) as one, open_journal(after) as other:
        say("reading all games")
        boards = _games(one), _games(other)
        played = one.header.game, other.header.game
    changes = rating_changes(*boards)
    if len(changes) < 2:
        raise ArenaError(
            f"{before} and {after} share {len(changes)} players that met others in both; "
            "ratings are relative, so it takes two"
        )
    _show_changes(changes, (str(before), str(after)), played, as_json)


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


def decide(duel: Duel, difference: Estimate, test: Sprt, stopped: bool) -> Decision:
    """Whether the first is shown to be stronger or weaker, by an interval of 95 %.

    After a match that the test has stopped, the interval allows for that. A test that asks on one
    side of 0 alone decides by itself.
    """
    if difference.is_significant:
        return "stronger" if difference.los > 0.5 else "weaker"
    if stopped and isinstance(difference, StoppedScore):
        if difference.passed and test.elo0 >= 0:
            return "stronger"
        if not difference.passed and test.elo1 <= 0:
            return "weaker"
    return "undecided"


def _duel_data(duel: Duel, difference: Estimate, test: Sprt, was_stopped: bool) -> dict[str, Any]:
    nelo = nelo_with_error(duel.counts) if duel.games.games else None
    state = sprt_state(test, duel.counts)
    stopped = after_stop(duel.counts, test)
    return {
        "players": duel.names,
        "games": duel.games.games,
        "lost_drawn_won": duel.games.trinomial,
        "pairs": duel.pairs,
        "faults": duel.faults,
        "distinct_games": duel.different,
        "difference": difference_data(difference),
        "by_all_games": difference_data(duel.overall),
        "normalized_elo": None if nelo is None else {"elo": nelo[0], "error": nelo[1]},
        "sprt": {**test.model_dump(exclude={"engines"}), **asdict(state)},
        "after_stop": None if stopped is None else _stopped_data(stopped),
        "verdict": _sentence(duel, difference, test, was_stopped),
    }


def _stopped_data(stopped: StoppedScore) -> dict[str, Any]:
    low, high = stopped.interval()
    return {"elo": stopped.value, "elo_low": low, "elo_high": high, "los": stopped.los}


def _sentence(duel: Duel, difference: Estimate, test: Sprt, stopped: bool) -> str:
    """The verdict; of a match that the test has stopped, the one that allows for it."""
    if not (stopped and isinstance(difference, StoppedScore)):
        return verdict(duel.names, difference)
    names = duel.names
    words = {
        "stronger": f"{names[0]} is stronger than {names[1]}",
        "weaker": f"{names[0]} is weaker than {names[1]}",
        "undecided": f"{names[0]} may be stronger or weaker than {names[1]}",
    }[decide(duel, difference, test, stopped)]
    return f"{words}: {elo_words(difference)}, after the test stopped the match."


def _duel_lines(duel: Duel, difference: Estimate, test: Sprt, stopped: bool) -> Iterator[str]:
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
        yield f"  Elo          {elo_words(difference)}"
        nelo, error = nelo_with_error(duel.counts)
        yield f"  normalized   {nelo:+z.1f} {_sign()} {error:.1f}"
    if duel.overall is not None:
        yield f"  ratings      {elo_words(duel.overall)}, from all games"
    yield f"  LOS          {likely(difference.los)} that {duel.names[0]} is stronger"
    yield from _sprt_lines(duel, test)
    if duel.faults:
        yield f"  faults       {duel.faults} games ended by somebody's fault"
    if duel.different < score.games:
        yield f"  copies       only {duel.different} games are different; copies add no evidence"
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
    if (estimate := after_stop(duel.counts, test)) is not None:
        yield (
            f"  after it     {elo(estimate.value)} Elo (95 %: {elo_range(estimate.interval())}) "
            "if the test has stopped the match"
        )


def _show_changes(
    changes: list[RatingChange], paths: tuple[str, str], played: tuple[str, str], as_json: bool
) -> None:
    """Print how the players that two journals share do in each."""
    sentence = _change_verdict(changes, paths[1])
    if as_json:
        players = [_change_data(each) for each in changes]
        print_json({"journals": paths, "games": played, "players": players, "verdict": sentence})
        return
    print(f"A is {paths[0]} ({played[0]}), B is {paths[1]} ({played[1]}).")
    print(
        f"Ratings of the {len(changes)} players in both, from all games of each; 0 is their mean."
    )
    names = ("player", "A", "B", "B - A", "stronger in B")
    columns = (Column(name, None if name == "player" else str) for name in names)
    rows = (
        (each.name, *map(_with_error, (each.before, each.after, each.change)),
         f"{likely(each.change.los)} likely")
        for each in sorted(changes, key=lambda each: -each.change.value)
    )  # fmt: skip
    console().print(Table("", tuple(columns), tuple(rows)).screen())
    print(printable(sentence))


def _change_data(change: RatingChange) -> dict[str, Any]:
    parts = {"before": change.before, "after": change.after, "change": change.change}
    return {"name": change.name, **{name: difference_data(each) for name, each in parts.items()}}


def _with_error(estimate: Estimate) -> str:
    low, high = ends_of(estimate)
    error = "?" if low is None or high is None else f"{(high - low) / 2:.1f}"
    return f"{elo(estimate.value)} {_sign()} {error}"


def _change_verdict(changes: list[RatingChange], after: str) -> str:
    """The largest change, as far as it is significant among all of them (Bonferroni)."""
    most = min(changes, key=lambda each: min(each.change.los, 1 - each.change.los))
    doubt = 2 * min(most.change.los, 1 - most.change.los)
    if doubt * len(changes) > 0.05:
        return "Undecided: no player's rating changes significantly."
    word = "stronger" if most.change.value > 0 else "weaker"
    return (
        f"{most.name} is {word} in {after}: {elo_words(most.change)} against the players of both."
    )


def _sign() -> str:
    return symbol("±", "+-")
