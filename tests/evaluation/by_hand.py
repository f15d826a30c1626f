"""The evaluations whose weights were written by hand: they serve every board."""

from __future__ import annotations

from arena.evaluation import EVALUATIONS

BY_HAND = sorted(name for name, weights in EVALUATIONS.items() if weights.network is None)
