"""Options of UCI programs: how they are announced and set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from arena.bots.uci_words import read_count
from arena.errors import BadOption, suggestion
from arena.text import printable

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
        if not self._accepts(value):
            expected = self._expected()
            raise BadOption(f"{self.name!r} is {printable(value)!r}; expected {expected}")
        return f"setoption name {self.name}" + (f" value {value}" if value else "")

    def _accepts(self, value: str) -> bool:
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
        words = {"check": "true or false", "button": "no value, as it is a button"}
        return words.get(self.kind, f"one of {', '.join(self.choices)}")


class Settings(str):
    """Options of a program and their values: "Skill Level=3, Hash=16", or a mapping in a file."""

    __slots__ = ()
    in_words: ClassVar[str] = 'options of the program, as in "Skill Level=3, Hash=16"'

    @classmethod
    def from_option(cls, value: Any) -> Settings:
        """Settings from text or from a mapping."""
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
    """The lines that set these options; BadOption if the program has not announced one."""
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
