"""A tournament as its file describes it: read, checked and complete.

    load("tournaments/quickstart.yaml") -> Tournament

From the text to the tournament: yaml (data with places), model (what may be written), validation
(each part for itself), players, tournament (what the parts mean for each other). Every mistake of a
file is found in one go and told with its line.
"""

from arena.tournament.spec.canonical import canonical, changes, fingerprint
from arena.tournament.spec.mistakes import BadSpec, Mistake
from arena.tournament.spec.players import Player
from arena.tournament.spec.tournament import Tournament, load, load_text

__all__ = [
    "BadSpec",
    "Mistake",
    "Player",
    "Tournament",
    "canonical",
    "changes",
    "fingerprint",
    "load",
    "load_text",
]
