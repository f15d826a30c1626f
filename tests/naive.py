"""The slow, obvious twin of the rules, the evaluations and minimax.

A board is a list of columns, a column a list of cells from the bottom, a cell -1 while it is empty
and 0 or 1 for a disc of the first or the second player. Nothing here is clever and nothing here
imports the code under test: the evaluations are written from what their authors published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product

EMPTY, FIRST, SECOND = -1, 0, 1

Cell = tuple[int, int, int]
Step = tuple[int, int, int]

# One of each pair of opposite steps: those whose first change of a coordinate goes up.
STEPS: list[Step] = list(product((-1, 0, 1), (-1, 0, 1), (-1, 0, 1)))
THIRTEEN: list[Step] = [step for step in STEPS if any(step) and next(filter(None, step)) > 0]


@dataclass
class Board:
    """A board of width x depth columns, `height` cells each, where `connect` in line win."""

    width: int
    depth: int
    height: int
    connect: int
    columns: list[list[int]] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.columns:
            self.columns = [[EMPTY] * self.height for _ in range(self.width * self.depth)]

    def copy(self) -> Board:
        columns = [list(column) for column in self.columns]
        return Board(self.width, self.depth, self.height, self.connect, columns, list(self.moves))

    def at(self, x: int, y: int, z: int) -> int:
        return self.columns[x * self.depth + y][z]

    def holds(self, x: int, y: int, z: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.depth and 0 <= z < self.height

    def cells(self) -> Iterator[Cell]:
        return product(range(self.width), range(self.depth), range(self.height))

    def discs(self) -> int:
        return sum(cell != EMPTY for column in self.columns for cell in column)

    def to_move(self) -> int:
        return self.discs() % 2

    def drop(self, column: int) -> Board:
        """The board after the player to move drops a disc into this column."""
        after = self.copy()
        after.columns[column][self.columns[column].index(EMPTY)] = self.to_move()
        after.moves.append(column)
        return after

    def lines(self) -> tuple[tuple[Step, list[Cell]], ...]:
        """Every line of `connect` cells, with its direction."""
        return all_lines(self.width, self.depth, self.height, self.connect)

    def full_lines(self) -> list[tuple[int, Step, list[Cell]]]:
        """Every line that one player fills: who, in which direction, where."""
        found = []
        for step, cells in self.lines():
            owner = self.at(*cells[0])
            if owner != EMPTY and all(self.at(*cell) == owner for cell in cells):
                found.append((owner, step, cells))
        return found

    def winner(self) -> int | None:
        """Who has a line, wherever it starts and in whichever of the 13 directions it goes."""
        full = self.full_lines()
        return full[0][0] if full else None

    def is_full(self) -> bool:
        return self.discs() == self.width * self.depth * self.height

    def is_draw(self) -> bool:
        return self.is_full() and self.winner() is None

    def is_over(self) -> bool:
        return self.is_full() or self.winner() is not None

    def legal(self) -> list[int]:
        """The columns with room in them; none when the game is over."""
        if self.is_over():
            return []
        return [c for c, column in enumerate(self.columns) if EMPTY in column]


@cache
def all_lines(
    width: int, depth: int, height: int, connect: int
) -> tuple[tuple[Step, list[Cell]], ...]:
    """From every cell in all 13 directions, the lines that stay on the board."""
    board = Board(width, depth, height, connect)
    lines = ((step, ray(start, step, connect)) for start in board.cells() for step in THIRTEEN)
    return tuple((s, cells) for s, cells in lines if all(board.holds(*cell) for cell in cells))


def ray(start: Cell, step: Step, length: int) -> list[Cell]:
    """The cells from `start` on, one step after another, on the board or not."""
    (x, y, z), (dx, dy, dz) = start, step
    return [(x + k * dx, y + k * dy, z + k * dz) for k in range(length)]


def play(board: Board, moves: Iterable[int]) -> Board:
    for column in moves:
        board = board.drop(column)
    return board


def perft(board: Board, depth: int) -> int:
    """How many sequences of `depth` moves there are; games that end are not continued."""
    if depth == 0:
        return 1
    return sum(perft(board.drop(column), depth - 1) for column in board.legal())


def images(board: Board) -> list[list[list[int]]]:
    """The columns as seen from every side: mirrored both ways and, on a square, turned."""
    found = []
    for flip_x, flip_y, swap in product((False, True), repeat=3):
        if swap and board.width != board.depth:
            continue
        image = []
        for x, y in product(range(board.width), range(board.depth)):
            a, b = (y, x) if swap else (x, y)
            a = board.width - 1 - a if flip_x else a
            b = board.depth - 1 - b if flip_y else b
            image.append(board.columns[a * board.depth + b])
        found.append(image)
    return found


Evaluate = Callable[[Board, int], float]


def minimax(
    board: Board,
    depth: int,
    evaluate: Evaluate,
    *,
    win: float | None = 1_000_000,
    quick: bool = True,
    player: int | None = None,
) -> float:
    """The value, to the player to move at the root, of looking `depth` plies ahead.

    A won game has the value `win`, less one for each disc on the board if `quick`, or that of
    `evaluate` if `win` is None; a drawn one has none.
    """
    me = board.to_move() if player is None else player
    winner = board.winner()
    if winner is not None and win is not None:
        value = win - board.discs() if quick else win
        return value if winner == me else -value
    if board.is_draw():
        return 0
    if winner is not None or depth == 0:
        return evaluate(board, me)
    values = [
        minimax(board.drop(column), depth - 1, evaluate, win=win, quick=quick, player=me)
        for column in board.legal()
    ]
    return max(values) if board.to_move() == me else min(values)


def root_values(
    board: Board,
    depth: int,
    evaluate: Evaluate,
    *,
    win: float | None = 1_000_000,
    quick: bool = True,
) -> dict[int, float]:
    """What `minimax` says about each legal column, `depth` plies counted from this board."""
    me = board.to_move()
    return {
        column: minimax(board.drop(column), depth - 1, evaluate, win=win, quick=quick, player=me)
        for column in board.legal()
    }


# The evaluations. Each gives the value of a board to a player; a drawn game has none.

MILLION = 1_000_000


def windows(board: Board, player: int) -> Iterator[str]:
    """Every window as a word: `m` for a disc of mine, `t` for one of theirs, `.` for none."""
    symbols = {player: "m", 1 - player: "t", EMPTY: "."}
    for _, cells in board.lines():
        yield "".join(symbols[board.at(*cell)] for cell in cells)


def centre_discs(board: Board, player: int) -> int:
    """Discs of a player in the middle column, or the middle ones where a side is even."""
    return sum(
        board.at(x, y, z) == player
        and 2 * x in middle(board.width)
        and 2 * y in middle(board.depth)
        for x, y, z in board.cells()
    )


def middle(side: int) -> tuple[int, ...]:
    """Twice the index of the middle, or of the two beside it."""
    return (side - 1,) if side % 2 else (side - 2, side)


def finished(board: Board, player: int, win: float) -> float | None:
    """The value of a game that is over, None if it is not."""
    winner = board.winner()
    if winner is not None:
        return win if winner == player else -win
    return 0 if board.is_full() else None


def h2(board: Board, player: int) -> float:
    """Blair 2011: +1 if I have won, -1 if they have, else 0."""
    return finished(board, player, 1) or 0


def open_lines(board: Board, player: int, values: dict[int, float]) -> float:
    """Lines with discs of one player only, by how many, those of the other taken off."""
    total = 0.0
    for window in windows(board, player):
        if "t" not in window:
            total += values.get(window.count("m"), 0)
        elif "m" not in window:
            total -= values.get(window.count("t"), 0)
    return total


def rivest(board: Board, player: int, win: float = MILLION) -> float:
    """Rivest 1987: 1, 10, 50 for one, two, three in an open line; 16 for the one to move."""
    over = finished(board, player, win)
    if over is not None:
        return over
    bonus = 16 if board.to_move() == player else -16
    return open_lines(board, player, {1: 1, 2: 10, 3: 50}) + bonus


def rivest_512(board: Board, player: int) -> float:
    """Rivest 1987 as printed: a win counts 512."""
    return rivest(board, player, 512)


def counts(board: Board, player: int) -> float:
    """1, 4, 16 for one, two, three in an open line."""
    over = finished(board, player, MILLION)
    return open_lines(board, player, {1: 1, 2: 4, 3: 16}) if over is None else over


def gaiceanu(board: Board, player: int) -> float:
    """Gaiceanu 2022: a table of windows, and 1 for each disc of mine in the centre."""
    rules = {(4, 0): 5000001, (3, 0): 5000, (2, 0): 500}
    rules |= {(0, 4): -5000000, (0, 3): -5001, (0, 2): -501}
    if board.is_draw():
        return 0
    total = centre_discs(board, player)
    return total + sum(rules.get((w.count("m"), w.count("t")), 0) for w in windows(board, player))


def window(board: Board, player: int) -> float:
    """`score_position`: a table of windows, and 3 for each disc of mine in the centre."""
    rules = {(4, 0): 100, (3, 0): 10, (2, 0): 4, (0, 4): -100, (0, 3): -20}
    if board.is_draw():
        return 0
    total = 3 * centre_discs(board, player)
    return total + sum(rules.get((w.count("m"), w.count("t")), 0) for w in windows(board, player))


def window_100(board: Board, player: int) -> float:
    """`score_position` where a game that is over counts 100."""
    over = finished(board, player, 100)
    return window(board, player) if over is None else over


def fourplay(board: Board, player: int, w2: float = 2, w3: float = 2) -> float:
    """FourPlay: lines that read as a run of two or three and nothing else; 0110 counts int(w2)."""
    over = finished(board, player, MILLION)
    if over is not None:
        return over
    values = {"mm..": w2, "..mm": w2, ".mm.": int(w2), "mmm.": w3, ".mmm": w3}
    values |= {word.replace("m", "t"): -value for word, value in values.items()}
    return sum(values.get(word, 0) for word in windows(board, player))


def fourplay_td(board: Board, player: int) -> float:
    """FourPlay with the weights learned by TD."""
    return fourplay(board, player, 4554.46, 6986.67)


def h1(board: Board, player: int, vertical: int = -1, diagonals: bool = False) -> float:
    """Blair 2011: H1 of the disc dropped last: for the one who dropped it, against the other."""
    over = finished(board, player, MILLION)
    if over is not None or not board.moves:
        return over or 0
    column = board.moves[-1]
    level = max(z for z in range(board.height) if board.columns[column][z] != EMPTY)
    cell = (*divmod(column, board.depth), level)
    mover = board.at(*cell)
    total = 0
    for step in STEPS:
        straight = sum(map(abs, step)) == 1 and step != (0, 0, -vertical)
        if not (straight or (diagonals and sum(map(abs, step)) > 1)):
            continue
        cells = ray(cell, step, board.connect)
        if all(board.holds(*place) and board.at(*place) != 1 - mover for place in cells):
            total += sum(3 if board.at(*place) == mover else 1 for place in cells)
    return total if mover == player else -total


BY_NAME: dict[str, Evaluate] = {
    "h1": h1,
    "h2": h2,
    "rivest": rivest,
    "rivest-512": rivest_512,
    "gaiceanu": gaiceanu,
    "window": window,
    "window-100": window_100,
    "fourplay": fourplay,
    "fourplay-td": fourplay_td,
    "counts": counts,
}
