"""Perfect but for some errors: sparring partners of any grade, whose mistakes are known exactly."""

from __future__ import annotations

from arena import Choice, Limits, Position, Preset, option, register
from engines.perfect.perfect import Perfect


@register("perfect-eps")
class PerfectEps(Perfect):
    """Plays like perfect, but errs with a given probability.

    At every move, with this probability, it drops into a column that is not among the best ones
    of `prefer`, each such column as likely as the next: not the best score, or, with `prefer:
    value`, one that gives the win or the draw away. Where all columns are as good it cannot err.
    Under limits that are too short for a proof, any other column than the chosen one is an error.
    """

    source = "graded sparring partners"
    shares_chance = False

    error: float = option(0.1, "how often it errs, from 0 to 1", least=0, most=1)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """A best column, or one that is not."""
        errs = self.random.random() < self.error
        columns = self.judged(position, limits)
        best, proven = columns.best(self.prefer == "quick")
        worse = [column for column in position.legal if column not in best]
        return columns.choice(self.random.choice(worse if errs and worse else best), proven)


def _preset(percent: int) -> Preset:
    return Preset("perfect-eps", f"perfect, but errs in {percent} % of its moves",
                  {"error": percent / 100})  # fmt: skip


PERFECT_EPS_5 = _preset(5)
PERFECT_EPS_10 = _preset(10)
PERFECT_EPS_25 = _preset(25)
PERFECT_EPS_50 = _preset(50)
