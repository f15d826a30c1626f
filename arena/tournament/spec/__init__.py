"""A tournament as its file describes it: read, checked and complete.

    load("tournaments/quickstart.yaml") -> Tournament

From the text to the tournament: yaml (data with places), model (what may be written), validation
(each part for itself), players, checks (what the parts mean for each other). Every mistake of a
file is found in one go and told with its line.
"""

from arena.tournament.schedule import Player
from arena.tournament.spec.canonical import canonical, changes, fingerprint
from arena.tournament.spec.checks import load, load_text
from arena.tournament.spec.mistakes import BadSpec, Mistake
from arena.tournament.spec.model import Tournament

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
