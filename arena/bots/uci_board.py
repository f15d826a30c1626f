"""Boards and moves as UCI programs write them, read and written.

A disc is `P@d1`: dropped into column d, it comes to rest in row 1. Relatives of UCI name the column
alone, from 0, from 1 or by its letter. A game is told by its moves; a board that was set up, whose
moves nobody knows, as a FEN: the rows from the top, the discs still in hand, and who is to move.
"""

from __future__ import annotations

import re
from string import ascii_lowercase as LETTERS  # noqa: N812  # the names of columns, in order
from typing import Literal

from arena.bots.boards import board_text
from arena.errors import BadNotation, BadRules, IllegalMove
from arena.game.notation import read_drawing
from arena.game.position import SECOND, Position
from arena.game.rules import Rules
from arena.text import printable

MoveWords = Literal["drop", "columns0", "columns1", "letters"]

DROP = re.compile(r"P@([a-z])([1-9][0-9]?)", re.IGNORECASE)
EXAMPLES: dict[MoveWords, str] = {"drop": "P@d1", "columns0": "3", "columns1": "4", "letters": "d"}
START = "startpos"
SYMBOLS = (".", "P", "p")  # of a board: an empty cell, a disc of each player


def check_board(rules: Rules, words: MoveWords) -> None:
    """Refuse a board whose moves cannot be written in these words."""
    if not rules.is_flat:
        raise BadRules(f"UCI has no words for boards in space such as {rules.size}")
    if words in ("drop", "letters") and rules.columns > len(LETTERS):
        raise BadRules(
            f"a {rules.size} board has {rules.columns} columns; UCI has letters for {len(LETTERS)}"
        )


def write_move(column: int, level: int, words: MoveWords) -> str:
    """A move in these words; the level, from 0, is where the disc comes to rest."""
    match words:
        case "drop":
            return f"P@{LETTERS[column]}{level + 1}"
        case "columns0":
            return str(column)
        case "columns1":
            return str(column + 1)
        case "letters":
            return LETTERS[column]


def write_line(position: Position, moves: tuple[int, ...], words: MoveWords) -> list[str]:
    """Moves from a position on, in these words."""
    height = position.rules.height
    written = []
    for column in moves:
        written.append(write_move(column, _level(position.landing(column), height), words))
        position = position.play(column)
    return written


def read_move(word: str, position: Position, words: MoveWords) -> int:
    """The column that a word names, on the board or not; a row has to be where the disc lands."""
    if words == "drop":
        drop = DROP.fullmatch(word)
        if drop is None:
            raise _no_move(word, words)
        column, level = LETTERS.index(drop[1].lower()), int(drop[2]) - 1
        landing = position.landing(column) if column < position.rules.columns else 0
        if landing and level != _level(landing, position.rules.height):
            there = write_move(column, _level(landing, position.rules.height), words)
            raise BadNotation(f"{word!r} is not where a disc comes to rest; expected {there!r}")
        return column
    if words == "letters":
        if len(word) != 1 or word.lower() not in LETTERS:
            raise _no_move(word, words)
        return LETTERS.index(word.lower())
    if re.fullmatch(r"-?[0-9]{1,9}", word) is None:
        raise _no_move(word, words)
    return int(word) - (words == "columns1")


def write_game(position: Position, words: MoveWords) -> str:
    """What follows `position`: the moves from the empty board, or a board that was set up."""
    if len(position.moves) != position.ply:
        if words != "drop":
            raise BadNotation(f"a board that was set up cannot be told where moves are {words}")
        return f"fen {write_fen(position)}"
    if not position.moves:
        return START
    return " ".join((START, "moves", *write_line(Position(position.rules), position.moves, words)))


def read_game(text: str, rules: Rules, words: MoveWords) -> Position:
    """The position that stands after `position`."""
    start, _, moves = text.partition("moves")
    kind, _, board = start.strip().partition(" ")
    if kind == START:
        position = Position(rules)
    elif kind == "fen":
        position = read_fen(board, rules)
    else:
        raise BadNotation(f"{kind!r} is no position; expected {START} or fen")
    for ply, word in enumerate(moves.split(), start=1):
        try:
            position = position.play(read_move(word, position, words))
        except (BadNotation, IllegalMove) as error:
            raise type(error)(f"move {ply}: {error}") from None
    return position


def write_fen(position: Position) -> str:
    """A board as its rows from the top, the discs in hand and who is to move."""
    rules = position.rules
    drawn = board_text(position, SYMBOLS, cell="", row="/")
    rows = re.sub(r"\.+", lambda run: str(len(run[0])), drawn)
    first, second = position.first.bit_count(), position.second.bit_count()
    hand = "P" * ((rules.cells + 1) // 2 - first) + "p" * (rules.cells // 2 - second)
    return f"{rows}[{hand}] {'b' if position.to_move == SECOND else 'w'} - - 0 1"


def read_fen(text: str, rules: Rules) -> Position:
    """A position from a FEN; a game may go on from it."""
    rows = re.sub(r"\[.*", "", text).split(" ")[0]
    drawn = re.sub(r"[0-9]{1,2}", lambda run: "." * int(run[0]), rows)
    if re.fullmatch(r"[Pp./]+", drawn) is None:
        raise BadNotation(f"{printable(rows)[:60]!r} is no board of discs P and p")
    return read_drawing(drawn.replace("P", "X").replace("p", "O"), rules)


def _level(cell: int, height: int) -> int:
    return (cell.bit_length() - 1) % height


def _no_move(word: str, words: MoveWords) -> BadNotation:
    example = EXAMPLES[words]
    return BadNotation(f"{printable(word)[:40]!r} is no move; expected one as in {example!r}")
