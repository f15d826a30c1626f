"""Games from Python: one game here, a match, a tournament on tables; all by the one way to run."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from arena.bots.find import without_openings
from arena.bots.hosted import IDLE, PipedEngine
from arena.bots.names import read_engine
from arena.engine.warm_up import warm_up
from arena.errors import ArenaError, BadOption, warn_caller
from arena.game.notation import play_moves, read_moves
from arena.game.position import Position
from arena.game.rules import Rules
from arena.journal import GAMES
from arena.library.engines import (
    AnyEngine,
    SomeLimits,
    build_pair,
    limits_of_both,
    names_of,
    read_limits,
    read_rules,
)
from arena.library.game import Game
from arena.library.results import Results
from arena.library.tournament import Tournament
from arena.library.watching import GameCalls, OnGame, RunBar
from arena.session import Outcome, Watcher, Watchers
from arena.session import play as play_games
from arena.table.referee import play_game
from arena.tournament.parts import runner_of

OPENING_PLIES = 4  # random plies before each pair of games of a match


def play(
    a: AnyEngine,
    b: AnyEngine,
    *,
    game: str | Rules = "connect4",
    limits: SomeLimits = None,
    seed: int = 0,
    opening: str | Position = "",
) -> Game:
    """Play one game in this process, `a` first.

    An engine is a name with its options, a class, or an object, which plays itself. Limits are for
    both, or a pair. What an engine raises loses it the game, with the lines in `game.trace`.

    >>> game = arena.play("mcts playouts=500", MyBot, limits="seconds=0.1", opening="44")
    >>> print(game)
    """
    rules = read_rules(game)
    start = read_opening(opening, rules)
    one, other = limits_of_both(limits)
    allowed = read_limits(one), read_limits(other)
    names = names_of(a, b)
    engines = build_pair((a, b), rules, allowed, len(start))
    try:
        warm_up(list(zip(names, engines, strict=True)), rules)
        return Game(play_game(engines, rules, allowed, seed, start, names), names, rules)
    finally:
        for engine in engines:
            if isinstance(engine, PipedEngine):
                engine.close()
        IDLE.close()


def read_opening(opening: str | Position, rules: Rules) -> tuple[int, ...]:
    """The moves before the first choice; a game that they end is refused."""
    if isinstance(opening, Position):
        if opening.rules != rules:
            raise BadOption(f"the opening is one of {opening.rules}; expected one of {rules}")
        moves = tuple(opening.moves)
    elif isinstance(opening, str):
        moves = tuple(read_moves(opening, rules))
    else:
        raise BadOption(f"the opening is {opening!r}; expected moves such as '4453', or a position")
    if play_moves(moves, rules).is_over:
        raise BadOption(f"the game is over after {opening}; expected an unfinished one")
    return moves


def match(
    a: AnyEngine,
    b: AnyEngine,
    *,
    games: int = 20,
    game: str | Rules = "connect4",
    limits: SomeLimits = None,
    seed: int = 1,
    openings: Mapping[str, Any] | None = None,
    sprt: tuple[float, float] | None = None,
    on_game: OnGame | None = None,
    progress: bool = True,
    workers: int | None = None,
    output: Path | str | None = None,
    cluster: str | None = None,
) -> Results:
    """Play a match: a tournament of two, each opening from both sides.

    Limits are for both, or a pair. Openings are four random plies unless an engine cannot start
    from them. With `sprt=(0, 20)`, the match ends when the test between these Elo differences is
    decided.

    >>> arena.match(MyBot, "alphabeta depth=4", games=40, limits="depth=4").standings
    """
    test = None if sprt is None else {"elo0": sprt[0], "elo1": sprt[1]}
    tournament = match_tournament(
        a, b, games=games, game=game, limits=limits, seed=seed, openings=openings, sprt=test
    )
    return run(
        tournament, on_game=on_game, progress=progress, workers=workers, output=output,
        cluster=cluster,
    )  # fmt: skip


def match_tournament(
    a: AnyEngine,
    b: AnyEngine,
    *,
    games: int,
    game: str | Rules,
    limits: SomeLimits,
    seed: int,
    openings: Mapping[str, Any] | None = None,
    opening_plies: int | None = None,
    sprt: Mapping[str, Any] | None = None,
    trust: bool = False,
) -> Tournament:
    """The tournament of a match."""
    rules, names = read_rules(game), names_of(a, b)
    entries = [_named(a, names[0]), _named(b, names[1])]
    for entry, own in zip(entries, limits_of_both(limits), strict=True):
        entry |= {} if not own else {"limits": read_limits(own)}
        entry |= {"isolation": "none"} if trust else {}
    if openings is None and opening_plies is not None:
        openings = {"random": opening_plies} if opening_plies else None
    elif openings is None and not rules.pie:
        words = [each for each in (a, b) if isinstance(each, str)]
        if (notice := without_openings(words)) is not None:
            warn_caller(notice)
        else:
            openings = {"random": OPENING_PLIES}
    keys: dict[str, Any] = {"name": "match", "engines": entries, "game": rules, "games": games,
                            "seed": seed}  # fmt: skip
    keys |= {} if openings is None else {"openings": openings}
    keys |= {} if sprt is None else {"stop": {"sprt": dict(sprt)}}
    keys |= {"swap_seats": False} if games == 1 else {}
    return Tournament(**keys)


def _named(engine: AnyEngine, name: str) -> dict[str, Any]:
    """An engine under a name, as a tournament has it."""
    if not isinstance(engine, str):
        return {"engine": engine, "name": name}
    spec_words, options = read_engine(engine)
    return {"engine": spec_words, "name": name, "options": options}


def run(
    tournament: Tournament | Mapping[str, Any] | Path | str,
    *,
    on_game: OnGame | None = None,
    progress: bool = True,
    workers: int | None = None,
    output: Path | str | None = None,
    new: bool = False,
    cluster: str | None = None,
) -> Results:
    """Play a tournament, or resume it, and return its results.

    Every finished game is in the journal of the folder `output` before `on_game` hears of it.
    Ctrl-C, or interrupting the kernel, lets the games on the tables end; the same call goes on
    from there. With `new`, earlier games are set aside. With `cluster`, or `runner` in the file,
    the games go out to the workers of a Dask cluster, and come home to the same journal.

    >>> results = arena.run(tournament, on_game=lambda game: print(game.winner))
    >>> results = arena.run(tournament, cluster="tls://host:8786")
    """
    tournament = _tournament(tournament)
    if workers is not None and (not isinstance(workers, int) or workers < 1):
        raise BadOption(f"workers is {workers!r}; expected a whole number of at least 1")
    placed = tournament.placed(output, workers)
    if cluster is not None:
        placed = placed.model_copy(update={"runner": runner_of(cluster, "cluster")})
    try:
        with ExitStack() as stack:
            watchers: list[Watcher] = [GameCalls(on_game)]
            if progress:
                watchers.append(stack.enter_context(RunBar()))
            command = f"arena.run({str(placed.path)!r})"
            outcome = play_games(placed, Watchers(*watchers), new=new, command=command)
    finally:
        IDLE.close()
    _tell(outcome)
    return Results(placed.output / GAMES, tournament)


def _tournament(given: Tournament | Mapping[str, Any] | Path | str) -> Tournament:
    if isinstance(given, Tournament):
        return given
    if isinstance(given, Mapping):
        return Tournament.from_dict(given)
    if isinstance(given, str | Path):
        return Tournament.load(given)
    raise ArenaError(f"found a {type(given).__name__}; expected a tournament, its file or its data")


def _tell(outcome: Outcome) -> None:
    """Raise what ended a run too early: an interrupt; warn of games that could not be played."""
    progress = outcome.progress
    done = f"{progress.done} of {progress.total} games"
    if outcome.ending == "interrupted":
        raise KeyboardInterrupt(f"interrupted after {done}; the same call resumes the run")
    if outcome.ending == "incomplete":
        warn_caller(f"ended after {done}: {outcome.why}")
