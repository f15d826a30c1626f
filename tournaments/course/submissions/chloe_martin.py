"""A broken submission: it forgets that columns fill up, and asks for a column that is full."""

from arena import Choice, Engine, Limits, Position


class ChloeMartin(Engine):
    """Always plays in the centre."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(3)
