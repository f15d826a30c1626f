"""What every engine from outside has in common: its kind, its target, and what it can be told."""

from __future__ import annotations

from typing import Any, ClassVar

from arena.bots.engine import Terms
from arena.engine.contract import Engine, Limits
from arena.errors import BadRules
from arena.game.rules import Rules

WORDS = ("depth", "nodes", "playouts", "seconds", "clock", "cpu")  # limits that have a name
KEPT_BY_REFEREE = frozenset({"seconds", "clock", "cpu"})  # also of an engine that hears nothing

DEAF = "they are told no limits; expected seconds, clock or cpu, which the referee keeps"


class Adapter(Engine):
    """An engine that is named KIND:TARGET, as in kaggle:submission.py."""

    kind: ClassVar[str] = ""
    in_host: ClassVar[bool] = True  # Python code, run in a host; False: it holds a process itself
    places: ClassVar[frozenset[str]] = frozenset()  # options that name a file or a folder
    hears: ClassVar[frozenset[str]] = frozenset()  # the limits that its dialect has a word for
    begins_anywhere: ClassVar[bool] = True  # False: it is told single moves, from the first on
    target: str  # a file, a name, a command line or an address: what stands after the kind
    terms: Terms  # of one that runs elsewhere and not in a host

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(**options)
        self.target = target

    @property
    def name(self) -> str:
        """The engine as its user names it."""
        return f"{self.kind}:{self.target}"

    def heard(self) -> frozenset[str]:
        """The limits that this engine can be told: all that its dialect has a word for."""
        return self.hears

    def check_target(self) -> None:  # programs are greeted when they start
        """See whether the target can be played at all, where that can be seen beforehand."""

    def check_limits(self, limits: Limits) -> str | None:
        """Why these limits cannot be played with, in one sentence; None if they can.

        It is enough that one of them binds the engine: a limit of time does so always, as the
        referee keeps it, and any other does if the dialect has a word for it.
        """
        named = [word for word in WORDS if getattr(limits, word) is not None]
        if not named or (self.heard() | KEPT_BY_REFEREE).intersection(named):
            return None
        words = [word for word in WORDS if word in self.heard()]
        instead = f"they can be told {', '.join(words)}" if words else DEAF
        return f"{self.kind} engines have no word for {' and '.join(named)}; {instead}"

    def check_opening(self, plies: int) -> str | None:
        """Why a game cannot begin after so many plies, in one sentence; None if it can."""
        if self.begins_anywhere or not plies:
            return None
        words = "are told single moves, so that their games begin with an empty board"
        return f"{self.kind} engines {words}, not after {plies} plies"

    def check_rules(self, rules: Rules) -> None:
        """Refuse a board that the dialect cannot express; here, one in space."""
        if not rules.is_flat:
            raise BadRules(f"{self.kind} engines play on flat boards, not on {rules.size}")
