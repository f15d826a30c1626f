"""Chance that is repeatable, also in bots that draw from generators which others use as well."""

from __future__ import annotations

import random
import sys


def seed_shared_chance(seed: int) -> None:
    """Make bots repeatable that draw from generators which others use as well."""
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed & 0xFFFFFFFF)
