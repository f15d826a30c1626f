"""Our engines as programs that others ask: UCI, or a line protocol in a fixed order.

UCI programs listen while they think, so the engine runs in a thread. Our engines cannot be
interrupted: after `stop`, the answer comes when the limits of `go` end the search. `go infinite`
holds the answer back until `stop`. Errors are reported in an `info string`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import islice
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Literal, get_args, get_origin

from arena.bots.boards import followed
from arena.bots.dialects import DIALECTS, Dialect
from arena.bots.spoken import NO_LIMITS, Say, SpokenEngine
from arena.bots.uci_words import (
    ProgramOption,
    check_board,
    read_game,
    read_go,
    read_variant,
    variant_name,
    write_info,
    write_line,
)
from arena.engine.contract import Choice, Engine, Limits
from arena.engine.errors import sentence
from arena.engine.options import Option
from arena.errors import ArenaError, BadNotation, BadOption, BadRules, UnknownName
from arena.game.position import Position
from arena.game.rules import CONNECT4, NAMED_GAMES, Rules
from arena.text import printable, quote

# ---- line protocols

Words = dict[str, str]  # the values of a turn by the names in the dialect's patterns


def speak_lines(dialect: Dialect, spoken: SpokenEngine, lines: Iterator[str], say: Say) -> None:
    """Answer each turn until the input ends."""
    dialect.check(spoken.rules)
    spoken.warm_up()
    position: Position | None = None  # after our last move
    for words in read_turns(dialect, spoken.rules, lines):
        position = _position_now(dialect, spoken, position, words)
        column = spoken.choose(position, NO_LIMITS).column
        position = position.play(column)
        say(dialect.write_answer(column, position.rules))


def _position_now(
    dialect: Dialect, spoken: SpokenEngine, before: Position | None, words: Words
) -> Position:
    """The position of a turn: one move after ours, or any position if the game is new."""
    if before is None:
        spoken.new_game()
        before = Position(spoken.rules)
    if dialect.sends_board:
        seen = dialect.read_field(words["field"], spoken.rules)
        position = followed(before, seen)
        if position is None and before.ply:
            spoken.new_game()
        return position or followed(Position(spoken.rules), seen) or _with_steal(
            seen, dialect, words["me"]
        )  # fmt: skip
    if words["last"] == dialect.no_move:
        if before.ply:
            spoken.new_game()
        return Position(spoken.rules)
    try:
        return before.play(dialect.read_column(words["last"], spoken.rules))
    except ValueError:
        raise BadNotation(f"received {quote(words['last'])}, which is not a move") from None


def _with_steal(seen: Position, dialect: Dialect, me: str) -> Position:
    """A position from the middle of a game, in which a disc may have been stolen."""
    if not seen.rules.pie or me == str(seen.to_move + dialect.first_player):
        return seen
    return Position(seen.rules, seen.first, seen.second, stolen=not seen.stolen)


def read_turns(dialect: Dialect, rules: Rules, lines: Iterator[str]) -> Iterator[Words]:
    """Yield the values of each turn of a dialect whose lines come in a fixed order."""
    words: Words = {}
    lines = (line.strip() for line in lines if line.strip())
    patterns = dialect.settings + dialect.turn
    while True:
        for pattern in patterns:
            count = _line_count(pattern, words, rules)
            received = [*islice(lines, count)]
            if len(received) < count:
                return
            text = "\n".join(received)
            match = _compile(pattern).fullmatch(text)
            if match is None:
                raise BadNotation(f"received {quote(text)} where {pattern!r} was expected")
            words |= match.groupdict()
        yield words
        patterns = dialect.turn


def _line_count(pattern: str, words: Words, rules: Rules) -> int:
    """The number of lines that a pattern stands for."""
    if pattern == "{field}":
        return rules.height
    if pattern != "{actions}":
        return 1
    if not re.fullmatch("[0-9]{1,9}", words["count"]):
        raise BadOption(f"received {quote(words['count'])} for count; expected a whole number")
    return int(words["count"])


@lru_cache
def _compile(pattern: str) -> re.Pattern[str]:
    """A pattern as a regular expression with a group for each value."""
    parts = re.split(r"\{(\w+)\}", pattern)
    fixed = [re.escape(part).replace(r"\ ", r"\s+") for part in parts[::2]]
    groups = [rf"(?P<{name}>\S+(?:\n\S+)*)" for name in parts[1::2]]
    return re.compile("".join(f + g for f, g in zip(fixed, [*groups, ""], strict=True)))


# ---- UCI

VARIANT = "UCI_Variant"
MAX_SPIN = 2**31 - 1  # bound of a whole number that has no bound of its own
NO_MOVE = "bestmove (none)"


def speak_uci(spoken: SpokenEngine, lines: Iterator[str], say: Say) -> None:
    """Answer until `quit` or the end of the input; finish a search before the end."""
    check_game(spoken.rules)
    program = UciProgram(spoken, say)
    for line in lines:
        if line.split()[:1] == ["quit"]:
            return
        program.receive(line)
    program.wait()


class UciProgram:
    """An engine as a UCI program."""

    def __init__(self, spoken: SpokenEngine, say: Say) -> None:
        self.spoken = spoken
        self.position: Position | None = Position(spoken.rules)  # None: not understood
        self.is_ready = False  # for a game on the board
        self._seed, self._games = spoken.seed, 0
        self._say = say
        self._lock = Lock()
        self._thread: Thread | None = None
        self._may_answer = Event()

    def receive(self, line: str) -> None:
        """Carry out a line, or report why it failed; unknown ones are ignored."""
        word, _, rest = " ".join(line.split()).partition(" ")
        try:
            match word:
                case "uci":
                    self._introduce()
                case "ucinewgame":
                    self.is_ready = False
                    self._games += 1
                case "isready":
                    self._prepare()
                    self.say("readyok")
                case "setoption":
                    self._set_option(rest)
                case "position":
                    self.position = None
                    self.position = read_game(rest, self.spoken.rules)
                case "go":
                    self._go(rest)
                case "stop":
                    self._may_answer.set()
        except Exception as error:  # an engine may refuse an option in any way
            self._report(error)

    def say(self, line: str) -> None:
        """Send one line from any thread."""
        with self._lock:
            self._say(line)

    def wait(self) -> None:
        """Wait until the search ends and has sent its answer."""
        self._may_answer.set()
        if self._thread is not None:
            self._thread.join()

    def _introduce(self) -> None:
        engine = self.spoken.engine
        self.say(f"id name {self.spoken.words} (Connect Arena)")
        self.say("id author Connect Arena")
        flat = [rules for rules in NAMED_GAMES.values() if rules.is_flat]
        names = tuple(map(variant_name, dict.fromkeys([self.spoken.rules, *flat])))
        self.say(ProgramOption(VARIANT, "combo", names[0], choices=names).write())
        for option in engine.options.values():
            self.say(announce(option, engine).write())
        self.say("uciok")

    def _report(self, error: BaseException) -> None:
        words = str(error) if isinstance(error, ArenaError) else sentence(error)
        self.say(f"info string {printable(words)}")

    def _set_option(self, text: str) -> None:
        name, _, value = text.removeprefix("name ").partition(" value ")
        name, value = name.strip(), value.strip()
        self.wait()
        self.is_ready = False
        if name.lower() == VARIANT.lower():
            rules = read_variant(value)
            check_game(rules)
            self.spoken.rules = rules
            self.position = Position(rules)
            return
        names = {each.lower(): each for each in self.spoken.engine.options}
        if name.lower() not in names:
            raise UnknownName("option", name, self.spoken.engine.options)
        if not value or not value.isprintable():
            raise BadOption(f"option {name!r} has no value")
        self.spoken.set_option(names[name.lower()], value)

    def _prepare(self) -> bool:
        """Warm up and begin a game; False if the engine cannot play on this board."""
        if not self.is_ready:
            self.wait()
            try:
                self.spoken.seed = self._seed + max(0, self._games - 1)  # another seed each game
                self.spoken.new_game()
                self.is_ready = True
            except Exception as error:
                self._report(error)
        return self.is_ready

    def _go(self, words: str) -> None:
        self.wait()
        position = self.position
        if not self._prepare() or position is None or position.is_over:
            self.say(NO_MOVE)
            return
        if "infinite" in words.split():
            self._may_answer.clear()
        limits = read_go(words, position.to_move)
        self._thread = Thread(target=self._think, args=(position, limits), daemon=True)
        self._thread.start()

    def _think(self, position: Position, limits: Limits) -> None:
        start = perf_counter()
        try:
            choice = self.spoken.choose(position, limits)
            move = write_line(position, (choice.column,))
        except Exception as error:  # the other side waits for an answer in any case
            self._report(error)
            self.say(NO_MOVE)
            return
        self.say(write_info(choice, _variation(position, choice) or move, perf_counter() - start))
        self._may_answer.wait()
        self.say(f"bestmove {move[0]}")


def check_game(rules: Rules) -> None:
    """Refuse a game that UCI cannot express."""
    check_board(rules)
    if rules.pie:
        raise BadRules(f"UCI does not support the pie rule of {rules.name}")


def announce(option: Option, engine: Engine) -> ProgramOption:
    """An option of an engine as a UCI option; fractions become strings."""
    value = getattr(engine, option.name)
    text = str(getattr(value, "name", value))
    text = text.lower() if isinstance(value, bool | None) else text
    kind = option.kind
    if kind is bool:
        return ProgramOption(option.name, "check", text)
    if get_origin(kind) is Literal:
        return ProgramOption(option.name, "combo", text, choices=tuple(map(str, get_args(kind))))
    if kind is int:
        least = -MAX_SPIN if option.least is None else int(option.least)
        most = MAX_SPIN if option.most is None else int(option.most)
        return ProgramOption(option.name, "spin", text, least, most)
    return ProgramOption(option.name, "string", text)


def _variation(position: Position, choice: Choice) -> list[str]:
    """The moves the engine expects, if they can be played."""
    try:
        return write_line(position, choice.line or ())
    except (ArenaError, LookupError, TypeError):
        return []


Speak = Callable[[SpokenEngine, Iterator[str], Say], None]

SPEAKERS: Mapping[str, Speak] = {
    "uci": speak_uci,
    **{name: partial(speak_lines, DIALECTS[name]) for name in ("codingame", "lines")},
}


def usual_game(dialect: str) -> str:
    """The default game of a dialect."""
    return DIALECTS[dialect].game if dialect in DIALECTS else CONNECT4.name
