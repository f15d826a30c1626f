"""A weak submission: it plays by the rules and does not look ahead."""

from arena import Choice, Engine, Limits, Position


class BenOkoro(Engine):
    """Always plays as far left as possible."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(min(position.legal))
