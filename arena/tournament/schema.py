"""The tournament file as a JSON Schema (draft 7), for editors that complete and check YAML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from arena.tournament.formats import FORMATS
from arena.tournament.spec import Tournament

TITLE = "Connect Arena tournament"
DRAFT = "http://json-schema.org/draft-07/schema#"
ANNOTATIONS = ("title", "description", "default", "examples")  # which hold for short forms too
NULL = {"type": "null"}
HIDDEN = ("discriminator", "expected", "at_most", "missing", "short")  # not for editors
FIRST = ("name", "game", "format", "games", "rounds", "openings", "limits", "engines", "question")
DEFAULTS = {"format": "round-robin", "openings": "none"}  # as people write

Shorts = Mapping[str, Any]  # a word or number that stands for a whole part, by the part's name


def json_schema(engines: list[str]) -> dict[str, Any]:
    """The schema, with these names of engines as examples: any plugin or file may be one too."""
    schema, parts = draft_7(Tournament)
    for part in (parts[format_.__name__] for format_ in FORMATS.values()):
        part["required"] = ["kind", *part.get("required", ())]
    parts["Engine"]["properties"]["engine"]["examples"] = engines
    parts["Openings"].update(minProperties=1, maxProperties=1)
    parts["Sprt"]["properties"]["engines"].update(minItems=2, maxItems=2)
    rank = {name: number for number, name in enumerate(FIRST)}
    names = sorted(schema["properties"], key=lambda name: rank.get(name, len(rank)))
    keys = schema["properties"] = {name: schema["properties"][name] for name in names}
    for name, default in DEFAULTS.items():
        keys[name]["default"] = default
    keys["engines"]["minItems"] = 1
    keys["engines"]["items"]["anyOf"][0]["examples"] = engines
    return {"$schema": DRAFT, **schema, "title": TITLE, "definitions": parts}


def draft_7(model: type[BaseModel]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of a model in the terms of draft 7, and those of its parts by name."""
    written = model.model_json_schema(schema_generator=_InTheModelsOrder)
    definitions = written.pop("$defs")
    shorts = {name: part.pop("short", None) for name, part in definitions.items()}
    parts = {_plain(name): _in_draft_7(part, shorts) for name, part in definitions.items()}
    return _in_draft_7(written, shorts), parts


class _InTheModelsOrder(GenerateJsonSchema):
    """Does not sort the keys: editors offer them in this order."""

    def sort(self, value: Any, parent_key: str | None = None) -> Any:
        """Leave the order alone."""
        return value


def _in_draft_7(value: Any, shorts: Shorts, key: str = "") -> Any:
    """The same in the terms of draft 7 and in the words of a tournament file."""
    if isinstance(value, list):
        return [_in_draft_7(item, shorts) for item in value]
    if isinstance(value, str):
        return _plain(value.replace("$defs", "definitions")) if key in ("$ref", "title") else value
    if not isinstance(value, dict):
        return value
    short = value.get("short") or shorts.get(value.get("$ref", "").rpartition("/")[2])
    node = {name: _in_draft_7(item, shorts, name) for name, item in value.items()}
    if key == "properties":
        return node
    node = _tidied(node)
    if key not in ("", "items") and "title" not in node and ("anyOf" in node or "$ref" in node):
        node["title"] = key.replace("_", " ").title()
    full: dict[str, Any] = {name: node.pop(name) for name in ("$ref", "oneOf") if name in node}
    if short:
        full |= {name: node.pop(name) for name in [*node] if name not in ANNOTATIONS}
        return {"anyOf": [short, full], **node}
    if "$ref" in full and node:  # nothing may stand beside it
        return {"allOf": [full], **node}
    return {**full, **node}


def _tidied(schema: dict[str, Any]) -> dict[str, Any]:
    """Without what the models need and a reader does not: that a key left out is None."""
    node = {name: item for name, item in schema.items() if name not in HIDDEN}
    default = node.get("default")
    if default is None or (isinstance(default, dict) and not any(default.values())):
        node.pop("default", None)
    if "oneOf" in node and "discriminator" not in schema:
        node["anyOf"] = [one for each in node.pop("oneOf") for one in each.get("anyOf", [each])]
    choices = [choice for choice in node.get("anyOf", ()) if choice != NULL]
    if choices:
        node["anyOf"] = choices
    if len(choices) == 1:
        node = {**node.pop("anyOf")[0], **node}
    if "description" in node and isinstance(node["description"], str):
        node["description"] = node["description"].partition("\n\n")[0]
    return node


def _plain(name: str) -> str:
    return name.removesuffix("Entry")
