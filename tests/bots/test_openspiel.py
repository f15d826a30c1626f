"""OpenSpiel's bots on our board, and our engines on its own."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import arena
from arena import CONNECT4, SCORE4, Limits, Position, Rules
from arena.bots.openspiel import OpenSpiel, load_game, replay, search_bot
from arena.errors import BadOption, BadRules, EngineFailure, UnknownName
from tests.game.strategies import random_games

pyspiel = pytest.importorskip("pyspiel")

Load = Callable[..., OpenSpiel]

BOT = """
import pyspiel

class Bot(pyspiel.Bot):
    def __init__(self, game, player_id, rng, depth=3):
        pyspiel.Bot.__init__(self)
        self.game, self.side, self.rng, self.depth = game, player_id, rng, depth
        self.heard = []

    def step(self, state):
        assert state.current_player() == self.side
        self.heard.append(("step", state.history()))
        return state.legal_actions()[-1]

    def inform_action(self, state, player, action):
        self.heard.append(("told", state.history(), player, action))

    def restart_at(self, state):
        self.heard.append(("restart", state.history()))
"""
BARE = "class Bot:\n    def step(self, state):\n        return {}\n"


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def build(text: str, name: str = "") -> OpenSpiel:
        (tmp_path / "bots.py").write_text(text, encoding="utf-8")
        return OpenSpiel(str(tmp_path / "bots.py") + name)

    return build


def column(engine: OpenSpiel, position: Position, limits: Limits | None = None) -> int:
    return engine.ask(position, limits or Limits()).column


@pytest.mark.parametrize("size", ["7x6", "5x4", "9x7", "8x8", "3x3c3", "6x5c2", "9x6c5", "4x1"])
def test_openspiel_plays_by_our_rules(size: str) -> None:
    rules = Rules.named(size)
    for game in random_games(rules, 10, seed=3):
        position, state = game.position, replay(load_game(rules), game.position.moves)
        drawing = str(position).replace(" ", "").lower().splitlines()[: rules.height]
        assert str(state).split() == drawing
        assert state.is_terminal() == position.is_over
        assert tuple(state.legal_actions()) == position.legal
        if position.is_over:
            result = 0 if position.winner is None else 1 - 2 * position.winner
            assert state.returns() == [result, -result]


def test_the_search_sees_the_asymmetric_win_and_the_block() -> None:
    engine = OpenSpiel("mcts", simulations=2000)
    engine.begin(CONNECT4, 1)
    assert column(engine, Position.parse("171712")) == 0
    assert column(engine, Position.parse("1223344")) == 4
    assert column(engine, Position.parse("71727")) == 6


def test_the_search_reports_its_score() -> None:
    choice = OpenSpiel("mcts", simulations=300).ask(Position.parse("1223344"), Limits())
    assert (choice.column, choice.score) == (4, 1.0)  # proven
    choice = OpenSpiel("mcts").ask(Position.parse("44"), Limits(playouts=200))
    assert choice.nodes == 200
    assert choice.score is not None
    assert -1 < choice.score < 1
    lost = OpenSpiel("mcts").ask(Position.parse("33445"), Limits(playouts=3000))
    assert lost.score == -1.0  # three with both ends open


def test_limits_bound_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, float | None]] = []

    def note(
        game: Any, uct_c: float, simulations: int, seconds: float | None, random: Random
    ) -> Any:
        asked.append((simulations, seconds))
        return search_bot(game, uct_c, 10, None, random)

    monkeypatch.setattr("arena.bots.openspiel.search_bot", note)
    free, fixed = OpenSpiel("mcts"), OpenSpiel("mcts", simulations=50)
    for engine in (free, fixed):
        column(engine, Position())
        column(engine, Position(), Limits(seconds=0.5))
        column(engine, Position(), Limits(playouts=20))
        column(engine, Position(), Limits(playouts=200, seconds=3))
    assert asked[:4] == [(1000, None), (1000, 0.5), (20, None), (200, None)]
    assert asked[4:] == [(50, None), (50, None), (20, None), (50, None)]
    assert free.check_limits(Limits(playouts=5)) is None
    assert free.check_limits(Limits(depth=5)) is not None
    assert fixed.check_limits(Limits(depth=5)) is None
    assert OpenSpiel("random").check_limits(Limits(playouts=5)) is not None


def test_a_bot_of_a_file_is_informed_of_the_other_one(load: Load) -> None:
    engine = load(BOT)
    engine.begin(CONNECT4, 0)
    assert [column(engine, Position.parse(moves)) for moves in ("4", "475")] == [6, 6]
    bot = engine.bots[1]
    assert bot.heard == [
        ("told", [], 0, 3),
        ("step", [3]),
        ("told", [3, 6], 0, 4),
        ("step", [3, 6, 4]),
    ]
    assert (bot.side, bot.depth) == (1, 3)
    assert str(bot.game) == str(load_game(CONNECT4))


def test_a_bot_is_restarted_after_a_jump(load: Load) -> None:
    engine = load(BOT)
    engine.begin(CONNECT4, 0)
    column(engine, Position.parse("1234"))
    column(engine, Position.parse("1234712"))  # not what it answered, and more
    column(engine, Position.parse("11"))
    assert engine.bots[0].heard == [
        ("restart", [0, 1, 2, 3]),
        ("step", [0, 1, 2, 3]),
        ("restart", [0, 0]),
        ("step", [0, 0]),
    ]
    assert engine.bots[1].heard[0] == ("restart", [0, 1, 2, 3, 6, 0, 1])
    engine.begin(CONNECT4, 0)
    column(engine, Position.parse("12"))  # an opening, of which no move was its own
    assert engine.bots[0].heard == [("restart", [0, 1]), ("step", [0, 1])]


@pytest.mark.parametrize(
    "text",
    [
        BARE.format(2),
        "import pyspiel\nclass Bot(pyspiel.Bot):\n    def __init__(self):\n"
        "        super().__init__()\n    def step(self, state):\n        return 2\n",
        "import numpy as np\n" + BARE.format("np.int64(2)"),
    ],
)
def test_a_bot_needs_no_more_than_step(load: Load, text: str) -> None:
    engine = load(text)
    engine.begin(CONNECT4, 0)
    assert column(engine, Position.parse("123456")) == 2
    assert column(engine, Position.parse("12345634")) == 2


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("x = 1\n", "", "expected a class with step or a function that builds a bot, or openspiel"),
        (BOT, ":Bto", "has no 'Bto'; did you mean 'Bot'?"),
        (BOT.replace("depth=3", "policy"), "", "Bot needs 'policy'; expected one of game, play"),
        ("def make():\n    return 3\n", ":make", "make builds int, which has no step"),
        ("1 +\n", "", "bots.py:1: SyntaxError"),
    ],
)
def test_a_file_without_a_bot(load: Load, text: str, name: str, words: str) -> None:
    with pytest.raises(EngineFailure, match=re.escape(words)):
        load(text, name).begin(CONNECT4, 0)


def test_targets_options_and_boards_that_openspiel_lacks(load: Load) -> None:
    with pytest.raises(UnknownName, match="unknown bot of OpenSpiel 'mtcs'; did you mean 'mcts'"):
        OpenSpiel("mtcs")
    with pytest.raises(BadOption, match="'simulations' is only for openspiel:mcts"):
        OpenSpiel("random", simulations=5)
    with pytest.raises(BadRules, match="flat boards"):
        OpenSpiel("mcts").begin(SCORE4, 0)
    with pytest.raises(EngineFailure, match="the moves that led to a position"):
        column(OpenSpiel("random"), Position.parse("/".join(["......."] * 5 + ["X.O...."])))


def test_an_older_openspiel_may_lack_boards_and_time_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As versions before 2.0 do."""

    def refuse(name: str, size: dict[str, int]) -> None:
        raise pyspiel.SpielError(f"Unknown parameter {next(iter(size))}")

    class Old:
        def __init__(self, *given: Any) -> None:
            pass

    monkeypatch.setattr(pyspiel, "MCTSBot", Old)
    with pytest.raises(EngineFailure, match="does not support time limits; use simulations=N"):
        column(OpenSpiel("mcts"), Position(), Limits(seconds=1))
    monkeypatch.setattr(pyspiel, "load_game", refuse)
    with pytest.raises(BadRules, match="this OpenSpiel does not play on 5x4 connect 4: Unknown"):
        OpenSpiel("random").begin(Rules.flat(5, 4), 0)


def test_without_the_package_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(EngineFailure, match="need the package open_spiel: pip install open_spiel"):
        OpenSpiel("mcts").begin(CONNECT4, 0)


# ---- our engines as bots


def test_our_engines_are_bots_of_openspiel() -> None:
    bot = arena.openspiel_bot("reflex", limits="seconds=0.5")
    assert isinstance(bot, pyspiel.Bot)
    game = load_game(Rules.flat(7, 6))
    assert bot.step(replay(game, (0, 1, 1, 2, 2, 3, 3))) == 4
    assert bot.step(replay(game, (6, 0, 6, 1, 6))) == 6
    for size in ("7x6", "5x4", "6x5c3"):
        state = load_game(Rules.named(size)).new_initial_state()
        bots = [bot, arena.openspiel_bot("random", seed=3)]
        assert sum(pyspiel.evaluate_bots(state, bots, 5)) == 0
        assert state.is_terminal()
