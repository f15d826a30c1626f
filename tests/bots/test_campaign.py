"""Whatever a bot in a seat does costs it its own game, for the right reason, and nobody else's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from arena import Game, Limits
from arena.table import table
from tests.support.campaign import Bot, play_gauntlet
from tests.support.processes import is_gone

pytestmark = pytest.mark.contract

BOTS = Path(__file__).with_name("naughty.py")
HURRIED, AT_LEISURE = Limits(seconds=0.2), Limits()
HEROES = (Bot("Good", f"{BOTS}:Good"), Bot("Ours", "reflex"))  # in a process of its own, and ours
SENDS = "Sends"
GOOD_ENDS = ("line", "full board")


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
    "EatsByChildren": GREEDY,
    "ForksAndForks": Ending("|time|memory", limits=HURRIED),
    "Floods": Ending("exception", "RuntimeError: it did not work"),
    "InterruptsLater": FINE,
    "StopsItself": FINE,  # its keeper continues it
    "StopsKeeper": Ending("crash", "its process closed its output"),
    "RefusesGames": Ending("exception", "KeyboardInterrupt"),
}


UNPLAYED = {
    "KillsKeeper": r"KillsKeeper: its process was killed from outside \(SIGKILL\) 3 times, against",
    "KillsGroup": r"KillsGroup: its process was killed from outside \(SIGKILL\) 3 times, against",
    "SignalsOpponent": r"Good: .*from outside \(SIGKILL\) 3 times, against SignalsOpponent",
    "KillsOpponentsKeeper": r"Good: .*from outside \(SIGKILL\) 3 times, against Kills",
}
HARMLESS = ("SendsSEGV", "SendsABRT", "SendsTERM", "SendsINT", "SendsSTOP", "SendsALRM",
            "SendsRTMIN", "StopsOpponentForLong", "StopsOpponentsKeeper", "SlowsOpponent",
            "StopsKeeperAgainAndAgain", "LimitsOpponent", "StopsChild")  # fmt: skip


def hostile(endings: Mapping[str, Ending], folder: Path, when: str = "later") -> list[Bot]:
    """The bots of these names; each writes down in the folder which processes it leaves behind."""
    return [bot_of(name, folder, when, ending.limits) for name, ending in endings.items()]


def bot_of(name: str, folder: Path, when: str, limits: Limits) -> Bot:
    """A bot by the name of its class, or of the signal that it sends to others."""
    options = {"left": str(folder / name), "when": when}
    if name.startswith(SENDS):
        options["signal"] = name.removeprefix(SENDS)
    kind = "SignalsOpponent" if name.startswith(SENDS) else name
    return Bot(name, f"{BOTS}:{kind}", options, limits)


def hostile_player(game: Game) -> str:
    heroes = {hero.name for hero in HEROES}
    (name,) = (player for player in game.players if player not in heroes)
    return name


def judge(game: Game, endings: dict[str, Ending]) -> str:
    """What is wrong with the end of a game; "" if nothing is."""
    name = hostile_player(game)
    allowed = endings[name].reasons.split("|")
    if game.reason in GOOD_ENDS:
        return "" if "" in allowed else f"{name} came away with it: {game}"
    if game.winner in (None, name) or not game.detail.startswith(f"{name}: "):
        return f"{name} made another one lose: {game}"
    if game.reason not in allowed or not re.search(endings[name].words, game.detail):
        return f"{name} lost for another reason: {game.reason}: {game.detail}"
    return ""


def processes_left(folder: Path) -> list[str]:
    """Bots whose helpers are still there."""
    notes = [(file.name, int(pid)) for file in folder.iterdir() for pid in file.read_text().split()]
    return [name for name, pid in notes if not is_gone(pid)]


def test_every_deed_costs_its_bot_the_game_and_nobody_else_anything(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    games, lost = play_gauntlet(HEROES, hostile(DEEDS, tmp_path))
    assert not lost, "a table was lost"
    assert len(games) == len(HEROES) * len(DEEDS)
    assert [wrong for game in games if (wrong := judge(game, DEEDS))] == []
    assert (tmp_path / "HelperGoesAway").exists()
    assert processes_left(tmp_path) == []
    assert capfd.readouterr() == ("", "")
    flood = next(game for game in games if "Floods" in game.players)
    assert 'naughty.py", line' in flood.trace
    assert flood.printed.endswith("this is the end\n")


def test_a_bot_that_cannot_be_built_again_loses_its_games_only(tmp_path: Path) -> None:
    again = {
        "FailsAgain": Ending("exception", r"RuntimeError: not twice \(naughty.py:"),
        "HangsAgain": Ending("time", r"was not ready in \d"),
        "LeavesAgain": Ending("crash", f"{LEFT} 5"),
    }
    games, lost = play_gauntlet(HEROES, hostile(again, tmp_path), workers=1, start=3.0)
    assert not lost
    crashes = dict.fromkeys(again, Ending("crash", f"{LEFT} 3"))
    for name in again:
        first, second = (game for game in games if name in game.players)
        assert judge(first, crashes) == judge(second, again) == ""


def test_a_game_is_left_unplayed_if_a_bot_is_killed_and_nobody_knows_by_whom(
    tmp_path: Path,
) -> None:
    games, lost = play_gauntlet(HEROES, hostile(dict.fromkeys(UNPLAYED, FINE), tmp_path))
    whys = [each.why for each in lost if each.unplayed is not None]
    for name, words in UNPLAYED.items():
        assert any(re.search(words, why) for why in whys), (name, whys)
    assert not [game for game in games if game.reason not in GOOD_ENDS]
    assert not [each for each in lost if each.game is not None]
    assert processes_left(tmp_path) == []


def test_signals_to_others_cost_nobody_anything(tmp_path: Path) -> None:
    endings = dict.fromkeys(HARMLESS, FINE._replace(limits=HURRIED))
    games, lost = play_gauntlet(HEROES, hostile(endings, tmp_path))
    assert [wrong for game in games if (wrong := judge(game, endings))] == []
    assert [each for each in lost if each.game or each.unplayed] == []
    assert processes_left(tmp_path) == []


@pytest.mark.parametrize("name", ["StopsTable", "KillsKeeperAndTable"])
def test_a_bot_that_holds_up_its_worker_leaves_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MAX_STOPPED", 0.5)
    games, lost = play_gauntlet(HEROES[:1], hostile({name: FINE, "Exits": FINE}, tmp_path),
                                attempts=2)  # fmt: skip
    assert [game.reason for game in games] == ["exception"]
    assert len([each for each in lost if each.unplayed is not None]) == 1
    assert processes_left(tmp_path) == []


def test_a_table_that_is_killed_by_a_bot_costs_nobody_a_game(tmp_path: Path) -> None:
    bots = hostile({"KillsTable": FINE, "Exits": FINE}, tmp_path)
    games, lost = play_gauntlet(HEROES, bots, attempts=2)
    assert [game.reason for game in games] == ["exception"] * len(HEROES)
    assert {each.game for each in lost} == {None}
    assert len([each for each in lost if each.unplayed is not None]) == len(HEROES)
