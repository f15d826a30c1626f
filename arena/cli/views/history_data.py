"""The personal history for other programs: games, leaderboards and head-to-head scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.cli.rate import ratings_data
from arena.game.notation import write_moves
from arena.human.history import Played
from arena.human.leaderboard import Board, boards, is_rated
from arena.journal.forms import date


def history_data(path: str, listed: Sequence[Played], games: Sequence[Played]) -> dict[str, Any]:
    """The games listed, and what all of them add up to on each board."""
    return {
        "file": path,
        "games": [game_data(game) for game in listed],
        "boards": [board_data(board) for board in boards(games)],
    }


def game_data(game: Played) -> dict[str, Any]:
    """A game with its moves in notation."""
    winner = {1: game.first, 0: None, -1: game.second}[game.result]
    return {
        "number": game.number, "played": date(game.played), "game": game.game,
        "first": game.first, "second": game.second, "first_engine": game.first_engine or None,
        "second_engine": game.second_engine or None, "result": game.result, "winner": winner,
        "reason": game.reason, "detail": game.detail, "plies": len(game.moves),
        "moves": write_moves(game.moves, game.rules), "pace": game.pace, "helps": game.helps,
        "rated": is_rated(game), "seed": game.seed, "seconds": game.seconds,
    }  # fmt: skip


def board_data(board: Board) -> dict[str, Any]:
    """Ratings as `arena rate` prints them, what everybody won, drew and lost, and against whom."""
    rated = ratings_data(board.ratings)
    for row in rated["players"]:
        player = board.names.index(row["player"])
        lost, drawn, won = board.score(player)
        row |= {"person": board.keys[player][1], "won": won, "drawn": drawn, "lost": lost}
    order = board.ratings.order
    pairs = [
        {"player": board.names[one], "opponent": board.names[other],
         **dict(zip(("lost", "drawn", "won"), board.versus(one, other), strict=True))}
        for one in order for other in order
        if one != other and any(board.versus(one, other))
    ]  # fmt: skip
    return {"game": board.game, "unrated": board.unrated, **rated, "head_to_head": pairs}
