"""check_engine: good bots pass, and each bad one is found out for what it does wrong."""

from __future__ import annotations

import pytest

from arena import Engine
from arena.errors import ArenaError, EngineFailure
from arena.play.check import Finding, check_engine
from tests.bots import bad, good

ON_CONNECT4 = "plays on 7x6 connect 4"


def failures(findings: list[Finding]) -> dict[str, str]:
    return {finding.title: finding.detail for finding in findings if finding.failed}


def by_title(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.title: finding for finding in findings}


@pytest.mark.parametrize("bot", [good.Leftmost, good.Numpy, good.FlatOnly])
def test_good_bots_keep_the_contract(bot: type[Engine]) -> None:
    assert failures(check_engine(bot)) == {}


@pytest.mark.parametrize("spec", ["random", "reflex", "alphabeta depth=3", "mcts playouts=100"])
def test_engines_of_all_kinds_keep_the_contract(spec: str) -> None:
    found = check_engine(spec)
    assert failures(found) == {}
    assert len(found) > 15


@pytest.mark.parametrize(
    ("bot", "title", "detail"),
    [
        (bad.OffBoard, ON_CONNECT4, "it answered column 7 (from 0), legal are [0, 1,"),
        (bad.Stubborn, ON_CONNECT4, "it answered column 0 (from 0)"),
        (bad.Raises, "warms up", "ValueError: out of ideas (bad.py:"),
        (bad.RaisesLate, ON_CONNECT4, "ValueError: too many discs (bad.py:"),
        (bad.RaisesEarly, "warms up", "RuntimeError: not today (bad.py:"),
        (bad.Quits, "warms up", "SystemExit: goodbye"),
        (bad.AnswersNothing, ON_CONNECT4, "it answered None where a Choice is expected"),
        (bad.AnswersNumber, ON_CONNECT4, "it answered 3 where a Choice is expected"),
        (bad.AnswersText, ON_CONNECT4, "it answered column '3', which is not a whole number"),
        (bad.AnswersBool, ON_CONNECT4, "it answered column True"),
        (bad.Cheats, ON_CONNECT4, "it changed the position"),
        (bad.BadScore, ON_CONNECT4, "its score is nan"),
        (bad.BadDepth, ON_CONNECT4, "its depth is 1.5"),
        (bad.BadLine, ON_CONNECT4, "cannot be played"),
        (bad.Sleeps, "keeps the time of a move", "s where 0.05 s were allowed"),
        (bad.Works, "keeps the time of a move", "s where 0.05 s were allowed"),
        (bad.TooDeep, "keeps the depth limit", "40 plies deep where 2 were allowed"),
        (bad.TooMany, "keeps the node limit", "5000 nodes where 1000 were allowed"),
        (bad.TooManyPlayouts, "keeps the playout limit", "2000 playouts where 1000"),
        (bad.Unseeded, "same seed, same game", "differ from move"),
        (bad.Remembers, "forgets the last game", "after another game"),
        (bad.BadOpinions, "sound opinions", "an opinion of column 99, which is not legal"),
    ],
)
def test_each_bad_bot_is_found_out(bot: type[Engine], title: str, detail: str) -> None:
    found = failures(check_engine(bot))
    assert detail in found[title]


def test_only_one_thing_is_wrong_with_a_bot_that_remembers() -> None:
    assert list(failures(check_engine(bad.Remembers))) == ["forgets the last game"]


def test_an_engine_that_never_answers_ends_in_a_finding() -> None:
    found = check_engine(bad.Hangs, patience=0.3)
    assert found[-1].failed
    assert "no answer yet to choose on 7x6 connect 4 at the start" in found[-1].detail


def test_a_declined_board_is_no_failure() -> None:
    finding = by_title(check_engine(good.FlatOnly))["plays on 4x4x4 connect 4"]
    assert finding == Finding(
        "plays on 4x4x4 connect 4", True, "declined: only flat boards, please", "note"
    )


def test_an_engine_that_plays_nowhere_is_told_so() -> None:
    assert "plays on some board" in failures(check_engine(bad.OffBoard))


def test_missing_words_are_advice_and_no_failure() -> None:
    found = by_title(check_engine(bad.Silent))
    assert not found["has a docstring"].ok
    assert found["explains its options"].detail == "power: no help text"
    assert not any(finding.failed for finding in found.values())


def test_tactics_are_told_and_not_judged() -> None:
    found = by_title(check_engine("reflex"))
    assert found["takes an immediate win"] == Finding(
        "takes an immediate win", True, "36 of 36 times", "note"
    )
    assert found["stops an immediate loss"].detail == "36 of 36 times"
    assert by_title(check_engine(good.Leftmost))["takes an immediate win"].ok


@pytest.mark.parametrize("engine", ["nobody", "random depth=3", "tests/bots/none.py", ""])
def test_what_cannot_be_loaded_says_so(engine: str) -> None:
    with pytest.raises(ArenaError):
        check_engine(engine)


def test_what_cannot_be_built_says_where() -> None:
    with pytest.raises(EngineFailure, match=r"cannot be built: OSError: no such network \(bad.py:"):
        check_engine(bad.Unbuildable)
