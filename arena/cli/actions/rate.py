"""The body of `arena rate`: ratings for any list of games, as a table, CSV or JSON."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from arena.cli.actions.game_lists import read_games
from arena.errors import ArenaError, BadOption
from arena.files import writing
from arena.show.numbers import elo, halves, likely, one_digit, percent, whole
from arena.show.progress import Progress, size_of
from arena.show.table import Column, Table
from arena.show.terminal import console, print_json, symbol
from arena.standings.games import Games
from arena.standings.rating import Ratings, rate
from arena.text import harmless

FIELDS = ("place", "player", "group", "elo", "error", "points", "games", "score", "opponents_elo")
MATRIX = 200  # players, up to which JSON has the likelihood of superiority of each over each


def rate_games(
    file: str,
    anchor: str | None,
    *,
    first_advantage: bool,
    as_json: bool,
    target: str | None,
) -> None:
    """Read a list of games, rate its players, and show the ratings."""
    if as_json and target is not None:
        raise BadOption("--json and --csv do not go together; choose one")
    scoreboard, has_openings = _read(file)
    name, elo = read_anchor(anchor, scoreboard.names)
    ratings = rate(
        scoreboard.outcomes,
        names=scoreboard.names,
        anchor=name,
        anchor_elo=elo,
        first_advantage=first_advantage,
        games=scoreboard if has_openings else None,
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


def _read(file: str) -> tuple[Games, bool]:
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
        print_json(ratings_data(ratings))
    elif target is not None:
        with writing(target) as out:
            table = csv.writer(out, lineterminator="\n")
            table.writerow(FIELDS)
            for row in rows(ratings):
                table.writerow(
                    ["" if row[name] is None else harmless(row[name]) for name in FIELDS]
                )
    else:
        console().print(ratings_table(ratings).screen())
        for sentence in notes(ratings):
            print(sentence)


def rows(ratings: Ratings) -> list[dict[str, Any]]:
    """A row for each player, group by group, best first; numbers rounded to a thousandth."""
    lines = []
    for group in ratings.groups:
        for place, player in enumerate(group.players, start=1):
            values = (
                place, ratings.names[player], ratings.group[player] + 1,
                _rounded(ratings.elo[player]), _rounded(ratings.error[player]),
                ratings.points[player], ratings.games[player], round(ratings.score[player], 6),
                _rounded(ratings.opponents_elo[player]),
            )  # fmt: skip
            lines.append(dict(zip(FIELDS, values, strict=True)))
    return lines


def ratings_data(ratings: Ratings) -> dict[str, Any]:
    """The ratings for other programs; how likely each is stronger than each, if not too many."""
    superiority = None
    if len(ratings.names) <= MATRIX:
        likelihood = [
            [_superiority(ratings, player, other) for other in ratings.order]
            for player in ratings.order
        ]
        names = [ratings.names[player] for player in ratings.order]
        superiority = {"names": names, "likelihood": likelihood}
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
        "superiority": superiority,
    }


def ratings_table(ratings: Ratings) -> Table:
    """The ratings for the eye; a dash stands for what the games do not tell."""
    columns = (
        Column("", whole), Column("player"), Column("Elo", elo),
        Column(symbol("±", "+-"), one_digit), Column("points", halves), Column("games", whole),
        Column("score", percent), Column("opponents", elo), Column("group", whole),
        Column("above next", likely),
    )  # fmt: skip
    names = ("place", "player", "elo", "error", "points", "games", "score", "opponents_elo")
    neighbours = [
        pair
        for group in ratings.groups
        for pair in zip(group.players, [*group.players[1:], None], strict=True)
    ]
    lines = [
        (*(row[name] for name in (*names, "group")), _superiority(ratings, *pair))
        for row, pair in zip(rows(ratings), neighbours, strict=True)
    ]
    table = Table("", columns, tuple(lines))
    return table if len(ratings.groups) > 1 else table.without("group")


def notes(ratings: Ratings) -> list[str]:
    """What one must know to read the table."""
    zero = "the mean of its group" if ratings.anchor is None else f"{ratings.anchor} (or its group)"
    lines = [f"Elo with 95 % errors relative to {zero}; {ratings.prior_words}."]
    advantage, error = ratings.first_advantage, ratings.first_advantage_error
    if advantage is not None and error is not None:
        sign = symbol("±", "+-")
        lines.append(f"The first move is worth {elo(advantage)} {sign} {error:.1f} Elo.")
    lines.append(f"{percent(ratings.draw_rate)} of the games are draws.")
    if len(ratings.groups) > 1:
        lines.append("Groups have not met: their ratings cannot be compared with each other.")
    if None in ratings.elo:
        lines.append("Players without games have no rating.")
    return lines


def _superiority(ratings: Ratings, player: int, other: int | None) -> float | None:
    if other is None or not ratings.comparable(player, other):
        return None
    return round(float(ratings.los[player, other]), 6)


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 3) + 0.0
