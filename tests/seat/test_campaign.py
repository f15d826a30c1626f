"""Whatever a bot in a seat does costs it its own game, for the right reason, and nobody else's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.engine.contract import Limits
from arena.engine.errors import read_last_words
from arena.game.rules import Rules
from arena.play.record import GOOD_ENDS, GameRow
from arena.play.seating import Seating
from arena.runners import local
from arena.runners.local import TableLost
from arena.tournament.formats import Gauntlet
from arena.tournament.openings import NoOpenings
from arena.tournament.schedule import Player, Schedule
from tests.support.playing import play_on_tables
from tests.support.processes import is_gone

BOTS = Path(__file__).with_name("naughty.py")
HURRIED, AT_LEISURE = Limits(seconds=0.2), Limits()
PATIENCE, MEMORY = 20.0, 300  # seconds, megabytes
HEROES = 2  # a good bot in a seat of its own, and an engine of ours


class Ending(NamedTuple):
    """How the games of a bot may end: for which reasons, and with which words."""

    reasons: str  # with bars between them; "" where it may well play to the end
    words: str = ""  # a pattern
    limits: Limits = AT_LEISURE


LATE = Ending("time", r"gave no answer in \d", HURRIED)
GREEDY = Ending("memory", r"used \d+ MB of memory where 300 MB are allowed")
FINE = Ending("")
PIPE = "wrote into the pipe of its own process"
LEFT = "its process left with exit code"

DEEDS = {
    "ChildComesBack": FINE,
    "ChildLivesOn": FINE,
    "HelperGoesAway": Ending("crash", f"{LEFT} 3"),
    "ClosesEverything": Ending("crash", f"{LEFT} 1"),
    "ClosesAndTakes": Ending("crash|time", f"{LEFT}|closed its output|gave no answer", HURRIED),
    "Alarm": Ending("exception", r"RuntimeError: time to get up \(naughty.py:\d+\)"),
    "AlarmLater": Ending("|exception|crash", f"{LEFT} 1|killed by SIGALRM|RuntimeError: time"),
    "ClearsModules": Ending("|exception|crash"),
    "StopsClocks": FINE,
    "PatchesOthers": Ending("|exception|illegal move"),
    "WritesBytes": Ending("crash", PIPE),
    "WritesObjects": Ending("crash", PIPE),
    "ForgesAnswers": Ending("crash", PIPE),
    "NeverEndsItsLine": Ending("crash", "wrote a line of more than"),
    "ClaimsToCompile": LATE,
    "Leaves": Ending("crash", f"{LEFT} 0"),
    "Segfaults": Ending("crash", "its process was killed by SIGSEGV"),
    "ClosesGenerator": Ending("exception", "GeneratorExit"),
    "Interrupts": Ending("exception", "KeyboardInterrupt"),
    "InterruptsLater": Ending(
        "|exception|crash", rf"{LEFT}|killed from outside \(SIGINT\)|KeyboardInterrupt"
    ),
    "Exits": Ending("exception", "SystemExit: good bye"),
    "StopsIteration": Ending("exception", "StopIteration"),
    "RaisesSpeechless": Ending("exception", "Speechless"),
    "RaisesStubborn": LATE,
    "RaisesInDel": FINE,
    "AnswersObject": Ending("exception|illegal move", "Speechless|RuntimeError: no words"),
    "AnswersMonsters": FINE,
    "AnswersEndlessly": Ending("exception", "ValueError: Exceeds the limit"),
    "BurnsOn": FINE,
    "EatsPrivately": Ending("memory", "MemoryError|used .* MB of memory"),
    "EatsShared": GREEDY,
    "EatsFiles": GREEDY,
    "EatsByChildren": GREEDY,
    "Floods": Ending("exception", "RuntimeError: it did not work"),
    "StopsItself": LATE,
    "StopsKeeper": Ending("crash", "its process closed its output"),
    "KillsKeeper": Ending("crash", r"its process was killed from outside \(SIGKILL\) 3 times"),
    "KillsGroup": Ending("crash", r"its process was killed from outside \(SIGKILL\) 3 times"),
    "RefusesGames": Ending("exception", "KeyboardInterrupt"),
}


def seating(bots: dict[str, Ending], folder: Path, start: float = 30.0) -> Seating:
    """Two good players, and all of these."""
    players = [
        Player("Good", f"{BOTS}:Good", {}, AT_LEISURE),
        Player("Ours", "reflex", {}, AT_LEISURE),
    ]
    for name, ending in bots.items():
        left = {"left": str(folder / name)}
        players.append(Player(name, f"{BOTS}:{name}", left, ending.limits))
    rules = Rules.named("4x4")
    seated = Seating(rules, tuple(players), 0.02, PATIENCE, MEMORY, None, start=start)
    vars(seated)["learners"] = frozenset()  # it takes a while to ask each bot whether it learns
    return seated


def play(seated: Seating, workers: int = 2) -> tuple[list[GameRow], list[TableLost]]:
    """A game of each good player against each of the others; and everything else that happened."""
    field = Schedule(Gauntlet(HEROES), len(seated.players), 1, False, NoOpenings(), 1)
    return play_on_tables(seated, field, workers)


def judge(row: GameRow, seated: Seating, bots: dict[str, Ending]) -> str:
    """What is wrong with the end of a game; "" if nothing is."""
    seat = 0 if row.first >= HEROES else 1
    name = seated.players[(row.first, row.second)[seat]].name
    allowed = bots[name].reasons.split("|")
    if row.reason in GOOD_ENDS:
        return "" if "" in allowed else f"{name} came away with it: {row}"
    if row.result != (1 if seat else -1) or not row.detail.startswith(f"{name}: "):
        return f"{name} made another one lose: {row}"
    if row.reason not in allowed or not re.search(bots[name].words, row.detail):
        return f"{name} lost for another reason: {row.reason}: {row.detail}"
    return ""


def processes_left(folder: Path) -> list[str]:
    """Bots whose helpers are still there."""
    notes = [(file.name, int(pid)) for file in folder.iterdir() for pid in file.read_text().split()]
    return [name for name, pid in notes if not is_gone(pid)]


def test_every_deed_costs_its_bot_the_game_and_nobody_else_anything(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    seated = seating(DEEDS, tmp_path)
    rows, others = play(seated)
    assert not others, "a table was lost"
    assert len(rows) == HEROES * len(DEEDS)
    assert [wrong for row in rows if (wrong := judge(row, seated, DEEDS))] == []
    assert (tmp_path / "HelperGoesAway").exists()
    assert processes_left(tmp_path) == []
    assert capfd.readouterr() == ("", "")
    places = {player.name: place for place, player in enumerate(seated.players)}
    flood = next(row for row in rows if places["Floods"] in (row.first, row.second))
    trace, printed = read_last_words(flood.log)
    assert 'naughty.py", line' in trace
    assert printed.endswith("this is the end\n")


def test_a_bot_that_cannot_be_built_again_loses_its_games_only(tmp_path: Path) -> None:
    again = {
        "FailsAgain": Ending("exception", r"RuntimeError: not twice \(naughty.py:"),
        "HangsAgain": Ending("time", r"was not ready in \d"),
        "LeavesAgain": Ending("crash", f"{LEFT} 5"),
    }
    seated = seating(again, tmp_path, start=3.0)
    rows, others = play(seated, workers=1)
    assert not others
    crashes = dict.fromkeys(again, Ending("crash", f"{LEFT} 3"))
    for place in range(HEROES, len(seated.players)):
        first, second = (row for row in rows if place in (row.first, row.second))
        assert judge(first, seated, crashes) == judge(second, seated, again) == ""


def test_a_table_that_is_killed_by_a_bot_costs_nobody_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "PATIENT_ATTEMPTS", 2)
    rows, others = play(seating({"KillsTable": FINE, "Exits": FINE}, tmp_path))
    assert [row.reason for row in rows] == ["exception"] * HEROES
    assert {event.game for event in others} == {None}
    assert len([event for event in others if event.unplayed is not None]) == HEROES
