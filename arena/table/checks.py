"""The checks that `arena check` runs, each a function with its title."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, takewhile
from random import Random
from time import perf_counter
from typing import Any, Literal

from arena.bots.hosted import HostedEngine, PipedEngine, meter_of
from arena.engine.contract import Choice, Engine, Limits, PlayedGame, read_column
from arena.engine.errors import root_trace
from arena.errors import ArenaError, BadRules
from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.table.probe import (
    PlayedPart,
    Probe,
    TimedChoice,
    Violation,
    is_safe,
    place,
    random_position,
    sample_positions,
    threatened_positions,
    times_in_words,
    winning_positions,
)
from arena.timing import late_after

SMALL = Limits(depth=2, nodes=2000, playouts=100)
SETTLED = Limits(depth=3, nodes=3000, playouts=200)  # no clock: the same seed must do the same
SECONDS, CLOCK = 0.05, 0.5
COUNT, SPARE = 1000, 100  # a limit of nodes or playouts, and how far it may be passed
KAGGLE_MOVE, KAGGLE_BANK = 2.0, 60.0  # seconds a move, and extra seconds a game
IDLE, BUSY = 0.3, 0.1  # seconds of watching an idle bot, and the share of a core that is too much
TACTICAL = 6  # positions a board
LESSON_BOARDS, LESSONS = 2, 2
FIRST_SEED, LAST_SEED, OTHER_SEED = 21, 7, 9  # odd: the engine makes the first move

Kind = Literal["must", "should", "note"]
Run = Callable[[Probe], str | None]
CHECKS: list[Check] = []  # in the order of this file


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check. Only a `must` that is not ok is a failure."""

    title: str
    ok: bool
    detail: str = ""
    kind: Kind = "must"
    trace: str = ""  # the engine's own frames, where it raised something

    @property
    def failed(self) -> bool:
        """Whether the engine breaks the contract here."""
        return self.kind == "must" and not self.ok


@dataclass(frozen=True)
class Check:
    """A question about an engine.

    `run` returns a detail, raises a Violation, or returns None where there is nothing to say.
    """

    title: str
    run: Run
    kind: Kind = "must"
    limit: str = ""  # only where this limit is checked
    own: bool = False  # only of an engine with Arena's own interface
    by_games: bool = False  # also of a bot whose games must begin with the empty board
    quick: bool = False  # also with --quick
    failure: Kind = "must"  # the kind of a violation that is not advice

    def finding(self, probe: Probe) -> Finding | None:
        """Run the check."""
        try:
            detail = self.run(probe)
            return None if detail is None else Finding(self.title, True, detail, self.kind)
        except BadRules as declined:
            return Finding(self.title, True, f"declined: {declined}", "note")
        except Violation as wrong:
            kind: Kind = "should" if wrong.is_advice else self.failure
            return Finding(self.title, False, str(wrong), kind, wrong.trace)
        except ArenaError as error:
            return Finding(self.title, False, str(error), trace=root_trace(error))


def check(title: str, kind: Kind = "must", **facts: Any) -> Callable[[Run], Run]:
    """Enter a function as a check of all engines that it fits."""

    def enter(run: Run) -> Run:
        CHECKS.append(Check(title, run, kind, **facts))
        return run

    return enter


def plays_on(probe: Probe, rules: Rules) -> str:
    """Answer with a legal column in all phases of the game, also where columns are full."""
    limits = probe.limits or SMALL
    if not probe.any_position:
        plies = sum(len(probe.play(rules, seed, limits).moves) for seed in probe.while_time((1, 2)))
        probe.boards.append(rules)
        return f"{plies} plies against random moves"
    engine, asked = probe.fresh(rules), []
    for position in probe.while_time(sample_positions(rules)):
        probe.ask(engine, position, limits)
        asked.append(position)
    probe.boards.append(rules)
    narrow = sum(len(position.legal) == 1 for position in asked)
    return f"{len(asked)} positions, {narrow} with a single column left"


