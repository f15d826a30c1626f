"""Evaluations: weight tables by name, from a file, or written out."""

from arena.evaluation.evaluation import Evaluation
from arena.evaluation.named import EVALUATIONS

__all__ = ["EVALUATIONS", "Evaluation"]
