"""The replay board of report.html in a real browser: verdicts, addresses, keys."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.journal import Journal
from arena.judge.judge import Verdict, in_words
from arena.report.accuracy import blunder_words
from arena.report.write import Report, write_report
from tests.report.browser import PATIENCE, Browser, needs_browser
from tests.report.test_accuracy import JUDGE, report, small

pytestmark = needs_browser

SHOWN = "document.querySelector('#players').textContent.split(':')[0]"
ANYTHING = ("body", "#ply", "#player", "#number", "#next", "#theme", "th button")


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The page of a small tournament whose games are all judged."""
    folder = small(tmp_path_factory.mktemp("judged"))
    return report(folder, lambda: JUDGE, html=True)


@pytest.fixture
def page(chromium: Browser, judged: Report) -> Iterator[Browser]:
    """The page, newly opened; nothing may go wrong on it."""
    assert judged.html is not None
    chromium.errors.clear()
    chromium.open(judged.html, "")
    yield chromium
    assert chromium.errors == []


def until(page: Browser, expression: str, expected: object) -> None:
    """Wait until the page says what is expected."""
    give_up = time.monotonic() + PATIENCE
    while (value := page.ask(expression)) != expected:
        assert time.monotonic() < give_up, f"{expression} is {value!r}, expected {expected!r}"


def discs(page: Browser) -> int:
    return int(page.ask("document.querySelectorAll('#board .cell.X, #board .cell.O').length"))


def verdicts(report: Report) -> dict[int, list[Verdict]]:
    accuracy = report.data.accuracy
    assert accuracy is not None
    rules = accuracy.rules
    return {
        game.number: [verdict for _, verdict in game.judged.verdicts(rules) if verdict is not None]
        for game, _ in accuracy.games
    }


def test_replay_it_opens_at_the_blunder(page: Browser, judged: Report) -> None:
    blunder = judged.data.blunders[0]
    page.click("#section-worst-blunders button.show")
    assert page.text("#players").startswith(f"Game {blunder.game}:")
    assert discs(page) == blunder.verdict.ply + 1
    assert page.ask("document.querySelectorAll('#board .cell.last.bad').length") == 1
    words_there = page.text("#said")
    assert "Judged: loses the " in words_there
    words = blunder_words(blunder.verdict, judged.data.header.rules)
    assert words_there.endswith(words[words.index(" Column") :])
    until(page, "location.hash", f"#game={blunder.game}&ply={blunder.verdict.ply + 1}")


def test_a_notable_game_opens_at_its_end(page: Browser, judged: Report) -> None:
    notable = next(iter(judged.data.results.notable.values()))
    page.click("#section-notable-games button.show")
    assert page.text("#players").startswith(f"Game {notable.number}:")
    assert discs(page) == len(notable.moves)


def test_every_judged_move_is_marked_in_colour_and_in_words(page: Browser, judged: Report) -> None:
    """The page classifies nothing by itself: compare with the verdicts, move by move."""
    marks = {"best": "good", "slower win": "slow", "faster loss": "slow"}
    seen = set()
    for number, moves in verdicts(judged).items():
        page.ask(f"location.hash = '#game={number}&ply=0'")
        until(page, SHOWN, f"Game {number}")
        cells = json.loads(page.ask(
            "JSON.stringify([...document.querySelectorAll('#moves td.verdict')]"
            ".map(each => [each.className, each.textContent]))"
        ))  # fmt: skip
        assert [kind for kind, _ in cells] == [
            f"verdict {marks.get(verdict.kind, 'bad')}" for verdict in moves
        ]
        for verdict, (_, words) in zip(moves, cells, strict=True):
            seen.add(verdict.kind)
            lost = words.startswith("loses the ")
            assert lost == (not verdict.keeps_value), (verdict, words)
            if verdict.value_before > 0:
                assert (f"{'loses' if lost else 'keeps'} the win") in words
            assert words.split()[-1] == f"{verdict.after:+d}".replace("+0", "0")
    assert {"best", "win to loss", "draw to loss"} <= seen


