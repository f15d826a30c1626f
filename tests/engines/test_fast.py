"""`fast` is the engine that authors copy: short, printed in the guide, valid on every board."""

from __future__ import annotations

import pytest

from arena.table.check import BOARDS, check_engine, plan_for
from tests.support.golden import TOP
from tests.support.pages import DOCS, Page

SOURCE = (TOP / "engines" / "fast.py").read_text(encoding="utf-8")


def test_the_guide_prints_it_as_its_last_step() -> None:
    steps = [
        block for block in Page(DOCS / "writing-an-engine.md").blocks("python") if "class " in block
    ]
    assert steps[-1].partition("\n")[2].strip() == SOURCE.partition("\n")[2].strip()
    assert len(SOURCE.splitlines()) <= 80


def test_it_passes_the_check() -> None:
    findings = check_engine("fast")
    assert [each for each in findings if each.failed] == []
    assert sum(each.title.startswith("plays on ") for each in findings) == len(BOARDS)


@pytest.mark.parametrize("board", ["8x8", "9x7+pie", "2x3x5c3", "12x5c5"])
def test_it_plays_on_other_boards(board: str) -> None:
    findings = check_engine("fast", plan=plan_for("fast", board, quick=True))
    assert [each for each in findings if each.failed] == []
