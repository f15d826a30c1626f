"""The circle: our engines, asked through a dialect by our own adapter, play what they play here."""

from __future__ import annotations

import sys
from shlex import join

import pytest

from arena.bots.find import build_engine
from arena.bots.hosted import Terms
from arena.bots.lines import CodinGame, LineEngine, Lines
from arena.engine.contract import Engine
from arena.game.rules import CONNECT4, SCORE4, Rules
from arena.table.referee import play_game
from arena.tournament.numbered import derive_seed

KINDS: tuple[type[LineEngine], ...] = (CodinGame, Lines)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
@pytest.mark.parametrize(("seat", "game"), [(0, "connect4"), (1, "8x6")])
def test_the_circle(kind: type[LineEngine], seat: int, game: str) -> None:
    """An engine that is asked through a dialect plays the game that it plays without."""
    words, rules, seed = "reflex", Rules.named(game), 23
    speaking = [sys.executable, "-m", "arena", "speak", kind.kind, "--engine", words]
    own = str(derive_seed(seed, seat))
    outside = kind(join([*speaking, "--game", game, "--seed", own]))
    outside.terms = Terms(start=60)

    def play(engine: Engine) -> tuple[int, ...]:
        other = build_engine("random")
        pair = (other, engine) if seat else (engine, other)
        return play_game(pair, rules, seed=seed).columns

    columns = play(outside)
    outside.close()
    assert columns == play(build_engine(words))


def test_the_circle_with_a_search() -> None:
    words = "mcts playouts=50"
    speaking = [sys.executable, "-m", "arena", "speak", "lines", "--engine", words]
    outside = Lines(join([*speaking, "--seed", str(derive_seed(3, 1))]))
    outside.terms = Terms(start=600)  # kernels may have to be compiled
    record = play_game((build_engine("reflex"), outside), CONNECT4, seed=3)
    outside.close()
    pair = (build_engine("reflex"), build_engine(words))
    assert record.columns == play_game(pair, CONNECT4, seed=3).columns


def test_the_circle_in_space() -> None:
    speaking = [sys.executable, "-m", "arena", "speak", "lines", "--engine", "reflex"]
    outside = Lines(join([*speaking, "--game", "4x4x4", "--seed", str(derive_seed(5, 0))]))
    outside.terms = Terms(start=60)
    record = play_game((outside, build_engine("random")), SCORE4, seed=5)
    outside.close()
    pair = (build_engine("reflex"), build_engine("random"))
    assert record.columns == play_game(pair, SCORE4, seed=5).columns


@pytest.mark.parametrize("seat", [0, 1])
def test_the_circle_with_the_pie_rule(seat: int) -> None:
    words, rules = "reflex", Rules.named("7x6+pie")
    speaking = [sys.executable, "-m", "arena", "speak", "codingame", "--engine", words]
    own = str(derive_seed(8, seat))
    outside = CodinGame(join([*speaking, "--game", "7x6+pie", "--seed", own]))
    outside.terms = Terms(start=60)

    def play(engine: Engine) -> tuple[int, ...]:
        other = build_engine("reflex")
        pair = (other, engine) if seat else (engine, other)
        return play_game(pair, rules, seed=8, opening=(3,)[:seat]).columns

    columns = play(outside)
    outside.close()
    assert columns == play(build_engine(words))
