"""Who meets whom: `AnyFormat` lists them all.

A new format is a class in a file of its own and one more name in that list.
"""

from typing import get_args

from arena.tournament.formats.format import Field, Format, Pairing, Ranking, Scored
from arena.tournament.formats.knockout import Knockout
from arena.tournament.formats.static import Gauntlet, Pairs, Pyramid, RoundRobin, StaticFormat
from arena.tournament.formats.swiss import Swiss

AnyFormat = RoundRobin | Gauntlet | Swiss | Knockout | Pyramid | Pairs
FORMATS: dict[str, type[Format]] = {
    one.model_fields["kind"].default: one for one in get_args(AnyFormat)
}

__all__ = [
    "FORMATS",
    "AnyFormat",
    "Field",
    "Format",
    "Gauntlet",
    "Knockout",
    "Pairing",
    "Pairs",
    "Pyramid",
    "Ranking",
    "RoundRobin",
    "Scored",
    "StaticFormat",
    "Swiss",
]
