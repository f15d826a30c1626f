"""check_engine: good bots pass, and each bad one is found out for what it does wrong."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from time import perf_counter

import pytest

from arena import CONNECT4, SCORE4, Engine, Limits, Rules
from arena.engine.contract import Choice
from arena.errors import ArenaError, EngineFailure
from arena.table.check import BOARDS, check_engine, plan_for
from arena.table.checks import Finding
from arena.table.probe import (
    TimedChoice,
    sample_positions,
    threatened_positions,
    times_in_words,
    winning_positions,
)
from tests.support.bots import bad, good

LEARNS = "learns the same from the same games"
ON_CONNECT4 = "plays on 7x6 connect 4"


def failures(findings: list[Finding]) -> dict[str, str]:
    return {finding.title: finding.detail for finding in findings if finding.failed}


def by_title(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.title: finding for finding in findings}


@pytest.mark.parametrize("bot", [good.Leftmost, good.Numpy, good.FlatOnly, good.Imitator])
def test_good_bots_keep_the_contract(bot: type[Engine]) -> None:
    assert failures(check_engine(bot)) == {}


@pytest.mark.parametrize("spec", ["random", "reflex", "alphabeta depth=3", "mcts playouts=100"])
def test_engines_of_all_kinds_keep_the_contract(spec: str) -> None:
    findings = check_engine(spec)
    assert failures(findings) == {}
    assert len(findings) > 15


def test_who_takes_discs_off_the_board_spoils_nothing_for_the_next() -> None:
    check_engine(bad.Cheats)
    for rules in map(Rules.named, BOARDS):
        for position in sample_positions(rules):
            assert position.ply == (position.first | position.second).bit_count()


@pytest.mark.parametrize(
    ("bot", "title", "detail"),
    [
        (bad.OffBoard, ON_CONNECT4, "it answered column 8 (7 counted from 0); legal are 1, 2,"),
        (bad.Stubborn, ON_CONNECT4, "it answered column 1 (0 counted from 0)"),
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
        (bad.Sleeps, "keeps the time of a move", "where 0.05 s were allowed"),
        (bad.Works, "keeps the time of a move", "where 0.05 s were allowed"),
        (bad.TooDeep, "keeps the depth limit", "40 plies deep where 2 were allowed"),
        (bad.TooMany, "keeps the node limit", "5000 nodes where 1000 were allowed"),
        (bad.TooManyPlayouts, "keeps the playout limit", "2000 playouts where 1000"),
        (bad.Thief, "plays by the pie rule", "STEAL is not allowed: the first disc has"),
        (bad.Unseeded, "same seed, same game", "differ from move"),
        (bad.Remembers, "forgets the last game", "after another game"),
        (bad.LearnsByChance, LEARNS, "after it learned from the same 2 games, two games on 7x6"),
        (bad.CannotLearn, LEARNS, "KeyError: 'moves' (bad.py:"),
        (
            bad.BadOpinions,
            "sound opinions",
            "an opinion of column 100 (99 counted",
        ),
    ],
)
def test_each_bad_bot_is_found_out(bot: type[Engine], title: str, detail: str) -> None:
    findings = failures(check_engine(bot))
    assert detail in findings[title]


def test_a_learn_that_nobody_calls_is_advice() -> None:
    finding = by_title(check_engine(bad.LearnsInVain))["says that it learns"]
    assert (finding.kind, finding.ok) == ("should", False)
    assert LEARNS not in by_title(check_engine(bad.LearnsInVain))


def test_only_one_thing_is_wrong_with_a_bot_that_remembers() -> None:
    assert list(failures(check_engine(bad.Remembers))) == ["forgets the last game"]


def test_an_engine_that_never_answers_ends_in_a_finding() -> None:
    findings = check_engine(bad.Hangs, patience=0.3)
    assert findings[-1].failed
    assert "no answer yet to choose on 7x6 connect 4 at the start" in findings[-1].detail


def test_a_declined_board_is_no_failure() -> None:
    finding = by_title(check_engine(good.FlatOnly))["plays on 4x4x4 connect 4"]
    assert finding == Finding(
        "plays on 4x4x4 connect 4", True, "declined: only flat boards, please", "note"
    )


def test_an_engine_that_plays_nowhere_is_told_so() -> None:
    assert "plays on some board" in failures(check_engine(bad.OffBoard))


def test_missing_words_are_advice_and_no_failure() -> None:
    findings = by_title(check_engine(bad.Silent))
    assert not findings["has a docstring"].ok
    assert findings["explains its options"].detail == "power: no help text"
    assert not any(finding.failed for finding in findings.values())


def test_tactics_are_told_and_not_judged() -> None:
    findings = by_title(check_engine("reflex"))
    assert findings["takes an immediate win"] == Finding(
        "takes an immediate win", True, "36 of 36 times", "note"
    )
    assert findings["stops an immediate loss"].detail == "36 of 36 times"
    assert by_title(check_engine(good.Leftmost))["takes an immediate win"].ok


@pytest.mark.parametrize("engine", ["nobody", "random depth=3", "tests/support/bots/none.py", ""])
def test_what_cannot_be_loaded_says_so(engine: str) -> None:
    with pytest.raises(ArenaError):
        check_engine(engine)


def test_what_cannot_be_built_says_where() -> None:
    with pytest.raises(EngineFailure, match=r"cannot be built: OSError: no such network \(bad.py:"):
        check_engine(bad.Unbuildable)


@pytest.mark.parametrize("size", ["7x6", "5x4", "4x4x4"])
def test_sample_positions_reach_the_last_cell(size: str) -> None:
    rules = Rules.named(size)
    positions = sample_positions(rules)
    assert not any(position.is_over for position in positions)
    assert max(position.ply for position in positions) == rules.cells - 1
    assert any(1 < len(position.legal) < rules.columns for position in positions)


def test_tactical_positions_are_what_they_say() -> None:
    for position in islice(winning_positions(CONNECT4), 5):
        assert any(map(position.wins_with, position.legal))
    for position in islice(threatened_positions(SCORE4), 5):
        assert not any(map(position.wins_with, position.legal))


def test_a_program_that_never_gets_ready_is_waited_for_once() -> None:
    (finding,) = check_engine("uci:true")
    assert finding.failed
    assert finding.detail.startswith("its process left with exit code 0; the dialogue ended:")


KAGGLE = """
import random, time
def agent(observation, configuration):
    assert (configuration.columns, configuration.rows) == (7, 6)
    time.sleep(0.4)
    return random.choice([c for c in range(7) if observation.board[c] == 0])
