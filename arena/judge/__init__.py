"""Verdicts on the moves of games, from the exact scores before and after each.

    judge -> game (one game) -> sampling (the games of a journal)

Verdicts are made of proven scores alone. What could not be proven in the time is unjudged, is
counted as such, and never guessed.
"""
