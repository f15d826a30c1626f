"""A finished game: who played what, how it ended, and a few bytes of telemetry for each move.

A `Game` is the same from the referee to the journal, the standings and the reports. Its players
are numbers in a line-up; who shows it knows their names and the rules.
"""

from __future__ import annotations

import time
from array import array
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, isnan, nan
from typing import Any, Literal, NamedTuple

from arena.engine.contract import Choice, read_count, read_score
from arena.engine.errors import split_log
from arena.errors import ArenaError
from arena.game.notation import play_moves
from arena.game.position import Position, WinningLine
from arena.game.rules import Rules
from arena.tournament.games import GameResult, ScheduledGame

Reason = Literal[
    "line", "full board", "max plies", "adjudicated",
    "illegal move", "exception", "memory", "time", "crash",
]  # fmt: skip
GOOD_ENDS = ("line", "full board", "max plies", "adjudicated")  # the others are somebody's fault

# The packed telemetry: for each figure in turn its values of all moves, as `array` packs them.
TELEMETRY = {"seconds": "f", "cpu": "f", "score": "d", "nodes": "q", "depth": "h"}
MOVE_BYTES = sum(array(kind).itemsize for kind in TELEMETRY.values())  # 26
UNKNOWN = -1  # a count that is not known; a score is not a number then


class MoveRecord(NamedTuple):
    """One move: what was played, how long it took, and what the engine said about it."""

    column: int
    seconds: float  # on the wall
    cpu: float  # seconds of the processor; far less than `seconds` on a busy machine
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None


FIGURES = MoveRecord._fields[1:]


def move_record(column: int, seconds: float, cpu: float, choice: Choice) -> MoveRecord:
    """A move and what its engine said of it; what is no number is left out."""
    score, depth, nodes = choice.score, choice.depth, choice.nodes
    figures = (
        column,
        seconds,
        cpu,
        None if score is None else read_score(score),
        None if depth is None else read_count(depth),
        None if nodes is None else read_count(nodes),
    )
    return tuple.__new__(MoveRecord, figures)  # half the time of MoveRecord(...)


@dataclass(slots=True, unsafe_hash=True)  # frozen, it would take ten times as long to build
class Game:
    """One finished game, numbered by its schedule; players are numbers in the line-up."""

    number: int
    round: int
    first: int
    second: int
    opening: bytes  # one byte a column
    moves: bytes  # every move of the game, those of the opening first: its column, or STEAL
    result: int  # for the first player: 1 won, 0 drew, -1 lost
    reason: str
    detail: str
    seed: int
    started: float  # seconds since 1970
    seconds: float  # the whole game
    telemetry: bytes  # of the moves after the opening
    log: str = ""  # the frames of an exception and the end of what was printed, after a bad end

    @property
    def values(self) -> tuple[Any, ...]:
        """All fields in the order in which a game is built."""
        return (self.number, self.round, self.first, self.second, self.opening, self.moves,
                self.result, self.reason, self.detail, self.seed, self.started, self.seconds,
                self.telemetry, self.log)  # fmt: skip

    def __reduce__(self) -> tuple[object, ...]:
        return Game, self.values

    @property
    def outcome(self) -> GameResult:
        """What a format and a scoreboard need to know."""
        return GameResult(
            self.number, self.round, self.first, self.second, self.result, self.opening, self.moves
        )

    @property
    def columns(self) -> tuple[int, ...]:
        """Every move as a number, those of the opening first."""
        return tuple(self.moves)

    @property
    def plies(self) -> int:
        """How many moves were made, the opening included; a steal is one."""
        return len(self.moves)

    @property
    def loser(self) -> int | None:
        """The number of the player that lost; None for a draw."""
        return None if not self.result else self.second if self.result > 0 else self.first

    @property
    def winner(self) -> int | None:
        """The seat of the winner, 0 or 1; None for a draw."""
        return {1: 0, 0: None, -1: 1}[self.result]

    @property
    def trace(self) -> str:
        """The engine's own frames, where an exception ended the game."""
        return split_log(self.log)[0]

    @property
    def printed(self) -> str:
        """The end of what the engines printed, where the game ended badly."""
        return split_log(self.log)[1]

    @property
    def has_telemetry(self) -> bool:
        """Whether the figures of all its moves are there; a game that was cut short has none."""
        moves = len(self.moves) - len(self.opening)
        return moves > 0 and len(self.telemetry) == moves * MOVE_BYTES

    def move_records(self) -> list[MoveRecord]:
        """The moves after the opening with their telemetry."""
        return unpack_telemetry(self.moves[len(self.opening) :], self.telemetry)

    def moves_of(self, seat: int) -> list[MoveRecord]:
        """The moves that this seat chose itself, with their telemetry."""
        return self.move_records()[(seat - len(self.opening)) % 2 :: 2]

    def final(self, rules: Rules) -> Position:
        """The position in which the game ended."""
        return play_moves(self.moves, rules)


