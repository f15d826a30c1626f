"""Our engines as UCI programs.

A program that is asked by UCI hears everything while it thinks: it thinks in a thread. Our engines
cannot be interrupted, so after `stop` the answer comes when the thinking ends, which the limits of
`go` see to; `go infinite` keeps an answer back until `stop`. What cannot be done is told in an
`info string`, and a move that nobody can make is `(none)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Literal, get_args, get_origin

from arena.bots.spoken import Say, SpokenEngine
from arena.bots.uci_board import MoveWords, check_board, read_game, write_line
from arena.bots.uci_lines import HANDSHAKES, read_go, write_info
from arena.bots.uci_options import ProgramOption
from arena.bots.variants import named_board, variant_name
from arena.engine.contract import Choice, Engine, Limits
from arena.engine.errors import sentence
from arena.engine.options import Option
from arena.errors import ArenaError, BadOption, BadRules, UnknownName
from arena.game.position import Position
from arena.game.rules import NAMED_GAMES, Rules
from arena.text import printable

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
