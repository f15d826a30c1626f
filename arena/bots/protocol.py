"""The messages between a referee and a host: one JSON object a line, no code, no pickles.

The referee asks, the host answers, and each answer carries the `id` of its question. These are
random numbers, so that no engine can answer before it is asked:

    {"id": 1, "method": "load", "engine": "bots/my_bot.py:MyBot"}
                                  {"id": 1, "result": {"summary": ..}}
    {"id": 2, "method": "build", "options": {"depth": 4}}
                                  {"id": 2, "result": {"depth": 4}}
    {"id": 3, "method": "warm_up", "rules": "7x6"}
    {"id": 4, "method": "new_game", "rules": "7x6", "seed": 17}
    {"id": 5, "method": "choose", "moves": [3, 3], "limits": {"depth": 4}}
                                  {"id": 5, "result": [2, 0.5, 4, 1200, [2, 3]]}
    {"id": 6, "method": "opinions", "moves": [3], "limits": {}}
                                  {"id": 6, "result": [[3, 0.25]]}
    {"id": 7, "method": "learn", "game": {..}, "seed": 5}

A choice is its column, score, depth, nodes and line; columns count from 0. Where something goes
wrong the answer has `fault` (of the engine: a reason, a sentence, its lines of code) or `error`
(one of our errors by its name, a sentence, lines) instead of `result`. While it compiles kernels
the host reports so, unasked: {"compiling": true}, and then {"compiling": false}. When its input
ends, the host leaves.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache, reduce
from operator import index, or_
from reprlib import repr as short_repr
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from arena import errors
from arena.engine.contract import Choice, Engine, Limits, PlayedGame
from arena.engine.errors import Fault
from arena.engine.options import Option
from arena.engine.registry import Entry
from arena.errors import ArenaError, EngineFailure
from arena.evaluation import Evaluation
from arena.game.notation import play_moves
from arena.game.position import Position
from arena.game.rules import Rules
from arena.network.option import NetworkOption
from arena.text import printable

PLAIN = (bool, int, float, str, NoneType)

encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
decode = json.JSONDecoder().decode


# ---- descriptions

# The types of options that both sides know; any other travels in words.
OPTION_KINDS: Mapping[str, Any] = {
    "whole": int,
    "number": float,
    "flag": bool,
    "text": str,
    "none": NoneType,
    "evaluation": Evaluation,
    "weights": NetworkOption,
}


@dataclass(frozen=True)
class ForeignKind:
    """The type of an option that only its engine knows: it takes anything, the engine decides."""

    in_words: str

    def from_option(self, value: Any) -> Any:
        """The value as it is written."""
        return value


@dataclass(frozen=True)
class Description:
    """An engine class as others see it."""

    title: str  # of its class
    summary: str
    options: Mapping[str, Option]
    has_docstring: bool
    prunes: bool
    learns: bool
    has_learn: bool

    @classmethod
    def of(cls, entry: Entry) -> Description:
        """Describe an entry of the registry."""
        engine = entry.engine
        return cls(
            engine.__name__,
            entry.summary,
            engine.options,
            has_docstring=bool(engine.__doc__),
            prunes=bool(engine.prunes),
            learns=bool(engine.learns),
            has_learn=engine.learn is not Engine.learn,
        )

    def write(self) -> dict[str, Any]:
        """The description as JSON has it."""
        return vars(self) | {"options": [*map(_write_option, self.options.values())]}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Description:
        """Read the result of `write`."""
        options = [_read_option(option) for option in data["options"]]
        return cls(
            printable(str(data["title"])),
            printable(str(data["summary"])),
            {option.name: option for option in options},
            **{
                name: bool(data[name])
                for name in ("has_docstring", "prunes", "learns", "has_learn")
            },
        )


def _write_option(option: Option) -> dict[str, Any]:
    default = option.default
    return vars(option) | {
        "kind": [_write_kind(kind) for kind in option.kinds],
        "default": default if isinstance(default, PLAIN) else printable(str(default)),
    }


def _write_kind(kind: Any) -> Any:
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    words = {known: word for word, known in OPTION_KINDS.items()}
    return words.get(kind) or {"words": Option("", kind, None).expected}


def _read_option(data: Mapping[str, Any]) -> Option:
    kinds = [_read_kind(kind) for kind in data["kind"]]
    if len(kinds) > 1 and any(isinstance(kind, ForeignKind) for kind in kinds):
        words = [Option("", kind, None).expected for kind in kinds]
        kinds = [ForeignKind(" or ".join(words))]
    name, meaning = printable(str(data["name"])), printable(str(data["help"]))
    kind = reduce(or_, kinds)
    return Option(name, kind, data["default"], meaning, data["least"], data["most"])


def _read_kind(data: Any) -> Any:
    if isinstance(data, list):
        return Literal[tuple(data)]
    if isinstance(data, dict):
        return ForeignKind(printable(str(data.get("words"))))
    return OPTION_KINDS.get(data, str)


# ---- values and choices


class Opaque:
    """A value that cannot travel, by its `repr` there."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __repr__(self) -> str:
        return self.words


