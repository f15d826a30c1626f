"""What decides the weights and the curve of a training: the same for two files that learn the same.

Left out are the name and the place, how often to save and to measure, what to keep, threads, and
for how many games to go on: a training may be made longer.
"""

from __future__ import annotations

import json
from typing import Any

from arena.game.notation import write_moves
from arena.learning.spec import Training
from arena.tournament.identity import digest_of, player_settings
from arena.tournament.players import weights_of

FREE = {"name", "output", "save", "keep", "workers", "games", "precision"}
BUILT = {"game", "opponent", "features", "records", "measure"}  # told by what they come to


def canonical(training: Training[Any]) -> dict[str, Any]:
    """Everything that decides what is learned and how it is measured, as JSON would hold it."""
    settings, folder = training.settings, training.path.parent
    measure, opponent, features = settings.measure, training.opponent, training.features
    parts = {
        "game": training.rules.name,
        **settings.model_dump(mode="json", by_alias=True, exclude=FREE | BUILT),
        "opponent": None if opponent is None else player_settings(opponent, folder),
        "features": None if features is None else weights_of(features),
        "records": [write_moves(end.moves, training.rules) for end in training.records],
        "measure": {
            **measure.model_dump(mode="json", exclude={"every", "against"}),
            "against": [player_settings(player, folder) for player in training.against],
        },
    }
    read_back: dict[str, Any] = json.loads(json.dumps(parts, default=str))
    return read_back


def fingerprint(training: Training[Any]) -> str:
    """The SHA-256 of all that decides a training."""
    return digest_of(canonical(training))
