"""Levels: which engine suits each, and how each engine is held back to it."""

from __future__ import annotations

import pytest

from arena.engine.contract import Engine, Limits
from arena.engine.registry import names
from arena.errors import ArenaError, BadOption, UnknownName
from arena.game import CONNECT4, SCORE4, Position, Rules
from arena.human import levels
from arena.human.levels import (
    ADVANCED,
    AS_IT_IS,
    EASY,
    HARD,
    LADDERS,
    LEVELS,
    MEDIUM,
    PERFECT,
    SUITED,
    TOO_EASY,
    LimitedEngine,
    check_level,
    displayed_name,
    engine_participant,
    grade,
    offers,
    read_level,
    suited,
    usual_level,
)


@pytest.mark.parametrize(
    ("level", "rules", "name", "words", "slips", "most"),
    [
        (TOO_EASY, CONNECT4, "reflex too easy", "reflex", 0.5, Limits(seconds=5)),
        (EASY, CONNECT4, "alphabeta easy", "alphabeta depth=2", 0.2, Limits(depth=2, seconds=5)),
        (MEDIUM, CONNECT4, "alphabeta medium", "alphabeta depth=4", 0, Limits(depth=4, seconds=5)),
        (ADVANCED, CONNECT4, "alphabeta advanced", "alphabeta depth=6", 0,
         Limits(depth=6, seconds=5)),
        (ADVANCED, SCORE4, "alphabeta advanced", "alphabeta evaluation=counts depth=5", 0,
         Limits(depth=5, seconds=5)),
        (HARD, CONNECT4, "mcts hard", "mcts playouts=10000", 0, Limits(playouts=10000, seconds=5)),
        (HARD, SCORE4, "alphabeta hard", "alphabeta evaluation=counts depth=6", 0,
         Limits(depth=6, seconds=5)),
    ],
)  # fmt: skip
def test_each_level_has_the_engine_that_suits_it(
    level: str, rules: Rules, name: str, words: str, slips: float, most: Limits
) -> None:
    player = engine_participant(SUITED, level, rules)
    assert player.name == name
    assert player.words.startswith(words)
    assert isinstance(player.engine, LimitedEngine)
    assert player.engine.settings()["explore"] == slips
    assert player.engine.most == most


def test_medium_weighs_like_rivest_and_hard_playouts_win_or_block() -> None:
    medium = engine_participant(SUITED, MEDIUM, CONNECT4).engine
    hard = engine_participant(SUITED, HARD, CONNECT4).engine
    assert medium is not None
    assert hard is not None
    assert str(medium.settings()["evaluation"]) == "rivest"
    assert hard.settings()["playout"] == "winblock"
    assert suited(PERFECT, is_flat=True) == "perfect"


def test_playouts_bound_an_engine_that_would_take_all_its_time() -> None:
    """An easy MCTS stays easy with half a minute for a turn."""
    easy = engine_participant("mcts", EASY, CONNECT4).engine
    assert isinstance(easy, LimitedEngine)
    easy.thinker._explore = 0.0
    easy.get_ready(CONNECT4)
    easy.begin(CONNECT4, 1)
    choice = easy.ask(Position(), Limits(seconds=30))
    assert choice.nodes == 200


@pytest.mark.parametrize("name", [name for name in names() if name != "perfect"])
def test_every_engine_plays_every_level_below_perfect(name: str) -> None:
    for level in LEVELS[:-1]:
        player = engine_participant(name, level, CONNECT4)
        assert player.name == f"{name} {level}"
        assert isinstance(player.engine, Engine)
    assert engine_participant(name, AS_IT_IS, CONNECT4).words == name


def test_levels_rise() -> None:
    def strength(name: str, level: str) -> tuple[float, float]:
        held_to = grade(name, level, is_flat=True)
        own = [value for value in held_to.options.values() if isinstance(value, int | float)]
        return -held_to.explore, own[0] if own else 0

    for name in ("minimax", "alphabeta", "mcts", "alphabeta-time", "hybrid", "reflex", "greedy"):
        ladder = [strength(name, level) for level in LEVELS[:-1]]
        assert ladder == sorted(ladder)
        assert len(set(ladder)) == 5
    perfect = [LADDERS["perfect"][level].explore for level in LEVELS]
    assert perfect == sorted(perfect, reverse=True)
    assert perfect[-1] == 0.0


