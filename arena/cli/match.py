"""`arena match`: two engines against each other, in this process, game after game."""

from __future__ import annotations

from arena.cli import completing
from arena.cli.options import (
    AsJson,
    GameName,
    LimitsOfEach,
    LogFile,
    MatchSeed,
    OpeningPlies,
    Trusted,
    Workers,
    argument,
    option,
)


def match(
    first: str = argument(
        ..., "ENGINE", 'A name with options: "alphabeta depth=6".', completing.engines
    ),
    second: str = argument(
        ..., "ENGINE", "The other, FILE.py:Class or KIND:..", completing.engines
    ),
    games: int = option(10, "--games", "How many games to play.", min=1, max=1_000_000),
    game: GameName = "connect4",
    limit: LimitsOfEach = None,
    seed: MatchSeed = 1,
    opening_plies: OpeningPlies = None,
    workers: Workers = None,
    trust: Trusted = False,
    log: LogFile = None,
    as_json: AsJson = False,
) -> None:
    """Play a match between two engines.

    With --workers, several processes play at the same time, and a crash or a hang costs only one
    game. With depth, node or playout limits, the games are the same for any number of workers.
    Engines that are not bundled always run in a process of their own, unless --trust is given.

    Example: arena match "alphabeta depth=6" mcts --games 20 --limit seconds=0.1

    Example: arena match my_bot.py mcts --games 100 --limit playouts=1000 --workers 2

    Example: arena match kaggle:submission.py "uci:fairy-stockfish" --limit seconds=0.1
    """
    from arena.cli.actions.match import EngineMatch, match_engines
    from arena.log import log_to

    engines = (first, second)
    asked = EngineMatch(engines, games, game, limit or [], seed, opening_plies, workers, not trust)
    with log_to(log, "match"):
        match_engines(asked, as_json)
