"""`arena play`: sit down at the board, against an engine, another person, or to watch."""

from __future__ import annotations

from arena.cli import completing
from arena.cli.options import option

PAUSE = 0.7  # seconds after a move where two engines play


def play(
    engine: str | None = option(
        None,
        "--engine ENGINE",
        'Your opponent: a name, "mcts c=0.7", my_bot.py, or human.',
        completing.engines,
    ),
    against: str | None = option(
        None,
        "--against ENGINE",
        "Its opponent: by default human; name an engine to watch two.",
        completing.engines,
    ),
    colour: str | None = option(
        None,
        "--colour COLOUR",
        "Your colour: red (moves first), yellow, or random; also first, second.",
    ),
    name: list[str] | None = option(
        None, "--name NAME", "Your name; give it twice for two people."
    ),
    difficulty: list[str] | None = option(
        None,
        "--difficulty LEVEL",
        '"too easy", easy, medium, advanced, hard, perfect or "as it is"; give it twice for both.',
        completing.difficulties,
    ),
    board: str | None = option(
        None,
        "--board GAME",
        "A board by name or size: 7x6, 4x4x4, 9x6c5 (connect five), 9x7+pie (pie rule).",
    ),
    seconds: float | None = option(None, "--seconds", "Time for each turn."),
    minutes: float | None = option(None, "--minutes", "Time of each player for the whole game."),
    seed: int | None = option(None, "--seed", "Seed; the same seed and moves give the same game."),
    pause: float = option(PAUSE, "--pause", "Seconds between moves of two engines.", min=0, max=60),
    plain: bool = option(False, "--plain", "Print letters instead of colours."),
    no_history: bool = option(False, "--no-history", "Do not record the games."),
) -> None:
    """Play against an engine or a person, or watch two engines.

    Without an opponent or a difficulty, a menu asks for everything that is missing. At the board,
    type a column, or x,y in 3-D; help lists the other commands. Finished games are recorded;
    `arena history` shows them.

    Example: arena play --engine mcts --difficulty hard
    """
    from arena.human.play import Flags, play_games

    play_games(
        Flags(engine, against, colour, name or [], difficulty or [], board, seconds, minutes),
        seed=seed, pause=pause, plain=plain, record=not no_history,
    )  # fmt: skip
