"""Messages between a referee and a host are read as they were written."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arena.bots.protocol import (
    decode,
    encode,
    read_choice,
    read_position,
    write_choice,
    write_question,
)
from arena.engine.contract import Choice, Limits
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules

PIE, NO_LIMITS = Rules.named("9x7+pie"), Limits()


def asked(position: Position, limits: Limits = NO_LIMITS) -> dict[str, Any]:
    """A question as the host reads it."""
    question: dict[str, Any] = decode(f"{{{write_question('choose', position, limits)}}}")
    return question


@given(st.data(), st.sampled_from([CONNECT4, Rules.named("4x4x4"), Rules.named("5x4c3"), PIE]))
def test_positions_travel_by_their_moves_or_their_discs(data: st.DataObject, rules: Rules) -> None:
    position, earlier = Position(rules), Position(rules)
    for _ in range(data.draw(st.integers(0, 20))):
        if position.is_over:
            break
        position = position.play(data.draw(st.sampled_from(position.choices)))
        earlier = data.draw(st.sampled_from([earlier, position]))
    read = read_position(asked(position), rules, earlier)
    assert (read, read.moves) == (position, position.moves)
    bare = Position(rules, position.first, position.second, stolen=position.stolen)
    assert read_position(asked(bare), rules, earlier) == bare


def test_moves_of_another_game_do_not_continue_the_last_one() -> None:
    last = Position(CONNECT4).play(3).play(3)
    other = Position(CONNECT4).play(0).play(3).play(2)
    assert read_position(asked(other), CONNECT4, last) == other
    assert read_position(asked(Position(CONNECT4)), CONNECT4, last) == Position(CONNECT4)


def test_anything_but_a_choice_comes_back_by_its_repr() -> None:
    assert repr(read_choice(decode(encode(write_choice("left"))))) == "'left'"
    odd = read_choice(decode(encode(write_choice(Choice([1])))))  # type: ignore[arg-type]
    assert repr(odd.column) == "[1]"
    numpys = Choice(np.int8(3), np.float64(0.5))  # type: ignore[arg-type]
    whole = read_choice(decode(encode(write_choice(numpys))))
    assert (whole.column, whole.score) == (3, 0.5)
