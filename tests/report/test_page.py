"""report.html: one page that needs nothing else, safe and alive in a real browser."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from arena.journal import Journal
from arena.judge.judge import Verdict
from arena.report.accuracy import blunder_words
from arena.report.data import read_data
from arena.report.html import embed_games, inline, write_page
from arena.report.write import Report, write_report
from tests.journal.examples import fill, make_header, make_row, short_row
from tests.report.browser import PATIENCE, Browser, needs_browser
from tests.report.samples import HOSTILE, judged_report, pie_report, small

EMPTY_TAGS = {"meta", "input", "br", "path", "use"}
SHOWN = "document.querySelector('#players').textContent.split(':')[0]"
FOCUS = ("body", "#ply", "#player", "#number", "#next", "#theme", "th button")


class Checker(HTMLParser):
    """Sees that every opened tag is closed, and that no name became markup."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.handle_startendtag(tag, attrs)
        if tag not in EMPTY_TAGS:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY_TAGS:
            assert self.stack.pop() == tag


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a tournament among hostile names."""
    place = tmp_path_factory.mktemp("page")
    header = make_header()
    named = zip(header.players, HOSTILE, strict=False)
    players = tuple(replace(player, name=name) for player, name in named)
    with Journal.open(place, replace(header, name=HOSTILE[0], players=players)) as journal:
        journal.write(replace(short_row(0, "4141414", first=0, second=1), detail=HOSTILE[0]))
        for number in range(1, 20):
            journal.write(make_row(number))
    with Journal.read(place) as journal:
        write_report(journal, place, html=True, formats=("svg",))
    return place / "report.html"


def test_the_page_is_well_formed_and_harmless(hostile: Path) -> None:
    text = hostile.read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert checker.stack == []
    assert checker.tags.count("script") == 2
    assert len(set(checker.ids)) == len(checker.ids)
    assert "<script>alert" not in text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)
    assert not re.search(r">\s*(nan|inf)\s*<", text, flags=re.IGNORECASE)
    folded = text.index('<details class="caution"><summary>')
    assert text.index('<section id="section-standings">') < folded < text.index('id="replay"')


def test_games_are_cut_to_the_room_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "games.db", 30)
    with Journal.read(tmp_path) as journal:
        data, games = read_data(journal), list(journal.rows())
    _, count = embed_games(data, games, 10**6)
    assert count == 30
    text, count = embed_games(data, games, 2000)
    assert len(text) < 3000
    assert [game[0] for game in json.loads(text)["games"]] == list(range(count)) != []
    monkeypatch.setattr("arena.report.html.MAX_GAMES", 2)
    sections = {"Standings": [], "Games": []}  # type: ignore[var-annotated]
    page = write_page(data, [], sections, {}, [games[7], games[7], games[3], games[1]])
    assert "The page holds 2 of 30 games" in page
    assert 'id="replay"' not in write_page(data, [], sections, {})


def test_an_inline_picture_has_its_own_ids_and_the_colours_of_the_page() -> None:
    svg = (
        '<?xml version="1.0"?><svg width="5pt" height="9pt"><!-- a --><metadata>x</metadata>'
        '<path id="p" style="fill: #ffffff; clip-path: url(#c)"/><use xlink:href="#p"/></svg>'
    )
    assert inline(svg, "n") == (
        '<svg width="5pt"><path id="n-p" style="fill: var(--paper); clip-path: url(#n-c)"/>'
        '<use xlink:href="#n-p"/></svg>'
    )


# ---- the page of hostile names in a browser


@pytest.fixture
def browser(hostile: Path, chromium: Browser) -> Iterator[Browser]:
    """The page of hostile names at its first game; nothing may go wrong on it."""
    chromium.errors.clear()
    chromium.open(hostile, f"?{time.monotonic()}#game-0")  # a new address, so that it loads anew
    yield chromium
    assert chromium.errors == []


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_wide_tables_scroll_and_the_page_does_not(browser: Browser, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.call("Emulation.setDeviceMetricsOverride", **size)
    assert browser.ask("document.documentElement.scrollWidth <= innerWidth")
    assert browser.ask("getComputedStyle(document.querySelector('.wide')).overflowX") == "auto"
    browser.call("Emulation.clearDeviceMetricsOverride")


@needs_browser
def test_the_board_replays_a_game_by_keys(browser: Browser) -> None:
    count = "document.querySelectorAll('#board .cell.{}').length".format
    assert browser.text("#players") == f"Game 0: {HOSTILE[0]} (X) against {HOSTILE[1]} (O)"
    assert (browser.ask(count("X")), browser.ask(count("O"))) == (4, 3)
    assert browser.ask(count("won")) == 4
    browser.press("ArrowLeft")
    assert (browser.ask(count("X")), browser.ask(count("won"))) == (3, 0)
    browser.press("ArrowLeft")
    browser.press("ArrowRight")
    assert browser.text("#said").startswith("Ply 6 of 7")
    browser.click("#start")
    assert browser.ask(count("X")) == 0
    browser.click("#moves tbody tr:nth-child(5)")
    assert browser.ask(count("X")) == 3
    assert browser.ask("document.querySelectorAll('td.verdict, #verdicts span.good').length") == 0
    assert browser.ask("document.querySelector('#legend').hidden"), "no game is judged"


@needs_browser
def test_games_are_filtered(browser: Browser) -> None:
    assert browser.text("#found") == "20 of 20 games"
    change = "{0}.value = '{1}'; {0}.dispatchEvent(new Event('input', {{bubbles: true}}))".format
    browser.ask(change("document.getElementById('number')", "0"))
    assert browser.text("#found") == "1 of 20 games"
    browser.ask(change("document.getElementById('number')", ""))
    browser.ask(change("document.getElementById('player')", "0"))
    won = browser.ask("document.querySelectorAll('#list tbody tr').length")
    assert 0 < won < 20


@needs_browser
def test_tables_sort_and_the_page_turns_dark(browser: Browser) -> None:
    first = "#section-standings tbody tr td"
    browser.click("#section-standings th button")
    assert browser.text(first) == "3"
    browser.click("#section-standings th button")
    assert browser.text(first) == "1"
    light = browser.ask("getComputedStyle(document.body).backgroundColor")
    browser.click("#theme")
    assert browser.ask("getComputedStyle(document.body).backgroundColor") != light


@needs_browser
def test_a_board_in_space_is_shown_by_levels(chromium: Browser, tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 3, "score4")
    with Journal.read(tmp_path) as journal:
        write_report(journal, tmp_path, html=True, formats=())
    chromium.errors.clear()
    chromium.open(tmp_path / "report.html")
    assert chromium.ask("document.querySelectorAll('#board .level').length") == 4
    assert chromium.ask("document.querySelectorAll('#board .cell').length") == 64
    assert chromium.ask("document.querySelectorAll('#board .cell.won').length") >= 4
    assert chromium.ask("document.documentElement.scrollWidth <= innerWidth")
    assert chromium.errors == []


# ---- a page with judged games in a browser


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report of a small tournament whose games are all judged."""
    return judged_report(small(tmp_path_factory.mktemp("judged")), html=True)


