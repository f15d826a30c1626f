"""Our engines as UCI programs.

UCI programs listen while they think, so the engine runs in a thread. Our engines cannot be
interrupted: after `stop`, the answer comes when the limits of `go` end the search. `go infinite`
holds the answer back until `stop`. Errors are reported in an `info string`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Literal, get_args, get_origin

from arena.bots.spoken import Say, SpokenEngine
from arena.bots.uci_options import ProgramOption
from arena.bots.uci_words import (
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
from arena.errors import ArenaError, BadOption, BadRules, UnknownName
from arena.game.position import Position
from arena.game.rules import NAMED_GAMES, Rules
from arena.text import printable

VARIANT = "UCI_Variant"
MAX_SPIN = 2**31 - 1  # bound of a whole number that has no bound of its own
NO_MOVE = "bestmove (none)"


def speak_uci(spoken: SpokenEngine, lines: Iterator[str], say: Say) -> None:
    """Answer until `quit` or the end of the input; finish a search before the end."""
    check_game(spoken.rules)
    program = Program(spoken, say)
    for line in lines:
        if line.split()[:1] == ["quit"]:
            return
        program.receive(line)
    program.wait()


class Program:
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
        """Carry out a line; unknown ones are ignored."""
        word, _, rest = " ".join(line.split()).partition(" ")
        if word == "uci":
            self._introduce()
        elif word == "ucinewgame":
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
            self._may_answer.set()

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

    def _try(self, act: Callable[[str], None], text: str) -> None:
        """Carry out a command, or report why it failed."""
        try:
            act(text)
        except Exception as error:  # an engine may refuse an option in any way
            self._report(error)

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

    def _set_position(self, text: str) -> None:
        self.position = read_game(text, self.spoken.rules)

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
