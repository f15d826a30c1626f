"""Variants files, by what Fairy-Stockfish makes of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from arena import Position, Rules
from arena.bots.uci_words import read_variant, variant_name, variants_file, write_fen, write_game
from arena.errors import UnknownName
from tests.bots.fairy import fairy, needs_fairy
from tests.game.strategies import random_games

BOARDS = ("7x6", "5x4", "9x7", "12x5", "6x10", "3x3c3", "6x5c3", "9x6c5", "2x2c2", "1x8", "8x1")


def test_boards_have_names_that_are_read_back() -> None:
    assert variant_name(Rules.named("connect4")) == "cfour"
    assert variant_name(Rules.named("8x7")) == "cfour-8x7"
    assert variant_name(Rules.named("9x6c5")) == "cfour-9x6c5"
    for board in BOARDS:
        rules = Rules.named(board)
        assert read_variant(variant_name(rules)) == rules
        assert read_variant(rules.name) == rules
    with pytest.raises(UnknownName, match="chess"):
        read_variant("chess")


def test_a_file_has_the_size_the_line_and_a_disc_for_each_cell() -> None:
    lines = variants_file(Rules.flat(5, 3, 3), "small").splitlines()
    assert lines[0] == "[small]"
    assert {"maxFile = 5", "maxRank = 3", "connectN = 3"} <= set(lines)
    assert f"startFen = 5/5/5[{'P' * 8}{'p' * 7}] w - - 0 1" in lines


@needs_fairy
@pytest.mark.parametrize("board", BOARDS)
def test_it_counts_the_same_games_as_we_do(board: str, tmp_path: Path) -> None:
    rules = Rules.named(board)
    with fairy(rules, tmp_path) as program:
        for game in random_games(rules, count=12, seed=rules.cells):
            for plies in (1, 2, 3):
                told = write_game(game.position, "drop")
                assert program.perft(told, plies) == count_games(game.position, plies), told


@needs_fairy
def test_a_board_that_was_set_up_is_the_one_that_was_played(tmp_path: Path) -> None:
    rules = Rules.named("7x6")
    with fairy(rules, tmp_path) as program:
        for game in random_games(rules, count=20, seed=3):
            board = program.ask(f"position {write_game(game.position, 'drop')}", "d", until="Check")
            fen = next(line for line in board if line.startswith("Fen: ")).removeprefix("Fen: ")
            ours = write_fen(game.position)
            assert fen.split()[:2] == ours.split()[:2]
            assert program.perft(f"fen {ours}", 2) == count_games(game.position, 2)


@needs_fairy
def test_it_ends_games_as_we_do(tmp_path: Path) -> None:
    """Near the end it sees all: its sure wins, losses and draws are those of exact scores."""
    rules = Rules.named("5x4")
    with fairy(rules, tmp_path) as program:
        verdicts = []
        for game in random_games(rules, count=60, seed=5):
            if game.position.is_over or game.position.ply < 10:
                continue
            told = f"position {write_game(game.position, 'drop')}"
            answer = program.ask("ucinewgame", told, "go depth 20", until="bestmove")
            score = answer[-2].partition(" score ")[2].split()
            exact = value(game.position)
            verdicts.append(exact)
            assert score[0] == ("mate" if exact else "cp"), game.position
            assert int(score[1]) * exact >= 0
            assert exact or score[1] == "0", game.position
        assert {-1, 0, 1} == set(verdicts)


@cache
def count_games(position: Position, plies: int) -> int:
    if plies == 0:
        return 1
    return sum(count_games(position.play(column), plies - 1) for column in position.legal)


@cache
def value(position: Position) -> int:
    """1, 0 or -1 for the player to move, by all that can follow."""
    if position.is_over:
        return 0 if position.winner is None else -1
    return max(-value(position.play(column)) for column in position.legal)
