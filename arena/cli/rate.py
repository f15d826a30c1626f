"""`arena rate`: ratings for any list of games, from wherever it comes."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.options import AsJson


def rate(
    file: Annotated[str, typer.Argument(metavar="FILE.csv", help="Games, one a line; - is stdin.")],
    anchor: Annotated[
        str | None,
        typer.Option("--anchor", metavar="NAME[=ELO]", help="Whose rating is fixed, at 0 or this."),
    ] = None,
    no_prior: Annotated[
        bool, typer.Option("--no-prior", help="Add nothing: 100 % and 0 % have no rating.")
    ] = False,
    first_advantage: Annotated[
        bool, typer.Option(help="Whether the first move may be worth something.")
    ] = True,
    as_json: AsJson = False,
    target: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write CSV; - prints it.")
    ] = None,
) -> None:
    """Rate the players of any list of games.

    A line is a game: first,second,result. The result is that of the first player: 1-0, 0-1,
    1/2-1/2, or 1, 0, 0.5, or w, l, d. A header is optional; with one, columns may stand in any
    order, as in the output of arena games --csv; games of one opening go together in the errors
    where a column says which it was.

    Example: arena rate games.csv --anchor alphabeta=1500
    """
    from arena.cli.actions.rate import rate_games

    rate_games(
        file, anchor, has_prior=not no_prior, first_advantage=first_advantage, as_json=as_json,
        target=target,
    )  # fmt: skip
