"""The sequential test between two engines that may end a tournament: what it asks, its risks."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any, Literal

from arena.tournament.formats.format import setting

Model = Literal["logistic", "normalized"]

_ELO: dict[str, Any] = {"strict": True, "gt": -10_000, "lt": 10_000}
_RISK: dict[str, Any] = {"strict": True, "gt": 1e-12, "lt": 1, "default": 0.05}


@dataclass(frozen=True)
class Sprt:
    """The two hypotheses and the errors allowed: is an engine elo1 better than another, or elo0?"""

    elo0: float = setting("Elo to reject.", 0, missing="the Elo to reject, often 0", **_ELO)
    elo1: float = setting("Elo to accept.", 20, missing="the Elo to accept, above elo0", **_ELO)
    alpha: float = setting("Risk of accepting elo1 if elo0 is true.", **_RISK)
    beta: float = setting("Risk of accepting elo0 if elo1 is true.", **_RISK)
    model: Model = setting(  # noqa: RUF009 - it is a field
        "Scale of elo0 and elo1.", default="logistic"
    )

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test stops: below the lower elo0 holds, above the upper elo1 (Wald 1945)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)
