"""`arena rate`: ratings for any list of games, from wherever it comes."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.options import AsJson
from arena.errors import ArenaError, BadOption
from arena.show.progress import Progress, size_of

if TYPE_CHECKING:
    from rich.table import Table

    from arena.standings.rating import Ratings
    from arena.standings.rating_lines import GameList

FIELDS = ("place", "player", "group", "elo", "error", "points", "games", "score", "opponents_elo")
MATRIX = 200  # players, up to which JSON has the likelihood of superiority of each over each


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
    if as_json and target is not None:
        raise BadOption("--json and --csv do not go together; choose one")
    from arena.standings.rating import PRIOR
    from arena.standings.rating import rate as rated

    games = _read(file)
    name, elo = read_anchor(anchor, games.names)
    prior = 0.0 if no_prior else PRIOR
    ratings = rated(
        games.outcomes,
        names=games.names,
        prior=prior,
        anchor=name,
        anchor_elo=elo,
        first_advantage=first_advantage,
        by_opening=games.by_opening,
    )
    _show(ratings, as_json, target)


def read_anchor(text: str | None, names: tuple[str, ...]) -> tuple[str | None, float]:
    """The name and its rating: NAME, or NAME=ELO; a name may have an equals sign in it."""
    if text is None or text in names:
        return text, 0.0
    name, sign, number = text.rpartition("=")
    if not sign:
        return text, 0.0  # whoever rates says that nobody is called so
    try:
        elo = float(number)
    except ValueError:
        elo = float("nan")
    if not abs(elo) <= 1e6:
        raise BadOption(f"--anchor {text!r}: {number!r} is not a rating; expected NAME=ELO")
    return name, elo


def _read(file: str) -> GameList:
    from arena.standings.rating_lines import read_games

    try:
        if file == "-":
            return read_games(_watched(sys.stdin, 0), "stdin")
        with Path(file).open(encoding="utf-8-sig", newline="") as lines:
            return read_games(_watched(lines, size_of(Path(file))), file)
    except OSError as error:
        raise ArenaError(f"{file} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ArenaError(f"{file} is not a text in UTF-8") from None


def _watched(lines: Iterable[str], size: int) -> Iterator[str]:
    """The lines, and how far one has read, told by the letters in them."""
    read = 0
    with Progress("reading games", size, in_percent=True) as progress:
        for line in lines:
            read += len(line)
            progress.at(read)
            yield line


def _show(ratings: Ratings, as_json: bool, target: str | None) -> None:
    if as_json:
        from arena.show.terminal import print_json

        print_json(ratings_data(ratings))
    elif target is not None:
        from arena.files import writing
        from arena.journal.forms import harmless

        with writing(target) as out:
            table = csv.writer(out, lineterminator="\n")
            table.writerow(FIELDS)
            for row in rows(ratings):
                table.writerow(
                    ["" if row[name] is None else harmless(row[name]) for name in FIELDS]
                )
    else:
        from arena.show.terminal import console

        console().print(ratings_table(ratings))
        for sentence in notes(ratings):
            print(sentence)


def rows(ratings: Ratings) -> list[dict[str, Any]]:
    """A row for each player, group by group, best first; numbers rounded to a thousandth."""
    found = []
    for group in ratings.groups:
        for place, player in enumerate(group.players, start=1):
            values = (
                place, ratings.names[player], ratings.group[player] + 1,
                _rounded(ratings.elo[player]), _rounded(ratings.error[player]),
                ratings.points[player], ratings.games[player], round(ratings.score[player], 6),
                _rounded(ratings.opponents_elo[player]),
            )  # fmt: skip
            found.append(dict(zip(FIELDS, values, strict=True)))
    return found


def ratings_data(ratings: Ratings) -> dict[str, Any]:
    """The ratings for other programs."""
    return {
        "players": rows(ratings),
        "groups": [
            {
                "group": number,
                "games": group.games,
                "draw_rate": round(group.draw_rate, 6),
                "first_advantage": _rounded(group.first_advantage),
                "first_advantage_error": _rounded(group.first_advantage_error),
            }
            for number, group in enumerate(ratings.groups, start=1)
        ],
        "anchor": ratings.anchor,
        "prior": ratings.prior_words,
        "draw_rate": round(ratings.draw_rate, 6),
        "superiority": _matrix(ratings) if len(ratings.names) <= MATRIX else None,
    }


def _matrix(ratings: Ratings) -> dict[str, Any]:
    """How likely each player is stronger than each, in the order of the ranking."""
    return {
        "names": [ratings.names[player] for player in ratings.order],
        "likelihood": [
            [_superiority(ratings, player, other) for other in ratings.order]
            for player in ratings.order
        ],
    }


def ratings_table(ratings: Ratings) -> Table:
    """The ratings for the eye; a dash stands for what the games do not tell."""
    from rich import box
    from rich.table import Table

    from arena.printable import printable
    from arena.show.terminal import dash, symbol

    several = len(ratings.groups) > 1
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    heads = ["", "player", "Elo", symbol("±", "+-"), "points", "games", "score", "opponents"]
    for head in heads + ["group"] * several + ["above next"]:
        table.add_column(head, justify="left" if head == "player" else "right")
    for row, (player, below) in zip(rows(ratings), _neighbours(ratings), strict=True):
        known = _superiority(ratings, player, below) if below is not None else None
        table.add_row(
            str(row["place"]), printable(row["player"]),
            *(dash() if row[name] is None else f"{row[name]:{form}}"
              for name, form in (("elo", "+.1f"), ("error", ".1f"))),
            f"{row['points']:g}", str(row["games"]), f"{row['score']:.1%}",
            dash() if row["opponents_elo"] is None else f"{row['opponents_elo']:+z.1f}",
            *([str(row["group"])] * several), "" if known is None else likely(known),
        )  # fmt: skip
    return table


def notes(ratings: Ratings) -> list[str]:
    """What one must know to read the table."""
    from arena.show.terminal import symbol

    zero = "the mean of its group" if ratings.anchor is None else f"{ratings.anchor} (or its group)"
    lines = [f"Elo with 95 % errors relative to {zero}; {ratings.prior_words}."]
    advantage, error = ratings.first_advantage, ratings.first_advantage_error
    if advantage is not None and error is not None:
        sign = symbol("±", "+-")
        lines.append(f"The first move is worth {advantage:+z.1f} {sign} {error:.1f} Elo.")
    lines.append(f"{ratings.draw_rate:.1%} of the games are draws.")
    if len(ratings.groups) > 1:
        lines.append("Groups have not met: their ratings cannot be compared with each other.")
    if None in ratings.elo:
        lines.append("Who has no rating is above or below the others by any number of Elo.")
    return lines


def _neighbours(ratings: Ratings) -> list[tuple[int, int | None]]:
    """Each player with the next one of its group."""
    return [
        pair
        for group in ratings.groups
        for pair in zip(group.players, [*group.players[1:], None], strict=True)
    ]


def _superiority(ratings: Ratings, player: int, other: int) -> float | None:
    if not ratings.comparable(player, other):
        return None
    return round(float(ratings.los[player, other]), 6)


def likely(share: float) -> str:
    """A likelihood in percent that is never shown as certain."""
    return ">99.9%" if share > 0.999 else "<0.1%" if share < 0.001 else f"{share:.1%}"


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 3) + 0.0
