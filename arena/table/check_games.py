"""The contract for engines that can only be asked from the first move on: by whole games."""

from __future__ import annotations

from arena.engine.contract import Limits
from arena.game.rules import Rules
from arena.table.game import Game
from arena.table.subject import Broken, Subject

FIRST_SEED = 7


def plays_whole_game(subject: Subject, rules: Rules, limits: Limits) -> str:
    """A game against itself ends by the rules."""
    game = _game(subject, rules, limits)
    subject.boards.append(rules)
    return f"a game of {game.plies} plies"


def keeps_time_in_game(subject: Subject, limits: Limits) -> str:
    """No move of a whole game takes longer than it may."""
    games = [_game(subject, rules, limits) for rules in subject.boards]
    moves = [move.seconds for game in games for move in game.move_records()]
    return f"{len(moves)} moves of {limits.seconds:g} s, the longest {max(moves):.3f} s"


def repeats_whole_games(subject: Subject, limits: Limits) -> str:
    """The same seed gives the same game, from the first move on."""
    for rules in subject.boards:
        once, again = (_game(subject, rules, limits).columns for _ in range(2))
        if once != again:
            raise Broken(f"two games on {rules} with the same seed differ")
    return f"{len(subject.boards)} games played twice"


def _game(subject: Subject, rules: Rules, limits: Limits) -> Game:
    engines = subject.fresh(rules), subject.fresh(rules)
    return subject.play(engines, rules, limits, FIRST_SEED)
