"""The pie rule for engines that have never heard of it.

One divides, the other one takes: the second player may steal the first disc. An engine that does
not declare `plays_pie` sees the game as if whoever owns that disc had begun, and what it thinks of
the first two moves decides them:

- The first disc goes where its opinions say that both sides are most nearly equal. Without
  opinions it goes where the engine wants it, unless that is a middle column: then beside it.
- The second player steals where its own choice has a negative score: it would rather have the
  other side. Without a score, or where both sides are the same to it, it steals a disc in a middle
  column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arena.engine.answers import Choice, read_score
from arena.engine.limits import Limits
from arena.game.position import STEAL, Position
from arena.game.rules import Rules

Choose = Callable[[Position, Limits], Choice]
Opinions = Callable[[Position, Limits], dict[int, float]]


def choose_by_pie(
    choose: Choose, opinions: Opinions | None, position: Position, limits: Limits
) -> Choice:
    """A move on a board with the pie rule, by asking an engine about boards without it."""
    plain = position.plain
    if position.ply == 0:
        return _divide(choose, opinions, plain, limits)
    choice = choose(plain, limits)
    if position.can_steal and isinstance(choice, Choice):
        return _take(choice, position)
    return choice


def fair_values(values: dict[int, float]) -> dict[int, float]:
    """The value of each first disc, if the other player takes the better side."""
    return {column: -abs(value) for column, value in values.items()}


def is_middle(column: int, rules: Rules) -> bool:
    """Whether a first disc in this column is stolen by those who cannot tell its value."""
    return column in rules.centre_columns


def _divide(choose: Choose, opinions: Opinions | None, plain: Position, limits: Limits) -> Choice:
    """The first disc, where both sides are equally good; two questions share the limits."""
    if opinions is not None:
        limits = _half(limits)
        answer, order = opinions(plain, limits), plain.rules.centre_order
        values = {c: value for c in order if (value := read_score(answer.get(c))) is not None}
        if values:
            fair = fair_values(values)
            column = max(fair, key=lambda column: fair[column])
            return Choice(column, fair[column])
    choice = choose(plain, limits)
    if isinstance(choice, Choice) and is_middle(choice.column, plain.rules):
        return Choice(_beside_the_middle(plain.rules), nodes=choice.nodes)
    return choice


def _take(choice: Choice, position: Position) -> Choice:
    """The chosen answer to the first disc, or a steal where the disc is worth more than that."""
    score = read_score(choice.score)
    disc = (position.opponent.bit_length() - 1) // position.rules.height
    if is_middle(disc, position.rules) if not score else score < 0:
        value = None if score is None else 0.0 - score
        return replace(choice, column=STEAL, score=value, line=None)
    return choice


def _beside_the_middle(rules: Rules) -> int:
    """The most promising column that is no middle one, if there is any."""
    order = rules.centre_order
    return next((column for column in order if not is_middle(column, rules)), order[0])


def _half(limits: Limits) -> Limits:
    """Half of all that is limited but the depth."""
    counts = {name: getattr(limits, name) for name in ("nodes", "playouts")}
    times = {name: getattr(limits, name) for name in ("seconds", "clock", "cpu")}
    less: dict[str, Any] = {n: max(1, amount // 2) for n, amount in counts.items() if amount}
    less |= {name: amount / 2 for name, amount in times.items() if amount}
    return replace(limits, **less)
