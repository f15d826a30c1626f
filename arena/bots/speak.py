"""Our engines as UCI programs.

A program that is asked by UCI hears everything while it thinks: it thinks in a thread. Our engines
cannot be interrupted, so after `stop` the answer comes when the thinking ends, which the limits of
`go` see to; `go infinite` keeps an answer back until `stop`. What cannot be done is told in an
`info string`, and a move that nobody can make is `(none)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Any, Literal, get_args, get_origin

from arena.bots.boards import followed
from arena.bots.find import build_engine
from arena.bots.hosted import PipedEngine
from arena.bots.lines import DIALECTS, Dialect
from arena.bots.names import engine_words, join_words
from arena.bots.uci_words import (
    HANDSHAKES,
    MoveWords,
    ProgramOption,
    check_board,
    named_board,
    read_game,
    read_go,
    variant_name,
    write_info,
    write_line,
)
from arena.engine.contract import Choice, Engine, Limits, read_column
from arena.engine.errors import sentence
from arena.engine.limits import COUNTS, counts_in
from arena.engine.options import Option
from arena.engine.timing import on_this_host
from arena.errors import (
    ArenaError,
    BadNotation,
    BadOption,
    BadRules,
    EngineFailure,
    IllegalMove,
    UnknownName,
)
from arena.game.position import Position
from arena.game.rules import CONNECT4, NAMED_GAMES, Rules
from arena.text import printable

Say = Callable[[str], None]  # one line, sent at once
NO_LIMITS = Limits()


@dataclass
class SpokenEngine:
    """An engine, the game it is to play, and limits of its own on top of what it is told."""

    engine: Engine
    rules: Rules
    limits: Limits
    seed: int
    words: str = ""  # by which it was built
    allowed: Limits = NO_LIMITS  # whatever its options are
    _warm: set[Rules] = field(default_factory=set)

    @classmethod
    def from_words(cls, words: str, rules: Rules, allowed: Limits, seed: int) -> SpokenEngine:
        """An engine with its options in words; those that say how much to search are limits too."""
        options = dict(word.split("=", 1) for word in engine_words(words)[1:] if "=" in word)
        allowed = on_this_host(allowed)
        limits = tighter(Limits(**counts_in(options)), allowed)
        return cls(build_engine(words), rules, limits, seed, words, allowed)

    def set_option(self, name: str, value: str) -> None:
        """Build the engine anew, with one more option or another value of it."""
        engine, *options = engine_words(self.words)
        options = [option for option in options if option.partition("=")[0] != name]
        words = join_words([engine, *options, f"{name}={value}"])
        other = self.from_words(words, self.rules, self.allowed, self.seed)
        self.close()
        self.engine, self.limits, self.words = other.engine, other.limits, other.words
        self._warm.clear()

    def warm_up(self) -> None:
        """Make it ready for the first move on its board; nothing is read before that."""
        if self.rules not in self._warm:
            with _one_sentence(self.engine):
                self.engine.get_ready(self.rules)
            self._warm.add(self.rules)

    def new_game(self, rules: Rules | None = None) -> None:
        """A game begins, perhaps on another board."""
        self.rules = self.rules if rules is None else rules
        self.warm_up()
        with _one_sentence(self.engine):
            self.engine.begin(self.rules, self.seed)

    def choose(self, position: Position, asked: Limits) -> Choice:
        """Its move, within the limits that are asked for and its own."""
        with _one_sentence(self.engine):
            choice = self.engine.ask(position, tighter(self.limits, asked))
            position.play(read_column(choice))  # others shall not hear of what is no move
            return choice

    def close(self) -> None:
        """End its process, if it has one."""
        if isinstance(self.engine, PipedEngine):
            self.engine.close()


@contextmanager
def _one_sentence(engine: Engine) -> Iterator[None]:
    """Turn whatever an engine raises into one sentence, with the lines where it came up."""
    try:
        yield
    except IllegalMove as error:
        raise EngineFailure(f"the engine failed: {error}") from None
    except ArenaError:
        raise
    except Exception as error:
        raise EngineFailure(f"the engine failed: {sentence(error, engine)}") from error


def tighter(one: Limits, other: Limits) -> Limits:
    """The limits that keep both."""
    both: dict[str, Any] = {}
    for name in (*COUNTS, "seconds", "cpu"):
        given = [x for x in (getattr(one, name), getattr(other, name)) if x is not None]
        both[name] = min(given, default=None)
    by_clock = other if other.clock is not None else one
    return replace(by_clock, **both)


Words = dict[str, str]  # what was heard, by the names that the patterns have for it


def speak_lines(dialect: Dialect, spoken: SpokenEngine, lines: Iterator[str], say: Say) -> None:
    """Answer each turn that is heard, until nobody says anything more."""
    dialect.check(spoken.rules)
    spoken.warm_up()
    conversation = Conversation(dialect, spoken)
    turns = turns_in_order if dialect.ordered else turns_by_words
    for words in turns(dialect, spoken.rules, lines):
        say(conversation.answer(words))


@dataclass
class Conversation:
    """A game as it is heard, turn by turn."""

    dialect: Dialect
    spoken: SpokenEngine
    position: Position | None = None  # after our last move

    def answer(self, words: Words) -> str:
        """The line that names our move."""
        dialect, spoken = self.dialect, self.spoken
        position = self._follow(words)
        column = spoken.choose(position, limits_of(dialect, words)).column
        self.position = position.play(column)
        return dialect.write_answer(column)

    def _follow(self, words: Words) -> Position:
        """Where the game stands: one move after ours, or anywhere if it begins here."""
        rules = rules_of(self.spoken.rules, words)
        before = self.position
        if before is None or before.rules != rules:
            self.spoken.new_game(rules)
            before = Position(rules)
        if not self.dialect.says_board:
            return self._play(before, words["last"])
        if "field" not in words or "me" not in words:
            raise BadNotation("was asked to move before a field and its own number were told")
        seen = self.dialect.read_field(words["field"], rules)
        position = followed(before, seen)
        if position is None and before.ply:
            self.spoken.new_game()
        return position or followed(Position(rules), seen) or self._turned(seen, words["me"])

    def _turned(self, seen: Position, me: str) -> Position:
        """A position that was met in the middle of a game, in which a disc may have been stolen."""
        to_move = seen.to_move + self.dialect.first_player
        if not seen.rules.pie or me == str(to_move):
            return seen
        return Position(seen.rules, seen.first, seen.second, stolen=not seen.stolen)

    def _play(self, before: Position, last: str) -> Position:
        """The position after the opponent's last move."""
        if last == self.dialect.no_move:
            if before.ply:
                self.spoken.new_game()
            return Position(before.rules)
        try:
            return before.play(self.dialect.read_column(last))
        except ValueError:
            raise BadNotation(f"heard {_cut(last)}, which is no move") from None


