"""Engines of the classic experiments, ready under names of their own."""

from __future__ import annotations

from arena import Preset

GAICEANU = Preset("alphabeta", "Gaiceanu's player with the depth it claims, 5 plies (S0.2)",
                  {"evaluation": "gaiceanu", "depth": 5, "prefer_quick": False})  # fmt: skip
GAICEANU_AS_RUN = Preset("alphabeta", "Gaiceanu's player with the depth its code reaches, 2 (S0.2)",
                         {"evaluation": "gaiceanu", "depth": 2, "prefer_quick": False})  # fmt: skip
SERVER = Preset("minimax", "the course server that S0 played against: 3 plies (S0.4)",
                {"evaluation": "window", "depth": 3})  # fmt: skip
FOURPLAY_1 = Preset("alphabeta", "FourPlay's agent at its depth 1, which is 2 plies (S3.3)",
                    {"evaluation": "fourplay", "depth": 2, "pruning": "parent",
                     "tie_break": "random"})  # fmt: skip
FOURPLAY_1_TD = Preset("alphabeta", "the same with the weights learned by TD (S3.4)",
                       {"evaluation": "fourplay-td", "depth": 2, "pruning": "parent",
                        "tie_break": "random"})  # fmt: skip
FOURPLAY_2_TD = Preset("alphabeta", "FourPlay's agent at its depth 2, which is 4 plies (S3.3)",
                       {"evaluation": "fourplay-td", "depth": 4, "pruning": "parent",
                        "tie_break": "random"})  # fmt: skip


def _oracle(level: str, says: str) -> Preset:
    return Preset("oracle", f"FourPlay's opponent on level {level}: {says}", {"level": level})


ORACLE_BEGINNER = _oracle("beginner", "takes wins, else random")
ORACLE_EASY = _oracle("easy", "reflex with a quarter of random moves")
ORACLE_MEDIUM = _oracle("medium", "reflex")
ORACLE_HARD = _oracle("hard", "one ply of fitted threes")
ORACLE_EXPERT = _oracle("expert", "six plies of alpha-beta, counts 1/4/16")
ORACLE_MASTER = _oracle("master", "iterative deepening, a second a move")