@check("keeps the time of a move", limit="seconds", quick=True)
def _keeps_time(probe: Probe) -> str:
    limits = probe.limits or Limits(seconds=SECONDS)
    if probe.any_position:
        answers = [_ask_in_time(probe, *sample, limits) for sample in _samples(probe, 5)]
    else:
        answers = _play_in_time(probe, limits, f"on {probe.boards[0]}").answers
    return times_in_words(answers, limits.seconds or SECONDS)


def _ask_in_time(probe: Probe, engine: Engine, position: Position, limits: Limits) -> TimedChoice:
    """Ask for a move; an engine that is late on a busy machine gets two more chances."""
    for _ in range(3):
        answer = probe.ask(engine, position, limits)
        if not answer.late:
            return answer
        if answer.cpu > late_after(limits.seconds or limits.cpu or SECONDS):  # it worked all along
            break
    raise Violation(f"it {answer.late}, {place(position)}")


def _play_in_time(probe: Probe, limits: Limits, where: str) -> PlayedPart:
    played = probe.play(probe.boards[0], FIRST_SEED, limits)
    for answer in played.answers:
        if answer.late:
            raise Violation(f"it {answer.late}, {where}")
    return played


@check("keeps Kaggle's time", limit="bank", quick=True)
def _keeps_bank(probe: Probe) -> str:
    answers = probe.play(probe.boards[0], FIRST_SEED, Limits()).answers
    extra = sum(max(0.0, answer.seconds - KAGGLE_MOVE) for answer in answers)
    times = times_in_words(answers, KAGGLE_MOVE)
    if extra > KAGGLE_BANK:
        raise Violation(f"{times}: {extra:.1f} s over, where {KAGGLE_BANK:g} s a game are allowed")
    return times + (f", {extra:.1f} of {KAGGLE_BANK:g} extra seconds used" if extra else "")


@check("keeps the processor time of a move", limit="cpu")
def _keeps_cpu(probe: Probe) -> str:
    limits = probe.limits or Limits(cpu=SECONDS)
    answers = [_ask_in_time(probe, *sample, limits) for sample in _samples(probe, 3)]
    return f"at most {max(answer.cpu for answer in answers):.3f} s of {limits.cpu:g} s"


@check("keeps the clock of a game", limit="clock", by_games=True)
def _keeps_clock(probe: Probe) -> str:
    limits = probe.limits or Limits(clock=CLOCK)
    position, answers = _play_in_time(probe, limits, f"on {probe.boards[0]}, {limits}")
    used = sum(answer.seconds for answer in answers)
    return f"a game of {position.ply} plies, {used:.2f} s of {limits.clock:g} s used"


@check("keeps the depth limit", limit="depth")
def _keeps_depth(probe: Probe) -> str:
    depths: list[int] = []
    usual = [Limits(depth=depth, nodes=20_000, playouts=500) for depth in (2, 4)]
    for limits in usual if probe.limits is None else [probe.limits]:
        for choice in _choices(probe, limits):
            if choice.depth is not None and choice.depth > (limits.depth or 0):
                allowed = f"{limits.depth} were allowed"
                raise Violation(f"it looked {choice.depth} plies deep where {allowed}")
            depths += [] if choice.depth is None else [choice.depth]
    return f"depths from {min(depths)} to {max(depths)}" if depths else "it reports none"


@check("keeps the node limit", limit="nodes")
def _keeps_nodes(probe: Probe) -> str:
    limits = probe.limits or Limits(nodes=COUNT)
    return _within(_nodes(probe, limits), limits.nodes or COUNT, "nodes")


