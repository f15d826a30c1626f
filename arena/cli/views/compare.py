"""A comparison for the eye: the games, the numbers drawn from them, and one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Literal

from arena.errors import ArenaError
from arena.printable import printable
from arena.show.numbers import elo, likely, percent
from arena.show.table import Column, Table
from arena.show.terminal import console, print_json, symbol
from arena.standings.compare import Difference, Duel, Shift
from arena.standings.sprt import MOST, after_stop, nelo_with_error, sprt_state
from arena.tournament.sprt import Sprt

REPEATED = 0.9  # below this share of distinct games, the errors are called too small


Decision = Literal["stronger", "weaker", "undecided"]


def show_duel(duel: Duel, test: Sprt, as_json: bool, stopped: bool = False) -> Decision:
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
        yield f"  Elo          {_elo(difference)}, {_basis(difference)}"
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


def show_shifts(
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
    _print_shifts(changes)
    print(printable(sentence))


def _print_shifts(changes: list[Shift]) -> None:
    names = ("player", "A", "B", "B - A", "stronger in B")
    columns = (Column(name, None if name == "player" else str) for name in names)
    rows = (
        (each.name, _with_error(each.before, each.before_error),
         _with_error(each.after, each.after_error), _elo(each.change),
         f"{likely(each.change.los)} likely")
        for each in sorted(changes, key=lambda shift: -shift.change.elo)
    )  # fmt: skip
    console().print(Table("", tuple(columns), tuple(rows)).screen())


def _with_error(value: float, error: float) -> str:
    return f"{elo(value)} {_sign()} {error:.1f}"


def _shift_verdict(changes: list[Shift], after: str) -> str:
    most = max(changes, key=lambda shift: abs(shift.change.elo) / (shift.change.error or 1))
    if not most.change.is_sure:
        return "not decided: no player's rating changes by more than its error"
    word = "stronger" if most.change.elo > 0 else "weaker"
    elo = f"{most.change.elo:+z.0f} {_sign()} {most.change.error:.0f} Elo"
    return f"{most.name} is {word} in {after}: {elo} against the players of both"


def _basis(difference: Difference) -> str:
    return {
        "pairs": "from pairs of games with seats swapped",
        "games": "from single games",
        "ratings": "with a prior, as the games are too one-sided without",
    }[difference.basis]


def _elo(difference: Difference) -> str:
    return _with_error(difference.elo, difference.error)


def _bound(elo: float) -> str:
    """The end of an interval; beyond a limit it is not looked for."""
    return f"{elo:+z.1f}" if abs(elo) < MOST else "any more" if elo > 0 else "any less"


def _sign() -> str:
    return symbol("±", "+-")
