"""Networks in a tournament file: found beside it, made for its board, and known by content."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.engine.registry import find
from arena.engines.ntuple import NTuple
from arena.evaluation import Evaluation
from arena.game.rules import CONNECT4, Rules
from arena.network.network import save_network
from arena.tournament.identity import (
    canonical,
    changed_sources,
    changes,
    fingerprint,
    shipped_source,
)
from arena.tournament.load import load
from arena.tournament.mistakes import BadSpec
from arena.tournament.players import weights_of
from tests.network.naive import random_network

SEARCHERS = """engines:
  - {engine: alphabeta, options: {evaluation: [nets/a.net, {network: nets/a.net, centre: 0.5}]}}
  - {engine: ntuple, options: {weights: nets/a.net}}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A tournament whose players use a network that lies in a folder beside it."""
    (tmp_path / "nets").mkdir()
    save_network(random_network(CONNECT4, 2, 3, seed=1), tmp_path / "nets" / "a.net")
    (tmp_path / "t.yaml").write_text(SEARCHERS, encoding="utf-8")
    return tmp_path / "t.yaml"


def test_networks_lie_beside_the_tournament(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = load(file).players
    assert first.name == "alphabeta evaluation=a"
    assert second.name == "alphabeta evaluation=#2"
    assert third.name == "ntuple weights=a"
    monkeypatch.chdir("/")
    built = find(first.engine).build(first.options).settings()["evaluation"]
    assert built == Evaluation.from_option(str(file.parent / "nets" / "a.net"))
    mixed = find(second.engine).build(second.options).settings()["evaluation"]
    assert (mixed.centre, mixed.network) == (0.5, built.network)
    player = find(third.engine).build(third.options)
    assert isinstance(player, NTuple)
    assert player.weights == built.network


def test_weights_of_a_network_read_back_as_they_were(file: Path) -> None:
    named = str(file.parent / "nets" / "a.net")
    for evaluation in (
        Evaluation.from_option(named),
        Evaluation.from_option({"network": named, "win": 1_000_000, "name": "b"}),
        Evaluation.from_option({"evaluation": "counts", "network": named}),
    ):
        assert Evaluation.from_option(weights_of(evaluation)) == evaluation


def test_a_changed_network_is_a_changed_tournament(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = json.loads(json.dumps(canonical(load(file))))
    assert old["engines"][2]["options"]["weights"]["file"] == "nets/a.net"
    monkeypatch.chdir(file.parent / "nets")
    assert fingerprint(load("../t.yaml")) == fingerprint(load(file))
    assert changes(old, canonical(load(file))) == []
    save_network(random_network(CONNECT4, 2, 3, seed=2), file.parent / "nets" / "a.net")
    assert changes(old, canonical(load(file))) == 3 * ["nets/a.net has changed since game 1"]


@pytest.mark.parametrize(
    ("engine", "weighs"),
    [
        ("ntuple", True),
        ("puct", True),
        ("alphabeta", False),
        ("{engine: alphabeta, options: {evaluation: ntuple}}", True),
        ("{engine: greedy, options: {evaluation: {network: shipped, own: {3: 1}}}}", True),
        ("{engine: ntuple, options: {weights: nets/a.net}}", False),
    ],
)
def test_the_network_that_comes_along_is_known_by_content(
    engine: str, weighs: bool, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = file.parent / "nets" / "a.net"
    monkeypatch.setattr("arena.tournament.identity.shipped_file", lambda rules: network)
    file.write_text(f"engines: [random, {engine}]\n", encoding="utf-8")
    tournament = load(file)
    before = shipped_source(tournament.players, CONNECT4)
    network.write_bytes(network.read_bytes() + b"more")
    changed = changed_sources(before, shipped_source(tournament.players, CONNECT4))
    assert list(changed) == ["the shipped network of 7x6 connect 4"] * weighs
    assert all(now.is_own for _, now in changed.values())


def test_networks_that_do_not_fit_are_mistakes_of_the_file(file: Path) -> None:
    save_network(random_network(Rules.flat(5, 4), 2, 3, seed=1), file.parent / "nets" / "a.net")
    with pytest.raises(BadSpec) as caught:
        load(file)
    lines = [
        (str(mistake.place and mistake.place.line), mistake.sentence)
        for mistake in caught.value.mistakes
    ]
    sentence = "nets/a.net has the weights of 5x4 connect 4, not of 7x6 connect 4"
    assert lines == [("2", sentence), ("2", sentence), ("3", sentence)]
    (file.parent / "nets" / "a.net").unlink()
    with pytest.raises(BadSpec, match=r"nets/a\.net cannot be read: No such file or directory"):
        load(file)
