"""Boards as Fairy-Stockfish is told of them: a variants file, written for the board that is played.

Connect Four is a game of drops there: each player holds discs that cannot move, and drops them on
top of others. A build says by its own list of variants whether a board is too large for it.
"""

from __future__ import annotations

from arena.bots.uci_board import write_fen
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules

NAME = "cfour"  # what Connect Four on 7x6 is called by UCI programs

FILE = """\
[{name}]
maxFile = {files}
maxRank = {ranks}
immobile = p
pieceDrops = true
dropOnTop = true
connectN = {connect}
startFen = {start}
doubleStep = false
castling = false
nMoveRule = 0
nFoldRule = 0
stalemateValue = draw
"""


def variant_name(rules: Rules) -> str:
    """What a board is called: cfour, cfour-8x7, cfour-9x6c5."""
    if rules == CONNECT4:
        return NAME
    connect = "" if rules.connect == CONNECT4.connect else f"c{rules.connect}"
    return f"{NAME}-{rules.size}{connect}"


def named_board(name: str) -> Rules:
    """The board of this name; the names of `Rules.named` are understood as well."""
    if name == NAME:
        return CONNECT4
    return Rules.named(name.removeprefix(f"{NAME}-"))


def variants_file(rules: Rules, name: str) -> str:
    """The text of a variants file that defines a flat board under this name."""
    return FILE.format(
        name=name,
        files=rules.width,
        ranks=rules.height,
        connect=rules.connect,
        start=write_fen(Position(rules)),
    )