def turns_by_words(dialect: Dialect, rules: Rules, lines: Iterator[str]) -> Iterator[Words]:
    """What is known at each turn, where every line says by its words what it is about."""
    words: Words = {}
    patterns = (*dialect.settings, *dialect.turn)
    for line in lines:
        for pattern in patterns:
            heard = compiled(pattern).fullmatch(line.strip())
            if heard is None:
                continue
            words |= heard.groupdict()
            if pattern == dialect.turn[-1]:
                yield words


def turns_in_order(dialect: Dialect, rules: Rules, lines: Iterator[str]) -> Iterator[Words]:
    """What is known at each turn, where every line has its place."""
    words: Words = {}
    lines = (line.strip() for line in lines if line.strip())
    patterns = dialect.settings + dialect.turn
    while True:
        for pattern in patterns:
            count = _count(pattern, words, rules)
            heard = [*islice(lines, count)]
            if len(heard) < count:
                return
            words |= _read(pattern, "\n".join(heard))
        yield words
        patterns = dialect.turn


def _count(pattern: str, words: Words, rules: Rules) -> int:
    """How many lines a pattern stands for."""
    if pattern == "{field}":
        return rules.height
    return _number(words, "count") if pattern == "{actions}" else 1


def _read(pattern: str, text: str) -> Words:
    heard = compiled(pattern).fullmatch(text)
    if heard is None:
        raise BadNotation(f"heard {_cut(text)} where {pattern!r} was expected")
    return heard.groupdict()


