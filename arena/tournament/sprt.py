"""The sequential test between two engines that may end a tournament."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from typing import Annotated, Literal

from pydantic import Field, model_validator

from arena.errors import suggestion
from arena.tournament.mistakes import excerpt
from arena.tournament.validation import refuse_at
from arena.tournament.values import Names, Part, Real, in_words, invalid

Model = Literal["logistic", "normalized"]

# Beyond these the likeliest distribution cannot be computed for all results. Normalized Elo counts
# standard deviations of a game: 200 is more than half of one.
MAX_ELO: dict[Model, int] = {"logistic": 1000, "normalized": 200}
MIN_RISK = 1e-12
MIN_DISTANCE = 0.01  # Elo from elo0 to elo1; nearer, their difference is lost in rounding

Elo = Annotated[float, Real(-MAX_ELO["logistic"], MAX_ELO["logistic"])]
Risk = Annotated[float, Real(MIN_RISK, 1, is_open=True)]


class Sprt(Part):
    """A sequential test: is the first engine elo1 better than the second, or only elo0?"""

    model_config = in_words("a mapping such as {elo0: 0, elo1: 20}")

    elo0: Elo = Field(
        description="Elo to reject.",
        examples=[0],
    )
    elo1: Elo = Field(
        description="Elo to accept.",
        examples=[20],
    )
    alpha: Risk = Field(default=0.05, description="Risk of accepting elo1 if elo0 is true.")
    beta: Risk = Field(default=0.05, description="Risk of accepting elo0 if elo1 is true.")
    model: Model = Field(default="logistic", description="Scale of elo0 and elo1.")
    engines: Names | None = Field(
        default=None,
        description="The names of both; optional if there are only two players.",
    )

    @model_validator(mode="after")
    def _can_decide(self) -> Sprt:
        if reason := out_of_bounds(self.elo0, self.elo1, self.model):
            raise invalid(reason)
        if self.alpha + self.beta >= 1:
            raise invalid(f"alpha + beta is {self.alpha + self.beta:g}; expected less than 1")
        return self

    def for_players(
        self, names: Sequence[str], never_meet: Callable[[str, str], str | None]
    ) -> Sprt:
        """The test of two players by name, who have to meet."""
        at, pair = ("stop", "sprt", "engines"), tuple(self.engines or names)
        if self.engines is None and len(names) != 2:
            sentence = f"is missing; with {len(names)} players, expected the names of two"
            refuse_at(at, sentence, is_key=True)
        if len(pair) != 2 or pair[0] == pair[1]:
            refuse_at(at, f"found {excerpt(', '.join(pair))}; expected two different names")
        for number, name in enumerate(pair):
            if name not in names:
                sentence = f"no player is called {name!r}{suggestion(name, names)}"
                refuse_at((*at, number), sentence)
        if why := never_meet(*pair):
            refuse_at(at, f"{pair[0]} and {pair[1]} never meet; {why}")
        return self.model_copy(update={"engines": pair})

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test stops: below the lower elo0 holds, above the upper elo1 (Wald 1945)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


def out_of_bounds(elo0: float, elo1: float, model: Model) -> str | None:
    """Why no test can be computed for these hypotheses, if that is so."""
    if not elo1 - elo0 >= MIN_DISTANCE:
        return (
            f"elo0 is {elo0:g} and elo1 {elo1:g}; expected elo1 at least {MIN_DISTANCE} above elo0"
        )
    most = MAX_ELO[model]
    for name, elo in (("elo0", elo0), ("elo1", elo1)):
        if not -most <= elo <= most:
            return (
                f"{name} is {elo:g}; expected a number from {-most} to {most} for the {model} model"
            )
    return None
