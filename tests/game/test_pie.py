"""The pie rule: the second player may steal the first disc, and then the first one moves again."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadNotation, BadRules, IllegalMove, UnknownName
from arena.game import FIRST, SCORE4, SECOND, STEAL, Position, Rules
from arena.game.notation import draw, play_moves, read_moves, write_moves
from tests import naive, naive_pie
from tests.game.strategies import empty, sizes

PIE = Rules.named("9x7+pie")


@given(sizes())
def test_a_board_with_the_rule_has_a_name_that_reads_back(rules: Rules) -> None:
    pie = rules.with_pie(True)
    assert pie != rules
    assert pie.plain is rules.plain
    assert pie.name == f"{rules.name}+pie"
    assert Rules.named(pie.name) is pie
    assert pickle.loads(pickle.dumps(pie)) is pie
    assert pie.max_moves == rules.max_moves + 1 == rules.cells + 1


def test_names_and_words() -> None:
    assert Rules.named("Connect4+PIE") == Rules.flat(7, 6, pie=True)
    assert Rules.named("4x4x4c3+pie") == Rules.space(4, 4, 4, 3, pie=True)
    assert str(PIE) == "9x7 connect 4 with the pie rule"
    assert SCORE4.with_pie(True).name == "score4+pie"
    for wrong in ("9x7pie", "+pie", "9x7+pie+pie", "9x7+pies"):
        with pytest.raises(UnknownName):
            Rules.named(wrong)
    with pytest.raises(BadRules, match="does not fit on a 3x3 board"):
        Rules.named("3x3+pie")


def test_a_stolen_disc_is_the_second_players_and_the_first_one_moves_again() -> None:
    one = Position(PIE).play(1)
    assert one.can_steal
    assert one.choices == (*range(9), STEAL)
    stolen = one.play(STEAL)
    assert (stolen.owner(1, 0, 0), stolen.to_move, stolen.ply) == (SECOND, FIRST, 1)
    assert not stolen.can_steal
    assert stolen.choices == stolen.legal
    assert stolen != one
    assert stolen != Position.parse("2", PIE)
    assert stolen.play(8).owner(8, 0, 0) == FIRST
    assert draw(stolen).splitlines()[-2:] == [". O . . . . . . .", "1 2 3 4 5 6 7 8 9"]
    assert stolen.last_cell == one.last_cell == PIE.cell(1, 0, 0)


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ((), "STEAL is only allowed in reply to the first disc"),
        ((0, 1), "STEAL is only allowed in reply to the first disc"),
        ((0, STEAL), "STEAL is not allowed: the first disc has already been stolen"),
    ],
)
def test_there_is_a_time_to_steal(moves: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(IllegalMove, match=sentence):
        play_moves(moves, PIE).play(STEAL)


def test_nobody_steals_without_the_rule() -> None:
    with pytest.raises(IllegalMove, match="STEAL is not allowed: the game is played without"):
        Position(PIE.plain).play(1).play(STEAL)
    assert not Position(PIE.plain).play(1).can_steal


@given(sizes(), st.randoms(use_true_random=False))
def test_games_go_as_by_the_naive_rules_and_are_written_down(rules: Rules, random: Random) -> None:
    pie = rules.with_pie(True)
    game, position = naive_pie.PieGame(empty(rules)), Position(pie)
    while moves := game.moves():
        assert [STEAL if move == naive_pie.STEAL else move for move in moves] == [*position.choices]
        assert position.to_move == game.turn
        steals = len(game.done) == 1 and random.random() < 0.5
        move = naive_pie.STEAL if steals else random.choice(moves)
        game = game.after(move)
        position = position.play(STEAL if move == naive_pie.STEAL else int(move))
        assert all(
            (position.owner(*cell) if position.owner(*cell) is not None else naive.EMPTY)
            == game.board.at(*cell)
            for cell in game.board.cells()
        )
    assert position.is_over
    assert position.winner == game.board.winner()
    text = write_moves(position.moves, pie)
    assert text == position.notation
    assert read_moves(text, pie) == position.moves
    assert Position.parse(text, pie) == position
    assert bytes(position.moves) == bytes(read_moves(text.upper(), pie))
    copy = pickle.loads(pickle.dumps(position))
    assert (copy, copy.moves, copy.to_move) == (position, position.moves, position.to_move)


@given(sizes(), st.randoms(use_true_random=False))
def test_without_the_rule_the_mover_has_the_same_discs(rules: Rules, random: Random) -> None:
    position = Position(rules.with_pie(True)).play(random.randrange(rules.columns)).play(STEAL)
    while not position.is_over and random.random() < 0.9:
        plain = position.plain
        assert (plain.own, plain.opponent) == (position.own, position.opponent)
        assert plain.legal == position.legal
        assert plain.rules is rules.plain
        assert play_moves(plain.moves, rules) == plain
        for symmetry in rules.symmetries:
            assert position.image(symmetry).plain == plain.image(symmetry)
        position = position.play(random.choice(position.legal))
    assert (position.winner is None) == (position.plain.winner is None)


def test_notation_of_a_steal() -> None:
    wide = Rules.flat(12, 5, pie=True)
    assert write_moves((3, STEAL, 4), PIE) == "4s5"
    assert write_moves((11, STEAL, 4), wide) == "12,s,5"
    assert read_moves("12,S,5", wide) == (11, STEAL, 4)
    with pytest.raises(BadNotation, match=r"'s' in '4s' is not a column number \(no disc is"):
        read_moves("4s", PIE.plain)


def test_a_drawing_with_more_discs_of_the_second_player_is_stolen() -> None:
    small = Rules.named("3x3c3+pie")
    assert not Position.parse(".../.../.XO", small).stolen
    stolen = Position.parse(".../.../.O.", small)
    assert stolen.stolen
    assert stolen.to_move == FIRST
    assert stolen == Position.parse("2s", small)
    with pytest.raises(BadNotation, match="X moves first"):
        Position.parse(".../.../.O.", small.plain)
