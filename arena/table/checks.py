"""One table of the checks that `arena check` runs, and the function behind each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from random import Random
from time import perf_counter
from typing import Literal

from arena.bots.hosted import HostedEngine, PipedEngine, meter_of
from arena.engine.contract import Choice, Engine, Limits, PlayedGame, read_column
from arena.engine.errors import root_trace
from arena.errors import ArenaError, BadRules
from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.table.check_positions import (
    is_safe,
    random_position,
    sample_positions,
    threatened_positions,
    winning_positions,
)
from arena.table.probe import PlayedPart, Probe, TimedChoice, Violation, place
from arena.timing import late_after

SMALL = Limits(depth=2, nodes=2000, playouts=100)
SETTLED = Limits(depth=3, nodes=3000, playouts=200)  # no clock: the same seed must do the same
SECONDS, CLOCK = 0.05, 0.5
COUNT, SPARE = 1000, 100  # a limit of nodes or playouts, and how far it may be passed
KAGGLE_MOVE, KAGGLE_BANK = 2.0, 60.0  # seconds a move, and extra seconds a game
IDLE, BUSY = 0.2, 0.2  # seconds of watching an idle bot, and the share of a core that is too much
TACTICAL = 6  # positions a board
LESSON_BOARDS, LESSONS = 2, 2
FIRST_SEED, LAST_SEED, OTHER_SEED = 21, 7, 9  # odd: the engine makes the first move

Kind = Literal["must", "should", "note"]


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
    run: Callable[[Probe], str | None]
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


def warms_up(probe: Probe, boards: Sequence[Rules]) -> str:
    """Compile and load everything for the first board that the engine accepts."""
    start = perf_counter()
    for rules in boards:
        try:
            probe.fresh(rules)
            break
        except BadRules:
            continue
    return f"in {perf_counter() - start:.1f} s"


def plays_on(probe: Probe, rules: Rules) -> str:
    """Answer with a legal column in all phases of the game, also where columns are full."""
    if not probe.any_position:
        return plays_games_on(probe, rules)
    engine, asked = probe.fresh(rules), []
    for position in probe.while_time(sample_positions(rules)):
        probe.ask(engine, position, probe.limits or SMALL)
        asked.append(position)
    probe.boards.append(rules)
    narrow = sum(len(position.legal) == 1 for position in asked)
    return f"{len(asked)} positions, {narrow} with a single column left"


def plays_games_on(probe: Probe, rules: Rules) -> str:
    """Play games against random moves, in both seats."""
    plies = 0
    for seed in probe.while_time((1, 2)):
        plies += len(_play(probe, rules, seed, probe.limits or SMALL).moves)
    probe.boards.append(rules)
    return f"{plies} plies against random moves"


def keeps_time(probe: Probe) -> str:
    """Keep a limit of time, on the first call too."""
    limits = probe.limits or Limits(seconds=SECONDS)
    if probe.any_position:
        answers = [_ask_in_time(probe, *sample, limits) for sample in _samples(probe, 5)]
    else:
        answers = _play(probe, probe.boards[0], FIRST_SEED, limits).answers
    for answer in answers:
        if answer.late:
            raise Violation(f"it {answer.late}, on {probe.boards[0]}")
    longest = max(answer.seconds for answer in answers)
    return f"{len(answers)} moves of {limits.seconds:g} s, the longest {longest:.3f} s"


def _ask_in_time(probe: Probe, engine: Engine, position: Position, limits: Limits) -> TimedChoice:
    """Ask for a move; an engine that is late on a busy machine gets two more chances."""
    for _ in range(3):
        answer = probe.ask(engine, position, limits)
        if not answer.late:
            return answer
        if answer.cpu > late_after(limits.seconds or SECONDS):  # it worked all the time
            break
    raise Violation(f"it {answer.late}, {place(position)}")


def keeps_bank(probe: Probe) -> str:
    """Keep Kaggle's time in a game against random moves."""
    answers = _play(probe, probe.boards[0], FIRST_SEED, Limits()).answers
    longest = max(answer.seconds for answer in answers)
    extra = sum(max(0.0, answer.seconds - KAGGLE_MOVE) for answer in answers)
    times = f"{len(answers)} moves of {KAGGLE_MOVE:g} s, the longest {longest:.3f} s"
    if extra > KAGGLE_BANK:
        raise Violation(f"{times}: {extra:.1f} s over, where {KAGGLE_BANK:g} s a game are allowed")
    return times + (f", {extra:.1f} of {KAGGLE_BANK:g} extra seconds used" if extra else "")


