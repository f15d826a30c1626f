"""What can be imported from `arena` itself: all of it, and only when it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import arena
from arena.engine.contract import Engine
from arena.game import CONNECT4


def test_every_name_has_its_home() -> None:
    assert sorted(name for names in arena.LAZY.values() for name in names) == sorted(arena.__all__)
    assert all(getattr(arena, name) is not None for name in arena.__all__)
    assert set(arena.__all__) <= set(dir(arena))
    assert arena.Engine is Engine
    assert arena.CONNECT4 is CONNECT4


def test_the_surface_is_pinned() -> None:
    assert arena.__all__ == [
        "CONNECT4", "SCORE4", "STEAL", "ArenaError", "Choice", "Engine", "Game", "Limits",
        "PlayedGame", "Position", "Results", "Rules", "Tournament", "analyse", "check",
        "explain", "kaggle_agent", "match", "open_journal", "openspiel_bot", "option", "play",
        "rate", "register", "run", "solve",
    ]  # fmt: skip
    assert all(getattr(arena, name).__doc__ for name in arena.__all__)


def test_positions_and_rules_have_the_documented_members() -> None:
    """The names that arena/docs/writing-an-engine.md promises to authors."""
    members = {
        arena.Position: (
            "can_steal", "choices", "disc", "is_draw", "is_over", "legal", "mirrored", "moves",
            "notation", "opponent", "own", "owner", "parse", "play", "ply", "rules", "to_move",
            "winner", "wins_with",
        ),
        arena.Rules: ("cells", "columns", "connect", "is_flat", "named", "pie", "rows", "size"),
    }  # fmt: skip
    position = arena.Position()
    for kind, names in members.items():
        example = position if kind is arena.Position else position.rules
        assert [name for name in names if not hasattr(example, name)] == []


def test_other_names_are_refused_as_usual() -> None:
    with pytest.raises(AttributeError, match="module 'arena' has no attribute 'Enginee'"):
        arena.Enginee  # noqa: B018


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    script = "import sys, arena; print('arena.engine.contract' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "False\n"


def test_an_engines_author_does_not_wait_for_the_library() -> None:
    script = "import sys; from arena import Engine; print(*(m for m in sys.modules if 'rich' in m))"
    script += "; print('arena.library' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "False"
