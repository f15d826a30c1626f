"""Lists of games as CSV: first, second, result, one game per line."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence

from arena.errors import ArenaError
from arena.standings.games import DRAW, LOSS, WIN, Games

WORDS = {
    WIN: ("1-0", "1", "1.0", "w", "win", "won"),
    LOSS: ("0-1", "0", "0.0", "l", "loss", "lost"),
    DRAW: ("1/2-1/2", "½-½", "0.5-0.5", "0.5", ".5", "1/2", "½", "d", "draw", "drawn", "="),
}
RESULTS = {word: outcome for outcome, words in WORDS.items() for word in words}
HEADINGS = ("first", "second", "result")
HEADED = ("result", "score", "outcome")  # what the third column of a plain header is called
OPENING = "opening"  # an optional column, which makes intervals truer
MAX_MISTAKES = 10


def read_games(lines: Iterable[str], source: str) -> tuple[Games, bool]:
    """All games of a list, or all its mistakes with the name of the source and the line.

    Players are numbered in the order they appear. The flag says whether openings are known.
    """
    numbers: dict[str, int] = {}
    games: list[tuple[int, int, int, bytes]] = []
    mistakes: list[str] = []
    has_openings = False
    for line, row, columns in _rows(lines, source):
        try:
            first, second, outcome = _game(row, columns)
        except ArenaError as error:
            mistakes.append(f"{source}:{line}: {error}")
            continue
        seats = [numbers.setdefault(name, len(numbers)) for name in (first, second)]
        has_openings = columns is not None and OPENING in columns
        opening = row[columns[OPENING]] if columns is not None and has_openings else ""
        games.append((seats[0], seats[1], outcome - DRAW, opening.encode()))
    if mistakes:
        more = (
            [f"... and {len(mistakes) - MAX_MISTAKES} more"] if len(mistakes) > MAX_MISTAKES else []
        )
        title = [f"{source} has {len(mistakes)} mistakes"] if len(mistakes) > 1 else []
        raise ArenaError("\n".join([*title, *mistakes[:MAX_MISTAKES], *more]))
    if not games:
        raise ArenaError(f"{source} has no games; expected lines of first,second,result")
    scoreboard = Games(list(numbers))
    for game in games:
        scoreboard.append(*game)  # moves are unknown, so no game is a copy
    return scoreboard, has_openings


def _rows(
    lines: Iterable[str], source: str
) -> Iterator[tuple[int, list[str], dict[str, int] | None]]:
    """The lines with games: number, cells, and the places of columns if there is a header."""
    reader = csv.reader(lines, skipinitialspace=True)
    columns: dict[str, int] | None = None
    begun = False
    try:
        for row in reader:
            row = [cell.strip() for cell in row]
            if not any(row) or row[0].startswith("#"):
                continue
            words = [cell.lower() for cell in row]
            is_full = set(HEADINGS) <= set(words)
            if not begun and (is_full or (len(words) > 2 and words[2] in HEADED)):
                columns = {word: words.index(word) for word in words} if is_full else None
            else:
                yield reader.line_num, row, columns
            begun = True
    except csv.Error as error:
        raise ArenaError(f"{source}:{reader.line_num}: {error}") from None


def _game(row: Sequence[str], columns: dict[str, int] | None) -> tuple[str, str, int]:
    """The names and the outcome for the first player; a column `winner` overrides `result`."""
    places = columns or {name: place for place, name in enumerate(HEADINGS)}
    if len(row) <= max(places.values()) if columns else len(row) < 3:
        raise ArenaError(f"expected first,second,result and found {len(row)} of them")
    if columns is None and len(row) > 3:
        raise ArenaError(f"expected first,second,result and found {len(row)} columns")
    first, second, result = (row[places[name]] for name in HEADINGS)
    if not first or not second:
        raise ArenaError("a player has no name")
    if first == second:
        raise ArenaError(f"{first!r} cannot be rated by a game against itself")
    if "winner" not in places:
        return first, second, _outcome(result)
    winner, outcomes = row[places["winner"]], {first: WIN, second: LOSS, "": DRAW}
    if winner not in outcomes:
        raise ArenaError(f"the winner {winner!r} is neither {first!r} nor {second!r}")
    return first, second, outcomes[winner]


def _outcome(result: str) -> int:
    word = result.lower().replace(" ", "")
    if word == "-1":
        raise ArenaError("result '-1': write 0-1 for a loss and 1/2-1/2 for a draw, as 0 is a loss")
    if word not in RESULTS:
        raise ArenaError(
            f"unknown result {result!r}; expected 1-0, 0-1, 1/2-1/2, 1, 0, 0.5, w, l or d"
        )
    return RESULTS[word]
