"""Evaluations: weights by name, from a file, or written out."""

from arena.evaluation.evaluation import EVALUATIONS, Evaluation

__all__ = ["EVALUATIONS", "Evaluation"]
