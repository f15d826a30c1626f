"""The question that a tournament is played for: are some of its engines better than others?

It decides no game. The report answers it before anything else: see `standings/question.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from arena.errors import suggestion
from arena.tournament.mistakes import Located
from arena.tournament.values import Names, Part, Text, in_words, objection

ASK = Text("a question that ends with ?", 200)
NAMES = Names()


def _check_mark(ask: str) -> str:
    if not ask.endswith("?"):
        raise objection(f"found no question mark at the end; expected {ASK.expected}")
    return ask


class Question(Part):
    """What the tournament is played to find out: are some engines better than others?"""

    model_config = in_words('a mapping such as {ask: "Is A stronger?", better: A, than: [B, C]}')

    ask: Annotated[str, ASK, AfterValidator(_check_mark)] = Field(
        description="The question. The answer is yes, no, or not decided.",
        examples=["Would you play better using it?"],
        json_schema_extra={"missing": 'the question itself, as in ask: "Is A stronger?"'},
    )
    better: Annotated[tuple[str, ...], NAMES] = Field(
        description="Players that may be better; the best is compared with the best of than.",
        json_schema_extra={"missing": NAMES.expected},
    )
    than: Annotated[tuple[str, ...], NAMES] = Field(
        default=(), description="Those to compare with; by default all the others."
    )

    @property
    def pairs(self) -> int:
        """In how many ways one of each side can be held against each other."""
        return len(self.better) * len(self.than)

    def resolve_names(self, players: Sequence[str]) -> Question:
        """The question about these players, with everybody on a side by name."""
        others = tuple(name for name in players if name not in self.better)
        return self.model_copy(update={"than": self.than or others})

    def check_names(self, players: Sequence[str]) -> Iterator[Located]:
        """What is wrong with it for these players."""
        sides: dict[str, str] = {}  # of the names so far
        for side in ("better", "than"):
            for number, name in enumerate(getattr(self, side)):
                if name not in players:
                    sentence = f"no player is called {name!r}{suggestion(name, players)}"
                    yield Located((side, number), sentence)
                elif name in sides:
                    twice = "there twice" if sides[name] == side else f"in {sides[name]} too"
                    sentence = f"{name!r} is {twice}; expected each player on one side, once"
                    yield Located((side, number), sentence)
                sides[name] = side
        if not self.than and sides.keys() >= set(players):
            sentence = "found every player; expected at least one other to compare with"
            yield Located(("better",), sentence)

    @classmethod
    def read(cls, data: Any, players: Sequence[str]) -> Question | None:
        """The question of a journal; None without one, or if it is not about these players."""
        try:
            question = cls.model_validate(data)
        except ValidationError:
            return None
        is_about_them = question.than and not any(question.check_names(players))
        return question if is_about_them else None
