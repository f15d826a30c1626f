"""Bounds that need no search: what a player cannot avoid if the other one just answers.

The player to move leads, the other one follows:

- In a column with an even number of free cells the follower answers each disc right above it, so
  the leader gets the `leading` cells there, the follower the `trailing` ones.
- In a column with an odd number the same would leave the last cell to the leader and the follower
  without an answer. Where the follower has a threat on a cell that falls to them by answering, the
  game ends before that: such a column is *held*.
- The other odd columns go in pairs: when the leader first drops into one, the follower drops into
  another one, and both are even from then on. The leader may get the lowest free cell of each. If
  their number is odd this fails, and nothing is claimed.

If the leader has no line among all cells they may get, they cannot win. If the follower has a
threat among theirs, the leader has to play right below it in the end, after all other cells are
filled. (The even case is Allis's claimeven, 1988; held and paired columns go beyond it.)
"""

from __future__ import annotations

from arena.jit import inlined, popcount
from arena.solver.flat.bits import ONE, TWO, Frame, Number, Word, completing, has_line, over

NOTHING = 100  # more than any score: no bound


@inlined
def lead_bound(leader: Word, follower: Word, frame: Frame) -> Number:
    """The most that the player to move can score if the other one follows; NOTHING if unknown."""
    discs = leader | follower
    free = frame.board ^ discs
    lowest_free = (discs + frame.bottom) & frame.board
    odd = lowest_free & frame.trailing
    odd_columns = odd | over(odd, frame)
    threats = completing(follower, frame.stride, frame.connect) & free
    holding = threats & frame.leading & odd_columns
    held_tops = odd_columns & frame.top & over(holding, frame)
    held = (held_tops << ONE) - (held_tops >> (frame.stride - TWO))
    paired = odd_columns & ~held
    threats = (threats & frame.trailing & ~held & ~(odd & paired)) | (holding & held)
    never = over(threats, frame)  # the game ends before these are reached
    leads = (free & frame.leading & ~held) | (free & frame.trailing & held) | (odd & paired)
    follows = (free & frame.trailing & ~held & ~odd) | (free & frame.leading & held)
    ends = popcount(threats & ~never)
    lines = has_line(follower | follows, frame.stride, frame.connect)
    bound = -1 if lines else 0
    bound = bound if ends == 0 else -((popcount(never) + 2 * ends) >> 1)
    unpaired = popcount(paired & frame.top) & 1
    open_lines = has_line(leader | (leads & ~never), frame.stride, frame.connect)
    return NOTHING if open_lines or unpaired != 0 else bound
