"""The tournament file as a JSON Schema (draft 7), for editors that complete and check YAML."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from arena.tournament.spec_settings import FORMATS
from arena.tournament.spec_sheet import Sheet

TITLE = "Connect Arena tournament"
DRAFT = "http://json-schema.org/draft-07/schema#"
NULL = {"type": "null"}
HIDDEN = ("discriminator",)  # of OpenAPI, unknown to JSON Schema
SHORT = {
    "game": "connect4",
    "format": "round-robin",
    "openings": "none",
}  # defaults as people write
MORE = {  # what the models check by themselves
    "Openings": {"minProperties": 1, "maxProperties": 1},
    **{FORMATS[kind].__name__: {"required": ["kind"]} for kind in FORMATS},
    "Swiss": {"required": ["kind", "rounds"]},
}


def json_schema(engines: list[str]) -> dict[str, Any]:
    """The schema, with these names of engines as examples: any plugin or file may be one too."""
    made = Sheet.model_json_schema(
        ref_template="#/definitions/{model}", schema_generator=_InTheModelsOrder
    )
    made["definitions"] = made.pop("$defs")
    schema: dict[str, Any] = _in_draft_7(made)
    parts, keys = schema["definitions"], schema["properties"]
    for name, more in MORE.items():
        parts[name].update(more)
    for name, short in SHORT.items():
        keys[name]["default"] = short
    keys["engines"]["minItems"] = 1
    keys["engines"]["items"]["anyOf"][0]["examples"] = engines
    parts["Engine"]["properties"]["engine"]["examples"] = engines
    parts["Sprt"]["properties"]["engines"].update(minItems=2, maxItems=2)
    return {"$schema": DRAFT, **schema, "title": TITLE}


class _InTheModelsOrder(GenerateJsonSchema):
    """Does not sort the keys: editors offer them in this order."""

    def sort(self, value: Any, parent_key: str | None = None) -> Any:
        """Leave the order alone."""
        return value


def _in_draft_7(value: Any, key: str = "") -> Any:
    """The same in the terms of draft 7 and in the words of a tournament file."""
    if isinstance(value, list):
        return [_in_draft_7(item) for item in value]
    if isinstance(value, str):
        return value.removesuffix("Sheet") if key in ("$ref", "title") else value
    if not isinstance(value, dict):
        return value
    made = {_plain(name): _in_draft_7(item, name) for name, item in value.items()}
    if key != "properties":
        made = _tidied(made)
        if key not in ("", "items") and "title" not in made and ("anyOf" in made or "$ref" in made):
            made["title"] = key.replace("_", " ").title()
    if isinstance(made.get("$ref"), str) and len(made) > 1:  # nothing may stand beside it
        return {"allOf": [{"$ref": made.pop("$ref")}], **made}
    return made


def _tidied(schema: dict[str, Any]) -> dict[str, Any]:
    """Without what the models need and a reader does not: that a key left out is None."""
    made = {name: item for name, item in schema.items() if name not in HIDDEN}
    default = made.get("default")
    if default is None or (isinstance(default, dict) and not any(default.values())):
        made.pop("default", None)
    choices = [choice for choice in made.get("anyOf", ()) if choice != NULL]
    if choices:
        made["anyOf"] = choices
    if len(choices) == 1:
        made = {**made.pop("anyOf")[0], **made}
    return made


def _plain(name: str) -> str:
    return name.removesuffix("Sheet")
