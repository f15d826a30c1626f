"""The training file as a JSON Schema (draft 7): which keys there are depends on the method."""

from __future__ import annotations

from typing import Any

from arena.learning.spec import FILES, SELF, TrainingFile
from arena.tournament.schema import DRAFT, draft_7

TITLE = "Connect Arena training"
DEFAULTS = {"game": "connect4", "opponent": SELF, "save": "60s"}  # as people write them


def training_schema(engines: list[str]) -> dict[str, Any]:
    """The schema, with these names of engines as examples: any plugin or file may be one too."""
    common, _ = draft_7(TrainingFile)
    definitions: dict[str, Any] = {}
    choices = []
    for method, model in FILES.items():
        schema, parts = draft_7(model)
        parts["Engine"]["properties"]["engine"]["examples"] = engines
        for name, default in DEFAULTS.items():
            schema["properties"][name]["default"] = default
        definitions |= {**parts, method: {**schema, "title": f"Training by {method}"}}
        is_it = {"properties": {"method": {"const": method}}, "required": ["method"]}
        choices.append({"if": is_it, "then": {"$ref": f"#/definitions/{method}"}})
    method_key = {**common["properties"]["method"], "enum": list(FILES)}
    return {
        "$schema": DRAFT,
        "title": TITLE,
        "description": common["description"],
        "type": "object",
        "properties": {"method": method_key},
        "required": ["method"],
        "allOf": choices,
        "definitions": definitions,
    }