def forfeit(
    game: ScheduledGame,
    seat: int,
    reason: Reason,
    detail: str,
    moves: bytes = b"",
    log: str = "",
    seconds: float = 0.0,
) -> Game:
    """A game that the player in this seat loses without an answer, after these moves.

    `seconds` is how long the answer was waited for.
    """
    opening = bytes(game.opening)
    return Game(
        game.number, game.round, game.first, game.second, opening,
        moves if moves.startswith(opening) else opening, 1 if seat else -1, reason, detail,
        game.seed, time.time() - seconds, seconds, b"", log,
    )  # fmt: skip


def pack_telemetry(moves: Sequence[MoveRecord]) -> bytes:
    """The figures of moves as bytes; the columns are kept beside them."""
    if not moves:
        return b""
    _, seconds, cpu, score, depth, nodes = zip(*moves, strict=True)
    return b"".join((
        array("f", seconds).tobytes(),
        array("f", cpu).tobytes(),
        _packed("d", score, nan, isfinite),
        _packed("q", nodes, UNKNOWN, range(2**63).__contains__),
        _packed("h", depth, UNKNOWN, range(2**15).__contains__),
    ))  # fmt: skip


def _packed(
    kind: str, figures: Sequence[float | None], missing: float, fits: Callable[[float], bool]
) -> bytes:
    """Figures of one kind; `missing` stands for those that are not known, or do not fit."""
    if figures.count(None) == len(figures):
        return array(kind, [missing]).tobytes() * len(figures)
    given = [missing if figure is None or not fits(figure) else figure for figure in figures]
    return array(kind, given).tobytes()


def unpack_telemetry(columns: bytes, packed: bytes) -> list[MoveRecord]:
    """The moves that `pack_telemetry` packed."""
    if not packed:  # a game that was cut short: the table took the telemetry with it
        return []
    at = 0
    figures: list[array[float] | array[int]] = []
    for kind in TELEMETRY.values():
        values = array(kind)
        end = at + len(columns) * values.itemsize
        values.frombytes(packed[at:end])
        figures.append(values)
        at = end
    return [
        MoveRecord(
            column,
            seconds,
            cpu,
            None if isnan(score) else score,
            None if depth == UNKNOWN else int(depth),
            None if nodes == UNKNOWN else int(nodes),
        )
        for column, seconds, cpu, score, nodes, depth in zip(columns, *figures, strict=True)
    ]


def telemetry_as_data(game: Game) -> dict[str, list[float | None]] | str | None:
    """Lists of figures; None where there are none, base64 where the bytes say something else."""
    if not game.telemetry:
        return None
    try:
        moves = game.move_records()
        numbers = [x for move in moves for x in (move.seconds, move.cpu, move.score or 0.0)]
        readable = pack_telemetry(moves) == game.telemetry and all(map(isfinite, numbers))
    except ValueError:
        readable = False
    if not readable:
        return b64encode(game.telemetry).decode("ascii")
    return {name: [getattr(move, name) for move in moves] for name in FIGURES}


def telemetry_from_data(data: Any, columns: bytes) -> bytes:
    """The bytes that `telemetry_as_data` read; the columns are those after the opening."""
    if data is None:
        return b""
    try:
        if isinstance(data, str):
            return b64decode(data, validate=True)
        figures = [data[name] for name in FIGURES]
        moves = zip(columns, *figures, strict=True)
        return pack_telemetry([MoveRecord(*move) for move in moves])
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ArenaError(
            f"telemetry is not what it should be: lists of {len(columns)} numbers for "
            + ", ".join(FIGURES)
        ) from None


@lru_cache(maxsize=1024)
def in_words(line: WinningLine, rules: Rules) -> str:
    """A line by its direction and its cells: column and row, or x, y and level, from 1."""
    cells = [(x, z) if rules.is_flat else (x, y, z) for x, y, z in line.cells]
    places = " ".join(f"({','.join(str(n + 1) for n in cell)})" for cell in cells)
    return f"{line.direction} {places}"
