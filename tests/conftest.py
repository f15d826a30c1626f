"""What all tests share: one hypothesis profile, so that every run tries the same examples."""

from __future__ import annotations

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
