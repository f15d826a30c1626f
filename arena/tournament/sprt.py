"""The sequential test between two engines that may end a tournament: what it asks, its risks."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log
from typing import Any, Literal

Model = Literal["logistic", "normalized"]

_ELO: dict[str, Any] = {"strict": True, "gt": -10_000, "lt": 10_000}
_RISK: dict[str, Any] = {"strict": True, "gt": 1e-12, "lt": 1}


@dataclass(frozen=True)
class Sprt:
    """The two hypotheses and the errors allowed: is an engine elo1 better than another, or elo0?

    As with formats, the metadata of the fields are read by pydantic.
    """

    elo0: float = field(
        metadata={
            **_ELO,
            "description": "Elo to reject.",
            "examples": [0],
            "json_schema_extra": {"missing": "the Elo to reject, often 0"},
        }
    )
    elo1: float = field(
        metadata={
            **_ELO,
            "description": "Elo to accept.",
            "examples": [20],
            "json_schema_extra": {"missing": "the Elo to accept, above elo0"},
        }
    )
    alpha: float = field(
        default=0.05,
        metadata={**_RISK, "description": "The risk of accepting elo1 when elo0 is true."},
    )
    beta: float = field(
        default=0.05,
        metadata={**_RISK, "description": "The risk of accepting elo0 when elo1 is true."},
    )
    model: Model = field(
        default="logistic", metadata={"description": "What elo0 and elo1 are measured in."}
    )

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test stops: below the lower elo0 holds, above the upper elo1 (Wald 1945)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)
