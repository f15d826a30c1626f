"""A hostile bot loses its own games, for the right reason, and costs nobody else anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from arena import Game, Limits
from tests.support.bots import naughty
from tests.support.campaign import Bot, play_gauntlet
from tests.support.processes import is_gone

pytestmark = pytest.mark.contract

BOTS = naughty.__file__
HURRIED, AT_LEISURE = Limits(seconds=0.2), Limits()
HEROES = (Bot("Good", f"{BOTS}:Good"), Bot("Ours", "reflex"))  # in a process of its own, and ours
SENDS = "sends_"  # a signal, to the opponent
GOOD_ENDS = ("line", "full board")


class Ending(NamedTuple):
    """How the games of a bot may end: for which reasons, and with which words."""

    reasons: str  # with bars between them; "" where it may well play to the end
    words: str = ""  # a pattern
    limits: Limits = AT_LEISURE


LATE = Ending("time", r"gave no answer in \d", HURRIED)
GREEDY = Ending("memory", r"used \d+ MB of memory where 300 MB are allowed")
FINE = Ending("")
PIPE = "broke Arena.s protocol: wrote "
LEFT = "its process left with exit code"

DEEDS = {
    "child_comes_back": FINE,
    "child_lives_on": FINE,
    "helper_goes_away": Ending("crash", f"{LEFT} 3"),
    "closes_everything": Ending("crash", f"{LEFT} 1"),
    "closes_and_takes": Ending("crash|time", f"{LEFT}|closed its|gave no answer", HURRIED),
    "rings": Ending("exception", r"RuntimeError: time to get up \(naughty.py:\d+\)"),
    "rings_later": Ending("|exception|crash", f"{LEFT} 1|RuntimeError: time"),
    "clears_modules": Ending("|exception|crash"),
    "stops_clocks": FINE,
    "patches_others": Ending("|exception|illegal move"),
    "writes_bytes": Ending("crash", PIPE),
    "writes_objects": Ending("crash", PIPE),
    "forges_answers": Ending("crash", PIPE),
    "never_ends_its_line": Ending("crash", "wrote a line of more than"),
    "claims_to_compile": LATE,
    "leaves": Ending("crash", f"{LEFT} 0"),
    "segfaults": Ending("crash", "its process was killed by SIGSEGV"),
    "raises_generator_exit": Ending("exception", "GeneratorExit"),
    "interrupts": Ending("exception", "KeyboardInterrupt"),
    "exits": Ending("exception", "SystemExit: good bye"),
    "stops_iteration": Ending("exception", "StopIteration"),
    "raises_speechless": Ending("exception", "Speechless"),
    "raises_endless": LATE,
    "raises_in_del": FINE,
    "answers_object": Ending("exception|illegal move", "Speechless|RuntimeError: no words"),
    "answers_monsters": FINE,
    "answers_endlessly": Ending("exception", "ValueError: Exceeds the limit"),
    "burns_on": FINE,
    "eats_privately": Ending("memory", "MemoryError|used .* MB of memory"),
    "eats_shared": GREEDY,
    "eats_by_children": GREEDY,
    "forks_and_forks": Ending("|time|memory", limits=HURRIED),
    "prints_and_fails": Ending("exception", "RuntimeError: it did not work"),
    "interrupts_later": FINE,
    "stops_itself": FINE,  # its keeper continues it
    "stops_keeper": Ending("crash", f"{LEFT} 4"),  # its keeper is continued, and says so
    "interrupts-begin": Ending("exception", "KeyboardInterrupt"),
}


KILLED = r"its process was killed from outside \(SIGKILL\) 3 times, against"
UNPLAYED = {
    "kills_keeper": f"kills_keeper: {KILLED}",
    "kills_group": f"kills_group: {KILLED}",
    "sends_KILL": f"Good: {KILLED} sends_KILL",
    "kills_opponents_keeper": f"Good: {KILLED} kills_opponents_keeper",
}
HARMLESS = ("sends_SEGV", "sends_ABRT", "sends_TERM", "sends_INT", "sends_STOP", "sends_ALRM",
            "sends_RTMIN", "stops_opponent_for_long", "stops_opponents_keeper", "slows_opponent",
            "stops_keeper_again_and_again", "limits_opponent", "stops_child")  # fmt: skip


def hostile(endings: Mapping[str, Ending], folder: Path) -> list[Bot]:
    """A bot for each deed, which notes in the folder the processes that it leaves behind."""
    return [bot_of(name, folder, ending.limits) for name, ending in endings.items()]


def bot_of(name: str, folder: Path, limits: Limits) -> Bot:
    """A bot by the name of its deed, or sends_SIGNAL, perhaps with a moment: leaves-first."""
    does, _, when = name.partition("-")
    options = {"does": does, "when": when or "later", "left": str(folder / name)}
    if does.startswith(SENDS):
        options |= {"does": "signals_opponent", "signal": does.removeprefix(SENDS)}
    return Bot(name, f"{BOTS}:Naughty", options, limits)


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
    assert (tmp_path / "helper_goes_away").exists()
    assert processes_left(tmp_path) == []
    assert capfd.readouterr() == ("", "")
    flood = next(game for game in games if "prints_and_fails" in game.players)
    assert 'naughty.py", line' in flood.trace
    assert flood.printed.endswith("this is the end\n")


def test_a_bot_that_cannot_be_built_again_loses_its_games_only(tmp_path: Path) -> None:
    again = {
        "fails": Ending("exception", r"RuntimeError: not twice \(naughty.py:"),
        "sleeps": Ending("time", r"was not ready in \d"),
        "leaves_with_5": Ending("crash", f"{LEFT} 5"),
    }
    bots = [bot_of(name, tmp_path, AT_LEISURE) for name in again]
    bots = [bot._replace(options={**bot.options, "does": "leaves_once", "again": bot.name})
            for bot in bots]  # fmt: skip
    games, lost = play_gauntlet(HEROES, bots, workers=1, start=3.0)
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


def test_a_bot_that_is_killed_while_it_starts_does_not_lose(tmp_path: Path) -> None:
    games, lost = play_gauntlet(HEROES[:1], hostile({"hunts_opponents": FINE}, tmp_path))
    assert games == []
    assert [each.why for each in lost] == [
        "Good: its process was killed from outside (SIGKILL) 3 times, against hunts_opponents"
    ]
    assert processes_left(tmp_path) == []


def test_signals_to_others_cost_nobody_anything(tmp_path: Path) -> None:
    endings = dict.fromkeys(HARMLESS, FINE._replace(limits=HURRIED))
    endings["stops_child"] = FINE  # it waits for its keeper, which takes turns with others
    games, lost = play_gauntlet(HEROES, hostile(endings, tmp_path))
    assert [wrong for game in games if (wrong := judge(game, endings))] == []
    assert [each for each in lost if each.game or each.unplayed] == []
    assert processes_left(tmp_path) == []


@pytest.mark.parametrize("name", ["stops_worker", "kills_keeper_and_worker"])
def test_a_bot_that_holds_up_its_worker_leaves_nothing(name: str, tmp_path: Path) -> None:
    games, lost = play_gauntlet(HEROES[:1], hostile({name: FINE, "exits": FINE}, tmp_path),
                                attempts=2, max_stopped=0.5)  # fmt: skip
    assert [game.reason for game in games] == ["exception"]
    assert len([each for each in lost if each.unplayed is not None]) == 1
    assert processes_left(tmp_path) == []


def test_a_table_that_is_killed_by_a_bot_costs_nobody_a_game(tmp_path: Path) -> None:
    bots = hostile({"kills_worker": FINE, "exits": FINE}, tmp_path)
    games, lost = play_gauntlet(HEROES, bots, attempts=2)
    assert [game.reason for game in games] == ["exception"] * len(HEROES)
    assert {each.game for each in lost} == {None}
    assert len([each for each in lost if each.unplayed is not None]) == len(HEROES)