def test_options_in_words_are_kept() -> None:
    player = engine_participant("alphabeta depth=3 evaluation=window", HARD, CONNECT4)
    assert isinstance(player.engine, LimitedEngine)
    assert player.engine.settings()["depth"] == 3
    assert player.engine.most.depth == 3
    assert player.name == "alphabeta depth=3 evaluation=window hard"


def test_a_file_plays_as_it_is_unless_a_level_is_given() -> None:
    file = "tests/support/bots/good.py:Leftmost"
    assert usual_level(file) == AS_IT_IS
    as_it_is = engine_participant(file, AS_IT_IS, CONNECT4)
    assert as_it_is.name == "good.py:Leftmost"
    assert type(as_it_is.engine).__name__ == "Leftmost"
    easy = engine_participant(file, EASY, CONNECT4)
    assert isinstance(easy.engine, LimitedEngine)
    assert easy.engine.settings()["explore"] == 0.25
    assert easy.name == "good.py:Leftmost easy"


@pytest.mark.parametrize(
    ("words", "level"),
    [
        (SUITED, MEDIUM),
        ("mcts", MEDIUM),
        ("mcts c=0.7", AS_IT_IS),
        ("oracle-hard", AS_IT_IS),
        ("my_bot.py", AS_IT_IS),
        ("perfect", PERFECT),
    ],
)
def test_the_usual_level(words: str, level: str) -> None:
    assert usual_level(words) == level


def test_names_leave_directories_and_obvious_levels_out() -> None:
    assert displayed_name("some/where/my_bot.py:Bot", HARD) == "my_bot.py:Bot hard"
    assert displayed_name("perfect", PERFECT) == "perfect"
    assert displayed_name("mcts", AS_IT_IS) == "mcts"


@pytest.mark.parametrize("text", ["too easy", "Too-Easy", "too_easy", " TOO  EASY "])
def test_a_level_is_read_however_it_is_joined(text: str) -> None:
    assert read_level(text) == TOO_EASY
    assert read_level("as-is") == AS_IT_IS


def test_an_unknown_level_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="did you mean 'medium'"):
        read_level("mediun")


@pytest.mark.parametrize(
    ("engine", "level", "installed", "part"),
    [
        (SUITED, AS_IT_IS, True, "needs an engine"),
        (SUITED, PERFECT, False, "perfect is not installed"),
        ("mcts", PERFECT, True, "mcts does not play perfectly"),
        ("perfect", PERFECT, False, "perfect is not installed"),
    ],
)
def test_levels_that_cannot_be_played(
    engine: str, level: str, installed: bool, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not installed:
        monkeypatch.setattr(levels, "offers", dict)
    with pytest.raises(BadOption, match=part):
        check_level(engine, level)


def test_levels_that_can(monkeypatch: pytest.MonkeyPatch) -> None:
    check_level(SUITED, PERFECT)
    check_level("perfect", PERFECT)
    monkeypatch.setattr(levels, "offers", dict)
    check_level("mcts", HARD)
    with pytest.raises(BadOption, match="no engine that suits the level hard"):
        suited(HARD, is_flat=True)


def test_engines_are_offered_once_from_the_weakest_to_the_strongest() -> None:
    assert list(offers()) == [
        "random", "reflex", "greedy", "probabilities", "minimax", "alphabeta", "alphabeta-time",
        "iterative", "hybrid", "book", "mcts", "ntuple", "puct", "oracle", "perfect",
    ]  # fmt: skip


def test_an_option_of_the_wrong_name_is_told() -> None:
    with pytest.raises(ArenaError, match="did you mean 'depth'"):
        engine_participant("alphabeta dept=3", HARD, CONNECT4)
