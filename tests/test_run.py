"""What a run hands to later ones by the journal: its openings, and what its engines are."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import BadOption
from arena.game.notation import play_moves
from arena.journal import Journal
from arena.journal.errors import JournalChanged, JournalError
from arena.report.data import events_of
from arena.session import (
    ENGINE_CHANGED,
    Run,
    RunProgress,
    Watcher,
    header_of,
)
from arena.session.prepare import compare_sources
from arena.table.runner import GameOver
from arena.tournament.identity import Source
from arena.tournament.load import load_text
from arena.tournament.openings import Abandoned, Balanced
from arena.tournament.spec import Tournament
from tests.engines.exhaustive import exact_score

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
    return list(map(str, journal.solved_openings()))


def test_openings_are_found_before_the_first_game_and_never_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, watcher = tournament(tmp_path), Noted()
    with opened(made) as journal:
        assert Run(made, journal, watcher).run("test").ending == "finished"
        played = {row.opening for row in journal.rows()}
        assert len(found_in(journal)) == len(played) == 4
    assert watcher.names[0] == "the value of openings"
    assert watcher.names[-2:] == ["random", "reflex"]
    assert all(exact_score(play_moves(opening, made.rules)) == 0 for opening in played)
    monkeypatch.setattr(Balanced, "_beats", lambda *args: pytest.fail("solved again"))
    with opened(made) as journal:
        schedule = Run(made, journal, Watcher()).schedule
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
            raise Abandoned
        return beats(self, *args)  # type: ignore[arg-type]

    with monkeypatch.context() as patch, opened(made) as journal:
        patch.setattr(Balanced, "_beats", breaks_off)
        with pytest.raises(Abandoned):
            Run(made, journal, Watcher()).run("test")
        kept = found_in(journal)
        assert len(kept) == 2
    with opened(made) as journal:
        assert Run(made, journal, Watcher()).run("test").ending == "finished"
        assert found_in(journal)[:2] == kept
        assert len(found_in(journal)) == 4


def test_openings_that_cannot_be_found_stop_the_run_with_a_sentence(tmp_path: Path) -> None:
    text = TEXT.replace("5x4", "4x4c3").replace("balanced: 9", "balanced: 1")
    made = tournament(tmp_path, text)
    for _ in range(2):  # the second one remembers
        with opened(made) as journal, pytest.raises(BadOption, match="no opening of 1 plies"):
            Run(made, journal, Watcher()).run("test")


def test_the_time_budget_begins_with_the_first_game(tmp_path: Path) -> None:
    """Neither looking for openings nor checking engines is playing."""

    class Clocked(Watcher):
        def __init__(self) -> None:
            self.seen: list[tuple[str, bool]] = []

        def checking(self, name: str, number: int, count: int) -> None:
            self.seen.append((name, session.rules.begun is not None))

        def game_over(self, event: GameOver, progress: RunProgress) -> None:
            self.seen.append(("game", session.rules.begun is not None))

    made, watcher = tournament(tmp_path, f"{TEXT}stop: {{seconds: 1h}}\n"), Clocked()
    with opened(made) as journal:
        session = Run(made, journal, watcher)
        session.run("test")
    assert {name for name, running in watcher.seen if running} == {"game"}
    assert {"the value of openings", "random", "reflex"} <= {name for name, _ in watcher.seen}


class Warned(Watcher):
    """Remembers what was said before the games."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def warned(self, words: str) -> None:
        self.words.append(words)


def played_in_part(folder: Path, monkeypatch: pytest.MonkeyPatch, source: Source) -> Tournament:
    """A tournament that another run has begun, with engines of this source."""
    text = "game: 5x4\ngames: 8\nworkers: 1\nengines: [random, reflex]\n"
    made = tournament(folder, text)
    monkeypatch.setattr(
        "arena.session.prepare.sources", lambda engines: dict.fromkeys(engines, source)
    )
    short = tournament(folder, f"{text}stop: {{seconds: 1e-6}}\n")
    with opened(short) as journal:
        assert Run(short, journal, Warned()).run("test").ending == "decided"
        assert 0 < journal.count() < 8
    return made


def test_a_changed_package_of_others_is_refused_until_it_is_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Source("their-bots", "1.0", "a")
    made = played_in_part(tmp_path, monkeypatch, source)
    changed = dict.fromkeys(("random", "reflex"), Source("their-bots", "1.1", "b"))
    monkeypatch.setattr("arena.session.prepare.sources", lambda engines: changed)
    with opened(made) as journal:
        with pytest.raises(JournalChanged, match=r"random \(their-bots 1\.0 -> 1\.1\) has changed"):
            Run(made, journal, Warned()).run("test")
        assert len(journal.sessions()) == 1
    monkeypatch.setattr(
        "arena.session.prepare.sources", lambda engines: dict.fromkeys(engines, source)
    )
    with opened(made) as journal:
        assert Run(made, journal, Warned()).run("test").ending == "finished"


