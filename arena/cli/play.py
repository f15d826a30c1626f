"""`arena play`: play against an engine or a person, or watch two engines."""

from __future__ import annotations

from arena.cli.options import Plain, argument, complete_engines, complete_levels, option
from arena.errors import BadOption

PAUSE = 0.7  # seconds after a move when two engines play


def play(
    opponent: str | None = argument(
        None, "OPPONENT", 'A name, "mcts c=0.7", my_bot.py, or human.', complete_engines
    ),
    engine: str | None = argument(
        None, "ENGINE", "A second engine, to watch both.", complete_engines
    ),
    level: list[str] | None = option(
        None,
        "--level LEVEL",
        '"too easy", easy, medium, advanced, hard, perfect or "as it is"; give it twice for both.',
        complete_levels,
    ),
    colour: str | None = option(
        None,
        "--colour COLOUR",
        "Your colour: red (moves first), yellow, or random; also first, second.",
    ),
    name: list[str] | None = option(
        None, "--name NAME", "Your name; give it twice for two people."
    ),
    game: str | None = option(
        None,
        "--game GAME",
        "A board by name or size: 7x6, 4x4x4, 9x6c5 (connect five), 9x7+pie (pie rule).",
    ),
    limit: str | None = option(
        None, "--limit LIMITS", "Time for everybody: seconds=10 for a turn, clock=3m for the game."
    ),
    seed: int | None = option(None, "--seed", "Seed; the same seed and moves give the same game."),
    pause: float = option(PAUSE, "--pause", "Seconds between moves of two engines.", min=0, max=60),
    plain: Plain = False,
    no_history: bool = option(False, "--no-history", "Do not record the games."),
) -> None:
    """Play against an engine or a person, or watch two engines.

    Without an opponent or a level, a menu asks for everything that is missing. At the board, type
    a column, or x,y in 3-D; help lists the other commands. Finished games are recorded;
    `arena games` shows them.

    Example: arena play mcts --level hard

    Example: arena play mcts iterative --game 4x4x4
    """
    from arena.human.play import Flags, play_games

    seconds, minutes = _time_of(limit)
    play_games(
        Flags(opponent, engine, colour, name or [], level or [], game, seconds, minutes),
        seed=seed, pause=pause, plain=plain, record=not no_history,
    )  # fmt: skip


def _time_of(limit: str | None) -> tuple[float | None, float | None]:
    """The seconds of a turn and the minutes of a game; no other limit suits people."""
    from arena.engine.contract import Limits

    limits = Limits.parse(limit or "")
    if limits != Limits(seconds=limits.seconds, clock=limits.clock):
        raise BadOption(f"--limit {limit!r}: expected seconds=10 for a turn or clock=3m for a game")
    return limits.seconds, None if limits.clock is None else limits.clock / 60
