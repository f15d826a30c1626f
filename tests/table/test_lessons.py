"""Lessons: each learner is told its own games, in their order, a page at a time."""

from __future__ import annotations

from dataclasses import replace

from arena.engine.contract import Choice, Engine, Limits, PlayedGame
from arena.game.position import Position
from arena.game.rules import CONNECT4
from arena.table.channel import Pipe
from arena.table.game import Game
from arena.table.learning import PAGE, Lessons, LessonsRequest, played_game, teach
from arena.table.table_process import Inbox
from arena.tournament.schedule import ScheduledGame

NAMES = ("pupil", "other", "third")
ROW = Game(1, 1, 0, 1, b"\3", b"\3\2\3", 1, "time", "late", 5, 0.0, 1.0, b"figures", "words")


def rows(count: int, first: int = 0, second: int = 1) -> list[Game]:
    return [replace(ROW, number=n, first=first, second=second) for n in range(1, count + 1)]


def numbers(page: list[Game]) -> list[int]:
    return [row.number for row in page]


def test_only_the_games_of_learners_are_kept_and_in_order() -> None:
    lessons = Lessons({0}, [*rows(4)[::-1], replace(ROW, number=9, first=2, second=1)])
    assert numbers(lessons.page(LessonsRequest(0, 0, 100))) == [1, 2, 3, 4]
    assert numbers(lessons.page(LessonsRequest(0, 1, 4))) == [2, 3]
    assert numbers(lessons.page(LessonsRequest(0, 4, 5))) == []
    assert lessons.page(LessonsRequest(0, 0, 2))[0].telemetry == b""


class OwnersPipe(Pipe):
    """The owner at the other end of a table's pipe: it answers questions, after some games."""

    def __init__(self, lessons: Lessons) -> None:
        super().__init__(None)
        self.lessons = lessons
        self.asked: list[LessonsRequest] = []

    def send(self, *messages: object) -> None:
        for wanted in messages:
            assert isinstance(wanted, LessonsRequest)
            self.asked.append(wanted)
            self._arrived.append([(len(self.asked), 1, 0, 1, (), 1)])
            self._arrived.append(tuple(self.lessons.page(wanted)))


def test_a_table_reads_page_after_page_and_keeps_the_games_between() -> None:
    count = 2 * PAGE + 10
    pipe = OwnersPipe(Lessons({0}, rows(count + 5)))
    inbox = Inbox(pipe)
    told = list(inbox.lessons(0, after=3, before=count + 1))
    assert numbers(told) == list(range(4, count + 1))
    assert [wanted.after for wanted in pipe.asked] == [3, 3 + PAGE, 3 + 2 * PAGE]
    kept = [inbox.next() for _ in pipe.asked]
    assert [game.number for game in kept if isinstance(game, ScheduledGame)] == [1, 2, 3]
    assert not pipe._arrived


def test_a_game_is_told_as_its_player_saw_it() -> None:
    game = played_game(ROW, 1, NAMES, CONNECT4)
    assert (game.opening, game.columns, game.opponent) == ((3,), (3, 2, 3), "pupil")
    assert (game.result, game.own_result, game.reason, game.by_fault) == (1, -1, "time", True)
    won = played_game(replace(ROW, reason="line"), 0, NAMES, CONNECT4)
    assert (won.own_result, won.by_fault, won.opponent) == (1, False, "other")


class Draws(Engine):
    """Draws a number when it learns."""

    def learn(self, game: PlayedGame) -> None:
        self.drawn = self.random.random()

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(0)


def test_chance_in_learning_comes_from_the_game_alone() -> None:
    drawn: list[float] = []
    for seed in (1, 1, 2):
        engine = Draws()
        engine.begin(CONNECT4, len(drawn))  # whatever it has played before
        teach(engine, "draws", played_game(ROW, 0, NAMES, CONNECT4), seed)
        drawn.append(engine.drawn)
    assert drawn[0] == drawn[1] != drawn[2]