def test_a_changed_engine_of_ours_is_reported_once_and_in_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = played_in_part(tmp_path, monkeypatch, Source("connect-arena", "1.0", "a"))
    now = Source("connect-arena", "1.0", "b")
    monkeypatch.setattr(
        "arena.session.prepare.sources", lambda engines: dict.fromkeys(engines, now)
    )
    watcher = Warned()
    with opened(made) as journal:
        assert Run(made, journal, watcher).run("test").ending == "finished"
        assert compare_sources(journal, made) == []
        assert [words.split(" has")[0] for words in watcher.words] == [
            "random (connect-arena)", "reflex (connect-arena)",
        ]  # fmt: skip
        assert events_of(journal, ENGINE_CHANGED) == tuple(watcher.words)


def test_a_journal_without_sources_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("arena.session.prepare.changed_sources", lambda *known: {})
        made = played_in_part(tmp_path, patch, Source("their-bots", "1.0", "a"))
    with opened(made) as journal:
        journal._connection.execute("DELETE FROM events")
        watcher = Warned()
        assert Run(made, journal, watcher).run("test").ending == "finished"
        assert watcher.words == []


def test_a_run_whose_journal_vanishes_does_not_say_it_has_finished(tmp_path: Path) -> None:
    class Removes(Watcher):
        def game_over(self, event: GameOver, progress: RunProgress) -> None:
            if progress.done == 8:
                (tmp_path / "games.db").unlink()

    made = tournament(tmp_path)
    with opened(made) as journal, pytest.raises(JournalError, match="its 8 games are saved"):
        Run(made, journal, Removes()).run("test")
    with opened(made) as journal:
        assert journal.count() == 8
        assert Run(made, journal, Watcher()).run("test").ending == "finished"


class Interferes(Warned):
    """Does something to the journal when it holds five games."""

    def __init__(self, deed: Callable[[], object]) -> None:
        super().__init__()
        self.deed = deed

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        if progress.done == 5:
            self.deed()


def test_a_run_whose_games_are_deleted_does_not_say_it_has_finished(tmp_path: Path) -> None:
    def delete() -> None:
        with closing(sqlite3.connect(tmp_path / "games.db")) as other:
            other.execute("DELETE FROM games WHERE number < 4")
            other.commit()

    made = tournament(tmp_path)
    sentence = r"another program has removed 3 games \(1, 2, 3\) from .* plays them again"
    with opened(made) as journal, pytest.raises(JournalError, match=sentence):
        Run(made, journal, Interferes(delete)).run("test")
    with opened(made) as journal:
        assert Run(made, journal, Watcher()).run("test").ending == "finished"
        assert journal.count() == 8


def test_a_run_whose_log_is_cut_does_not_say_it_has_finished(tmp_path: Path) -> None:
    made = tournament(tmp_path)
    watcher = Interferes(lambda: os.truncate(tmp_path / "games.db-wal", 0))
    with pytest.raises(JournalError), opened(made) as journal:
        Run(made, journal, watcher).run("test")


def test_a_run_waits_for_a_program_that_has_locked_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.journal.database.PATIENCE", 0.1)
    threads: list[threading.Thread] = []

    def lock() -> None:
        other = sqlite3.connect(tmp_path / "games.db", check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        threads.append(threading.Timer(0.5, other.close))
        threads[0].start()

    made, watcher = tournament(tmp_path), Interferes(lock)
    with opened(made) as journal:
        assert Run(made, journal, watcher).run("test").ending == "finished"
        assert journal.count() == 8
    threads[0].join()
    sentence = f"another program has locked {tmp_path / 'games.db'}; the run waits for it"
    assert watcher.words == [sentence]


def test_a_journal_that_is_removed_before_an_interrupt_loses_no_game(tmp_path: Path) -> None:
    def remove() -> None:
        (tmp_path / "games.db").unlink()
        raise KeyboardInterrupt

    made = tournament(tmp_path)
    with pytest.raises(JournalError, match=r"its [5-8] games are saved"), opened(made) as journal:
        Run(made, journal, Interferes(remove)).run("test")
    with Journal.read(tmp_path) as journal:
        assert journal.count() >= 5


@pytest.mark.parametrize("more", ["", "limits: {seconds: 0.5}\n", "stop: {expectations: true}\n"])
def test_resuming_reads_the_games_once(tmp_path: Path, more: str) -> None:
    expected = "expect: [{score: random, at_least: 0}]\n" if "expectations" in more else ""
    made = tournament(tmp_path, TEXT.replace("openings: {balanced: 9}\n", "") + more + expected)
    with opened(made) as journal:
        assert Run(made, journal, Watcher()).run("test").ending == "finished"
    statements: list[str] = []
    with opened(made) as journal:
        journal._connection.set_trace_callback(statements.append)
        again = Run(made, journal, Watcher())
        assert again.run("test").ending == "finished"
        assert again.progress.done == 8
    assert sum("moves" in sql and "FROM games" in sql for sql in statements) == 1
