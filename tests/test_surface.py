"""What can be imported from `arena` itself: all of it, and only when it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import arena
from arena.engine.contract import Engine
from arena.game import CONNECT4


def test_every_name_has_its_home() -> None:
    assert sorted(name for names in arena.HOMES.values() for name in names) == sorted(arena.__all__)
    assert all(getattr(arena, name) is not None for name in arena.__all__)
    assert set(arena.__all__) <= set(dir(arena))
    assert arena.Engine is Engine
    assert arena.CONNECT4 is CONNECT4


def test_other_names_are_refused_as_usual() -> None:
    with pytest.raises(AttributeError, match="module 'arena' has no attribute 'Enginee'"):
        arena.Enginee  # noqa: B018


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    script = "import sys, arena; print('arena.engine.contract' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "False\n"
