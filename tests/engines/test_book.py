"""The played book: minimax over all games so far, no loss twice, winners' lines for both seats."""

from __future__ import annotations

from functools import cache
from random import Random
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import CONNECT4, Choice, Engine, Limits, PlayedGame, Position, Rules
from arena.bots.find import build_engine
from arena.engine.registry import find
from arena.engines.book import DRAWN, LOST, WON, Book, PlayedBook
from arena.errors import BadOption
from arena.game.notation import play_moves
from arena.table.check import check_engine
from arena.table.match import Side, play_match, play_match_on_tables
from arena.table.referee import play_game
from arena.table.runner import Seating
from arena.tournament.games import Player

SMALL = Rules.named("4x4c3")


class Habit(Engine):
    """Always plays the same in the same position, as its number decides."""

    number: int = 0

    def choose(self, position: Position, limits: Limits) -> Choice:
        for column in position.legal:
            if position.wins_with(column):
                return Choice(column)
        seen = repr((self.number, position.first, position.second)).encode()
        return Choice(position.legal[crc32(seen) % len(position.legal)])


def game(last: Position, seat: int, opening: int = 0, by_fault: bool = False) -> PlayedGame:
    """A game that ended here."""
    result = 0 if last.winner is None else 1 - 2 * last.winner
    moves, reason = last.moves, "time" if by_fault else "line"
    return PlayedGame(
        1, last.rules, moves[:opening], moves, result, reason, by_fault, seat, "other"
    )


def opinion_of(position: Position) -> dict[int, float]:
    """Opinions by chance, the same for images of a position."""
    after = {column: repr(position.play(column).symmetry_key) for column in position.legal}
    return {column: crc32(key.encode()) % 200 - 100.0 for column, key in after.items()}


def naive(known: set[Position], trusts: int | None) -> float:
    """The value of the start: plain minimax over all that was seen, image by image."""
    seen = {image for p in known for image in (p, p.mirrored())}

    @cache
    def value(position: Position) -> float:
        if position.is_over:
            return DRAWN if position.winner is None else LOST
        opinions = opinion_of(position)
        after = {column: position.play(column) for column in position.legal}
        tried = {c: -value(p) for c, p in after.items() if p in seen or p.is_over}
        if trusts is not None and position.to_move != trusts and tried:
            return max(tried.values())
        return max({**opinions, **tried}.values())

    return value(Position(SMALL))


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from([None, 0, 1]))
def test_values_are_those_of_plain_minimax(seed: int, trusts: int | None) -> None:
    chance, book = Random(seed), PlayedBook(trusts)
    known: set[Position] = set()
    for _ in range(chance.randint(1, 8)):
        positions = [Position(SMALL)]
        while not positions[-1].is_over:
            positions.append(positions[-1].play(chance.choice(positions[-1].legal)))
        last = positions[-1]
        book.add(positions, DRAWN if last.winner is None else LOST, opinion_of)
        known.update(positions)
        assert book.values[Position(SMALL).symmetry_key] == naive(known, trusts)


@pytest.mark.parametrize("words", ["surprises=yes", "surprises=no"])
@pytest.mark.parametrize("opponent", range(4))
def test_it_loses_in_the_same_way_only_where_nothing_else_is_left(
    opponent: int, words: str
) -> None:
    """On a board so small that the second player may run out of moves that have not lost."""
    book = build_engine(f"book around=reflex {words}")
    assert isinstance(book, Book)
    lost: set[tuple[int, ...]] = set()
    for number in range(40):
        seat = number % 2
        engines = (Habit(number=opponent), book) if seat else (book, Habit(number=opponent))
        start = book._books(SMALL)[seat].values.get(Position(SMALL).symmetry_key)
        hopeless = start == (WON if seat else LOST)  # to whoever moves first
        record = play_game(engines, SMALL, seed=number)
        if record.winner == 1 - seat:
            assert record.columns not in lost or hopeless
            lost.add(record.columns)
        book.tell(game(record.final(SMALL), seat))


