"""Perfect play on flat boards, and play with a given share of errors.

Every answer comes from the exact solver in `arena/solver`; these pages decide what to ask it, what
to play, and what to do when there is no time for an answer.
"""
