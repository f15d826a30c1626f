"""Eight frames of the dashboard, without colours."""

from __future__ import annotations

import pytest

from tests.support.frames import frame
from tests.support.golden import FOLDER, Golden

pytestmark = pytest.mark.contract

FRAMES = (
    "running 80x24",  # with an ETA, and an engine that crashed
    "running 80x24 ascii",
    "running 40x10",
    "running 200x60",
    "sprt 80x24",
    "space 120x40",
    "many 80x24 scrolled",
    "far 160x50",  # a cluster
)


@pytest.mark.parametrize("case", FRAMES)
def test_a_frame_looks_as_recorded(case: str, golden: Golden) -> None:
    golden(f"frames/{case.replace(' ', '-')}.txt", frame(case))


def test_every_recorded_frame_is_compared() -> None:
    names = {f"{case.replace(' ', '-')}.txt" for case in FRAMES}
    assert {path.name for path in (FOLDER / "frames").iterdir()} == names
