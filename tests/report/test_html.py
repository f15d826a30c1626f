"""report.html: one page that needs nothing else, safe and alive in a real browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from arena.journal import Journal
from arena.report.data import data_of
from arena.report.html import Embedded, Replayed, _replay, embed_games, inline
from arena.report.write import write_report
from arena.standings.ranking import rank_journal
from arena.standings.results import read
from tests.journal.examples import fill, make_header, make_row, short_row
from tests.report.browser import Browser, needs_browser
from tests.report.samples import HOSTILE

EMPTY_TAGS = {"meta", "input", "br", "path", "use"}


class Checker(HTMLParser):
    """Sees that what is opened is closed, and that no name became markup."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in EMPTY_TAGS:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY_TAGS:
            assert self.stack.pop() == tag


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
    return place


def test_the_page_is_well_formed_and_harmless(place: Path) -> None:
    text = (place / "report.html").read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert checker.stack == []
    assert checker.tags.count("script") == 2
    assert len(set(checker.ids)) == len(checker.ids)
    assert "<script>alert" not in text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)
    assert not re.search(r">\s*(nan|inf)\s*<", text, flags=re.IGNORECASE)


def test_cautions_are_folded_below_the_standings(place: Path) -> None:
    text = (place / "report.html").read_text(encoding="utf-8")
    folded = text.index('<details class="caution"><summary>')
    assert text.index('<section id="section-standings">') < folded < text.index('id="replay"')


@needs_browser
def test_wide_tables_scroll_and_the_page_does_not(browser: Browser) -> None:
    assert browser.ask("document.documentElement.scrollWidth <= innerWidth")
    assert browser.ask("getComputedStyle(document.querySelector('.wide')).overflowX") == "auto"


def test_games_are_cut_to_the_room_there_is(tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 30)
    with Journal.read(tmp_path) as journal:
        results = read(journal)
        data = data_of(journal, results, rank_journal(results.scoreboard, journal))
        games = list(journal.rows())
    shown = Replayed([game for game in games if game.number == 3], games, len(games))
    every = embed_games(data, shown, {})
    few = embed_games(data, shown, {}, most=5)
    small = embed_games(data, shown, {}, room=2000)
    numbers = [game[0] for game in json.loads(few.text)["games"]]
    assert (every.games, every.total) == (30, 30)
    assert numbers == [3, 26, 27, 28, 29]
    assert 1 <= small.games < 10
    assert len(small.text) < 3000


def test_what_is_not_cut_is_told_and_what_is_too(tmp_path: Path, place: Path) -> None:
    assert "The page holds" not in (place / "report.html").read_text(encoding="utf-8")
    assert "The page holds 2 of 9 games" in "".join(_replay(Embedded("", 2, 9)))
    assert list(_replay(Embedded("", 0, 0))) == []


def test_an_inline_picture_has_its_own_ids_and_the_colours_of_the_page() -> None:
    svg = (
        '<?xml version="1.0"?><svg width="5pt" height="9pt"><!-- a --><metadata>x</metadata>'
        '<path id="p" style="fill: #ffffff; clip-path: url(#c)"/><use xlink:href="#p"/></svg>'
    )
    assert inline(svg, "n") == (
        '<svg width="5pt"><path id="n-p" style="fill: var(--paper); clip-path: url(#n-c)"/>'
        '<use xlink:href="#n-p"/></svg>'
    )


@pytest.fixture(scope="module")
def browser(place: Path, chromium: Browser) -> Browser:
    chromium.errors.clear()
    chromium.open(place / "report.html", "#game-0")
    return chromium


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
def test_a_board_in_space_is_shown_by_levels(browser: Browser, tmp_path: Path) -> None:
    fill(tmp_path / "games.db", 3, "score4")
    with Journal.read(tmp_path) as journal:
        write_report(journal, tmp_path, html=True, formats=())
    browser.open(tmp_path / "report.html")
    assert browser.ask("document.querySelectorAll('#board .level').length") == 4
    assert browser.ask("document.querySelectorAll('#board .cell').length") == 64
    assert browser.ask("document.querySelectorAll('#board .cell.won').length") >= 4
    assert browser.ask("document.documentElement.scrollWidth <= innerWidth")


@needs_browser
def test_nothing_went_wrong_on_the_pages(browser: Browser) -> None:
    assert browser.errors == []
