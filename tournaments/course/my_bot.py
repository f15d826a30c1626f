"""A bot of your own: a class with `choose`, in a file. Copy it, rename it, make it better."""

from arena import Choice, Engine, Limits, Position, option


class MyBot(Engine):
    """Takes a win, does not give one away, and likes the centre."""

    careful: bool = option(True, "whether to look at the opponent's answer")  # set in the YAML

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Called for each of its moves; answers with a column, counted from 0."""
        legal, middle = position.legal, position.rules.columns // 2
        wins = [column for column in legal if position.wins_with(column)]
        safe = [column for column in legal if not self.gives_a_win(position.play(column))]
        best = wins or safe or legal
        return Choice(min(best, key=lambda column: abs(column - middle)))

    def gives_a_win(self, position: Position) -> bool:
        """Whether the opponent, whose turn it is now, wins at once."""
        return self.careful and any(position.wins_with(column) for column in position.legal)
