"""`arena play`: sit down at the board, against an engine, another person, or to watch."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completing
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.human.history import History

PAUSE = 0.7  # seconds after a move where two engines play


def _levels(incomplete: str) -> list[str]:
    from arena.engine.levels import LEVELS
    from arena.human.levels import AS_IT_IS

    return [level for level in (*LEVELS, AS_IT_IS) if level.startswith(incomplete.lower())]


def _themes(incomplete: str) -> list[str]:
    from arena.cli.playing.themes import THEMES

    return [theme for theme in THEMES if theme.startswith(incomplete.lower())]


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
            autocompletion=_levels,
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
            autocompletion=_themes,
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
    from random import SystemRandom

    from arena.cli.playing.flags import Flags, first_menu
    from arena.cli.playing.session import Session
    from arena.cli.playing.themes import theme_named
    from arena.cli.playing.view import is_screen
    from arena.human.world import World

    look = theme_named(theme)
    flags = Flags(engine, against, colour, name or [], difficulty or [], board, seconds, minutes)
    menu = first_menu(flags, look.colours)
    history = None if no_history else _history()
    chance = SystemRandom().getrandbits(32) if seed is None else seed
    session = Session(menu, World(look.colours), history, chance, pause)
    if plain or not is_screen():
        from arena.cli.playing.plain import Plain

        session.run(Plain())
    else:
        from arena.cli.playing.screen import Screen

        screen = Screen(look)
        with screen.open():
            session.run(screen)
        if session.last is not None:  # its screen is gone
            print(session.last.outcome(look.colours))
    if session.recorded:
        from arena.show.numbers import how_many

        games = how_many(session.recorded, "game")
        print(f"{games} recorded; arena history shows them", file=sys.stderr)


def _history() -> History:
    """The personal journal, which can be written to."""
    from arena.human.history import History

    history = History()
    try:
        history.prepare()
    except ArenaError as error:
        error.args = (f"{error}; --no-history plays without recording",)
        raise
    return history