def test_scores_are_told_as_the_report_tells_them(page: Browser, judged: Report) -> None:
    accuracy = judged.data.accuracy
    assert accuracy is not None
    number, moves = next(iter(verdicts(judged).items()))
    for verdict in moves:
        page.ask(f"location.hash = '#game={number}&ply={verdict.ply + 1}'")
        until(page, "document.querySelector('#ply').value", str(verdict.ply + 1))
        words_there = page.text("#said")
        for score in (verdict.before, verdict.after):
            assert in_words(score, verdict.ply, accuracy.rules) in words_there


def test_an_address_opens_its_game_and_follows_the_reader(page: Browser, judged: Report) -> None:
    assert judged.html is not None
    assert page.ask("location.hash") == ""  # opening a page changes no address
    page.open(judged.html, "?1#game=8&ply=5")
    assert page.text("#players").startswith("Game 8:")
    assert discs(page) == 5
    assert page.ask("document.querySelector('#replay').getBoundingClientRect().top < innerHeight")
    page.press("ArrowRight")
    until(page, "location.hash", "#game=8&ply=6")
    page.press("ArrowLeft")
    page.press("ArrowLeft")
    until(page, "location.hash", "#game=8&ply=4")
    page.click("#list tbody tr[data-game='3']")
    until(page, "location.hash", "#game=3&ply=0")
    page.press("ArrowRight")
    until(page, "location.hash", "#game=3&ply=1")
    page.ask("history.back()")  # one step back is the game before, where it was left
    until(page, SHOWN, "Game 8")
    assert discs(page) == 4
    page.ask("history.forward()")
    until(page, SHOWN, "Game 3")
    assert discs(page) == 1


@pytest.mark.parametrize(
    ("hash", "game", "ply"),
    [
        ("#game-8", 8, None), ("#game=8", 8, None), ("#game=8&ply=99999", 8, None),
        ("#game=8&ply=x", 8, None), ("#game=8&ply=0", 8, 0), ("#game=x", 0, None),
    ],
)  # fmt: skip
def test_addresses_that_are_old_or_odd(
    page: Browser, judged: Report, hash: str, game: int, ply: int | None
) -> None:
    assert judged.html is not None
    page.open(judged.html, f"?{hash}")
    if hash != "#game=x":
        assert page.text("#players").startswith(f"Game {game}:")
        end = page.ask("+document.querySelector('#ply').max")
        assert discs(page) == (end if ply is None else ply)
    assert page.text("#missing") == ""


def test_a_game_that_is_not_here_is_said_to_be_missing(page: Browser, judged: Report) -> None:
    assert judged.html is not None
    page.open(judged.html, "?#game=4711&ply=3")
    assert page.text("#missing") == "Game 4711 is not on this page."
    page.click("#list tbody tr[data-game='3']")
    assert page.text("#missing") == ""


@pytest.mark.parametrize("focus", ANYTHING)
def test_arrow_keys_step_whatever_has_the_focus(page: Browser, judged: Report, focus: str) -> None:
    assert judged.html is not None
    page.open(judged.html, f"?{focus[1:]}#game=8&ply=5")
    page.ask(f"document.querySelector({json.dumps(focus)}).focus()")
    before = page.ask("document.querySelector('#player').value")
    page.press("ArrowRight")
    assert discs(page) == 6
    page.press("ArrowLeft")
    page.press("ArrowLeft")
    assert discs(page) == 4
    assert page.ask("document.querySelector('#player').value") == before


def test_unjudged_games_show_no_verdicts(chromium: Browser, tmp_path: Path) -> None:
    with Journal.read(small(tmp_path, 2)) as journal:
        plain = write_report(journal, tmp_path, html=True, formats=())
    assert plain.html is not None
    chromium.open(plain.html, "")
    assert chromium.ask("document.querySelectorAll('td.verdict, #verdicts span.good').length") == 0
    assert chromium.ask("document.querySelector('#legend').hidden")
