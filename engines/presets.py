"""Engines of the classic experiments, ready under names of their own."""

from __future__ import annotations

from arena import Preset


def _gaiceanu(depth: int, says: str) -> Preset:
    """Columns from left to right, the first best is kept (S0.2)."""
    options = {"evaluation": "gaiceanu", "depth": depth, "prefer_quick": False, "ordering": "left"}
    return Preset("alphabeta", f"Gaiceanu's player with the depth {says}", options)


GAICEANU = _gaiceanu(5, "it claims, 5 plies")
GAICEANU_AS_RUN = _gaiceanu(2, "its code reaches, 2")
SERVER = Preset("minimax", "the course server that Gaiceanu played against: 3 plies",
                {"evaluation": "window", "depth": 3})  # fmt: skip


def _fourplay(evaluation: str, depth: int, says: str) -> Preset:
    """The parent's bound alone, ties by chance, no win better than another (S3.3)."""
    options = {"evaluation": evaluation, "depth": depth, "pruning": "parent",
               "tie_break": "random", "prefer_quick": False}  # fmt: skip
    return Preset("alphabeta", says, options)


FOURPLAY_1 = _fourplay("fourplay", 2, "FourPlay's agent at its depth 1, which is 2 plies")
FOURPLAY_1_TD = _fourplay("fourplay-td", 2, "the same with the weights learned by TD")
FOURPLAY_2_TD = _fourplay("fourplay-td", 4, "FourPlay's agent at its depth 2, which is 4 plies")

# Blair counts depth from 0, so that his 5 is 6 plies; a win is a win, however late (S1).
_BLAIR = {"evaluation": "h2", "prefer_quick": False, "ordering": "left", "tie_break": "zeros"}
BLAIR_MINMAX = Preset("minimax", "Blair's min-max: win or nothing, his depth 5, 6 plies",
                      {**_BLAIR, "depth": 6})  # fmt: skip
BLAIR_ALPHABETA = Preset("alphabeta", "Blair's alpha-beta: the same, cut at certain wins",
                         {**_BLAIR, "depth": 6, "pruning": "absolute"})  # fmt: skip
BLAIR_TIME = Preset("alphabeta-time", "Blair's time estimation as his pseudo-code has it",
                    {**_BLAIR, "pruning": "absolute", "division": "integer", "from_zero": True,
                     "ask_always": True})  # fmt: skip
BLAIR_PROBABILITIES = Preset("probabilities", "Blair's probabilities at low depth, H1")


def _oracle(level: str, says: str) -> Preset:
    return Preset("oracle", f"FourPlay's opponent on level {level}: {says}", {"level": level})


ORACLE_BEGINNER = _oracle("beginner", "takes wins, else random")
ORACLE_EASY = _oracle("easy", "reflex with a quarter of random moves")
ORACLE_MEDIUM = _oracle("medium", "as hard, with three times the slips")
ORACLE_HARD = _oracle("hard", "two plies of fitted chains, 3 % random moves")
ORACLE_EXPERT = _oracle("expert", "six plies of alpha-beta, counts 1/4/16")
ORACLE_MASTER = _oracle("master", "iterative deepening, a learned value, a second a move")
