"""Seeds from seeds: the same game on every machine, in every order."""

from __future__ import annotations

from hashlib import sha256


def derive_seed(*parts: int | str) -> int:
    """A seed of 63 bits that depends on these parts and on nothing else."""
    digest = sha256("/".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
