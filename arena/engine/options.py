"""Engine options: typed class attributes, checked when they are set.

An engine declares its options as a dataclass declares its fields:

    class AlphaBeta(Engine):
        depth: int = option(5, "plies to look ahead", least=1)
        tie_break: Literal["first", "random"] = option("first", "which of equal moves to play")
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, replace
from inspect import get_annotations
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

from arena.errors import BadOption, suggestion

# Journals of earlier versions have these options of alphabeta and mcts, switched off.
REMOVED = frozenset({"beam", "deepening", "history", "killers", "reuse", "table"})
OFF = (False, 0, "no", "0")


@dataclass(frozen=True)
class Option:
    """One option of an engine: its name, type, default and meaning."""

    name: str
    kind: Any
    default: Any
    help: str = ""
    least: float | None = None
    most: float | None = None

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The types that a value may be of."""
        is_union = get_origin(self.kind) in (Union, types.UnionType)
        return get_args(self.kind) if is_union else (self.kind,)

    def check(self, value: Any) -> Any:
        """The value in the option's type; BadOption if it does not fit."""
        for kind in self.kinds:
            accepted, converted = _convert(kind, value)
            if not accepted:
                continue
            if isinstance(converted, int | float) and not isinstance(converted, bool):
                low = self.least is not None and converted < self.least
                if low or (self.most is not None and converted > self.most):
                    raise BadOption(
                        f"option {self.name!r} is {converted!r}; expected {self.expected}"
                    )
            return converted
        near = ""
        if get_origin(self.kind) is Literal and isinstance(value, str):
            near = suggestion(value, [str(choice) for choice in get_args(self.kind)])
        near = near if "did you mean" in near else ""
        raise BadOption(f"option {self.name!r} is {value!r}; expected {self.expected}{near}")

    @property
    def expected(self) -> str:
        """The allowed values in words."""
        words = " or ".join(_in_words(kind) for kind in self.kinds)
        if self.least is not None and self.most is not None:
            return f"{words} from {self.least:g} to {self.most:g}"
        if self.least is not None:
            return f"{words} of at least {self.least:g}"
        return words if self.most is None else f"{words} of at most {self.most:g}"

    @property
    def detail(self) -> list[str]:
        """Further lines about the values, if the type has some."""
        kinds = [kind for kind in self.kinds if hasattr(kind, "in_detail")]
        return [line for kind in kinds for line in kind.in_detail()]


def option(
    default: Any, help: str = "", *, least: float | None = None, most: float | None = None
) -> Any:
    """Declare an option with its default, its meaning and, for numbers, its range."""
    return Option("", Any, default, help, least, most)


def collect_options(cls: type) -> dict[str, Option]:
    """The options of a class: its own, and those of its bases, which it may give new defaults.

    Declarations become plain attributes, so that an engine reads `self.depth`.
    """
    options: dict[str, Option] = {}
    for base in reversed(cls.__mro__[1:]):
        options.update(base.__dict__.get("options", {}))
    kinds = {name: inherited.kind for name, inherited in options.items()}
    hints = get_type_hints(cls)
    own = [name for name in get_annotations(cls) if get_origin(hints[name]) is not ClassVar]
    kinds |= {name: hints[name] for name in own if not name.startswith("_")}
    for name in [name for name in kinds if name in cls.__dict__]:
        given = cls.__dict__[name]
        if not isinstance(given, Option):
            plain = Option(name, kinds[name], given)
            given = plain if name in own else replace(options[name], default=given)
        elif name not in own and given == option(given.default):
            given = replace(options[name], default=given.default)
        options[name] = replace(given, name=name, kind=kinds[name])
        setattr(cls, name, given.default)
    return options


def check_options(options: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The given values in their types; the first wrong name or value raises `BadOption`."""
    checked = {}
    for name, value in given.items():
        if name in options:
            checked[name] = options[name].check(value)
        elif name not in REMOVED or value not in OFF:
            raise BadOption(f"unknown option {name!r}{suggestion(name, options)}")
    return checked


def _convert(kind: Any, value: Any) -> tuple[bool, Any]:
    """Check whether a value, or its text, is of this kind; return the value in it."""
    if kind is type(None):
        return value is None or value == "none", None
    if get_origin(kind) is Literal:
        same = [choice for choice in get_args(kind) if str(choice) == str(value)]
        return bool(same), same[0] if same else None
    if hasattr(kind, "from_option"):  # a type of ours that reads its own values
        return True, kind.from_option(value)
    if kind is bool:
        words = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}
        if isinstance(value, str) and value.lower() in words:
            return True, words[value.lower()]
        return isinstance(value, bool), value
    if isinstance(value, bool):
        return False, None
    if kind in (int, float):
        return _convert_number(kind, value)
    return kind is Any or isinstance(value, get_origin(kind) or kind), value


def _convert_number(kind: type, value: Any) -> tuple[bool, Any]:
    if isinstance(value, str):
        try:
            value = int(value) if value.lstrip("+-").isdecimal() else float(value)
        except ValueError:
            return False, None
    if not isinstance(value, int | float) or not abs(value) < 1e300:  # nor a nan
        return False, None
    if kind is int:
        return int(value) == value and abs(value) < 2**63, int(value)
    return True, float(value)


def _in_words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(str(choice) for choice in get_args(kind))
    if hasattr(kind, "in_words"):
        return str(kind.in_words)
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    return names.get(kind, "none" if kind is type(None) else str(kind))
