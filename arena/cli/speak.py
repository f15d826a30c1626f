"""`arena speak`: an engine of ours as a program, in the dialect of somebody else's referee."""

from __future__ import annotations

from arena.cli import completing
from arena.cli.options import argument, option


def speak(
    dialect: str = argument(
        ...,
        "DIALECT",
        "uci, aigames, riddles, codingame, or lines (bare columns).",
        completing.dialects,
    ),
    engine: str = option(
        "mcts", "--engine ENGINE", 'Who answers, with options: "mcts c=0.7".', completing.engines
    ),
    game: str | None = option(
        None,
        "--game GAME",
        "What is played, as far as the dialect does not say; unless given, what is usual in it.",
        completing.games,
    ),
    limit: str = option(
        "",
        "--limit LIMITS",
        'Of every move, within the clock that is told: "depth=8".',
        completing.limits,
    ),
    seed: int = option(1, "--seed", "For all chance in the engine."),
) -> None:
    """Run an engine as a UCI or other line-protocol program.

    So an engine of this package can play wherever a bot is started as a program.

    Example: arena speak aigames --engine "mcts playouts=1000"

    Example: arena speak uci --engine "alphabeta depth=8"

    Example: arena speak lines --engine alphabeta --game 8x7 --limit depth=8
    """
    from arena.cli.actions.speak import speak_dialect

    speak_dialect(dialect, engine, game, limit, seed)
