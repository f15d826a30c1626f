"""Players who learn: the same games on any number of tables, and however often a run is killed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.hosted import Terms
from arena.engine.contract import Choice, Engine, Limits, PlayedGame
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.journal import Journal
from arena.session import Run, RunProgress, Watcher, header_of
from arena.table import local
from arena.table.channel import Pipe
from arena.table.game import Game
from arena.table.learning import PAGE, Lessons, LessonsRequest, played_game, teach
from arena.table.match import Side, play_match, play_match_on_tables
from arena.table.runner import GameOver, Seating
from arena.table.table_process import Inbox
from arena.tournament.formats import RoundRobin
from arena.tournament.games import Player, ScheduledGame
from arena.tournament.load import load_text
from arena.tournament.openings import NoOpenings
from arena.tournament.schedule import Schedule
from tests.support.playing import play_on_tables
from tests.support.stories import story
from tests.table import pupils

HERE = Path(__file__).parent
BOARD = Rules.named("5x4")
FIELD = ("pupils.py:Diary", "bots.py:Good", "pupils.py:Other", "bots.py:Exits")


def seating(*bots: str, patience: float = 20.0) -> Seating:
    players = [Player(bot.partition(":")[2], f"{HERE / bot}", {}, Limits(), False) for bot in bots]
    return Seating(BOARD, tuple(players), Terms(patience=patience))


def play(seated: Seating, games: int, workers: int) -> list[Game]:
    """All games of a round robin, in order of their numbers."""
    plan = Schedule(RoundRobin(), len(seated.players), games, True, NoOpenings(), 1)
    return play_on_tables(seated, plan, workers)[0]


def stories(rows: list[Game]) -> list[tuple[object, ...]]:
    return [story(row) for row in rows]


@pytest.fixture(scope="module")
def alone() -> list[Game]:
    """All games of the field on one table."""
    return play(seating(*FIELD), 4, 1)


def test_a_learner_knows_its_earlier_games_and_no_others(alone: list[Game]) -> None:
    assert [row.number for row in alone] == list(range(1, 25))
    earlier = [0] * len(FIELD)
    for row in alone:
        for seat, player in enumerate((row.first, row.second)):
            scores = [move.score for move in row.move_records()[seat::2]]
            if "pupils" in FIELD[player] and scores:  # a game cut short has no figures
                assert set(scores) == {float(earlier[player])}
            earlier[player] += 1
    assert "crash" in {row.reason for row in alone}
    assert len({row.moves for row in alone if {row.first, row.second} == {0, 2}}) > 1


def test_the_number_of_tables_changes_nothing(alone: list[Game]) -> None:
    assert stories(play(seating(*FIELD), 4, 3)) == stories(alone)


def test_a_run_takes_up_what_was_learned_from_its_journal(
    tmp_path: Path, alone: list[Game]
) -> None:
    class Impatient(Watcher):
        def game_over(self, event: GameOver, progress: RunProgress) -> None:
            if progress.played == 4:
                raise InterruptedError

    engines = [f'{{engine: "{HERE / bot}"}}' for bot in FIELD]
    text = f"game: 5x4\ngames: 4\nseed: 1\nengines: [{', '.join(engines)}]\noutput: {tmp_path}\n"
    text += "isolation: none\n"
    made = load_text(text, tmp_path / "small.yaml")
    for _ in range(3):
        with (
            Journal.open(tmp_path / "games.db", header_of(made)) as journal,
            pytest.raises(InterruptedError),
        ):
            Run(made, journal, Impatient()).run("test")
    with Journal.open(tmp_path / "games.db", header_of(made)) as journal:
        assert 12 <= journal.count() < 24  # what had come home as well is not lost
        assert Run(made, journal, Watcher()).run("test").ending == "finished"
        assert stories(sorted(journal.rows(), key=lambda row: row.number)) == stories(alone)


@pytest.mark.parametrize(
    ("bot", "reason", "words"),
    [
        (
            "RaisesAtThird",
            "exception",
            "could not learn from game 3: ValueError: too much",
        ),
        ("HangsAtThird", "time", "was not ready in "),
        ("LeavesAtThird", "crash", "its process left with exit code 9"),
        ("InterruptsAtThird", "crash", "its process left with exit code 1"),
    ],
)
def test_who_cannot_learn_loses_its_games_from_then_on(bot: str, reason: str, words: str) -> None:
    rows = play(seating(f"pupils.py:{bot}", "bots.py:Good", patience=0.5), 6, 2)
    assert [row.reason for row in rows[:3]] == ["line"] * 3
    assert [row.reason for row in rows[3:]] == [reason] * 3
    assert all(row.detail.startswith(f"{bot}: {words}") for row in rows[3:]), rows[3].detail
    assert all((row.result < 0) == (row.first == 0) for row in rows[3:])


def test_after_a_game_that_cannot_be_played_the_learner_waits_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local, "PATIENT_ATTEMPTS", 2)
    bots = ("bots.py:Good", "bots.py:UsesSharedChance", "bots.py:KillsItself", "pupils.py:Diary")
    rows = play(seating(*bots), 2, 2)
    assert {(row.first, row.second) for row in rows} >= {(0, 1), (1, 0)}
    numbers = [row.number for row in rows if 3 in (row.first, row.second)]
    plan = Schedule(RoundRobin(), 4, 2, True, NoOpenings(), 1).part(1)
    assert plan is not None
    own = [game for game in plan if 3 in (game.first, game.second)]
    until = next(k for k, game in enumerate(own) if 2 in (game.first, game.second))
    assert numbers == [game.number for game in own[:until]]


@pytest.mark.parametrize("bot", ["Diary", "RaisesAtThird"])
def test_in_a_match_the_learner_is_told_as_on_tables(bot: str) -> None:
    players = seating(f"pupils.py:{bot}", "pupils.py:Other")
    engines = getattr(pupils, bot)(), pupils.Other()
    sides = Side(bot, engines[0]), Side("Other", engines[1])
    here = list(play_match(sides, BOARD, 7, seed=3))
    there = list(play_match_on_tables(players, 2, 7, seed=3))
    assert [game.columns for game in here] == [game.columns for game in there]
    assert [game.result for game in here] == [game.result for game in there]
    assert [game.reason for game in here] == [game.reason for game in there]
    assert engines[1].games == 6
    assert len({game.columns for game in here}) > 2


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
