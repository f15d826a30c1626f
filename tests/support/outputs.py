"""Outputs without what depends on the machine: rounded numbers, outlines, key trees."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any

import typer

from arena.cli.app import app

DIGITS = 6
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
COMMENT = re.compile(r"<!-- (.*?) -->")
PROGRESS = re.compile(r"^(?:loading|compiling|\S.*(?: \.\.\.|, ETA [\d:]+)$).*\n", re.MULTILINE)
COLOUR = re.compile(r"#[0-9a-f]{6}\b")
OUTLINE = ("title", "h1", "h2", "h3", "h4", "summary", "caption", "button", "label")


def rounded_text(text: str) -> str:
    """Text whose decimal numbers have six digits, as the last ones differ between processors."""
    return NUMBER.sub(lambda match: f"{float(match.group()):.{DIGITS}g}", text)


def rounded(data: Any) -> Any:
    """JSON data whose floats have six digits."""
    if isinstance(data, float):
        return float(f"{data:.{DIGITS}g}")
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items()}
    return [rounded(each) for each in data] if isinstance(data, list) else data


def as_json(data: Any) -> str:
    return json.dumps(rounded(data), indent=1, ensure_ascii=False) + "\n"


def plot_text(svg: str) -> str:
    """The words and colours of a plot; matplotlib writes each text as a comment."""
    colours = sorted(set(COLOUR.findall(svg)))
    return "\n".join([*COMMENT.findall(svg), " ".join(colours), ""])


class _Outline(HTMLParser):
    """Collects headings, table heads, forms and embedded parts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._tag = ""
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "button" and self._tag == "th":
            return
        if tag in OUTLINE or tag == "th":
            self._tag, self._text = tag, []
        elif tag == "meta":
            self.lines.append(" ".join(["meta", *(f"{key}={given[key]}" for key in sorted(given))]))
        elif tag == "table" or "id" in given:
            self.lines.append(f"{tag} #{given['id']}" if "id" in given else tag)

    def handle_data(self, data: str) -> None:
        self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag != self._tag:
            return
        words = " ".join("".join(self._text).split())
        if tag == "th" and self.lines[-1].startswith("  th "):
            self.lines[-1] += f" | {words}"
        else:
            self.lines.append(f"  th {words}" if tag == "th" else f"{tag} {words}")
        self._tag = ""


def page_outline(html: str) -> str:
    """The headings and table heads of a page."""
    parser = _Outline()
    parser.feed(html)
    return "\n".join(parser.lines) + "\n"


def shape(data: Any, name: str = "") -> Iterator[str]:
    """The keys of JSON data with the types of their values, one a line; lists as one element."""
    for path, kinds in sorted(_kinds(data, name).items()):
        yield f"  {path}: {' | '.join(sorted(kinds))}"


def _kinds(data: Any, path: str) -> dict[str, set[str]]:
    if isinstance(data, Mapping):
        children = [(f"{path}.{key}" if path else str(key), value) for key, value in data.items()]
    elif isinstance(data, list):
        children = [(f"{path}[]", value) for value in data]
    else:
        return {path: {_kind(data)}}
    kinds: dict[str, set[str]] = {} if children else {path: {"empty"}}
    for name, value in children:
        for key, found in _kinds(value, name).items():
            kinds.setdefault(key, set()).update(found)
    return kinds


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "boolean", int: "number", float: "number", str: "string"}
    return names[type(value)]


def command_names(option: str = "--help") -> Iterator[tuple[str, ...]]:
    """Every command and subcommand that has an option, as the words after `arena`."""

    def walk(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if option == "--help" or any(option in param.opts for param in command.params):
            yield words
        for name in getattr(command, "commands", ()):
            yield from walk(command.commands[name], (*words, name))

    yield from walk(typer.main.get_command(app), ())


def without_progress(text: str) -> str:
    """What a command said but for lines of progress, which a slow machine shows."""
    return PROGRESS.sub("", text)
