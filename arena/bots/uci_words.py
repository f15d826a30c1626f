"""The lines of UCI in both directions: boards, moves, limits, search reports and options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite
from string import ascii_lowercase as LETTERS  # noqa: N812  # the column names, in order
from typing import Any, ClassVar, Literal

from arena.bots.boards import board_text
from arena.engine.contract import Choice, Limits
from arena.engine.limits import MAX_SECONDS
from arena.errors import BadNotation, BadOption, BadRules, IllegalMove, suggestion
from arena.game.notation import read_drawing
from arena.game.position import SECOND, Position
from arena.game.rules import CONNECT4, Rules
from arena.text import printable

# ---- boards

VARIANT = "cfour"  # Connect Four on 7x6
VARIANTS_FILE = """\
[{name}]
maxFile = {rules.width}
maxRank = {rules.height}
immobile = p
pieceDrops = true
dropOnTop = true
connectN = {rules.connect}
startFen = {start}
doubleStep = false
castling = false
nMoveRule = 0
nFoldRule = 0
stalemateValue = draw
"""


def check_board(rules: Rules, style: MoveStyle = "drop") -> None:
    """Refuse a board whose moves cannot be written in this style."""
    if not rules.is_flat:
        raise BadRules(f"UCI does not support boards in space such as {rules.size}")
    if style == "drop" and rules.columns > len(LETTERS):
        raise BadRules(
            f"a {rules.size} board has {rules.columns} columns; UCI has letters for {len(LETTERS)}"
        )


def variant_name(rules: Rules) -> str:
    """The UCI name of a board: cfour, cfour-8x7, cfour-9x6c5."""
    if rules == CONNECT4:
        return VARIANT
    connect = "" if rules.connect == CONNECT4.connect else f"c{rules.connect}"
    return f"{VARIANT}-{rules.size}{connect}"


def read_variant(name: str) -> Rules:
    """Read a UCI name or a name that `Rules.named` understands."""
    return CONNECT4 if name == VARIANT else Rules.named(name.removeprefix(f"{VARIANT}-"))


def variants_file(rules: Rules, name: str) -> str:
    """The text of a variants file that defines a flat board under this name."""
    return VARIANTS_FILE.format(name=name, rules=rules, start=write_fen(Position(rules)))


# ---- moves and positions

MoveStyle = Literal["drop", "columns1"]

DROP = re.compile(r"P@([a-z])([1-9][0-9]?)", re.IGNORECASE)
EXAMPLES: dict[MoveStyle, str] = {"drop": "P@d1", "columns1": "4"}
START = "startpos"
SYMBOLS = (".", "P", "p")  # an empty cell and a disc of each player


def write_line(position: Position, moves: tuple[int, ...], style: MoveStyle = "drop") -> list[str]:
    """Write moves that start from a position."""
    written = []
    for column in moves:
        row = _row(position.landing(column), position.rules)
        written.append(_write_move(column, row, style))
        position = position.play(column)
    return written


def read_move(word: str, position: Position, style: MoveStyle = "drop") -> int:
    """Read a column, on the board or not; the row of a drop must be the one it lands in."""
    if style == "columns1":
        if re.fullmatch(r"-?[0-9]{1,9}", word) is None:
            raise _not_a_move(word, style)
        return int(word) - 1
    drop = DROP.fullmatch(word)
    if drop is None:
        raise _not_a_move(word, style)
    column, row = LETTERS.index(drop[1].lower()), int(drop[2])
    landing = position.landing(column) if column < position.rules.columns else 0
    if landing and row != _row(landing, position.rules):
        correct = _write_move(column, _row(landing, position.rules), style)
        raise BadNotation(f"{word!r} is not where the disc lands; expected {correct!r}")
    return column


def write_game(position: Position, style: MoveStyle = "drop") -> str:
    """Write the argument of `position`: the moves from the empty board, or a set-up board."""
    if len(position.moves) != position.ply:
        if style != "drop":
            raise BadNotation(f"a set-up board cannot be sent with moves={style}; use moves=drop")
        return f"fen {write_fen(position)}"
    if not position.moves:
        return START
    return " ".join((START, "moves", *write_line(Position(position.rules), position.moves, style)))


def read_game(text: str, rules: Rules) -> Position:
    """Read the argument of `position`."""
    start, _, moves = text.partition("moves")
    kind, _, board = start.strip().partition(" ")
    if kind == START:
        position = Position(rules)
    elif kind == "fen":
        position = read_fen(board, rules)
    else:
        raise BadNotation(f"{kind!r} is not a position; expected {START} or fen")
    for ply, word in enumerate(moves.split(), start=1):
        try:
            position = position.play(read_move(word, position))
        except (BadNotation, IllegalMove) as error:
            raise type(error)(f"move {ply}: {error}") from None
    return position


def write_fen(position: Position) -> str:
    """A board as its rows from the top, the discs in hand and the player to move."""
    rules = position.rules
    drawn = board_text(position, SYMBOLS, cell="", row="/")
    rows = re.sub(r"\.+", lambda run: str(len(run[0])), drawn)
    first, second = position.first.bit_count(), position.second.bit_count()
    hand = "P" * ((rules.cells + 1) // 2 - first) + "p" * (rules.cells // 2 - second)
    return f"{rows}[{hand}] {'b' if position.to_move == SECOND else 'w'} - - 0 1"


def read_fen(text: str, rules: Rules) -> Position:
    """Read the board of a FEN."""
    rows = re.sub(r"\[.*", "", text).split(" ")[0]
    drawn = re.sub(r"[0-9]{1,2}", lambda run: "." * int(run[0]), rows)
    if re.fullmatch(r"[Pp./]+", drawn) is None:
        raise BadNotation(f"{printable(rows)[:60]!r} is not a board of discs P and p")
    return read_drawing(drawn.replace("P", "X").replace("p", "O"), rules)


def _write_move(column: int, row: int, style: MoveStyle) -> str:
    return f"P@{LETTERS[column]}{row}" if style == "drop" else str(column + 1)


def _row(cell: int, rules: Rules) -> int:
    """The row of a cell, from 1 at the bottom."""
    return (cell.bit_length() - 1) % rules.height + 1


def _not_a_move(word: str, style: MoveStyle) -> BadNotation:
    example = EXAMPLES[style]
    return BadNotation(f"{printable(word)[:40]!r} is not a move; expected one such as {example!r}")


# ---- limits

CLOCKS, INCREMENTS = ("wtime", "btime"), ("winc", "binc")  # of both players


def write_go(limits: Limits) -> str:
    """The line that asks for a move; a processor limit is sent as a time limit.

    The opponent's clock is unknown here, so both clocks are sent alike.
    """
    words: list[object] = ["go"]
    if limits.clock is not None:
        clock, increment = milliseconds(limits.clock), round(1000 * limits.increment)
        words += ["wtime", clock, "btime", clock, "winc", increment, "binc", increment]
    seconds = [limit for limit in (limits.seconds, limits.cpu) if limit is not None]
    if seconds:
        words += ["movetime", milliseconds(min(seconds))]
    for name in ("depth", "nodes"):
        if getattr(limits, name) is not None:
            words += [name, getattr(limits, name)]
    return " ".join(map(str, words))


def read_go(line: str, to_move: int) -> Limits:
    """Read the limits for the player to move; unknown words are skipped."""
    given = {word: read_count(value) for word, value in pairwise(line.split())}
    read: dict[str, Any] = {
        name: max(1, count) for name in ("depth", "nodes") if (count := given.get(name)) is not None
    }
    if (clock := given.get(CLOCKS[to_move])) is not None:
        read["clock"] = _seconds(clock)
        read["increment"] = _seconds(given.get(INCREMENTS[to_move]) or 0, least=0)
    if (move_time := given.get("movetime")) is not None:
        read["seconds"] = _seconds(move_time)
    return Limits(**read)


def milliseconds(seconds: float) -> int:
    """Whole milliseconds, rounded down, but at least one."""
    return max(1, int(1000 * seconds))


def read_count(text: str | None) -> int | None:
    """A whole number of ordinary size; None if the text is not one."""
    return int(text) if text is not None and re.fullmatch(r"-?[0-9]{1,15}", text) else None


def _seconds(count: int, least: int = 1) -> float:
    """Seconds within the range of limits: programs also send clocks below zero."""
    return min(max(least, count) / 1000, MAX_SECONDS)


# ---- search reports

MATE = 1_000_000  # the score of a finished win; one in three moves scores 3 less
HUNDREDTHS = 100  # the unit of `score cp`


@dataclass(frozen=True)
class Report:
    """The report of a search, as far as it is known."""

    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    line: tuple[str, ...] = ()

    def with_line(self, line: str) -> Report:
        """Add what one more `info` line says."""
        words = line.split()
        if "string" in words:
            return self
        news: dict[str, Any] = {"score": _read_score(words)}
        for name in ("depth", "nodes"):
            count = read_count(_after(words, name))
            news[name] = count if count is not None and count >= 0 else None
        if "pv" in words:
            news["line"] = tuple(words[words.index("pv") + 1 :])
        return replace(self, **{name: each for name, each in news.items() if each is not None})


def rank_of(line: str) -> int:
    """The rank of the variation in an `info` line; the best is 1."""
    rank = read_count(_after(line.split(), "multipv"))
    return 1 if rank is None else rank


def write_info(choice: Choice, line: Sequence[str], seconds: float) -> str:
    """Write what an engine reports about its move as an `info` line."""
    words: list[object] = ["info"]
    if choice.depth is not None:
        words += ["depth", choice.depth]
    if choice.score is not None and isfinite(choice.score):
        words += ["score", "cp", round(HUNDREDTHS * choice.score)]
    if choice.nodes is not None:
        words += ["nodes", choice.nodes]
    return " ".join(map(str, [*words, "time", round(1000 * seconds), "pv", *line]))


def _after(words: Sequence[str], name: str) -> str | None:
    return next((value for word, value in pairwise(words) if word == name), None)


def _read_score(words: Sequence[str]) -> float | None:
    """The score in hundredths, also of a forced end; None for a mere bound."""
    if "lowerbound" in words or "upperbound" in words:
        return None
    hundredths, moves = read_count(_after(words, "cp")), read_count(_after(words, "mate"))
    if hundredths is not None or moves is None:
        return hundredths
    return MATE - moves if moves > 0 else -MATE - moves


# ---- options

PAIR = re.compile(r",\s*(?=[^,=]+=)")  # separates two settings
KEYS = ("name", "type", "default", "min", "max", "var")  # of an announced option
EMPTY = "<empty>"  # UCI's word for an empty text


@dataclass(frozen=True)
class ProgramOption:
    """An option that a program announces."""

    name: str
    kind: str  # check, spin, combo, string or button
    default: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def read(cls, line: str) -> ProgramOption | None:
        """Read the line that announces an option; None if it announces none."""
        words = line.split()
        if words[:2] != ["option", "name"]:
            return None
        parts: dict[str, list[list[str]]] = {key: [] for key in KEYS}
        for word in words[1:]:
            if word in KEYS and (word == "var" or not parts[word]):
                parts[word].append(current := [])
            else:
                current.append(word)
        texts = {key: [" ".join(part) for part in parts[key]] for key in KEYS}
        kind, default = (next(iter(texts[key]), "") for key in ("type", "default"))
        least, most = (read_count(next(iter(texts[key]), None)) for key in ("min", "max"))
        return cls(texts["name"][0], kind, default, least, most, tuple(texts["var"]))

    def write(self) -> str:
        """The line that announces the option."""
        words = ["option", "name", self.name, "type", self.kind]
        if self.kind != "button":
            words += ["default", self.default or EMPTY]
        if self.least is not None and self.most is not None:
            words += ["min", str(self.least), "max", str(self.most)]
        for choice in self.choices:
            words += ["var", choice]
        return " ".join(words)

    def setting(self, value: str) -> str:
        """The line that sets the option; BadOption if the program would refuse the value."""
        is_sound, expected = True, ""
        match self.kind:
            case "check":
                is_sound, expected = value in ("true", "false"), "true or false"
            case "spin":
                is_sound = self._is_in_range(read_count(value))
                expected = f"a whole number from {self.least} to {self.most}"
            case "combo":
                is_sound, expected = value in self.choices, f"one of {', '.join(self.choices)}"
            case "button":
                is_sound, expected = not value, "no value, as it is a button"
        if not is_sound:
            raise BadOption(f"{self.name!r} is {printable(value)!r}; expected {expected}")
        return f"setoption name {self.name}" + (f" value {value}" if value else "")

    def _is_in_range(self, count: int | None) -> bool:
        if count is None or (self.least is not None and count < self.least):
            return False
        return self.most is None or count <= self.most


class Settings(str):
    """Options of a program and their values: "Skill Level=3, Hash=16", or a mapping in a file."""

    __slots__ = ()
    in_words: ClassVar[str] = 'options of the program, as in "Skill Level=3, Hash=16"'

    @classmethod
    def from_option(cls, value: Any) -> Settings:
        """Settings from text or from a mapping."""
        if isinstance(value, dict):
            plain = {k: str(v).lower() if isinstance(v, bool) else v for k, v in value.items()}
            value = ", ".join(f"{name}={each}" for name, each in plain.items())
        sound = isinstance(value, str) and value.isprintable()
        if not sound or (value and "=" not in PAIR.split(value)[0]):
            raise BadOption(f"option 'setoption' is {value!r}; expected {cls.in_words}")
        return cls(value)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Each name and its value."""
        for pair in PAIR.split(self) if self else ():
            name, _, value = pair.partition("=")
            yield name.strip(), value.strip()


def settings_lines(settings: Settings, announced: Sequence[ProgramOption]) -> list[str]:
    """The lines that set these options; BadOption if the program has not announced one."""
    known = {option.name.lower(): option for option in announced}
    lines = []
    for name, value in settings.pairs():
        if name.lower() not in known:
            names = [option.name for option in announced]
            raise BadOption(f"the program has no option {name!r}{suggestion(name, names)}")
        lines.append(known[name.lower()].setting(value))
    return lines
