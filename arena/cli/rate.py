"""`arena rate`: ratings for any list of games, from wherever it comes."""

from __future__ import annotations

from arena.cli.options import AsJson, CsvFile, argument, option


def rate(
    file: str = argument(..., "FILE.csv", "Games, one per line; - is stdin."),
    anchor: str | None = option(
        None, "--anchor NAME[=ELO]", "Fix this player's rating, at 0 or ELO."
    ),
    first_advantage: bool = option(
        True,
        "--first-advantage/--no-first-advantage",
        "Estimate the advantage of the first move.",
    ),
    as_json: AsJson = False,
    target: CsvFile = None,
) -> None:
    """Rate the players of any list of games.

    Each line is a game: first,second,result. The result is that of the first player: 1-0, 0-1,
    1/2-1/2, or 1, 0, 0.5, or w, l, d. A header is optional. With one, columns may be in any order,
    as in the output of `arena games --csv`, and games with the same opening count as one cluster
    in the errors.

    Example: arena rate games.csv --anchor alphabeta=1500
    """
    from arena.cli.actions.rate import rate_games

    rate_games(
        file, anchor, first_advantage=first_advantage, as_json=as_json,
        target=target,
    )  # fmt: skip
