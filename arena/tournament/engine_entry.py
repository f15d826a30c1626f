"""An engine as it stands in a file: its name or kind, its options, its limits, where it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from arena.bots.names import KINDS
from arena.errors import suggestion
from arena.tournament.parts import LimitsEntry
from arena.tournament.values import Name, Part, Text, in_words, objection, optional

ENGINE = Text("the name of an engine, FILE.py:Class or {KIND: ..}")
Isolation = Literal["seat", "none"]
KIND_SCHEMA: Any = {  # an engine from outside
    "type": "object",
    "properties": {kind: {"type": "string"} for kind in KINDS},
    "additionalProperties": False,
    "minProperties": 1,
    "maxProperties": 1,
}


def _read_engine(value: Any) -> Any:
    """An engine from outside, written as {KIND: TARGET}, as the words KIND:TARGET."""
    if not isinstance(value, Mapping):
        return value
    if len(value) != 1:
        raise objection(f"found {len(value)} keys; expected one kind, as in {{kaggle: FILE.py}}")
    kind, target = next(iter(value.items()))
    if kind not in KINDS:
        raise objection(f"unknown kind of engine {str(kind)!r}{suggestion(str(kind), KINDS)}")
    if not isinstance(target, str) or not target.strip():
        example = f"{{{kind}: {KINDS[kind].example}}}"
        raise objection(f"expected a {KINDS[kind].target} after {kind}, as in {example}")
    return f"{kind}:{target.strip()}"


class EngineEntry(Part):
    """An engine, or several variants of one."""

    model_config = in_words(
        f"{ENGINE.expected}, or {{engine: NAME, options: {{..}}}}",
        {"type": "string", "examples": ["mcts", "my_bot.py"]},
    )

    engine: Annotated[str, ENGINE, BeforeValidator(_read_engine)] = Field(
        description="A name from `arena engines`; FILE.py or FILE.py:Class, relative to this "
        "file; a pattern such as students/*.py, which skips names that begin with _; or an "
        "external bot, as in {kaggle: submission.py}.",
        examples=["alphabeta", "my_bot.py:MyBot", "students/*.py", {"uci": "fairy-stockfish"}],
        json_schema_extra={"missing": ENGINE.expected, "short": KIND_SCHEMA},
    )
    name: Name | None = optional(
        "Display name; by default the engine and its options. For a pattern, a prefix of the "
        "names of its files."
    )
    options: dict[Any, Any] = Field(
        default_factory=dict,
        description="Options of the engine; a list makes one player per value.",
        examples=[{"depth": 4}, {"evaluation": ["rivest", "counts"]}],
        json_schema_extra={"expected": "a mapping such as {depth: 4}"},
    )
    limits: LimitsEntry | None = optional(
        "Its own limits, instead of the common ones; a list makes one player per value.",
        {"depth": 4},
        {"playouts": [100, 1000]},
    )
    isolation: Isolation | None = optional("Its own isolation, instead of the common one.", "none")

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """A name alone stands for an engine with its default options."""
        for kind in value if isinstance(value, Mapping) and "engine" not in value else ():
            if kind in KINDS:
                example = f"{{engine: {{{kind}: {KINDS[kind].example}}}}}"
                raise objection(f"{kind} stands inside of engine, as in {example}")
        return {"engine": value} if isinstance(value, str) else value