def keeps_cpu(probe: Probe) -> str:
    """Keep a limit of processor time, however busy the machine is."""
    limits = probe.limits or Limits(cpu=SECONDS)
    longest = 0.0
    for engine, position in _samples(probe, 3):
        answer = probe.ask(engine, position, limits)
        if answer.late:
            raise Violation(f"it {answer.late}, {place(position)}")
        longest = max(longest, answer.cpu)
    return f"at most {longest:.3f} s of {limits.cpu:g} s"


def keeps_clock(probe: Probe) -> str:
    """End a game on a clock before the clock ends."""
    limits = probe.limits or Limits(clock=CLOCK)
    position, answers = _play(probe, probe.boards[0], FIRST_SEED, limits)
    for answer in answers:
        if answer.late:
            raise Violation(f"it {answer.late}, on {probe.boards[0]}, {limits}")
    used = sum(answer.seconds for answer in answers)
    return f"a game of {position.ply} plies, {used:.2f} s of {limits.clock:g} s used"


def keeps_depth(probe: Probe) -> str:
    """Report no deeper search than the limit."""
    depths: list[int] = []
    for limits in _given(probe, *(Limits(depth=d, nodes=20_000, playouts=500) for d in (2, 4))):
        for choice in _choices(probe, limits):
            if choice.depth is not None and choice.depth > (limits.depth or 0):
                allowed = f"{limits.depth} were allowed"
                raise Violation(f"it looked {choice.depth} plies deep where {allowed}")
            depths += [] if choice.depth is None else [choice.depth]
    return f"depths from {min(depths)} to {max(depths)}" if depths else "it reports none"


def keeps_nodes(probe: Probe) -> str:
    """Report no more nodes than the limit."""
    limits = probe.limits or Limits(nodes=COUNT)
    counts = [choice.nodes for choice in _choices(probe, limits)]
    return _within(counts, limits.nodes or COUNT, "nodes")


