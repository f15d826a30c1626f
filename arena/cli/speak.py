"""`arena speak`: our engines as programs in a protocol of other referees."""

from __future__ import annotations

from arena.cli import completing
from arena.cli.options import argument, option


def speak(
    dialect: str = argument(..., "DIALECT", "uci, codingame, or lines (bare columns)."),
    engine: str = option(
        "mcts", "--engine ENGINE", 'The engine, with options: "mcts c=0.7".', completing.engines
    ),
    game: str | None = option(
        None,
        "--game GAME",
        "The board, if the protocol does not set it; by default the usual one of the protocol.",
    ),
    limit: str = option(
        "", "--limit LIMITS", 'Limits of every move, besides the clock: "depth=8".'
    ),
    seed: int = option(1, "--seed", "Seed of the engine."),
) -> None:
    """Run an engine as a UCI or other line-protocol program.

    Other tools that start bots as programs can then use our engines.

    Example: arena speak codingame --engine "mcts playouts=1000"

    Example: arena speak uci --engine "alphabeta depth=8"

    Example: arena speak lines --engine alphabeta --game 8x7 --limit depth=8
    """
    from arena.cli.actions.speak import speak_dialect

    speak_dialect(dialect, engine, game, limit, seed)