def test_its_score_rises_and_no_loss_comes_twice() -> None:
    sides = (Side("book", build_engine("book around='alphabeta depth=2'")),
             Side("other", build_engine("alphabeta depth=4")))  # fmt: skip
    records = list(play_match(sides, CONNECT4, 40))
    points = [r.result if r.first == 0 else -r.result for r in records]
    lost = [r.columns for r, own in zip(records, points, strict=True) if own < 0]
    assert len(lost) == len(set(lost)) > 0
    assert sum(points[-10:]) == 10 > sum(points[:10])


@pytest.mark.parametrize("words", ["surprises=yes", "surprises=no"])
def test_it_plays_the_winners_line_with_colours_reversed(words: str) -> None:
    """Told of a game that it lost as second, it wins the same game as first."""
    book = build_engine(f"book around=reflex {words}")
    lost = Position.parse("2324252")
    assert lost.winner == 0
    untaught = [book.ask(play_moves(lost.moves[:ply]), Limits()).column for ply in (0, 2)]
    assert untaught != [1, 1]
    book.tell(game(lost, seat=1))
    for ply in range(0, lost.ply, 2):
        position = play_moves(lost.moves[:ply])
        assert book.ask(position, Limits()).column == lost.moves[ply]


def test_a_game_that_a_mistake_ended_has_no_result_to_learn() -> None:
    book = build_engine("book around=reflex")
    assert isinstance(book, Book)
    book.tell(game(Position.parse("4152"), seat=0, by_fault=True))
    first = book._books(CONNECT4)[0]
    assert Position.parse("4152") in first  # a search has given it a value
    assert {WON, LOST}.isdisjoint(first.values[Position.parse(m).symmetry_key] for m in ("", "41"))


def test_mirror_images_are_one_position_and_openings_are_not_chosen() -> None:
    book = build_engine("book around=reflex surprises=no")
    assert isinstance(book, Book)
    book.tell(game(Position.parse("1212121"), seat=0, opening=1))
    assert Position(CONNECT4) not in book._books(CONNECT4)[0]
    mirrored = Position.parse("76")
    assert book.ask(mirrored, Limits()).column == 6


def test_a_match_is_the_same_on_tables() -> None:
    words = {"around": "alphabeta depth=2"}
    players = (Player("book", "book", words, Limits()),
               Player("alphabeta", "alphabeta", {"depth": 3}, Limits()))  # fmt: skip
    rules = Rules.named("6x5")
    sides = (Side("book", build_engine("book around='alphabeta depth=2'")),
             Side("alphabeta", build_engine("alphabeta depth=3")))  # fmt: skip
    here = [record.columns for record in play_match(sides, rules, 12, seed=2)]
    seated = Seating(rules, players)
    assert [record.columns for record in play_match_on_tables(seated, 2, 12, seed=2)] == here
    assert len(set(here)) > 2


def test_it_keeps_the_contract() -> None:
    findings = check_engine("book around=greedy")
    assert [finding for finding in findings if finding.failed] == []
    assert "learns the same from the same games" in {finding.title for finding in findings}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"around": "alphabetta"}, "option 'around' is 'alphabetta': unknown engine 'alphabetta'"),
        ({"around": "alphabeta deep=3"}, "unknown option 'deep'"),
        ({"around": "bot.py"}, "it is a file; expected the name and the options of an engine"),
        ({"around": "book"}, "it learns by itself; expected an engine that does not"),
        ({"study": "seconds=1"}, "expected depth, nodes or playouts"),
        ({"study": ""}, "expected depth, nodes or playouts"),
        ({"study": "deep"}, "option 'study' is 'deep': limit 'deep' has no value"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadOption, match="engine book: option") as error:
        find("book").build(options)
    assert sentence in str(error.value)
