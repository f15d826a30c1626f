"""Hints and opinions: whom to ask, and what happens where nobody can answer."""

from __future__ import annotations

import pytest

from arena.engine.contract import Choice, Engine, Limits
from arena.errors import ArenaError, BadRules, EngineFailure
from arena.game import CONNECT4, SCORE4, Position, Rules
from arena.human import advice
from arena.human.advice import Adviser, advisers, opinion_lines, opinions
from tests.support.bots.bad import BadOpinions, Quits, Raises
from tests.support.bots.good import FlatOnly, Leftmost

LATE = Position.parse("44444432555225")
THINKER = "iterative evaluation=counts"


@pytest.mark.parametrize(
    ("position", "installed", "who"),
    [
        (LATE, True, "perfect"),
        (LATE, False, THINKER),
        (Position(), True, "perfect"),  # by the book
        (Position(Rules.flat(8, 7)), True, THINKER),  # the solver may need its time
        (Position(Rules.flat(5, 4)), True, "perfect"),
        (Position(SCORE4), True, THINKER),
        (Position(Rules.flat(16, 4)), True, THINKER),
    ],
)
def test_the_solver_is_asked_where_it_is_there_and_quick(
    position: Position, installed: bool, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "perfect_engine", lambda: "perfect" if installed else None)
    assert advisers(position)[0] == who
    assert advisers(position)[-1] == THINKER


def test_a_hint_takes_a_win_and_stops_one() -> None:
    adviser = Adviser()
    assert adviser.hint(Position.parse("414141"))[1].column == 3
    assert adviser.hint(Position.parse("41414"))[1].column == 3


def test_an_engine_that_will_not_answer_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def ask(self: Adviser, words: str, position: Position, report: object) -> tuple[str, Choice]:
        asked.append(words)
        if words == "perfect":
            raise BadRules("not on this board")
        return words, Choice(0)

    monkeypatch.setattr(Adviser, "_ask", ask)
    assert Adviser().hint(LATE)[1].column == 0
    assert asked == ["perfect", THINKER]


def test_an_engine_is_made_ready_once_for_each_board(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []

    def build(words: str) -> Engine:
        built.append(words)
        return Leftmost()

    monkeypatch.setattr(advice, "build_engine", build)
    monkeypatch.setattr(advice, "perfect_engine", lambda: None)
    adviser = Adviser()
    for position in (Position(), Position().play(3), Position(SCORE4)):
        assert adviser.hint(position)[1].column == 0
    assert built == [THINKER, THINKER]


def test_opinions_are_those_of_legal_columns() -> None:
    full = Position.parse("777777")
    assert opinions(FlatOnly(), "flat", full) == {column: float(column) for column in range(6)}
    assert opinions(Leftmost(), "leftmost", full) == {}
    assert opinions(BadOpinions(), "bad", full) == {}


@pytest.mark.parametrize("kind", [Raises, Quits])
def test_an_opinion_that_fails_is_a_sentence(kind: type[Engine]) -> None:
    class Loud(kind):  # type: ignore[misc, valid-type]
        """Thinks of columns as it chooses."""

        def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
            self.ask(position, limits)
            return {}

    with pytest.raises(EngineFailure, match=r"^loud: "):
        opinions(Loud(), "loud", Position(CONNECT4))


def test_where_nobody_gives_hints_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "perfect_engine", lambda: None)
    monkeypatch.setattr(advice, "offers", dict)
    with pytest.raises(ArenaError, match="no engine that gives hints"):
        Adviser().hint(Position())


def test_opinions_in_a_row() -> None:
    lines = opinion_lines("mcts", {0: -1.5, 2: 0.25, 6: 0.25}, Position())
    assert lines == [
        "mcts on each column, for the player to move (* best):",
        "column     1      2      3      4      5      6      7",
        " value  -1.5      ?  +0.25*     ?      ?      ?  +0.25*",
    ]
    assert opinion_lines("mcts", {}, Position()) == ["mcts has no opinion of single columns."]


def test_opinions_peg_by_peg() -> None:
    lines = opinion_lines("mcts", {column: float(column) for column in range(16)}, Position(SCORE4))
    assert [line.split() for line in lines[1:3]] == [
        ["x", "1", "2", "3", "4"],
        ["y", "1", "0", "+4", "+8", "+12"],
    ]
    assert lines[-1].split()[-1] == "+15*"
