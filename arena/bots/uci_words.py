"""The lines of UCI and its relatives, read and written: limits, and what a search found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite
from string import ascii_lowercase as LETTERS  # noqa: N812  # the names of columns, in order
from typing import Any, ClassVar, Literal

from arena.bots.boards import board_text
from arena.engine.contract import Choice, Limits
from arena.engine.limits import MAX_SECONDS
from arena.errors import BadNotation, BadOption, BadRules, IllegalMove, suggestion
from arena.game.notation import read_drawing
from arena.game.position import SECOND, Position
from arena.game.rules import CONNECT4, Rules
from arena.text import printable

Greeting = Literal["uci", "ugi", "none"]

MATE = 1_000_000  # the score of a line that is complete; one in three moves is worth 3 less
HUNDREDTHS = 100  # `score cp` counts them


@dataclass(frozen=True)
class Handshake:
    """What a program and its user say to each other before a game; empty words are not said."""

    greeting: str
    answer: str
    new_game: str
    clocks: tuple[str, str] = ("wtime", "btime")  # what is left, of both players
    increments: tuple[str, str] = ("winc", "binc")


HANDSHAKES: dict[Greeting, Handshake] = {
    "uci": Handshake("uci", "uciok", "ucinewgame"),
    "ugi": Handshake("ugi", "ugiok", "uginewgame", ("p1time", "p2time"), ("p1inc", "p2inc")),
    "none": Handshake("", "", ""),
}


def write_go(limits: Limits, handshake: Handshake) -> str:
    """The line that asks for a move; of processor time, as much as of time on the wall.

    The opponent's clock is not known here, and is told to be the same.
    """
    words: list[object] = ["go"]
    if limits.clock is not None:
        clock, more = _milliseconds(limits.clock), round(1000 * limits.increment)
        for names, value in ((handshake.clocks, clock), (handshake.increments, more)):
            words += [names[0], value, names[1], value]
    seconds = [limit for limit in (limits.seconds, limits.cpu) if limit is not None]
    if seconds:
        words += ["movetime", _milliseconds(min(seconds))]
    for name in ("depth", "nodes"):
        if getattr(limits, name) is not None:
            words += [name, getattr(limits, name)]
    return " ".join(map(str, words))


def read_go(line: str, to_move: int) -> Limits:
    """The limits that a line asks to keep, for the player to move; what is unknown is passed by."""
    words = line.split()
    given = {word: read_count(value) for word, value in pairwise(words)}
    read: dict[str, Any] = {
        name: max(1, count) for name in ("depth", "nodes") if (count := given.get(name)) is not None
    }
    for handshake in HANDSHAKES.values():
        clock = given.get(handshake.clocks[to_move])
        if clock is not None:
            read["clock"] = _seconds(clock)
            read["increment"] = _seconds(given.get(handshake.increments[to_move]) or 0, least=0)
    if (move_time := given.get("movetime")) is not None:
        read["seconds"] = _seconds(move_time)
    return Limits(**read)


@dataclass(frozen=True)
class Report:
    """What a program tells of its search, line by line."""

    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    line: tuple[str, ...] = ()

    def with_line(self, line: str) -> Report:
        """The report with what one more `info` line says."""
        words = line.split()
        if "string" in words:
            return self
        news: dict[str, Any] = {}
        for name in ("depth", "nodes"):
            count = read_count(_after(words, name))
            if count is not None and count >= 0:
                news[name] = count
        score = _read_score(words)
        if score is not None:
            news["score"] = score
        if "pv" in words:
            news["line"] = tuple(words[words.index("pv") + 1 :])
        return replace(self, **news)


def rank_of(line: str) -> int:
    """Which line of play an `info` line is about, the best being 1."""
    rank = read_count(_after(line.split(), "multipv"))
    return 1 if rank is None else rank


def write_info(choice: Choice, line: Sequence[str], seconds: float) -> str:
    """What an engine knows of its move as an `info` line; its score counts in hundredths."""
    words: list[object] = ["info"]
    if choice.depth is not None:
        words += ["depth", choice.depth]
    if choice.score is not None and isfinite(choice.score):
        words += ["score", "cp", round(HUNDREDTHS * choice.score)]
    if choice.nodes is not None:
        words += ["nodes", choice.nodes]
    return " ".join(map(str, [*words, "time", round(1000 * seconds), "pv", *line]))


def read_count(text: str | None) -> int | None:
    """A whole number, if the text is one of ordinary size."""
    return int(text) if text is not None and re.fullmatch(r"-?[0-9]{1,15}", text) else None


def _milliseconds(seconds: float) -> int:
    return max(1, int(1000 * seconds))


def _seconds(milliseconds: int, least: int = 1) -> float:
    """Seconds in the range of limits: users send clocks below zero."""
    return min(max(least, milliseconds) / 1000, MAX_SECONDS)


def _after(words: Sequence[str], name: str) -> str | None:
    """The word that follows another one."""
    return next((value for word, value in pairwise(words) if word == name), None)


def _read_score(words: Sequence[str]) -> float | None:
    """The score in hundredths, also of a sure end; one that is only a bound is none."""
    if "lowerbound" in words or "upperbound" in words:
        return None
    hundredths, moves = read_count(_after(words, "cp")), read_count(_after(words, "mate"))
    if hundredths is not None:
        return hundredths
    if moves is None:
        return None
    return MATE - moves if moves > 0 else -MATE - moves


PAIR = re.compile(r",\s*(?=[^,=]+=)")  # what stands between two settings
KEYS = ("name", "type", "default", "min", "max", "var")  # of an option that is announced
EMPTY = "<empty>"  # how UCI writes a text without characters


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
        """An option from the line that announces it; None if the line is none."""
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
        """The line that announces it."""
        words = ["option", "name", self.name, "type", self.kind]
        if self.kind != "button":
            words += ["default", self.default or EMPTY]
        if self.least is not None and self.most is not None:
            words += ["min", str(self.least), "max", str(self.most)]
        for choice in self.choices:
            words += ["var", choice]
        return " ".join(words)

    def setting(self, value: str) -> str:
        """The line that sets it; BadOption where the program would not take the value."""
        if not self._takes(value):
            expected = self._expected()
            raise BadOption(f"{self.name!r} is {printable(value)!r}; expected {expected}")
        return f"setoption name {self.name}" + (f" value {value}" if value else "")

    def _takes(self, value: str) -> bool:
        match self.kind:
            case "check":
                return value in ("true", "false")
            case "spin":
                count = read_count(value)
                low, high = self.least, self.most
                return count is not None and (
                    (low is None or low <= count) and (high is None or count <= high)
                )
            case "combo":
                return value in self.choices
            case "button":
                return not value
        return True

    def _expected(self) -> str:
        if self.kind == "spin":
            return f"a whole number from {self.least} to {self.most}"
        words = {"check": "true or false", "button": "nothing, as it is a button"}
        return words.get(self.kind, f"one of {', '.join(self.choices)}")


class Settings(str):
    """Options of a program and their values: "Skill Level=3, Hash=16", or a mapping in a file."""

    __slots__ = ()
    in_words: ClassVar[str] = 'options of the program, as in "Skill Level=3, Hash=16"'

    @classmethod
    def from_option(cls, value: Any) -> Settings:
        """Settings from what a user wrote: text, or names and values."""
        if isinstance(value, dict):
            value = ", ".join(f"{name}={_plain(each)}" for name, each in value.items())
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
    """The lines that set options of a program; BadOption if it has not announced one."""
    known = {option.name.lower(): option for option in announced}
    lines = []
    for name, value in settings.pairs():
        if name.lower() not in known:
            names = [option.name for option in announced]
            raise BadOption(f"the program has no option {name!r}{suggestion(name, names)}")
        lines.append(known[name.lower()].setting(value))
    return lines


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


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
