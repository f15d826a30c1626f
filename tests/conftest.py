"""What all tests share: one hypothesis profile, so that every run tries the same examples.

Reports judge no moves unless a test asks for it, as that takes as long as it may.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "same-every-run",
    derandomize=True,
    deadline=None,  # the first example may compile a kernel
    database=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("same-every-run")
os.environ.setdefault("ARENA_ACCURACY", "0")
