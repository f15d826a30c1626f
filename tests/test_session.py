"""A run finds its balanced openings once: the journal hands them to every later run."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import BadOption
from arena.game.notation import play_moves
from arena.journal import Journal
from arena.runners.events import GameOver
from arena.session import OPENING_FOUND, Progress, Session, Watcher, header_of
from arena.tournament.balanced import Balanced, Stopped
from arena.tournament.spec import Tournament, load_text
from tests.engines.exhaustive import worth

TEXT = "game: 5x4\ngames: 8\nworkers: 1\nopenings: {balanced: 9}\nengines: [random, reflex]\n"


class Noted(Watcher):
    """Remembers what was being checked."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def checking(self, name: str, number: int, count: int) -> None:
        assert 1 <= number <= count
        self.names.append(name)


def tournament(folder: Path, text: str = TEXT) -> Tournament:
    return load_text(f"{text}output: {folder}\n", folder / "small.yaml")


def opened(made: Tournament) -> Journal:
    return Journal.open(made.output / "games.db", header_of(made))


def found_in(journal: Journal) -> list[str]:
    return [event.text for event in journal.events() if event.kind == OPENING_FOUND]


def test_openings_are_found_before_the_first_game_and_never_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, watcher = tournament(tmp_path), Noted()
    with opened(made) as journal:
        assert Session(made, journal, watcher).run("test").ending == "finished"
        played = {row.opening for row in journal.rows()}
        assert len(found_in(journal)) == len(played) == 4
    assert watcher.names[0] == "the value of openings"
    assert watcher.names[-2:] == ["random", "reflex"]
    assert all(worth(play_moves(opening, made.rules)) == 0 for opening in played)
    monkeypatch.setattr(Balanced, "_beats", lambda *args: pytest.fail("solved again"))
    with opened(made) as journal:
        schedule = Session(made, journal, Watcher()).schedule
        again = [schedule.openings.opening(k) for k in range(schedule.openings_needed)]
        assert set(map(bytes, again)) == played


def test_what_was_found_outlives_a_run_that_is_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tournament(tmp_path)
    asked = 0
    beats = Balanced._beats

    def breaks_off(self: Balanced, *args: object) -> bool:
        nonlocal asked
        asked += 1
        if len(self._lines) == 2:
            raise Stopped
        return beats(self, *args)  # type: ignore[arg-type]

    with monkeypatch.context() as patch, opened(made) as journal:
        patch.setattr(Balanced, "_beats", breaks_off)
        with pytest.raises(Stopped):
            Session(made, journal, Watcher()).run("test")
        kept = found_in(journal)
        assert len(kept) == 2
    with opened(made) as journal:
        assert Session(made, journal, Watcher()).run("test").ending == "finished"
        assert found_in(journal)[:2] == kept
        assert len(found_in(journal)) == 4


def test_openings_that_cannot_be_found_stop_the_run_with_a_sentence(tmp_path: Path) -> None:
    text = TEXT.replace("5x4", "4x4c3").replace("balanced: 9", "balanced: 1")
    made = tournament(tmp_path, text)
    for _ in range(2):  # the second one remembers
        with opened(made) as journal, pytest.raises(BadOption, match="no opening of 1 plies"):
            Session(made, journal, Watcher()).run("test")


def test_the_time_budget_begins_with_the_first_game(tmp_path: Path) -> None:
    """Neither looking for openings nor checking engines is playing."""

    class Clocked(Watcher):
        def __init__(self) -> None:
            self.seen: list[tuple[str, bool]] = []

        def checking(self, name: str, number: int, count: int) -> None:
            self.seen.append((name, session.rules.begun is not None))

        def game_over(self, event: GameOver, progress: Progress) -> None:
            self.seen.append(("game", session.rules.begun is not None))

    made, watcher = tournament(tmp_path, f"{TEXT}stop: {{seconds: 1h}}\n"), Clocked()
    with opened(made) as journal:
        session = Session(made, journal, watcher)
        session.run("test")
    assert {name for name, running in watcher.seen if running} == {"game"}
    assert {"the value of openings", "random", "reflex"} <= {name for name, _ in watcher.seen}
