"""Bots that break the contract, each in one way."""

from __future__ import annotations

import random
import sys
import time
from typing import Any, ClassVar

from arena import STEAL, Choice, Engine, Limits, PlayedGame, Position
from tests.support.bots.good import Imitator, Leftmost


class OffBoard(Engine):
    """Drops beside the board."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.rules.columns)


class Stubborn(Engine):
    """Drops into the first column, full or not."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(0)


class Raises(Engine):
    """Fails in the middle of thinking."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        raise ValueError("out of ideas")


class RaisesLate(Engine):
    """Fails when the board fills up."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        if position.ply > 3:
            raise ValueError("too many discs")
        return Choice(position.legal[0])


class RaisesEarly(Leftmost):
    """Fails before the first move."""

    def new_game(self) -> None:
        raise RuntimeError("not today")


class Unbuildable(Leftmost):
    """Fails when it is built."""

    def __init__(self, **given: Any) -> None:
        raise OSError("no such network")


class Quits(Engine):
    """Leaves the program."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        sys.exit("goodbye")


class Answers(Engine):
    """Answers with something that is not a choice."""

    answer: ClassVar[Any] = None

    def choose(self, position: Position, limits: Limits) -> Choice:
        answer: Choice = type(self).answer
        return answer


class AnswersNothing(Answers):
    """Answers None."""


class AnswersNumber(Answers):
    """Answers with a bare column."""

    answer = 3


class AnswersText(Answers):
    """Answers with a column in words."""

    answer = Choice("3")  # type: ignore[arg-type]


class AnswersBool(Answers):
    """Answers yes."""

    answer = Choice(True)


class AnswersHalf(Answers):
    """Answers between two columns."""

    answer = Choice(2.5)  # type: ignore[arg-type]


class Sleeps(Engine):
    """Takes longer than it may, without working."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        budget = limits.budget(position)
        if budget is not None and budget < 1.0:
            time.sleep(budget + 0.03)
        return Choice(position.legal[0])


class Works(Engine):
    """Takes longer than it may, working all the time."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        if limits.seconds is not None and limits.seconds < 1.0:
            until = time.process_time() + limits.seconds + 0.03
            while time.process_time() < until:
                pass
        return Choice(position.legal[0])


class Hangs(Engine):
    """Does not answer within any patience that a test has."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        if limits.seconds is None:
            time.sleep(1.0)
        return Choice(position.legal[0])


class Cheats(Engine):
    """Takes the opponent's discs off the board."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        if position.ply:
            position.first = position.second = 0
        return Choice(position.legal[0])


class Unseeded(Engine):
    """Draws from a random source that no seed reaches."""

    source_of_chance = random.SystemRandom()

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(self.source_of_chance.choice(position.legal))


class Remembers(Engine):
    """Plays by how many moves it has made in its life, not in this game."""

    lived = 0

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.lived += 1
        return Choice(position.legal[self.lived // 7 % len(position.legal)])


class TooDeep(Leftmost):
    """Looks deeper than it may."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0], depth=40)


class TooMany(Leftmost):
    """Counts more nodes than it may."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0], nodes=5000)


class TooManyPlayouts(Leftmost):
    """Plays twice as many games as it may."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(
            position.legal[0], nodes=min(2 * (limits.playouts or 1), limits.nodes or 9999)
        )


class BadScore(Leftmost):
    """Has a score that is no number."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0], score=float("nan"))


class BadDepth(Leftmost):
    """Has half a depth."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0], depth=1.5)  # type: ignore[arg-type]


class BadLine(Leftmost):
    """Expects moves that cannot be played."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[0], line=(position.legal[0], 99))


class BadOpinions(Leftmost):
    """Has an opinion of a column beside the board."""

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        return {99: 1.0}


class Silent(Leftmost):
    power: int = 1


Silent.__doc__ = None


class LearnsByChance(Imitator):
    """Learns something else each time."""

    def learn(self, game: PlayedGame) -> None:
        self.began = random.SystemRandom().randrange(10**9)

    def choose(self, position: Position, limits: Limits) -> Choice:
        legal = position.legal
        return Choice(legal[(self.began >> position.ply) % len(legal)])


class CannotLearn(Imitator):
    """Fails when it is told of a game."""

    def learn(self, game: PlayedGame) -> None:
        raise KeyError("moves")


class LearnsInVain(Imitator):
    """Does not say that it learns."""

    learns = False


class Thief(Engine):
    """Steals a disc that was stolen already."""

    plays_pie = True

    def choose(self, position: Position, limits: Limits) -> Choice:
        may = position.rules.pie and position.ply == 1
        return Choice(STEAL if may else position.legal[0])