"""
SPINNING = """
from threading import Thread
from arena import Choice, Engine

def spin():
    while True:
        pass

class Spins(Engine):
    "Spins."
    def choose(self, position, limits):
        if not hasattr(self, "thread"):
            self.thread = Thread(target=spin, daemon=True)
            self.thread.start()
        return Choice(position.legal[0])
"""
CODINGAME = """
input()
while True:
    turn, *rows = [input() for _ in range(8)]
    columns = [int(input()) for _ in range(int(input()))]
    input()
    print(columns[-1], flush=True)
"""


def checked_within(engine: str, seconds: float, quick: bool = False) -> dict[str, Finding]:
    """Findings with a bound of time, which must be kept."""
    started = perf_counter()
    findings = check_engine(engine, plan=plan_for(engine, quick=quick)._replace(seconds=seconds))
    assert perf_counter() - started < seconds + 2
    return by_title(findings)


def test_a_slow_kaggle_submission_is_valid_by_kaggles_rules(tmp_path: Path) -> None:
    (tmp_path / "submission.py").write_text(KAGGLE)
    findings = checked_within(f"kaggle:{tmp_path}/submission.py", 10)
    assert failures([*findings.values()]) == {}
    assert " moves of 2 s, the longest " in findings["keeps Kaggle's time"].detail
    assert [title for title in findings if title.startswith("plays on")] == [ON_CONNECT4]


def test_a_bot_with_a_spinning_thread_is_checked_in_time(tmp_path: Path) -> None:
    (tmp_path / "spins.py").write_text(SPINNING)
    findings = checked_within(f"{tmp_path}/spins.py", 60, quick=True)
    assert "of a core while its opponent thinks; stop" in findings["rests between moves"].detail


def test_a_bot_of_codingame_plays_on_its_board(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(CODINGAME)
    findings = checked_within(f"codingame:{sys.executable} {tmp_path}/bot.py", 20)
    assert findings["plays on 9x7 connect 4 with the pie rule"].ok
    assert findings["plays by the pie rule"].ok


def test_what_did_not_fit_is_named_and_no_failure() -> None:
    plan = plan_for(bad.Hangs, limits=Limits(depth=2))._replace(seconds=2.5)
    findings = check_engine(bad.Hangs, plan=plan)
    assert failures(findings) == {}
    assert findings[-1].title == "runs all checks in time"
    assert "stops an immediate loss" in findings[-1].detail


def test_a_game_and_limits_replace_those_of_the_profile() -> None:
    plan = plan_for("kaggle:submission.py", "5x4", Limits(cpu=0.1))
    assert str(plan) == "on 5x4 connect 4, cpu=0.1, at most 120 s"
    titles = [check.title for check in plan.checks]
    assert "keeps the processor time of a move" in titles
    assert "keeps Kaggle's time" not in titles
    assert "has a docstring" not in titles
    quick = plan_for("random", quick=True)
    assert (len(quick.boards), quick.seconds) == (1, 30)


def test_a_board_that_a_program_has_no_words_for_is_not_asked_for() -> None:
    boards = plan_for("aigames:sort").boards
    assert boards[0] == CONNECT4
    assert all(rules.is_flat for rules in boards)


def test_waiting_is_told_from_thinking() -> None:
    quick, busy = (TimedChoice(Choice(3), seconds, 0.04, None) for seconds in (0.045, 0.114))
    words = "2 moves of 0.05 s, the longest 0.114 s, of which 0.074 s was waiting"
    assert times_in_words([quick, busy], 0.05) == words
    assert times_in_words([quick, quick], 0.05) == "2 moves of 0.05 s, the longest 0.045 s"
