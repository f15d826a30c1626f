"""Positions as text: strings of moves, and drawn boards.

Moves are 1-based columns, "4453", the form that solvers and benchmark sets use; on boards of more
than nine columns they are separated by commas, "10,4,4". By the pie rule the second move may be a
steal, "4s53". A flat board is drawn as its rows from the top, a board in space as its levels from
the bottom, side by side:

    . . . .    level 1   level 2
    . X . .    X .       . .
    1 2 3 4    . O       . .
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from arena.errors import BadNotation, IllegalMove
from arena.game.position import DISCS, FIRST, SECOND, STEAL, Position
from arena.game.rules import CONNECT4, Rules

EMPTY = ".-_"
GAP = "   "
STEAL_LETTER = "s"


def read_position(text: str, rules: Rules = CONNECT4) -> Position:
    """Read a position from moves or from a drawing."""
    if re.fullmatch(rf"[\d,\s{STEAL_LETTER}]*", text, re.IGNORECASE):
        return play_moves(read_moves(text, rules), rules)
    if re.search(r"[.XOxo_-]", text):
        return read_drawing(text, rules)
    raise BadNotation(f"{_short(text)} is neither a string of columns nor a drawn board")


def read_moves(text: str, rules: Rules = CONNECT4) -> tuple[int, ...]:
    """Read columns, from 0, and the steal, whether they can be played or not."""
    parts = re.findall(r"[^,\s]+", text)
    if rules.columns <= 9:
        parts = [digit for part in parts for digit in part]
    for part in parts:
        is_steal = part.lower() == STEAL_LETTER
        if rules.pie and is_steal:
            continue
        if not (part.isascii() and part.isdigit()):
            hint = f" (no disc is stolen on {rules.name})" if is_steal else ""
            raise BadNotation(f"{part!r} in {_short(text)} is not a column number{hint}")
        if len(part) > 9 or not 1 <= int(part) <= rules.columns:
            commas = "; with more than nine columns, separate them by commas"
            raise BadNotation(
                f"column {part[:9]} in {_short(text)} is not on the board (1 to {rules.columns})"
                f"{commas if rules.columns > 9 and len(part) > 2 else ''}"
            )
    return tuple(int(part) - 1 if part.isdigit() else STEAL for part in parts)


def play_moves(moves: Iterable[int], rules: Rules = CONNECT4) -> Position:
    """The position after these columns, from 0, are played from the empty board."""
    position = Position(rules)
    for ply, column in enumerate(moves, start=1):
        try:
            position = position.play(column)
        except IllegalMove as error:
            is_full = not position.is_over and 0 <= column < rules.columns
            why = f"{move_words(column, rules)} is full" if is_full else error
            raise IllegalMove(f"move {ply}: {why}") from None
    return position


def write_moves(moves: Iterable[int], rules: Rules = CONNECT4) -> str:
    """The moves as text that `read_moves` reads back."""
    separator = "" if rules.columns <= 9 else ","
    return separator.join(map(write_move, moves))


def write_move(column: int) -> str:
    """A move as people write it: its column from 1, or the letter of a steal."""
    return str(move_data(column))


def column_name(column: int, rules: Rules) -> str:
    """A column as people read it, counted from 1: "4", and in space "2,3" for its x and y."""
    if rules.is_flat:
        return str(column + 1)
    x, y = divmod(column, rules.depth)
    return f"{x + 1},{y + 1}"


def column_range(rules: Rules) -> str:
    """The names that columns have on a board: "1 to 7", and in space "1,1 to 4,4"."""
    return f"{column_name(0, rules)} to {column_name(rules.columns - 1, rules)}"


def column_words(column: int, rules: Rules) -> str:
    """A column in both numberings, as bots count from 0: "column 4 (3 counted from 0)"."""
    return f"column {column_name(column, rules)} ({column} counted from 0)"


def not_on_board(column: int, rules: Rules) -> str:
    """Say in both numberings that a column does not exist."""
    last = rules.columns - 1
    expected = f"expected {column_range(rules)}, or 0 to {last} counted from 0"
    return f"{column_words(column, rules)} is not on the board; {expected}"


def move_words(column: int, rules: Rules) -> str:
    """A move in a sentence: "column 4", or "a steal"."""
    return "a steal" if column == STEAL else f"column {column_name(column, rules)}"


def move_data(column: int) -> int | str:
    """A move for other programs: its column from 1, or the letter of a steal."""
    return STEAL_LETTER if column == STEAL else column + 1


def write_position(position: Position) -> str:
    """The moves that led here, or the drawing in one line if they are not known."""
    if len(position.moves) == position.ply + position.stolen:
        return write_moves(position.moves, position.rules)
    return "/".join(row.replace(" ", "") for row in _rows(position))


def draw(position: Position) -> str:
    """The board as people draw it, with its column numbers or its levels named."""
    rules = position.rules
    rows = _rows(position)
    if rules.is_flat:
        width = len(str(rules.columns))
        spread = [" ".join(cell.rjust(width) for cell in row.split()) for row in rows]
        numbers = " ".join(column_name(x, rules).rjust(width) for x in range(rules.columns))
        return "\n".join([*spread, numbers])
    wide = max(2 * rules.width - 1, len(f"level {rules.height}"))
    names = [f"level {level + 1}" for level in range(rules.height)]
    blocks = [names, *(row.split(GAP) for row in rows)]
    return "\n".join(GAP.join(cell.ljust(wide) for cell in row).rstrip() for row in blocks)


def read_drawing(text: str, rules: Rules = CONNECT4) -> Position:
    """Read a drawn board; rows end with a line break or a slash."""
    rows = _cells_of_rows(text)
    width, height = rules.width, rules.height
    if not rules.is_flat:
        width, height = rules.width * rules.height, rules.depth
    if len(rows) != height or any(len(row) != width for row in rows):
        sizes = " or ".join(sorted({str(len(row)) for row in rows})) or "no"
        raise BadNotation(
            f"a drawn {rules.size} board has {height} rows of {width} cells, "
            f"found {len(rows)} rows of {sizes} cells"
        )
    first = second = 0
    for number, row in enumerate(rows):
        for place, symbol in enumerate(row):
            if rules.is_flat:
                cell = rules.cell(place, 0, height - 1 - number)
            else:
                level, x = divmod(place, rules.width)
                cell = rules.cell(x, number, level)
            first |= (symbol == DISCS[FIRST]) << cell
            second |= (symbol == DISCS[SECOND]) << cell
    return _set_up(rules, first, second)


def _set_up(rules: Rules, first: int, second: int) -> Position:
    """A position from its discs alone; refuse one that no game leads to."""
    tops = []  # the highest discs: one of them came last
    for column, (mask, bottom) in enumerate(zip(rules.column_masks, rules.bottoms, strict=True)):
        stack = (first | second) & mask
        if stack & (stack + bottom):
            name = column_name(column, rules)
            raise BadNotation(f"a disc in column {name} floats above an empty cell")
        tops.append((stack + bottom) >> 1)
    more = first.bit_count() - second.bit_count()
    stolen = rules.pie and more == -1
    if more not in (0, 1) and not stolen:
        raise BadNotation(
            f"{first.bit_count()} discs X and {second.bit_count()} discs O: "
            "X moves first, so X has as many as O or one more"
        )
    last, before = (FIRST, SECOND) if more == 1 else (SECOND, FIRST)
    if _full_lines(rules, (first, second)[before]):
        raise BadNotation(f"{DISCS[before]} has a line, yet {DISCS[last]} has moved after it")
    lines = _full_lines(rules, (first, second)[last])
    if not lines:
        return Position(rules, first, second, stolen=stolen)
    if not any(all(line & top for line in lines) for top in tops):
        raise BadNotation(f"no last disc of {DISCS[last]} completes all its lines")
    return Position(rules, first, second, winner=last, stolen=stolen)


def _full_lines(rules: Rules, discs: int) -> list[int]:
    return [line.mask for line in rules.lines if discs & line.mask == line.mask]


def _rows(position: Position) -> list[str]:
    """The cells row by row, separated by spaces, the levels of a space board by a gap."""
    rules = position.rules

    def symbol(x: int, y: int, z: int) -> str:
        owner = position.owner(x, y, z)
        return EMPTY[0] if owner is None else DISCS[owner]

    if rules.is_flat:
        levels = reversed(range(rules.height))
        return [" ".join(symbol(x, 0, z) for x in range(rules.width)) for z in levels]
    return [
        GAP.join(" ".join(symbol(x, y, z) for x in range(rules.width)) for z in range(rules.height))
        for y in range(rules.depth)
    ]


def _cells_of_rows(text: str) -> list[str]:
    """The rows of a drawing as plain symbols, without borders, numbers and names of levels."""
    rows = []
    for line in re.split(r"[\n/]", text):
        bare = re.sub(r"[\s|]", "", line)
        if not bare or re.fullmatch(r"\d+|(level\d+)+", bare):
            continue
        unknown = re.search(rf"[^{re.escape(EMPTY)}{DISCS}{DISCS.lower()}]", bare)
        if unknown:
            raise BadNotation(
                f"{unknown.group()!r} in {_short(line)} is not a cell; "
                f"expected {DISCS[0]}, {DISCS[1]} or one of {EMPTY} for an empty one"
            )
        rows.append(re.sub(rf"[{re.escape(EMPTY)}]", EMPTY[0], bare).upper())
    return rows


def _short(text: str) -> str:
    """The text in quotes, cut where it is long."""
    text = text.strip()
    return repr(text if len(text) <= 40 else text[:37] + "...")
