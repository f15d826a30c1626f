"""The key `question` of a tournament file: what is asked, and which players it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from arena.errors import suggestion
from arena.tournament.mistakes import Trail
from arena.tournament.question import Question
from arena.tournament.values import Name, Part, Several, Text, in_words, objection

LONGEST_QUESTION = 200
ASK = Text("a question that ends with ?", LONGEST_QUESTION)
NAMES = "the name of an engine of this file"

Wrong = tuple[Trail, str]  # where a mistake stands, and the sentence about it


def _check_mark(ask: str) -> str:
    if not ask.endswith("?"):
        raise objection(f"found no question mark at the end; expected {ASK.expected}")
    return ask


class QuestionEntry(Part):
    """What the tournament is played to find out: are some engines better than others?"""

    model_config = in_words('a mapping such as {ask: "Is A stronger?", better: A, than: [B, C]}')

    ask: Annotated[str, ASK, AfterValidator(_check_mark)] = Field(
        description="The question. The answer is yes, no, or not decided.",
        examples=["Would you play better using it?"],
        json_schema_extra={"missing": 'the question itself, as in ask: "Is A stronger?"'},
    )
    better: Several[Name] = Field(
        description="Players that may be better; the best is compared with the best of than.",
        json_schema_extra={"expected": NAMES, "missing": NAMES},
    )
    than: Several[Name] | None = Field(
        default=None,
        description="Those to compare with; by default all the others.",
        json_schema_extra={"expected": NAMES},
    )

    def about(self, players: Sequence[str]) -> Question:
        """The question about these players, with everybody on a side by name."""
        better = _several(self.better)
        others = [name for name in players if name not in better]
        than = others if self.than is None else _several(self.than)
        return Question(self.ask, tuple(better), tuple(than))

    def misfits(self, players: Sequence[str]) -> Iterator[Wrong]:
        """What is wrong with it for these players, and where."""
        sides: dict[str, str] = {}  # of the names so far
        for trail, name in self._named():
            side = str(trail[1])
            if name not in players:
                yield trail, f"no player is called {name!r}{suggestion(name, players)}"
            elif name in sides:
                twice = "there twice" if sides[name] == side else f"in {sides[name]} too"
                yield trail, f"{name!r} is {twice}; expected each player on one side, once"
            sides[name] = side
        if self.than is None and sides.keys() >= set(players):
            sentence = "found every player; expected at least one other to compare with"
            yield ("question", "better"), sentence

    def _named(self) -> Iterator[tuple[Trail, str]]:
        """Every name with its place in the file."""
        for side, names in (("better", self.better), ("than", self.than or [])):
            if isinstance(names, str):
                yield ("question", side), names
            else:
                yield from ((("question", side, at), name) for at, name in enumerate(names))


def _several(names: str | list[str]) -> list[str]:
    return [names] if isinstance(names, str) else names
