"""Games of a network against itself, at full speed: it plays, explores, and learns from each."""

from __future__ import annotations

import math

import numpy as np

from arena.game.bits import NONE, Board, completes, landing
from arena.game.playouts import below, next_random
from arena.jit import kernel
from arena.learning.update import Step, Trace, learn_game
from arena.network.value import SURE, Moves, Net, evaluate_moves, list_moves, network_value

Plan = np.record

UNIT = 1.0 / (1 << 53)
LINEAR, EXPONENTIAL, BY_GAME = 0, 1, 2
LAWS = {"linear": LINEAR, "exponential": EXPONENTIAL, "1/game": BY_GAME}

SCHEDULE = np.dtype(
    [("start", np.float64), ("end", np.float64), ("over", np.float64), ("law", np.int64)],
    align=True,
)

# How games are played and learned from.
PLAN = np.dtype(
    [
        ("seed", np.uint64),
        ("epsilon", SCHEDULE),
        ("alpha", SCHEDULE),
        ("random_plies", np.int64),  # a game begins with up to so many
        ("teacher_from", np.int64),  # from so many discs on a teacher corrects it
    ],
    align=True,
)


@kernel
def scheduled(schedule: np.record, game: int) -> float:
    """The value of a schedule at a game: from its start to its end, over so many games."""
    if schedule.law == BY_GAME:
        return schedule.start / (game + 1)
    if schedule.over <= 0.0:
        return schedule.start
    part = min(1.0, game / schedule.over)
    if schedule.law == EXPONENTIAL:
        return schedule.start * (schedule.end / schedule.start) ** part
    return schedule.start + (schedule.end - schedule.start) * part


@kernel
def first_word(seed: np.uint64, game: int) -> np.uint64:
    """The random word that a game begins with: seed and number, well mixed (Steele et al. 2014)."""
    word = seed + np.uint64(game + 1) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def best_move(board: Board, net: Net, moves: Moves, own: np.uint64, opp: np.uint64) -> int:
    """Weigh the listed moves; which of them is best, the first of equals."""
    evaluate_moves(board, net, moves, own, opp)
    best = 0
    for k in range(1, moves.count):
        if moves.total[k] < moves.total[best]:
            best = k
    return best


@kernel
def opening(board: Board, plan: Plan, word: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Random plies for every second game; the discs after them, and the next random word.

    Chance says how many there are. A game that they would end begins without them.
    """
    own, opp = NONE, NONE
    word = next_random(word)
    if plan.random_plies == 0 or word >> np.uint64(63) == NONE:
        return own, opp, word
    word = next_random(word)
    for _ in range(below(word, np.uint64(plan.random_plies + 1))):
        disc = NONE
        while disc == NONE:
            word = next_random(word)
            column = below(word, np.uint64(board.width))
            disc = landing(board, own | opp, np.int64(column))
        if completes(board, own | disc, disc) or own | opp | disc == board.full:
            return NONE, NONE, word
        own, opp = opp, own | disc
    return own, opp, word


@kernel
def defence(moves: Moves, best: int, spread: float, word: np.uint64) -> np.uint64:
    """The best move; for the player who is behind, any that promises almost as much.

    Who loses anyway tries one defence after the other, so that the winner learns to meet them all.
    """
    most = math.tanh(moves.total[best]) + spread
    if spread == 0.0 or most <= spread or moves.total[best] == SURE:
        return moves.disc[best]
    count = 0
    for k in range(moves.count):
        if moves.total[k] < SURE and math.tanh(moves.total[k]) <= most:
            moves.disc[count], moves.disc[k] = moves.disc[k], moves.disc[count]
            count += 1
    return moves.disc[np.int64(below(word, np.uint64(count)))]


@kernel
def take_turn(
    board: Board, net: Net, trace: Trace, moves: Moves, own: np.uint64, opp: np.uint64,
    epsilon: float, word: np.uint64,
) -> tuple[np.uint64, bool]:  # fmt: skip
    """Choose a move and put the position down in the trace; its disc, and whether it ends the game.

    A move that wins at once is seen without the network. Any other is the best one, but for a
    share of `epsilon` that are drawn by chance, to explore.
    """
    ply = trace.plies
    trace.plies += 1
    trace.own[ply], trace.opp[ply] = own, opp
    trace.follows[ply] = 1
    if list_moves(board, moves, own, opp):
        trace.promise[ply] = 1.0
        return moves.disc[0], True
    if own | opp | moves.disc[0] == board.full:
        trace.promise[ply] = 0.0
        return moves.disc[0], True
    best = best_move(board, net, moves, own, opp)
    trace.promise[ply] = -math.tanh(moves.total[best])
    if np.float64(word >> np.uint64(11)) * UNIT >= epsilon:
        return defence(moves, best, trace.spread, next_random(word)), False
    disc = moves.disc[np.int64(below(next_random(word), np.uint64(moves.count)))]
    trace.follows[ply] = np.uint8(disc == moves.disc[best])
    return disc, False


@kernel
def note_reply(
    board: Board, net: Net, trace: Trace, own: np.uint64, opp: np.uint64, disc: np.uint64
) -> bool:
    """Put the move of an opponent down in the trace, for what it is; whether it ends the game."""
    ply = trace.plies
    trace.plies += 1
    trace.own[ply], trace.opp[ply] = own, opp
    trace.follows[ply] = 1
    won, full = completes(board, own | disc, disc), own | opp | disc == board.full
    trace.promise[ply] = 1.0 if won else 0.0
    if not (won or full):
        trace.promise[ply] = -network_value(board, net, opp, own | disc)
    return won or full


@kernel
def play_game(board: Board, net: Net, plan: Plan, trace: Trace, moves: Moves, game: int) -> None:
    """Play a game of the network against itself and keep its trace."""
    own, opp, word = opening(board, plan, first_word(plan.seed, game))
    epsilon = scheduled(plan.epsilon, game)
    trace.plies, over = 0, False
    while not over:
        word = next_random(next_random(word))
        disc, over = take_turn(board, net, trace, moves, own, opp, epsilon, word)
        own, opp = opp, own | disc


@kernel
def train(
    board: Board, net: Net, step: Step, plan: Plan, trace: Trace, moves: Moves,
    numbers: tuple[int, int, int],
) -> None:  # fmt: skip
    """Play and learn the games of these numbers: from, up to, and the step between two."""
    first, stop, stride = numbers
    for game in range(first, stop, stride):
        step.alpha = scheduled(plan.alpha, game)
        play_game(board, net, plan, trace, moves, game)
        learn_game(board, net, step, trace)