def keeps_playouts(probe: Probe) -> str:
    """Play no more playouts than the limit, if the engine's counts follow that limit at all."""
    limits = probe.limits or Limits(playouts=COUNT, depth=4)
    most = limits.playouts or COUNT
    fewer = Limits(playouts=max(1, most // 10), depth=limits.depth)
    few = [choice.nodes for choice in _choices(probe, fewer)]
    many = [choice.nodes for choice in _choices(probe, limits)]
    if few == many:
        return "it plays none, or does not count them"
    return _within(many, most, "playouts")


def repeats_games(probe: Probe) -> str:
    """Play the same game with the same seed, whoever built the engines."""
    limits, games = probe.limits or SETTLED, 0
    for rules in probe.while_time(probe.boards):
        once = _play(probe, rules, LAST_SEED, limits, share=2 * len(probe.boards))
        again = _play(probe, rules, LAST_SEED, limits, plies=len(once.moves))
        _compare(probe, once, again, limits)
        games += 1
    return "a game played twice" if games == 1 else f"{games} games played twice"


def forgets_games(probe: Probe) -> str:
    """Play the same game after another game, on another board or with another seed."""
    limits, games = probe.limits or SETTLED, 0
    boards = probe.boards
    pairs = zip(boards, boards[1:] + boards[:1], strict=True)
    for rules, other in probe.while_time(pairs):
        engine = probe.fresh(rules, LAST_SEED)
        once = _play(probe, rules, LAST_SEED, limits, share=3 * len(boards), engine=engine)
        _play(probe, other, OTHER_SEED, limits, plies=len(once.moves), engine=engine)
        again = _play(probe, rules, LAST_SEED, limits, plies=len(once.moves), engine=engine)
        _compare(probe, once, again, limits, "after another game, ")
        games += 1
    return "a game repeated after another" if games == 1 else f"{games} games repeated after others"


def rests(probe: Probe) -> str | None:
    """Use no processor while the opponent thinks; only a bot's own process can be watched."""
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
    if share > BUSY:
        words = f"it uses {share:.0%} of a core while its opponent thinks"
        raise Violation(f"{words}; stop its threads after each move", is_advice=True)
    return f"it uses {share:.0%} of a core while its opponent thinks"


def has_sound_opinions(probe: Probe) -> str:
    """Give numbers for legal columns."""
    given = 0
    for rules in probe.while_time(probe.boards):
        engine = probe.fresh(rules)
        positions = sample_positions(rules)
        for position in positions[:2] + positions[-2:]:
            given += bool(probe.opinions(engine, position, probe.limits or SMALL))
    return f"of {given} positions" if given else "it gives none"


def plays_by_pie(probe: Probe) -> str | None:
    """Make the first move, take or leave the first disc, and play on where it was stolen."""
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


def learns_the_same(probe: Probe) -> str | None:
    """Play the same game after the same lessons."""
    if not probe.build().learns:
        return None
    boards = probe.boards[:LESSON_BOARDS]
    for rules in probe.while_time(boards):
        once, again = (_play_after_lessons(probe, rules) for _ in range(2))
        if once != again:
            games = f"two games on {rules} with the same seed"
            raise Violation(f"after it learned from the same {LESSONS} games, {games} differ")
    return f"{LESSONS} games on each of {len(boards)} boards"


def has_docstring(probe: Probe) -> str:
    """Introduce itself in listings."""
    if not type(probe.build()).__doc__:
        raise Violation("add one: listings show it", is_advice=True)
    return ""


def explains_options(probe: Probe) -> str:
    """Give a help text for each option."""
    options = probe.build().options
    silent = [name for name, option in options.items() if not option.help]
    if silent:
        raise Violation(f"{', '.join(silent)}: no help text", is_advice=True)
    return "1 option" if len(options) == 1 else f"{len(options)} options"


def says_that_it_learns(probe: Probe) -> None:
    """Set `learns` if there is a `learn`."""
    engine = probe.build()
    if isinstance(engine, HostedEngine):
        has_learn = engine.description.has_learn
    else:
        has_learn = type(engine).learn is not Engine.learn
    if has_learn and not engine.learns:
        words = "Arena never calls its `learn`, as it does not set `learns = True`"
        raise Violation(words, is_advice=True)


def takes_wins(probe: Probe) -> str:
    """Count how often the engine wins at once; not every engine looks for that."""
    return _tactics(probe, winning_positions, Position.wins_with)


def stops_losses(probe: Probe) -> str:
    """Count how often the engine stops a loss."""
    return _tactics(probe, threatened_positions, is_safe)


def _tactics(
    probe: Probe,
    positions: Callable[[Rules], Iterator[Position]],
    is_seen: Callable[[Position, int], bool],
) -> str:
    seen = asked = 0
    boards = ((rules, probe.fresh(rules)) for rules in probe.boards)
    for engine, position in probe.while_time(
        (engine, each) for rules, engine in boards for each in islice(positions(rules), TACTICAL)
    ):
        choice = probe.ask(engine, position, probe.limits or SETTLED).choice
        seen += is_seen(position, read_column(choice))
        asked += 1
    return f"{seen} of {asked} times"


def _play(
    probe: Probe,
    rules: Rules,
    seed: int,
    limits: Limits,
    plies: int | None = None,
    share: int = 1,
    engine: Engine | None = None,
) -> PlayedPart:
    """A game against random moves, of at most this share of the check's time."""
    if engine is None:
        engine = probe.fresh(rules, seed)
    else:
        probe.begin(engine, rules, seed)
    until = float("inf")
    if plies is None:
        now = perf_counter()
        until = now + max(0.0, probe.check_ends - now) / share
    return probe.play(engine, Position(rules), limits, seed, plies, until)


def _compare(
    probe: Probe, once: PlayedPart, again: PlayedPart, limits: Limits, after: str = ""
) -> None:
    """Tell games apart; a bot from outside, or one on a clock, may differ all the same."""
    if once.moves == again.moves:
        return
    pairs = zip(once.moves, again.moves, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    games = f"{after}two games on {once.position.rules} with the same seed"
    is_advice = probe.is_foreign or limits.timed
    raise Violation(f"{games} differ from move {same + 1} on, {limits}", is_advice=is_advice)


def _play_after_lessons(probe: Probe, rules: Rules) -> tuple[int, ...]:
    pupil = probe.fresh(rules)
    for number in range(1, LESSONS + 1):
        seed = FIRST_SEED + number
        probe.teach(pupil, _random_game(rules, number, seed), seed)
    return _play(probe, rules, LAST_SEED, probe.limits or SETTLED, engine=pupil).moves


def _random_game(rules: Rules, number: int, seed: int) -> PlayedGame:
    """A finished game of random moves."""
    end = random_position(rules, Random(seed), rules.cells)
    result = 0 if end.winner is None else 1 - 2 * end.winner
    reason = "full board" if end.winner is None else "line"
    return PlayedGame(number, rules, (), end.moves, result, reason, False, number % 2, "random")


def _within(counts: list[int | None], allowed: int, what: str) -> str:
    most = max((count for count in counts if count is not None), default=None)
    if most is None:
        return "it reports none"
    if most > allowed + SPARE:
        raise Violation(f"it used {most} {what} where {allowed} were allowed")
    return f"at most {most} of {allowed}"


def _given(probe: Probe, *usual: Limits) -> tuple[Limits, ...]:
    return usual if probe.limits is None else (probe.limits,)


def _samples(probe: Probe, count: int) -> Iterator[tuple[Engine, Position]]:
    """Some positions of each board, with a new engine for each board."""
    boards = ((rules, probe.fresh(rules)) for rules in probe.boards)
    return probe.while_time(
        (engine, position)
        for rules, engine in boards
        for position in sample_positions(rules)[:count]
    )


def _choices(probe: Probe, limits: Limits) -> Iterator[Choice]:
    """Answers in some positions, each in a new game."""
    for engine, position in _samples(probe, 4):
        probe.begin(engine, position.rules)
        yield probe.ask(engine, position, limits).choice


CHECKS = (
    Check("keeps the time of a move", keeps_time, limit="seconds", quick=True),
    Check("keeps Kaggle's time", keeps_bank, limit="bank", quick=True),
    Check("keeps the processor time of a move", keeps_cpu, limit="cpu"),
    Check("keeps the clock of a game", keeps_clock, limit="clock", by_games=True),
    Check("keeps the depth limit", keeps_depth, limit="depth"),
    Check("keeps the node limit", keeps_nodes, limit="nodes"),
    Check("keeps the playout limit", keeps_playouts, limit="playouts"),
    Check("same seed, same game", repeats_games, by_games=True, quick=True),
    Check("forgets the last game", forgets_games, by_games=True),
    Check("rests between moves", rests, "should", by_games=True, quick=True),
    Check("sound opinions", has_sound_opinions, own=True),
    Check("plays by the pie rule", plays_by_pie),
    Check("learns the same from the same games", learns_the_same, own=True),
    Check("has a docstring", has_docstring, "should", own=True, quick=True),
    Check("explains its options", explains_options, "should", own=True, quick=True),
    Check("says that it learns", says_that_it_learns, "should", own=True, quick=True),
    Check("takes an immediate win", takes_wins, "note"),
    Check("stops an immediate loss", stops_losses, "note"),
)