@pytest.fixture
def page(chromium: Browser, judged: Report) -> Iterator[Browser]:
    """Its page, newly opened; nothing may go wrong on it."""
    chromium.errors.clear()
    chromium.open(judged.page, "")
    yield chromium
    assert chromium.errors == []


def until(page: Browser, expression: str, expected: object) -> None:
    """Wait until the page has the expected value."""
    give_up = time.monotonic() + PATIENCE
    while (value := page.ask(expression)) != expected:
        assert time.monotonic() < give_up, f"{expression} is {value!r}, expected {expected!r}"


def discs(page: Browser) -> int:
    return int(page.ask("document.querySelectorAll('#board .cell.X, #board .cell.O').length"))


def verdicts(report: Report) -> dict[int, list[Verdict]]:
    accuracy = report.data.accuracy
    assert accuracy is not None
    every = {game.number: game.judged.verdicts(accuracy.rules) for game, _ in accuracy.games}
    return {number: [verdict for _, verdict in moves if verdict] for number, moves in every.items()}


@needs_browser
def test_a_blunder_opens_at_its_move_and_a_notable_game_at_its_end(
    page: Browser, judged: Report
) -> None:
    blunder = judged.data.blunders[0]
    page.click("#section-worst-blunders button.show")
    assert page.text("#players").startswith(f"Game {blunder.game}:")
    assert discs(page) == blunder.verdict.ply + 1
    assert page.ask("document.querySelectorAll('#board .cell.last.bad').length") == 1
    said = page.text("#said")
    assert "Judged: loses the " in said
    words = blunder_words(blunder.verdict, judged.data.rules)
    assert said.endswith(words[words.index(" Column") :])
    until(page, "location.hash", f"#game={blunder.game}&ply={blunder.verdict.ply + 1}")
    notable = next(iter(judged.data.results.notable.values()))
    page.click("#section-notable-games button.show")
    assert page.text("#players").startswith(f"Game {notable.number}:")
    assert discs(page) == len(notable.moves)


