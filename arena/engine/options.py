"""Engine options: typed class attributes, checked when they are set, named in every complaint.

An engine declares its options the way a dataclass declares its fields:

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


@dataclass(frozen=True)
class Option:
    """One option of an engine: its name, type, default and meaning."""

    name: str
    kind: Any
    default: Any
    help: str = ""
    least: float | None = None
    most: float | None = None

    def check(self, value: Any) -> Any:
        """The value in the option's type, or one sentence on what is wrong with it."""
        kinds = get_args(self.kind) if _is_union(self.kind) else (self.kind,)
        for kind in kinds:
            accepted, converted = _convert(kind, value)
            if accepted:
                self._check_range(converted)
                return converted
        raise BadOption(
            f"option {self.name!r} is {value!r}; expected {self.expected}{self._near(value)}"
        )

    @property
    def expected(self) -> str:
        """What values are allowed, in words."""
        kinds = get_args(self.kind) if _is_union(self.kind) else (self.kind,)
        words = " or ".join(_in_words(kind) for kind in kinds)
        if self.least is not None and self.most is not None:
            return f"{words} from {self.least:g} to {self.most:g}"
        if self.least is not None:
            return f"{words} of at least {self.least:g}"
        return words if self.most is None else f"{words} of at most {self.most:g}"

    def _check_range(self, value: Any) -> None:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return
        if (self.least is not None and value < self.least) or (
            self.most is not None and value > self.most
        ):
            raise BadOption(f"option {self.name!r} is {value!r}; expected {self.expected}")

    def _near(self, value: Any) -> str:
        if get_origin(self.kind) is not Literal or not isinstance(value, str):
            return ""
        tail = suggestion(value, [str(choice) for choice in get_args(self.kind)])
        return tail if "did you mean" in tail else ""


@dataclass(frozen=True)
class _Declared:
    default: Any
    help: str
    least: float | None
    most: float | None


def option(
    default: Any, help: str = "", *, least: float | None = None, most: float | None = None
) -> Any:
    """Declare an option with its default, its meaning and, for numbers, its range."""
    return _Declared(default, help, least, most)


def collect_options(cls: type) -> dict[str, Option]:
    """The options of a class: those of its bases, perhaps with new defaults, and its own.

    Declarations become plain attributes, so that an engine reads `self.depth`.
    """
    options: dict[str, Option] = {}
    for base in reversed(cls.__mro__[1:]):
        options.update(base.__dict__.get("options", {}))
    for name in options.keys() & cls.__dict__.keys():
        given = cls.__dict__[name]
        changes = vars(given) if isinstance(given, _Declared) else {"default": given}
        options[name] = replace(options[name], **changes)
        setattr(cls, name, options[name].default)
    hints = get_type_hints(cls)
    for name in get_annotations(cls):
        if name.startswith("_") or get_origin(hints[name]) is ClassVar or name not in cls.__dict__:
            continue
        declared = cls.__dict__[name]
        if not isinstance(declared, _Declared):
            declared = _Declared(declared, "", None, None)
        options[name] = Option(name, hints[name], **vars(declared))
        setattr(cls, name, declared.default)
    return options


def check_options(options: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The given values in their types; the first wrong name or value raises `BadOption`."""
    for name in given:
        if name not in options:
            raise BadOption(f"unknown option {name!r}{suggestion(name, options)}")
    return {name: options[name].check(value) for name, value in given.items()}


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, types.UnionType)


def _convert(kind: Any, value: Any) -> tuple[bool, Any]:
    """Whether the value is of this kind, and the value in it; text from a command line is read."""
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
