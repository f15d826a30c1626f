"""The learned player: which networks are shipped, what it plays, what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena import CONNECT4, SCORE4, Limits, Rules
from arena.bots.find import build_engine
from arena.engines.ntuple import NTuple
from arena.errors import BadOption, BadRules
from arena.network.network import save_network
from arena.network.option import SUFFIX, NetworkOption, shipped_file, shipped_network
from tests.engines.positions import random_positions, wins_at_once
from tests.network.naive import naive_sum, random_network

SHIPPED = (CONNECT4, SCORE4)
MOST_BYTES = 5 * 10**6  # of all shipped networks


def test_shipped_networks_are_small() -> None:
    sizes = [len(shipped_file(rules).read_bytes()) for rules in SHIPPED]
    assert sum(sizes) <= MOST_BYTES
    folder = Path(str(shipped_file(CONNECT4))).parent
    assert {path.name for path in folder.iterdir()} == {f"{r.name}{SUFFIX}" for r in SHIPPED}


@pytest.mark.parametrize("rules", SHIPPED, ids=str)
def test_a_shipped_network_says_where_it_is_from(rules: Rules) -> None:
    network = shipped_network(rules)
    assert network.rules == rules
    assert network.about["games"] >= 100_000
    assert NetworkOption.from_option("shipped").network_for(rules) is network


@pytest.mark.parametrize("rules", SHIPPED, ids=str)
def test_it_wins_at_once(rules: Rules) -> None:
    engine = NTuple()
    positions = [p for p in random_positions(rules, 250, seed=13, least=5) if wins_at_once(p)][:25]
    assert len(positions) > 10
    for position in positions:
        choice = engine.ask(position, Limits())
        assert choice.column in wins_at_once(position)
        assert choice.score == 1.0


@pytest.mark.parametrize("rules", SHIPPED, ids=str)
def test_it_plays_what_it_likes_best(rules: Rules) -> None:
    engine = NTuple()
    for position in random_positions(rules, 30, seed=3):
        opinions = engine.ask_opinions(position, Limits())
        choice = engine.ask(position, Limits())
        assert set(opinions) == set(position.legal)
        assert choice.score == pytest.approx(max(opinions.values()), abs=1e-6)
        assert opinions[choice.column] == pytest.approx(choice.score, abs=1e-6)


def test_it_plays_with_a_file(tmp_path: Path) -> None:
    rules = Rules.flat(5, 4)
    network = random_network(rules, 5, 4, seed=2)
    path = save_network(network, tmp_path / "own.net")
    engine = build_engine(f"ntuple weights='{path}' threats=no")
    for position in random_positions(rules, 20, seed=5):
        if wins_at_once(position):
            continue
        after = {column: position.play(column) for column in position.legal}
        values = {c: -naive_sum(network, p) for c, p in after.items() if not p.is_over}
        if len(values) == len(after):
            best = max(values, key=lambda column: values[column])
            assert engine.ask(position, Limits()).column == best
    with pytest.raises(BadRules, match=r"own\.net has the weights of 5x4 .*, not of 7x6"):
        engine.begin(CONNECT4, 1)


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "own.net"
    save_network(random_network(CONNECT4, 2, 4, seed=2), path)
    first, again = (NetworkOption.from_option(str(path)) for _ in range(2))
    assert first.network_for(CONNECT4) is again.network_for(CONNECT4)
    save_network(random_network(CONNECT4, 3, 4, seed=2), path)
    assert len(NetworkOption.from_option(str(path)).network_for(CONNECT4).tuples) == 3


def test_missing_boards_and_weights_are_refused() -> None:
    words = r"no network is shipped for 8x7 connect 4, only for connect4 and score4; train one"
    with pytest.raises(BadRules, match=words):
        NTuple().begin(Rules.flat(8, 7), 1)
    for value in ("ship", 3, None, "weights.yaml"):
        with pytest.raises(BadOption, match=r"expected shipped, or a \.net file"):
            NTuple(weights=value)
