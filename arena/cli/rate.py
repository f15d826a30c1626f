"""`arena rate`: ratings of any games, two players of a journal, or two journals compared."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli.options import AsJson, CsvFile, argument, complete_journals, option, refuse
from arena.errors import ArenaError, BadOption
from arena.files import writing
from arena.show.numbers import elo, halves, likely, one_digit, percent, whole
from arena.show.progress import Progress, size_of
from arena.show.terminal import console, print_json, symbol
from arena.text import harmless, printable

if TYPE_CHECKING:
    from arena.show.table import Table
    from arena.standings.evidence import Estimate
    from arena.standings.games import Games
    from arena.standings.ranking import RatingChange
    from arena.standings.rating import Ratings

FIELDS = ("place", "player", "group", "elo", "error", "points", "games", "score", "opponents_elo")
MAX_MATRIX = 200  # players, up to which JSON has the likelihood of superiority of each over each
CSV_FILES = (".csv", ".txt")


def rate(
    source: str = argument(
        ..., "SOURCE", "A journal, or a CSV file of games; - is stdin.", complete_journals
    ),
    other: str | None = argument(
        None, "SOURCE", "Another journal to compare the ratings with.", complete_journals
    ),
    players: tuple[str, str] | None = option(
        None, "--players A B", "Compare these two players of the journal."
    ),
    anchor: str | None = option(
        None, "--anchor NAME[=ELO]", "Fix this player's rating, at 0 or ELO."
    ),
    first_advantage: bool = option(
        True,
        "--first-advantage/--no-first-advantage",
        "Estimate the advantage of the first move.",
    ),
    target: CsvFile = None,
    as_json: AsJson = False,
) -> None:
    """Rate the players of any list of games.

    In a CSV file, each line is a game: first,second,result. The result is that of the first
    player: 1-0, 0-1, 1/2-1/2, or 1, 0, 0.5, or w, l, d. With a header, columns may be in any order,
    as in the output of `arena games --csv`, and games with the same opening count as one cluster
    in the errors.

    With two journals, it compares the ratings of the players that both have. With --players, it
    says which of two players of a journal is stronger.

    Example: arena rate games.csv --anchor alphabeta=1500

    Example: arena rate reports/quickstart --players mcts alphabeta
    """
    if as_json and target is not None:
        raise BadOption("--json and --csv do not go together; choose one")
    if other is not None:
        refuse("with two journals", players=players, anchor=anchor, csv=target,
               no_first_advantage=not first_advantage)  # fmt: skip
        _compare_journals(Path(source), Path(other), as_json)
    elif players is not None:
        refuse("with --players", anchor=anchor, csv=target,
               no_first_advantage=not first_advantage)  # fmt: skip
        _compare_players(Path(source), players, as_json)
    else:
        _show(_rate(source, anchor, first_advantage), as_json, target)


def _rate(source: str, anchor: str | None, first_advantage: bool) -> Ratings:
    """Rate the players of a journal or of a CSV file."""
    from arena.standings.rating import rate as rate_players

    is_list = source == "-" or source.lower().endswith(CSV_FILES)
    games, has_openings = _read_list(source) if is_list else (_read_journal(Path(source)), True)
    name, rating = _read_anchor(anchor, games.names)
    return rate_players(
        games.outcomes,
        names=games.names,
        anchor=name,
        anchor_elo=rating,
        first_advantage=first_advantage,
        games=games if has_openings else None,
    )


def _read_journal(path: Path) -> Games:
    from arena.cli.journals import open_journal
    from arena.standings.games import Games

    with open_journal(path) as journal:
        games = Games(journal.header.names)
        for game in journal.outcomes():
            games.append(game.first, game.second, game.result, game.opening, game.round, game.moves)
        return games


def _read_list(file: str) -> tuple[Games, bool]:
    from arena.standings.game_lists import read_games

    try:
        if file == "-":
            return read_games(_with_progress(sys.stdin, 0), "stdin")
        with Path(file).open(encoding="utf-8-sig", newline="") as lines:
            return read_games(_with_progress(lines, size_of(Path(file))), file)
    except OSError as error:
        raise ArenaError(f"{file} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ArenaError(f"{file} is not a text in UTF-8") from None


def _with_progress(lines: Iterable[str], size: int) -> Iterator[str]:
    read = 0
    with Progress("reading games", size, in_percent=True) as progress:
        for line in lines:
            read += len(line)
            progress.at(read)
            yield line


def _read_anchor(text: str | None, names: tuple[str, ...]) -> tuple[str | None, float]:
    """The name and its rating: NAME, or NAME=ELO; a name may have an equals sign in it."""
    if text is None or text in names:
        return text, 0.0
    name, sign, number = text.rpartition("=")
    if not sign:
        return text, 0.0  # the rating refuses an unknown name
    try:
        rating = float(number)
    except ValueError:
        rating = float("nan")
    if not abs(rating) <= 1e6:
        raise BadOption(f"--anchor {text!r}: {number!r} is not a rating; expected NAME=ELO")
    return name, rating


def _show(ratings: Ratings, as_json: bool, target: str | None) -> None:
    if as_json:
        print_json(ratings_data(ratings))
    elif target is not None:
        with writing(target) as out:
            sheet = csv.writer(out, lineterminator="\n")
            sheet.writerow(FIELDS)
            for row in rows(ratings):
                cells = (row[name] for name in FIELDS)
                sheet.writerow(["" if cell is None else harmless(cell) for cell in cells])
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
    """The ratings for programs, with the likelihood of superiority of few players."""
    superiority = None
    if len(ratings.names) <= MAX_MATRIX:
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
    """The ratings as a table; a dash stands for what the games do not show."""
    from arena.show.table import Column, Table

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
    """Sentences that explain the table."""
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


# ---- two players, two journals


def _compare_players(path: Path, names: tuple[str, str], as_json: bool) -> None:
    """Two players of a journal: their games with each other, and what all games say."""
    from arena.cli.duel import Duel
    from arena.cli.journals import open_journal, with_progress
    from arena.standings.games import Games
    from arena.standings.rating import rate_games
    from arena.standings.results import decided_test
    from arena.table.game import GOOD_ENDS

    with open_journal(path) as journal:
        header = journal.header
        one, other = map(header.player, names)
        if one == other:
            raise BadOption(f"{names[0]!r} cannot be compared with itself")
        games, faults = Games(header.names, ended_by=decided_test(journal)), 0
        with Progress("reading their games", at_once=True) as progress:
            for game in with_progress(journal.rows(telemetry=False), progress, journal.count()):
                games.append(
                    game.first, game.second, game.result, game.opening, game.round, game.moves
                )
                is_theirs = {game.first, game.second} == {one, other}
                faults += is_theirs and game.reason not in GOOD_ENDS
    overall = rate_games(games).difference(one, other) if len(header.names) > 2 else None
    duel = Duel(games, one, other, faults=faults, overall=overall)
    if as_json:
        print_json(duel.data())
        return
    print(printable(f"{duel.names[0]} against {duel.names[1]}: {duel.games.games} games"))
    for line in duel.lines():
        print(printable(line))


def _compare_journals(before: Path, after: Path, as_json: bool) -> None:
    """The players that two journals share, by their ratings in each."""
    from arena.cli.journals import open_journal
    from arena.show.table import Column, Table
    from arena.standings.ranking import rating_changes

    boards = []
    for path in (before, after):
        with open_journal(path) as journal:
            boards.append(journal.header.game)
    if boards[0] != boards[1]:
        raise BadOption(
            f"{before} is on {boards[0]} and {after} on {boards[1]}; ratings compare on one board"
        )
    changes = rating_changes(_read_journal(before), _read_journal(after))
    if len(changes) < 2:
        raise ArenaError(
            f"{before} and {after} share {len(changes)} players that met others in both; "
            "ratings are relative, so it takes two"
        )
    sentence = _change_verdict(changes, str(after))
    if as_json:
        players = [_change_data(each) for each in changes]
        print_json({"journals": [str(before), str(after)], "game": boards[0], "players": players,
                    "verdict": sentence})  # fmt: skip
        return
    print(f"A is {before}, B is {after}, on {boards[0]}.")
    print(f"Ratings of the {len(changes)} players in both; 0 is their mean.")
    columns = (Column("player"), *(Column(name, str) for name in ("A", "B", "B - A", "LOS of B")))
    table = (
        (each.name, *map(_with_error, (each.before, each.after, each.change)),
         likely(each.change.los))
        for each in sorted(changes, key=lambda each: -each.change.value)
    )  # fmt: skip
    console().print(Table("", columns, tuple(table)).screen())
    print(printable(sentence))


def _change_data(change: RatingChange) -> dict[str, Any]:
    from arena.show.strength import difference_data

    parts = {"before": change.before, "after": change.after, "change": change.change}
    return {"name": change.name, **{name: difference_data(each) for name, each in parts.items()}}


def _with_error(estimate: Estimate) -> str:
    from arena.standings.evidence import ends_of

    low, high = ends_of(estimate)
    error = "?" if low is None or high is None else f"{(high - low) / 2:.1f}"
    return f"{elo(estimate.value)} {symbol('±', '+-')} {error}"


def _change_verdict(changes: list[RatingChange], after: str) -> str:
    """The largest change, if it is significant among all of them (Bonferroni)."""
    from arena.show.strength import elo_words

    most = min(changes, key=lambda each: min(each.change.los, 1 - each.change.los))
    doubt = 2 * min(most.change.los, 1 - most.change.los)
    if doubt * len(changes) > 0.05:
        return "Undecided: no player's rating changes significantly."
    word = "stronger" if most.change.value > 0 else "weaker"
    return (
        f"{most.name} is {word} in {after}: {elo_words(most.change)} against the players of both."
    )