@check("keeps the playout limit", limit="playouts")
def _keeps_playouts(probe: Probe) -> str:
    limits = probe.limits or Limits(playouts=COUNT, depth=4)
    most = limits.playouts or COUNT
    fewer = Limits(playouts=max(1, most // 10), depth=limits.depth)
    many = _nodes(probe, limits)
    if _nodes(probe, fewer) == many:  # its counts do not follow that limit
        return "it plays none, or does not count them"
    return _within(many, most, "playouts")


@check("same seed, same game", by_games=True, quick=True)
def _repeats_games(probe: Probe) -> str:
    games = _repeat_games(probe)
    return "a game played twice" if games == 1 else f"{games} games played twice"


@check("forgets the last game", by_games=True)
def _forgets_games(probe: Probe) -> str:
    games = _repeat_games(probe, with_another=True)
    return "a game repeated after another" if games == 1 else f"{games} games repeated after others"


def _repeat_games(probe: Probe, with_another: bool = False) -> int:
    """Play a game twice on each board: by two engines, or by one with another game in between.

    The games must be the same; those of a bot from outside, or on a clock, may differ.
    """
    limits, boards, games = probe.limits or SETTLED, probe.boards, 0
    share = len(boards) * (3 if with_another else 2)
    for rules, other in probe.while_time(zip(boards, boards[1:] + boards[:1], strict=True)):
        engine = probe.fresh(rules, LAST_SEED) if with_another else None
        once = probe.play(rules, LAST_SEED, limits, share=share, engine=engine).moves
        if with_another:
            probe.play(other, OTHER_SEED, limits, len(once), engine=engine)
        again = probe.play(rules, LAST_SEED, limits, len(once), engine=engine).moves
        if once != again:
            after = "after another game, " if with_another else ""
            words = f"{after}two games on {rules} with the same seed differ from move"
            same = sum(
                1
                for _ in takewhile(lambda pair: pair[0] == pair[1], zip(once, again, strict=False))
            )
            is_advice = probe.is_foreign or limits.timed
            raise Violation(f"{words} {same + 1} on, {limits}", is_advice=is_advice)
        games += 1
    return games


@check("rests between moves", "should", by_games=True, quick=True)
def _rests(probe: Probe) -> str | None:
    rules = probe.boards[0]
    engine = probe.fresh(rules)
    if not isinstance(engine, PipedEngine):
        return None
    probe.ask(engine, Position(rules), probe.limits or SMALL)
    meter = meter_of(engine)
    meter.reset()
    start = meter.begin()
    time.sleep(IDLE)
    share = meter.used(start, perf_counter()) / IDLE
    words = f"it uses {share:.0%} of a core while its opponent thinks"
    if share > BUSY:
        raise Violation(f"{words}; stop its threads after each move", is_advice=True)
    return words


@check("sound opinions", own=True)
def _has_sound_opinions(probe: Probe) -> str:
    given = 0
    for rules in probe.while_time(probe.boards):
        engine = probe.fresh(rules)
        positions = sample_positions(rules)
        for position in positions[:2] + positions[-2:]:
            given += bool(probe.opinions(engine, position, probe.limits or SMALL))
    return f"of {given} positions" if given else "it gives none"


@check("plays by the pie rule")
def _plays_by_pie(probe: Probe) -> str | None:
    rules = probe.boards[0].with_pie(True)
    if probe.is_foreign and not probe.boards[0].pie:
        return None
    engine, empty, limits = probe.fresh(rules), Position(rules), probe.limits or SMALL
    probe.ask(engine, empty, limits)
    stolen = asked = 0
    for column in probe.while_time(empty.legal):
        first_disc = empty.play(column)
        stolen += probe.ask(engine, first_disc, limits).choice.column == STEAL
        probe.ask(engine, first_disc.play(STEAL), limits)
        asked += 1
    return f"it steals {stolen} of {asked} first discs"


@check("learns the same from the same games", own=True)
def _learns_the_same(probe: Probe) -> str | None:
    if not probe.build().learns:
        return None
    boards = probe.boards[:LESSON_BOARDS]
    for rules in probe.while_time(boards):
        once, again = (_play_after_lessons(probe, rules) for _ in range(2))
        if once != again:
            games = f"two games on {rules} with the same seed"
            raise Violation(f"after it learned from the same {LESSONS} games, {games} differ")
    return f"{LESSONS} games on each of {len(boards)} boards"


@check("has a docstring", "should", own=True, quick=True)
def _has_docstring(probe: Probe) -> str:
    if not type(probe.build()).__doc__:
        raise Violation("add one: listings show it", is_advice=True)
    return ""


@check("explains its options", "should", own=True, quick=True)
def _explains_options(probe: Probe) -> str:
    options = probe.build().options
    silent = [name for name, option in options.items() if not option.help]
    if silent:
        raise Violation(f"{', '.join(silent)}: no help text", is_advice=True)
    return "1 option" if len(options) == 1 else f"{len(options)} options"


@check("says that it learns", "should", own=True, quick=True)
def _says_that_it_learns(probe: Probe) -> None:
    engine = probe.build()
    if isinstance(engine, HostedEngine):
        has_learn = engine.description.has_learn
    else:
        has_learn = type(engine).learn is not Engine.learn
    if has_learn and not engine.learns:
        words = "Arena never calls its `learn`, as it does not set `learns = True`"
        raise Violation(words, is_advice=True)


@check("takes an immediate win", "note")
def _takes_wins(probe: Probe) -> str:
    return _tactics(probe, winning_positions, Position.wins_with)


@check("stops an immediate loss", "note")
def _stops_losses(probe: Probe) -> str:
    return _tactics(probe, threatened_positions, is_safe)


def _tactics(
    probe: Probe,
    positions: Callable[[Rules], Iterator[Position]],
    is_seen: Callable[[Position, int], bool],
) -> str:
    seen = asked = 0
    for engine, position in _samples(probe, TACTICAL, positions):
        choice = probe.ask(engine, position, probe.limits or SETTLED).choice
        seen += is_seen(position, read_column(choice))
        asked += 1
    return f"{seen} of {asked} times"


def _play_after_lessons(probe: Probe, rules: Rules) -> tuple[int, ...]:
    pupil = probe.fresh(rules)
    for number in range(1, LESSONS + 1):
        seed = FIRST_SEED + number
        probe.teach(pupil, _random_game(rules, number, seed), seed)
    return probe.play(rules, LAST_SEED, probe.limits or SETTLED, engine=pupil).moves


def _random_game(rules: Rules, number: int, seed: int) -> PlayedGame:
    """A finished game of random moves."""
    end = random_position(rules, Random(seed), rules.cells)
    result = 0 if end.winner is None else 1 - 2 * end.winner
    reason = "full board" if end.winner is None else "line"
    return PlayedGame(number, rules, (), end.moves, result, reason, False, number % 2, "random")


def _nodes(probe: Probe, limits: Limits) -> list[int | None]:
    return [choice.nodes for choice in _choices(probe, limits)]


def _within(counts: list[int | None], allowed: int, what: str) -> str:
    most = max((count for count in counts if count is not None), default=None)
    if most is None:
        return "it reports none"
    if most > allowed + SPARE:
        raise Violation(f"it used {most} {what} where {allowed} were allowed")
    return f"at most {most} of {allowed}"


def _samples(
    probe: Probe, count: int, positions: Callable[[Rules], Iterable[Position]] = sample_positions
) -> Iterator[tuple[Engine, Position]]:
    """Some positions of each board, with a new engine for each board."""
    boards = ((rules, probe.fresh(rules)) for rules in probe.boards)
    return probe.while_time(
        (engine, each) for rules, engine in boards for each in islice(positions(rules), count)
    )


def _choices(probe: Probe, limits: Limits) -> Iterator[Choice]:
    """Answers in some positions, each in a new game."""
    for engine, position in _samples(probe, 4):
        probe.begin(engine, position.rules)
        yield probe.ask(engine, position, limits).choice