@needs_browser
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
            loses = words.startswith("loses the ")
            assert loses == (not verdict.keeps_value), (verdict, words)
            if verdict.value_before > 0:
                assert f"{'loses' if loses else 'keeps'} the win" in words
            assert words.split()[-1] == f"{verdict.after:+d}".replace("+0", "0")
    assert {"best", "win to loss", "draw to loss"} <= seen


@needs_browser
def test_an_address_opens_its_game_and_follows_the_reader(page: Browser, judged: Report) -> None:
    assert page.ask("location.hash") == "", "opening a page changes no address"
    page.open(judged.page, "?1#game=8&ply=5")
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


@needs_browser
@pytest.mark.parametrize(
    ("hash", "ply"),
    [("#game-8", None), ("#game=8", None), ("#game=8&ply=99999", None), ("#game=8&ply=x", None),
     ("#game=8&ply=0", 0)],
)  # fmt: skip
def test_addresses_that_are_old_or_odd(
    page: Browser, judged: Report, hash: str, ply: int | None
) -> None:
    page.open(judged.page, f"?{hash}")
    assert page.text("#players").startswith("Game 8:")
    assert discs(page) == (page.ask("+document.querySelector('#ply').max") if ply is None else ply)
    assert page.text("#missing") == ""


@needs_browser
def test_a_game_that_is_not_on_the_page(page: Browser, judged: Report) -> None:
    page.open(judged.page, "?#game=4711&ply=3")
    assert page.text("#missing") == "Game 4711 is not on this page."
    page.click("#list tbody tr[data-game='3']")
    assert page.text("#missing") == ""
    page.open(judged.page, "?1#game=x")
    assert page.text("#missing") == ""


@needs_browser
@pytest.mark.parametrize("focus", FOCUS)
def test_arrow_keys_step_whatever_has_the_focus(page: Browser, judged: Report, focus: str) -> None:
    page.open(judged.page, f"?{focus[1:]}#game=8&ply=5")
    page.ask(f"document.querySelector({json.dumps(focus)}).focus()")
    before = page.ask("document.querySelector('#player').value")
    page.press("ArrowRight")
    assert discs(page) == 6
    page.press("ArrowLeft")
    page.press("ArrowLeft")
    assert discs(page) == 4
    assert page.ask("document.querySelector('#player').value") == before


@needs_browser
def test_a_steal_changes_the_owner_of_a_disc(chromium: Browser, tmp_path: Path) -> None:
    page = pie_report(tmp_path).page
    chromium.errors.clear()
    marks = "[...document.querySelectorAll('#board .cell')].map(c => c.textContent || '.').join('')"
    for ply, board in ((1, "." * 8 + ".X.."), (2, "." * 8 + ".O.."), (3, "." * 8 + "XO..")):
        chromium.open(page, f"?{ply}#game=1&ply={ply}")
        assert chromium.ask(marks) == board
    assert "steal" in chromium.text("#moves")
    chromium.open(page, "?9#game=2&ply=2")
    said = chromium.text("#said")
    assert "the best move wins, this one loses" in said
    assert said.endswith("A steal would have kept the win.")
    chromium.open(page, "?8#game=1&ply=3")
    assert "the best move loses at disc 9" in chromium.text("#said")
    assert chromium.errors == []
