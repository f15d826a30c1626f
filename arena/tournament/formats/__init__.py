"""Who meets whom, one small class a format: RoundRobin, Gauntlet, Pyramid, Swiss, Knockout."""

from arena.tournament.formats.format import (
    Field,
    Format,
    GameResult,
    Pairing,
    Ranking,
    Scored,
    StaticFormat,
)
from arena.tournament.formats.gauntlet import Gauntlet
from arena.tournament.formats.knockout import Knockout, Match, stage_name
from arena.tournament.formats.pyramid import Pyramid
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.formats.swiss import Swiss

__all__ = [
    "Field",
    "Format",
    "GameResult",
    "Gauntlet",
    "Knockout",
    "Match",
    "Pairing",
    "Pyramid",
    "Ranking",
    "RoundRobin",
    "Scored",
    "StaticFormat",
    "Swiss",
    "stage_name",
]