def write_value(value: Any) -> Any:
    """A value of an engine as JSON has it; whole numbers of any kind become plain ones."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, bool):
        return bool(value)
    try:
        return index(value)
    except (TypeError, ValueError):
        return float(value) if isinstance(value, float) else {"repr": short_repr(value)}


def read_value(data: Any) -> Any:
    """Read the result of `write_value`."""
    return Opaque(str(data.get("repr"))) if isinstance(data, dict) else data


def write_choice(choice: Any) -> Any:
    """A choice as a list; anything else by its `repr`."""
    if not isinstance(choice, Choice):
        return {"repr": short_repr(choice)}
    line = choice.line
    parts = [write_value(x) for x in (choice.column, choice.score, choice.depth, choice.nodes)]
    if isinstance(line, tuple | list):
        return [*parts, [write_value(move) for move in line]]
    return [*parts, write_value(line)]


def read_choice(data: Any) -> Any:
    """A choice with any values in it; the referee judges them."""
    if not isinstance(data, list) or len(data) != 5:
        return read_value(data)
    column, score, depth, nodes, line = [read_value(x) if type(x) is dict else x for x in data]
    moves = tuple(map(read_value, line)) if isinstance(line, list) else line
    return Choice(column, score, depth, nodes, moves)


# ---- questions

LIMITS = tuple((field.name, field.default) for field in fields(Limits))


def write_members(**members: Any) -> str:
    """The members of a question, to which its number is added when it is asked."""
    return encode(members)[1:-1]


def write_question(method: str, position: Position, limits: Limits) -> str:
    """The members of a question about a position, as quickly as can be: there is one a ply."""
    if len(position.moves) == position.ply + position.stolen:
        where = f'"moves":[{",".join(map(str, position.moves))}]'
    else:  # nobody knows the moves
        discs = [position.first, position.second]
        where = write_members(discs=discs, stolen=position.stolen)
    return f"{_members_of(method, limits)},{where}"


@lru_cache(maxsize=64)
def _members_of(method: str, limits: Limits) -> str:
    given = {name: value for name, none in LIMITS if (value := getattr(limits, name)) != none}
    return write_members(method=method, limits=given)


def read_position(question: dict[str, Any], rules: Rules, last: Position) -> Position:
    """The position that a question is about, often the last one with a few moves more."""
    if "discs" in question:
        first, second = question["discs"]
        return Position(rules, first, second, stolen=question["stolen"])
    moves = tuple(question["moves"])
    length = len(last.moves)
    is_known = length == last.ply + last.stolen  # or it was set up without its moves
    if is_known and (last.rules is rules or last.rules == rules) and moves[:length] == last.moves:
        for move in moves[length:]:
            last = last.play(move)
        return last
    return play_moves(moves, rules)


def write_game(game: PlayedGame) -> dict[str, Any]:
    """A finished game."""
    columns = {field.name: getattr(game, field.name) for field in fields(PlayedGame)}
    return columns | {"rules": game.rules.name}


def read_game(data: dict[str, Any]) -> PlayedGame:
    """Read the result of `write_game`."""
    columns = {name: tuple(data[name]) for name in ("opening", "columns")}
    return PlayedGame(**{**data, **columns, "rules": Rules.named(data["rules"])})


ERRORS: dict[str, type[ArenaError]] = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, ArenaError)
}


def problem_of(answer: dict[str, Any]) -> Exception:
    """The exception that an answer without a result stands for."""
    if "error" in answer:
        name, sentence, trace = (str(word) for word in answer["error"])
        kind = ERRORS.get(name, EngineFailure)
        error = kind.__new__(kind)
        error.args = (sentence,)
        if isinstance(error, EngineFailure):
            error.trace = trace
        return error
    reason, detail, trace = (str(word) for word in answer["fault"])
    known = reason if reason in ("illegal move", "memory", "time") else "exception"
    return Fault(known, detail, trace)  # type: ignore[arg-type]  # one of the four
