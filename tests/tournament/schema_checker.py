"""A small JSON Schema checker: as much of draft 7 as the schema of tournaments uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

Schema = dict[str, Any]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": _is_number,
    "integer": lambda value: _is_number(value) and float(value).is_integer(),
}

TESTS: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "minimum": ("number", lambda value, bound: value >= bound),
    "maximum": ("number", lambda value, bound: value <= bound),
    "exclusiveMinimum": ("number", lambda value, bound: value > bound),
    "exclusiveMaximum": ("number", lambda value, bound: value < bound),
    "minLength": ("string", lambda value, bound: len(value) >= bound),
    "maxLength": ("string", lambda value, bound: len(value) <= bound),
    "pattern": ("string", lambda value, pattern: re.search(pattern, value) is not None),
    "minItems": ("array", lambda value, bound: len(value) >= bound),
    "maxItems": ("array", lambda value, bound: len(value) <= bound),
    "minProperties": ("object", lambda value, bound: len(value) >= bound),
    "maxProperties": ("object", lambda value, bound: len(value) <= bound),
    "required": ("object", lambda value, keys: set(keys) <= set(value)),
}

WORDS = {"$schema", "title", "description", "default", "examples", "definitions"}
RULES = {"$ref", "type", "enum", "const", "allOf", "anyOf", "oneOf", "properties", "items"}
KNOWN = {*WORDS, *RULES, *TESTS, "additionalProperties"}


def faults(value: Any, schema: Schema, root: Schema | None = None, at: str = "") -> list[str]:
    """All that does not fit."""
    return list(_faults(value, schema, root or schema, at))


def _faults(value: Any, schema: Schema, root: Schema, at: str) -> Iterator[str]:
    assert set(schema) <= KNOWN, f"unknown words: {set(schema) - KNOWN}"
    if "$ref" in schema:
        assert len(schema) == 1, "nothing may stand beside a $ref"
        part = schema["$ref"].removeprefix("#/definitions/")
        yield from _faults(value, root["definitions"][part], root, at)
    if "type" in schema and not TYPES[schema["type"]](value):
        yield f"{at}: not {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: not in {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{at}: not {schema['const']}"
    for word, (kind, test) in TESTS.items():
        if word in schema and TYPES[kind](value) and not test(value, schema[word]):
            yield f"{at}: {word} {schema[word]}"
    for part in schema.get("allOf", ()):
        yield from _faults(value, part, root, at)
    fits = [not faults(value, part, root, at) for part in schema.get("anyOf", ())]
    if fits and not any(fits):
        yield f"{at}: fits nothing of anyOf"
    fits = [not faults(value, part, root, at) for part in schema.get("oneOf", ())]
    if fits and sum(fits) != 1:
        yield f"{at}: fits {sum(fits)} of oneOf"
    if isinstance(value, dict):
        yield from _faults_in_object(value, schema, root, at)
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            yield from _faults(item, schema["items"], root, f"{at}[{number}]")


def _faults_in_object(value: Any, schema: Schema, root: Schema, at: str) -> Iterator[str]:
    known = schema.get("properties", {})
    for key, item in value.items():
        if key in known:
            yield from _faults(item, known[key], root, f"{at}.{key}")
        elif schema.get("additionalProperties") is False:
            yield f"{at}: unknown key {key}"
