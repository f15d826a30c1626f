"""The table of FourPlay's games: CSV with a game in each row, and two digits for each move."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from arena.game.rules import Rules
from arena.journal.written import DRAWS, Mistake, Move, WrittenGame, column_of

COLUMNS = ("agent", "oracle_level", "game", "first", "winner", "plies", "moves_xy")
ORACLE, AGENT = "oracle", "agent"


def is_table(line: str) -> bool:
    """Whether this is the first line of such a table."""
    return COLUMNS[-1] in next(csv.reader([line]))


def table_games(text: str, rules: Rules) -> Iterator[WrittenGame | Mistake]:
    """The games of a table, a row each."""
    reader = csv.DictReader(text.splitlines())
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        yield Mistake(1, f"the column {missing[0]} is missing")
        return
    try:
        for row in reader:
            cells = {name: (row[name] or "").strip() for name in COLUMNS}
            try:
                yield _game(reader.line_num, cells, rules)
            except Mistake as mistake:
                yield mistake
    except csv.Error as error:
        yield Mistake(reader.line_num + 1, f"not a row of CSV ({error})")


def _game(number: int, cells: dict[str, str], rules: Rules) -> WrittenGame:
    """The game of a row, by its cells."""
    for name in ("agent", "oracle_level"):
        if not cells[name]:
            raise Mistake(number, f"{name} is missing")
    names = {ORACLE: f"{ORACLE} {cells['oracle_level']}", AGENT: cells["agent"]}
    if cells["first"] not in names:
        raise Mistake(number, f"first is {cells['first']!r}; expected oracle or agent")
    seats = [ORACLE, AGENT] if cells["first"] == ORACLE else [AGENT, ORACLE]
    if cells["winner"] not in (*seats, *DRAWS):
        raise Mistake(number, f"winner is {cells['winner']!r}; expected oracle, agent or draw")
    result = {seats[0]: 1, seats[1]: -1}.get(cells["winner"], 0)
    moves = tuple(_move(number, move, rules) for move in cells["moves_xy"].split())
    if cells["plies"] != str(len(moves)):
        raise Mistake(number, f"plies is {cells['plies']!r}, but there are {len(moves)} moves")
    return WrittenGame(number, (names[seats[0]], names[seats[1]]), result, moves)


def _move(number: int, digits: str, rules: Rules) -> Move:
    if not re.fullmatch(r"\d\d", digits, re.ASCII):
        raise Mistake(number, f"{digits!r} is no move; expected two digits, x and y")
    return Move(number, column_of(number, int(digits[0]), int(digits[1]), rules))
