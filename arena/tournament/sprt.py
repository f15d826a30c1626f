"""The sequential test between two engines that may end a tournament: what it asks, its risks."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any, Literal

from arena.tournament.formats.format import setting

Model = Literal["logistic", "normalized"]

# Beyond these the likeliest distribution cannot be computed for all results. Normalized Elo counts
# standard deviations of a game: 200 is more than half of one.
MAX_ELO: dict[Model, int] = {"logistic": 1000, "normalized": 200}
MIN_DISTANCE = 0.01  # Elo from elo0 to elo1; nearer, their difference is lost in rounding

_ELO: dict[str, Any] = {"strict": True, "ge": -MAX_ELO["logistic"], "le": MAX_ELO["logistic"]}
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

    def out_of_bounds(self) -> str | None:
        """Why no test can be computed for these hypotheses, if that is so."""
        if self.elo1 - self.elo0 < MIN_DISTANCE:
            return (
                f"elo0 is {self.elo0:g} and elo1 {self.elo1:g}; "
                f"expected elo1 at least {MIN_DISTANCE} above elo0"
            )
        most = MAX_ELO[self.model]
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not -most <= elo <= most:
                return (
                    f"{name} is {elo:g}; expected a number from {-most} to {most} "
                    f"for the {self.model} model"
                )
        return None

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test stops: below the lower elo0 holds, above the upper elo1 (Wald 1945)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)
