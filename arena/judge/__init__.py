"""What each move of a game was worth: exact scores before and after it, turned into verdicts.

    judge, verdict -> game (one game) -> memory -> sampling (a journal's games)

Verdicts are made of proven scores alone. What could not be proven in the time is unjudged, is
counted as such, and never guessed.
"""
