"""A hanging submission: from its fifth move on, a loop never ends."""

from arena import Choice, Engine, Limits, Position


class DevPatel(Engine):
    """Searches for a column in a way that does not always end."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        column = position.ply % 7
        while position.ply >= 10 or column not in position.legal:
            column = (column + 2) % 7
        return Choice(column)
