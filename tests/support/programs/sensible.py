"""A bot for every line dialect: wins, else blocks, else plays as near to the middle as it can.

python sensible.py DIALECT [COLUMNS ROWS]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Board:
    """Rows from the top; None is an empty cell."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells: list[list[str | None]] = [[None] * columns for _ in range(rows)]

    def landing(self, column: int) -> int:
        empty = [row for row in range(self.rows) if self.cells[row][column] is None]
        return max(empty, default=-1)

    def drop(self, column: int, player: str) -> None:
        self.cells[self.landing(column)][column] = player

    def wins(self, column: int, player: str) -> bool:
        row = self.landing(column)
        return any(self.run(row, column, step, player) >= 4 for step in DIRECTIONS)

    def run(self, row: int, column: int, step: tuple[int, int], player: str) -> int:
        length = 1
        for sign in (1, -1):
            y, x = row + sign * step[0], column + sign * step[1]
            while 0 <= y < self.rows and 0 <= x < self.columns and self.cells[y][x] == player:
                length += 1
                y, x = y + sign * step[0], x + sign * step[1]
        return length

    def best(self, me: str, other: str) -> int:
        order = sorted(range(self.columns), key=lambda column: abs(column - self.columns // 2))
        open_columns = [column for column in order if self.landing(column) >= 0]
        for player in (me, other):
            for column in open_columns:
                if self.wins(column, player):
                    return column
        return open_columns[0]

    def fill(self, symbols: Sequence[str], empty: str) -> None:
        for place, symbol in enumerate(symbols):
            row, column = divmod(place, self.columns)
            self.cells[row][column] = None if symbol == empty else symbol


def say(text: object) -> None:
    print(text, flush=True)


def play_by_words(names: dict[str, str]) -> None:
    """Aigames and riddles: settings, updates, and a request to move."""
    settings: dict[str, str] = {}
    symbols: list[str] = []
    for line in sys.stdin:
        words = line.split()
        if words[0] == "settings":
            settings[words[1]] = words[2]
        elif words[:3] == ["update", "game", "field"]:
            symbols = words[3].replace(";", ",").split(",")
        elif words[0] == "action":
            board = Board(int(settings[names["columns"]]), int(settings[names["rows"]]))
            board.fill(symbols, names["empty"])
            me = settings["your_botid"]
            other = next(symbol for symbol in names["players"] if symbol != me)
            say(f"place_disc {board.best(me, other)}")


def play_codingame(columns: int, rows: int) -> None:
    me, other = input().split()
    while True:
        input()  # the turn
        symbols = "".join(input() for _ in range(rows))
        for _ in range(int(input())):
            input()  # an action
        input()  # the opponent's last
        board = Board(columns, rows)
        board.fill(symbols, ".")
        say(f"{board.best(me, other)} that is it")


def play_lines(columns: int, rows: int) -> None:
    board = Board(columns, rows)
    for line in sys.stdin:
        if line.strip() != "go!":
            board.drop(int(line), "other")
        column = board.best("me", "other")
        board.drop(column, "me")
        say(column)


AIGAMES = {"columns": "field_columns", "rows": "field_rows", "empty": "0", "players": "12"}
RIDDLES = {"columns": "field_width", "rows": "field_height", "empty": ".", "players": "01"}

if __name__ == "__main__":
    dialect, columns, rows = (*sys.argv[1:], "7", "6")[:3]
    try:
        if dialect == "codingame":
            play_codingame(int(columns), int(rows))
        elif dialect == "lines":
            play_lines(int(columns), int(rows))
        else:
            play_by_words(AIGAMES if dialect == "aigames" else RIDDLES)
    except EOFError:
        pass
