"""A game with a steal in the report: its words, and the replay board in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.game import STEAL, Rules
from arena.game.notation import play_moves, read_moves
from arena.journal import Journal
from arena.judge.judge import Judge
from arena.report.accuracy import blunder_words, marked_board
from arena.report.write import Report
from tests.journal.examples import ended, make_header, make_row
from tests.report.browser import Browser, needs_browser
from tests.report.test_accuracy import report

RULES = Rules.named("4x3c3+pie")
GAMES = ("2s11423", "2112343", "1s2233")  # the second one should have stolen


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The page of a few games, all of them judged."""
    folder: Path = tmp_path_factory.mktemp("pie")
    with Journal.open(folder, make_header(RULES.name)) as journal:
        for number, text in enumerate(GAMES, start=1):
            moves = bytes(read_moves(text, RULES))
            end = ended(play_moves(moves, RULES))
            record = {"first": 0, "second": 1, "opening": b"", "telemetry": b"", **end}
            journal.write(make_row(number, RULES.name, moves=moves, **record))
    return report(folder, lambda: Judge(RULES, 1), html=True)


def test_who_should_have_stolen_is_told_so(judged: Report) -> None:
    accuracy = judged.data.accuracy
    assert accuracy is not None
    games = {game.number: game for game, _ in accuracy.games}
    verdict = games[2].judged.verdict(1, RULES)
    assert verdict is not None
    assert verdict.better_moves == (STEAL,)
    assert blunder_words(verdict, RULES) == (
        "the best move wins, column 1 loses. A steal would have kept the win."
    )
    assert "?" in marked_board(games[2].judged.moves[:2], verdict, RULES)
    stolen = games[1].judged.verdict(1, RULES)
    assert stolen is not None
    assert stolen.kind == "best"
    later = games[1].judged.verdict(2, RULES)
    assert later is not None
    assert (later.ply, later.discs, later.seat) == (2, 1, 0)
    assert later.outcome(later.before, RULES) == "loses at disc 9"


@needs_browser
def test_the_page_shows_whose_disc_it_is(chromium: Browser, judged: Report) -> None:
    assert judged.html is not None
    chromium.errors.clear()
    marks = "[...document.querySelectorAll('#board .cell')].map(c => c.textContent || '.').join('')"
    for ply, board in ((1, "." * 8 + ".X.."), (2, "." * 8 + ".O.."), (3, "." * 8 + "XO..")):
        chromium.open(judged.html, f"?{ply}#game=1&ply={ply}")
        assert chromium.ask(marks) == board
    assert "steal" in chromium.text("#moves")
    chromium.open(judged.html, "?9#game=2&ply=2")
    said = chromium.text("#said")
    assert "the best move wins, this one loses" in said
    assert said.endswith("A steal would have kept the win.")
    chromium.open(judged.html, "?8#game=1&ply=3")
    assert "the best move loses at disc 9" in chromium.text("#said")
    assert chromium.errors == []
