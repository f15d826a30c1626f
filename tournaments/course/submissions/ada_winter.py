"""A good submission: three plies of search with a simple evaluation."""

from arena import Choice, Engine, Limits, Position

WIN = 1000


class AdaWinter(Engine):
    """Looks three plies ahead, the centre first."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        scores = {column: -self.search(position.play(column), 2) for column in self.moves(position)}
        best = max(scores, key=lambda column: scores[column])
        return Choice(best, scores[best])

    def search(self, position: Position, depth: int) -> int:
        """The score for the player to move."""
        if position.is_over:
            return 0 if position.is_draw else -WIN - depth  # sooner is worse
        if depth == 0:
            return 0
        return max(-self.search(position.play(column), depth - 1) for column in position.legal)

    def moves(self, position: Position) -> list[int]:
        middle = position.rules.columns // 2
        return sorted(position.legal, key=lambda column: abs(column - middle))
