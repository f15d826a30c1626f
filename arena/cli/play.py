"""`arena play`: sit down at the board, against an engine, another person, or to watch."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completing

PAUSE = 0.7  # seconds after a move where two engines play


def play(
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            metavar="ENGINE",
            help='Your opponent: a name, "mcts c=0.7", my_bot.py, or human.',
            autocompletion=completing.engines,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="ENGINE",
            help="Who plays against it: human unless given; two engines are to watch.",
            autocompletion=completing.engines,
        ),
    ] = None,
    colour: Annotated[
        str | None,
        typer.Option(
            "--colour",
            metavar="COLOUR",
            help="Yours: red moves first, yellow second, or random; or first, second.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NAME", help="Your name; twice: both people's."),
    ] = None,
    difficulty: Annotated[
        list[str] | None,
        typer.Option(
            "--difficulty",
            metavar="LEVEL",
            help='"too easy", easy, medium, advanced, hard, perfect or "as it is"; twice: of each.',
            autocompletion=completing.difficulties,
        ),
    ] = None,
    board: Annotated[
        str | None,
        typer.Option(
            "--board",
            metavar="GAME",
            help="By name or size: 7x6, 9x7, 4x4x4, 9x6c5 (connect five).",
            autocompletion=completing.games,
        ),
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="For each turn.")] = None,
    minutes: Annotated[float | None, typer.Option(help="For each player's whole game.")] = None,
    theme: Annotated[
        str,
        typer.Option(
            "--theme",
            metavar="THEME",
            help="Colours: classic, blue-red, contrast or mono.",
            autocompletion=completing.themes,
        ),
    ] = "classic",
    seed: Annotated[
        int | None, typer.Option(help="For all chance: same seed and moves, same game.")
    ] = None,
    pause: Annotated[
        float, typer.Option(min=0, max=60, help="Seconds between moves of two engines.")
    ] = PAUSE,
    plain: Annotated[bool, typer.Option("--plain", help="Letters instead of colours.")] = False,
    no_history: Annotated[
        bool, typer.Option("--no-history", help="Do not record the games.")
    ] = False,
) -> None:
    """Play against an engine or another person, or watch two engines.

    Without an opponent or a difficulty, a menu asks for all that is not given. At the board, type a
    column, or x,y in space; help lists what else there is. Finished games are recorded, and
    `arena history` shows them.

    Example: arena play --engine mcts --difficulty hard
    """
    from arena.human.play import Flags, play_games

    play_games(
        Flags(engine, against, colour, name or [], difficulty or [], board, seconds, minutes),
        theme=theme, seed=seed, pause=pause, plain=plain, record=not no_history,
    )  # fmt: skip
