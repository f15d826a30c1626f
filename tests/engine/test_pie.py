"""The pie rule for engines that have never heard of it, and for one that has."""

from __future__ import annotations

from typing import Any

import pytest

from arena import STEAL, Choice, Engine, Limits, PlayedGame, Position, Rules
from arena.table.referee import play_game

PIE = Rules.named("7x6+pie")
FIRST_DISC = Position.parse("2", PIE)


class Thinker(Engine):
    """Always drops into column 5, and notes what it was asked."""

    def __init__(self, score: Any = None) -> None:
        super().__init__()
        self.given = score
        self.asked: list[tuple[str, Position, Limits]] = []
        self.boards: list[Rules] = []
        self.lessons: list[PlayedGame] = []

    def new_game(self) -> None:
        self.boards.append(self.rules)

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.asked.append(("choose", position, limits))
        return Choice(4, self.given, 3, 77, (4, 4))

    def learn(self, game: PlayedGame) -> None:
        self.lessons.append(game)


class Opinionated(Thinker):
    """Has opinions besides."""

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        self.asked.append(("opinions", position, limits))
        return {0: -3.0, 1: -1.0, 2: 0.5, 3: 2.0, 4: 0.75, 5: -0.5, 6: -2.0}


class Thief(Thinker):
    """Knows the rule, and steals at every turn."""

    plays_pie = True

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.asked.append(("choose", position, limits))
        return Choice(STEAL)


@pytest.mark.parametrize(
    ("score", "column", "then"),
    [(-1.5, STEAL, 1.5), (2.0, 4, 2.0), (0.0, 4, 0.0), (0, 4, 0)],
)
def test_it_steals_what_it_would_rather_have(score: float, column: int, then: float) -> None:
    choice = Thinker(score).ask(FIRST_DISC, Limits())
    assert (choice.column, choice.score, choice.nodes) == (column, then, 77)
    assert choice.line == (None if column == STEAL else (4, 4))


@pytest.mark.parametrize("score", [None, 0.0, 0, float("nan"), "good", 10**400])
def test_without_an_opinion_it_steals_from_the_middle(score: Any) -> None:
    engine = Thinker(score)
    for disc, answer in ((2, 4), (3, STEAL), (4, 4)):
        assert engine.ask(Position(PIE).play(disc), Limits()).column == answer
    even = Rules.named("8x7+pie")
    taken = [c for c in range(8) if engine.ask(Position(even).play(c), Limits()).column == STEAL]
    assert taken == [3, 4]


def test_it_is_asked_about_the_board_without_the_rule() -> None:
    engine = Thinker(-1.0)
    engine.ask(Position.parse("2s3", PIE), Limits(depth=2))
    (what, position, limits), boards = engine.asked[0], engine.boards
    assert (what, limits, boards) == ("choose", Limits(depth=2), [PIE.plain])
    assert (position, position.moves) == (Position.parse("23", PIE.plain), (1, 2))
    assert engine.ask(Position.parse("2s", PIE), Limits()).column == 4  # nothing is left to take


def test_its_first_disc_is_not_in_the_middle() -> None:
    assert Thinker().ask(Position(PIE), Limits()).column == 4
    beside = Thinker().ask(Position(Rules.named("9x7+pie")), Limits())
    assert beside == Choice(3, nodes=77)
    narrow = Position(Rules.named("2x9+pie"))  # and its choice is on no board
    assert Thinker().ask(narrow, Limits()).column == 4


def test_its_opinion_of_a_first_disc_is_that_of_a_disc_that_may_be_stolen() -> None:
    engine = Opinionated()
    fair = engine.ask_opinions(Position(PIE), Limits())
    assert fair == {0: -3.0, 1: -1.0, 2: -0.5, 3: -2.0, 4: -0.75, 5: -0.5, 6: -2.0}
    assert engine.ask_opinions(Position(PIE.plain), Limits())[3] == 2.0


def test_one_that_knows_the_rule_is_asked_itself() -> None:
    thief = Thief()
    assert thief.ask(FIRST_DISC, Limits()).column == STEAL
    assert (thief.asked[0][1], thief.boards) == (FIRST_DISC, [PIE])
    record = play_game((Thinker(1.0), thief), PIE, players=("one", "two"))
    assert record.columns == (4, STEAL, 4)
    assert (record.result, record.reason) == (1, "illegal move")
    assert record.detail == "two: STEAL is not allowed: the first disc has already been stolen"


def test_the_referee_lets_nobody_steal_where_nothing_is_offered() -> None:
    record = play_game((Thief(), Thinker()), PIE.plain, players=("one", "two"))
    assert (record.result, record.reason, record.columns) == (-1, "illegal move", ())
    assert record.detail == "one: STEAL is not allowed: the game is played without the pie rule"


def test_the_winner_is_who_owns_the_line() -> None:
    record = play_game((Thinker(1.0), Thinker(-1.0)), PIE, players=("one", "two"))
    assert record.columns == (4, STEAL, 4, 4, 4, 4, 4)  # then the column is full
    assert [move.score for move in record.moves_of(1)] == [1.0, -1.0, -1.0]
    assert (record.result, record.detail) == (1, "two: column 5 (4 counted from 0) is full")
    flat = Rules.named("5x1c3+pie")

    class Left(Thinker):
        def choose(self, position: Position, limits: Limits) -> Choice:
            return Choice(next(c for c in (0, 3, 1, 4, 2) if c in position.legal), self.given)

    won = play_game((Left(1.0), Left(-1.0)), flat, opening=(0,), players=("one", "two"))
    assert won.columns == (0, STEAL, 3, 1, 4, 2)
    assert (won.result, won.detail) == (-1, "two made a row (1,1) (2,1) (3,1)")
    assert won.final(flat).winner == won.winner == 1


def test_it_learns_from_a_game_as_if_nobody_had_stolen() -> None:
    game = PlayedGame(7, PIE, (3,), (3, STEAL, 2, 2), -1, "line", False, 1, "other")
    engine = Thinker()
    engine.tell(game)
    plain = PlayedGame(7, PIE.plain, (3,), (3, 2, 2), 1, "line", False, 0, "other")
    assert engine.lessons == [plain]
    assert plain.own_result == game.own_result == 1
    thief = Thief()
    thief.tell(game)
    assert thief.lessons == [game]
    kept = PlayedGame(7, PIE, (), (3, 2, 2), -1, "line", False, 1, "other")
    engine.tell(kept)
    assert (engine.lessons[-1].result, engine.lessons[-1].seat) == (-1, 1)
