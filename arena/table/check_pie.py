"""The part of the contract that concerns the pie rule: everybody can be asked to play by it."""

from __future__ import annotations

from arena.engine.contract import Limits
from arena.game.position import STEAL, Position
from arena.table.subject import Subject


def plays_by_pie(subject: Subject, limits: Limits) -> str:
    """Divides, takes or leaves the first disc, and plays on where it was stolen."""
    rules = subject.boards[0].with_pie(True)
    engine, empty = subject.fresh(rules), Position(rules)
    subject.ask(engine, empty, limits)
    stolen = 0
    for column in empty.legal:
        first_disc = empty.play(column)
        stolen += subject.ask(engine, first_disc, limits).choice.column == STEAL
        subject.ask(engine, first_disc.play(STEAL), limits)
    return f"it steals {stolen} of {len(empty.legal)} first discs"