@lru_cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of the table as a regular expression, with a group for each word."""
    parts = re.split(r"\{(\w+)\}", pattern)
    fixed = [re.escape(part).replace(r"\ ", r"\s+") for part in parts[::2]]
    groups = [rf"(?P<{name}>\S+(?:\n\S+)*)" for name in parts[1::2]]
    return re.compile("".join(f + g for f, g in zip(fixed, [*groups, ""], strict=True)))


def rules_of(rules: Rules, words: Words) -> Rules:
    """The game, on a board of the size that was heard, if any."""
    if "columns" not in words or "rows" not in words:
        return rules
    columns, rows = _number(words, "columns"), _number(words, "rows")
    return Rules.flat(columns, rows, rules.connect, rules.pie)


def limits_of(dialect: Dialect, words: Words) -> Limits:
    """The time that was heard of: a bank that grows, or one that is filled up with each move."""
    if "time" not in words:
        return Limits()
    seconds = max(0.001, _number(words, "time") / 1000)
    more = _number(words, "time_per_move") / 1000 if "time_per_move" in words else 0.0
    if "bank" in words and words["bank"] == words.get("time_per_move"):
        return Limits(seconds=seconds)
    return Limits(clock=seconds, increment=more)


def _number(words: Words, name: str) -> int:
    text = words[name]
    if not re.fullmatch("[0-9]{1,9}", text):
        raise BadOption(f"heard {_cut(text)} for {name}; expected a whole number")
    return int(text)


def _cut(text: str) -> str:
    text = printable(text)
    return repr(text if len(text) <= 60 else text[:57] + "...")


WORDS: MoveWords = "drop"  # how moves are written
VARIANT = "UCI_Variant"
GREETINGS = {each.greeting: each.answer for each in HANDSHAKES.values() if each.greeting}
NEW_GAMES = {each.new_game for each in HANDSHAKES.values() if each.new_game}
MOST = 2**31 - 1  # of a whole number that has no bound of its own
NO_MOVE = "bestmove (none)"


def speak_uci(spoken: SpokenEngine, lines: Iterator[str], say: Say) -> None:
    """Answer until `quit`, or until nothing more is said; then what is thought of comes last."""
    check_game(spoken.rules)
    program = Program(spoken, say)
    for line in lines:
        if line.split()[:1] == ["quit"]:
            return
        program.hear(line)
    program.wait()


class Program:
    """An engine that hears lines, and says what UCI expects of it."""

    def __init__(self, spoken: SpokenEngine, say: Say) -> None:
        self.spoken = spoken
        self.position: Position | None = Position(spoken.rules)  # None: it was not understood
        self.is_ready = False  # for a game on the board that is set
        self._seed, self._games = spoken.seed, 0
        self._say = say
        self._lock = Lock()
        self._thread: Thread | None = None
        self._may_answer = Event()

    def hear(self, line: str) -> None:
        """Do what a line asks for; whatever is not known is passed by."""
        word, _, rest = " ".join(line.split()).partition(" ")
        if word in GREETINGS:
            self._introduce(GREETINGS[word])
        elif word in NEW_GAMES:
            self.is_ready = False
            self._games += 1
        elif word == "isready":
            self._prepare()
            self.say("readyok")
        elif word == "setoption":
            self._try(self._set_option, rest)
        elif word == "position":
            self.position = None
            self._try(self._set_position, rest)
        elif word == "go":
            self._go(rest)
        elif word == "stop":
            self.stop()

    def say(self, line: str) -> None:
        """Say one line, whichever thread it comes from."""
        with self._lock:
            self._say(line)

    def stop(self) -> None:
        """An answer need not be kept back any more."""
        self._may_answer.set()

    def wait(self) -> None:
        """Wait for the thinking to end; whoever goes on is done with waiting for `stop`."""
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def _introduce(self, farewell: str) -> None:
        engine = self.spoken.engine
        self.say(f"id name {self.spoken.words} (Connect Arena)")
        self.say("id author Connect Arena")
        flat = [rules for rules in NAMED_GAMES.values() if rules.is_flat]
        names = tuple(map(variant_name, dict.fromkeys([self.spoken.rules, *flat])))
        self.say(ProgramOption(VARIANT, "combo", names[0], choices=names).write())
        for option in engine.options.values():
            self.say(announced(option, engine).write())
        self.say(farewell)

    def _try(self, act: Callable[[str], None], text: str) -> None:
        """Do something with the rest of a line, or tell why it cannot be done."""
        try:
            act(text)
        except Exception as error:  # an engine may refuse an option in any way
            self._tell(error)

    def _tell(self, error: BaseException) -> None:
        words = str(error) if isinstance(error, ArenaError) else sentence(error)
        self.say(f"info string {printable(words)}")

    def _set_option(self, text: str) -> None:
        name, _, value = text.removeprefix("name ").partition(" value ")
        name, value = name.strip(), value.strip()
        self.wait()
        self.is_ready = False
        if name.lower() == VARIANT.lower():
            rules = named_board(value)
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

    def _set_position(self, text: str) -> None:
        self.position = read_game(text, self.spoken.rules, WORDS)

    def _prepare(self) -> bool:
        """Warm up and begin a game; whether the engine plays on this board at all."""
        if not self.is_ready:
            self.wait()
            try:
                self.spoken.seed = self._seed + max(0, self._games - 1)  # no game like the last
                self.spoken.new_game()
                self.is_ready = True
            except Exception as error:
                self._tell(error)
        return self.is_ready

    def _go(self, words: str) -> None:
        self.wait()
        position = self.position
        if not self._prepare() or position is None or position.is_over:
            self.say(NO_MOVE)
            return
        self._may_answer.clear()
        if "infinite" not in words.split():
            self._may_answer.set()
        limits = read_go(words, position.to_move)
        self._thread = Thread(target=self._think, args=(position, limits), daemon=True)
        self._thread.start()

    def _think(self, position: Position, limits: Limits) -> None:
        start = perf_counter()
        try:
            choice = self.spoken.choose(position, limits)
            move = write_line(position, (choice.column,), WORDS)
        except Exception as error:  # whatever an engine raises, the other side waits for a line
            self._tell(error)
            self.say(NO_MOVE)
            return
        self.say(write_info(choice, _line(position, choice) or move, perf_counter() - start))
        self._may_answer.wait()
        self.say(f"bestmove {move[0]}")


def check_game(rules: Rules) -> None:
    """Refuse a game that has something for which there are no words."""
    check_board(rules, WORDS)
    if rules.pie:
        raise BadRules(f"UCI has no word for the pie rule of {rules.name}")


def announced(option: Option, engine: Engine) -> ProgramOption:
    """An option of an engine in the types of UCI; a number with a fraction is text there."""
    value = getattr(engine, option.name)
    text = str(getattr(value, "name", value))
    text = text.lower() if isinstance(value, bool | None) else text
    kind = option.kind
    if kind is bool:
        return ProgramOption(option.name, "check", text)
    if get_origin(kind) is Literal:
        return ProgramOption(option.name, "combo", text, choices=tuple(map(str, get_args(kind))))
    if kind is int:
        least = -MOST if option.least is None else int(option.least)
        most = MOST if option.most is None else int(option.most)
        return ProgramOption(option.name, "spin", text, least, most)
    return ProgramOption(option.name, "string", text)


def _line(position: Position, choice: Choice) -> list[str]:
    """The moves it expects, if they can be played."""
    try:
        return write_line(position, choice.line or (), WORDS)
    except (ArenaError, LookupError, TypeError):
        return []


Speak = Callable[[SpokenEngine, Iterator[str], Say], None]

SPEAKERS: Mapping[str, Speak] = {
    "uci": speak_uci,
    **{name: partial(speak_lines, dialect) for name, dialect in DIALECTS.items()},
}


def usual_game(dialect: str) -> str:
    """The game that is played in a dialect where nobody says which."""
    return DIALECTS[dialect].game if dialect in DIALECTS else CONNECT4.name
