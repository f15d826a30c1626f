"""Random valid tournaments are played to their reports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.contract

MINI = {"games": 2, "limits": {"depth": 2}, "engines": ["perfect", "random"]}
ONE_PLY = {"engines": ["alphabeta", "random"], "adjudication": {"max_plies": 1}}

ENGINES = ["random", "reflex", "greedy", "minimax", "alphabeta", "alphabeta-time", "mcts"]
LIMITS = [{"depth": 1}, {"nodes": 60}, {"depth": 2, "nodes": 500}]
BOARDS = ["connect4", "4x4", "5x4", {"size": "3x3", "connect": 3}, {"size": "2x2x3", "connect": 3}]
FORMATS = ["round-robin", "gauntlet", "knockout", "pyramid", {"kind": "swiss", "rounds": 2}]
STOPS: list[dict[str, Any]] = [{"sprt": {"elo0": 0, "elo1": 200}}, {"error": 300}, {"seconds": 60}]


@st.composite
def tournaments(draw: st.DrawFn) -> dict[str, Any]:
    """A valid tournament file that takes well under a second."""
    names = draw(st.lists(st.sampled_from(ENGINES), min_size=2, max_size=4, unique=True))
    players = [
        {"engine": name, "limits": {"playouts": 20}} if name == "mcts" else name for name in names
    ]
    keys: dict[str, Any] = {
        "engines": players,
        "games": draw(st.sampled_from([2, 4])),
        "limits": draw(st.sampled_from(LIMITS)),
        "game": draw(st.sampled_from(BOARDS)),
        "format": draw(st.sampled_from(FORMATS)),
        "seed": draw(st.integers(0, 2**32)),
        "openings": draw(st.sampled_from(["none", {"random": 1}, {"random": 2}])),
    }
    if draw(st.booleans()):
        keys["adjudication"] = {"max_plies": draw(st.integers(1, 12))}
    if keys["format"] == "round-robin" and draw(st.booleans()):
        stop = draw(st.sampled_from(STOPS))
        if "sprt" not in stop or len(names) == 2:
            keys["stop"] = stop
    if draw(st.booleans()):
        keys["expect"] = [{"score": names[0], "at_least": 0.5}]
    return keys


@given(tournaments())
@example(MINI)
@example(ONE_PLY)
@example(MINI | {"adjudication": {"max_plies": 1}, "game": "4x4"})
@settings(max_examples=8)
def test_a_valid_tournament_is_played_to_its_report(
    cli: Callable[..., Any], keys: dict[str, Any]
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "cup.yaml"
        common = {"name": "cup", "isolation": "none", "workers": 1, "output": name}
        file.write_text(yaml.safe_dump(common | keys))
        result = cli("run", str(file), "--quiet", "--html")
        assert result.exit_code in (0, 4), result.output + str(result.exception)
        assert "Finished" in result.output or "Stopped" in result.output
        assert (folder / "report.md").stat().st_size > 1000
        assert (folder / "report.html").stat().st_size > 1000
