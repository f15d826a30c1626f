"""What is expected at a place of a file, in words, read from the schema of its model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from arena.tournament.mistakes import Trail, near

Schema = Mapping[str, Any]  # of a JSON Schema

LARGE = 10**9  # a bound that only who exceeds it wants to read
FLAGS = {
    **dict.fromkeys(("yes", "on", "y", "true"), "true"),
    **dict.fromkeys(("no", "off", "n", "false"), "false"),
}


@dataclass(frozen=True)
class Expectations:
    """The schema of a model, asked by the places of a file that it describes.

    `foreign` are keys that this file cannot have though others of its kind can: a sentence each.
    """

    model: type[BaseModel]
    foreign: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def schema(self) -> Schema:
        """What pydantic says about the model."""
        return self.model.model_json_schema()

    def node(self, trail: Trail, data: Any) -> Schema:
        """What the schema says of a place in the file; nothing where no value is expected."""
        node = self.schema
        for step in trail:
            inside = [choice["items"] for choice in self._choices(node) if "items" in choice]
            if not isinstance(step, int):
                inside = [keys[step] for keys in self._properties(node, data) if step in keys]
            node = inside[0] if inside else {}
        return node

    def keys(self, trail: Trail, data: Any) -> list[str]:
        """The keys that may stand at a place."""
        return [key for keys in self._properties(self.node(trail, data), data) for key in keys]

    def word(self, name: str, node: Schema) -> str:
        """Words that the model has for a place."""
        return next((str(choice[name]) for choice in self._choices(node) if name in choice), "")

    def expected(self, node: Schema) -> str:
        """What is expected at a place: in the words of the model, or from its bounds."""
        if words := self.word("expected", node):
            return words
        for choice in self._choices(node):
            match choice.get("type"):
                case "integer" if choice["maximum"] > LARGE:
                    return f"a whole number of at least {choice['minimum']}"
                case "integer":
                    return f"a whole number from {choice['minimum']} to {choice['maximum']}"
                case "number" if "minimum" in choice:
                    return f"a number from {choice['minimum']:g} to {choice['maximum']:g}"
                case "number":
                    low, high = choice["exclusiveMinimum"], choice["exclusiveMaximum"]
                    return f"a number above {low:g} and below {high:g}"
                case "boolean":
                    return "true or false"
                case "string" if "enum" in choice:
                    return f"one of {', '.join(choice['enum'])}"
                case "string" if "const" in choice:
                    return str(choice["const"])
        return "a mapping"

    def hint(self, node: Schema, value: Any) -> str:
        """What was perhaps meant by a value of another type."""
        choices = list(self._choices(node))
        types = {choice["type"] for choice in choices if "type" in choice} - {"null"}
        words = [word for choice in choices for word in choice.get("enum", ())]
        words += [str(choice["const"]) for choice in choices if "const" in choice]
        if types == {"boolean"}:
            meant = FLAGS.get(str(value).lower())
            return f"; did you mean {meant}?" if meant else ""
        is_text = types == {"string"} and not words
        if is_text and isinstance(value, int | float) and not isinstance(value, bool):
            return "; put it in quotes"
        if not isinstance(value, str):
            return ""
        bare = value.strip().replace("_", "").replace(",", "")
        is_number = re.fullmatch(r"[-+]?[0-9]+(\.[0-9]+)?", bare) is not None
        if is_number and types & {"integer", "number"} and not self.word("expected", node):
            return f"; did you mean {bare}, without quotes or marks?"
        return near(value, words)

    def _choices(self, node: Schema) -> Iterator[Schema]:
        """A node of the schema and all that may stand for it."""
        yield node
        if "$ref" in node:
            yield from self._choices(self.schema["$defs"][node["$ref"].rpartition("/")[2]])
        for choice in (*node.get("anyOf", ()), *node.get("oneOf", ())):
            yield from self._choices(choice)

    def _properties(self, node: Schema, data: Any) -> Iterator[Schema]:
        """The keys that may stand in a mapping; those of a format if its kind is known."""
        for choice in self._choices(node):
            keys = choice.get("properties", {})
            if "kind" not in keys or keys["kind"]["const"] == value_at(data, ("format", "kind")):
                yield keys


def value_at(data: Any, trail: Trail) -> Any:
    """What stands at a place; what is around it where nothing does."""
    for step in trail:
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
    return data
