"""The search tree of `mcts`: one array of nodes, a few kernels, and `Tree` to hold them.

A node counts the games through it and their half points (win 2, draw 1, loss 0) from the side of
the player who moved into it. The children of a node lie next to each other, so that choosing
among them reads one stretch of memory, and always behind their parent.

The kernels know no win test: for each player they carry the cells that would complete a line
("threats"), and a new disc can only add threats on the lines through it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game.kernels import NONE, U1, below, next_random, playout
from arena.game.rules import MAX_CELLS, Rules
from arena.game.tables import Bits, Board, board_of, new_record
from arena.jit import CLOCK_ADDRESS, CLOCK_KIND, kernel, lowest, nanoseconds

# What is known of a node for certain; the last three are its half points plus one.
OPEN, LOST, DRAWN, WON = 0, 1, 2, 3

NODE = np.dtype(
    [
        ("visits", np.int32),
        ("points", np.int32),  # half points
        ("first", np.int32),  # where the children start
        ("cell", np.uint8),  # where the disc of the move into this node lies
        ("count", np.uint8),  # how many children there are; none before the node is opened
        ("tried", np.uint8),  # how many of them have been visited
        ("proven", np.uint8),
    ],
    align=True,
)

SEARCH = np.dtype(
    [
        ("own", np.uint64),  # the root's discs, of the player to move there
        ("opp", np.uint64),
        ("mine", np.uint64),  # and the threats of both
        ("theirs", np.uint64),
        ("bottoms", np.uint64),  # the lowest cells of all columns
        ("c", np.float64),
        ("expand", np.int64),
        ("depth", np.int64),  # nodes this far below the root are not opened
        ("solver", np.bool_),
        ("winblock", np.bool_),
        ("used", np.int64),  # nodes in the array
        ("done", np.int64),  # playouts of this search
        ("deepest", np.int64),  # the deepest ply that one of them started from
    ],
    align=True,
)

Search = np.record
Nodes = NDArray[np.void]
Path = NDArray[np.int64]

PLACE = np.dtype(np.int32)  # what moving a subtree needs for each node
CHUNK = 1 << 16  # playouts between two looks at the keyboard
NEVER = 2**62
MAX_VISITS = 2**30


@kernel
def free_cells(board: Board, search: Search, occupied: np.uint64) -> np.uint64:
    """The cells a disc can come to rest on: empty, and the floor or a disc right below."""
    return ~occupied & ((occupied << U1) | search.bottoms) & board.full


@kernel
def new_threats(board: Board, discs: np.uint64, disc: np.uint64) -> np.uint64:
    """The last missing cells of the lines through a disc, among them perhaps occupied ones."""
    cell = lowest(disc)
    threats = NONE
    for k in range(board.start[cell], board.start[cell + 1]):
        rest = board.through[k] & ~discs
        if rest & (rest - U1) == NONE:
            threats |= rest
    return threats


@kernel
def all_threats(board: Board, discs: np.uint64) -> np.uint64:
    """The last missing cells of all lines."""
    threats, rest = NONE, discs
    while rest != NONE:
        threats |= new_threats(board, discs, rest & (~rest + U1))
        rest &= rest - U1
    return threats


@kernel
def safe_cells(search: Search, free: np.uint64, theirs: np.uint64) -> np.uint64:
    """The moves after which the opponent does not win at once."""
    urgent = free & theirs
    if urgent & (urgent - U1) != NONE:
        return NONE
    if urgent != NONE:
        free = urgent
    return free & ~((theirs & ~search.bottoms) >> U1)


@kernel
def verdict(
    board: Board, search: Search, occupied: np.uint64, mine: np.uint64, theirs: np.uint64
) -> int:
    """What two plies tell about a position, for the player who moved into it."""
    free = free_cells(board, search, occupied)
    if free & mine != NONE:
        return LOST
    if free != NONE and safe_cells(search, free, theirs) == NONE:
        return WON
    return OPEN


@kernel
def win_block_playout(
    board: Board,
    search: Search,
    own: np.uint64,
    opp: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    random: Bits,
) -> int:
    """A random game in which both take a win and else block one; the result as in `playout`."""
    columns = np.uint64(board.width)
    word = random[0]
    result, sign = 0, 1
    while True:
        free = free_cells(board, search, own | opp)
        if free == NONE:
            break
        if free & mine != NONE:
            result = sign
            break
        disc = free & theirs
        if disc & (disc - U1) != NONE:  # two to block: the opponent wins with the other
            result = -sign
            break
        while disc == NONE:
            word = next_random(word)
            disc = free & board.columns[np.int64(below(word, columns))]
        own |= disc
        mine |= new_threats(board, own, disc)
        own, opp, mine, theirs = opp, own, theirs, mine
        sign = -sign
    random[0] = word
    return result


@kernel
def sample(
    board: Board,
    search: Search,
    own: np.uint64,
    opp: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    random: Bits,
) -> int:
    """The half points of one playout, for the player who moved into this position."""
    if search.winblock:
        return 1 - win_block_playout(board, search, own, opp, mine, theirs, random)
    return 1 - playout(board, own, opp, random)


@kernel
def open_node(
    board: Board,
    search: Search,
    nodes: Nodes,
    node: int,
    occupied: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
) -> None:
    """Make room for the children of a node, the most promising columns first.

    With the solver a move that loses at once gets no child, unless there is no other.
    """
    moves = free_cells(board, search, occupied)
    if search.solver:
        safe = safe_cells(search, moves, theirs)
        if safe != NONE:
            moves = safe
    child = search.used
    nodes[node].first = child
    for k in range(board.width):
        disc = moves & board.columns[board.order[k]]
        if disc == NONE or child == nodes.size:
            continue
        nodes[child].visits = nodes[child].points = nodes[child].first = 0
        nodes[child].count = nodes[child].tried = 0
        nodes[child].cell = lowest(disc)
        nodes[child].proven = OPEN
        if disc & mine != NONE:
            nodes[child].proven = WON
        elif occupied | disc == board.full:
            nodes[child].proven = DRAWN
        child += 1
    nodes[node].count = child - search.used
    search.used = child


@kernel
def plant(board: Board, search: Search, nodes: Nodes, own: np.uint64, opp: np.uint64) -> None:
    """Begin a tree: the root and its children, nothing visited."""
    search.own, search.opp = own, opp
    search.mine, search.theirs = all_threats(board, own), all_threats(board, opp)
    nodes[0].visits = nodes[0].points = 0
    nodes[0].count = nodes[0].tried = 0
    nodes[0].proven = OPEN
    if search.solver:
        nodes[0].proven = verdict(board, search, own | opp, search.mine, search.theirs)
    search.used = 1
    open_node(board, search, nodes, 0, own | opp, search.mine, search.theirs)


@kernel
def select(nodes: Nodes, node: int, c: float) -> int:
    """The child of the highest upper confidence bound, the lost ones left out."""
    log = math.log(nodes[node].visits)
    best, highest = 0, -1.0
    first = nodes[node].first
    for child in range(first, first + nodes[node].count):
        if nodes[child].proven == LOST:
            continue
        visits = nodes[child].visits
        bound = (0.5 * nodes[child].points + c * math.sqrt(log * visits)) / visits
        if bound > highest:
            best, highest = child, bound
    return best


@kernel
def proof(nodes: Nodes, node: int) -> int:
    """What the children prove about a node: a move that wins, or the best if all are known."""
    best = LOST
    known = True
    first = nodes[node].first
    for child in range(first, first + nodes[node].count):
        proven = nodes[child].proven
        if proven == WON:
            return LOST
        known &= proven != OPEN
        best = max(best, proven)
    return WON + LOST - best if known else OPEN


@kernel
def back_up(
    search: Search, nodes: Nodes, path: Path, ply: int, playouts: int, points: int, settled: bool
) -> None:
    """Add the points of some playouts to the nodes of a path, and prove what can be proven."""
    for k in range(ply, -1, -1):
        node = path[k]
        if settled:
            proven = proof(nodes, node)
            settled = proven != OPEN
            if settled:
                nodes[node].proven = proven
                points = playouts * (proven - 1)
        nodes[node].visits += playouts
        nodes[node].points += points
        points = 2 * playouts - points


@kernel
def iterate(
    board: Board, search: Search, nodes: Nodes, path: Path, random: Bits, budget: int
) -> None:
    """One iteration of UCT: walk down, add children and play from each, add the results up."""
    own, opp, mine, theirs = search.own, search.opp, search.mine, search.theirs
    node, ply = 0, 0
    while nodes[node].count > 0 and nodes[node].tried == nodes[node].count:
        node = select(nodes, node, search.c)
        ply += 1
        path[ply] = node
        disc = U1 << np.uint64(nodes[node].cell)
        own |= disc
        mine |= new_threats(board, own, disc)
        own, opp, mine, theirs = opp, own, theirs, mine
    playouts, settled = 1, False
    if nodes[node].proven != OPEN:
        points = np.int64(nodes[node].proven) - 1
    else:
        if nodes[node].count == 0 and ply < search.depth:
            if search.used + board.width <= nodes.size:
                open_node(board, search, nodes, node, own | opp, mine, theirs)
        playouts = min(nodes[node].count - nodes[node].tried, search.expand, budget)
        if playouts == 0:
            playouts = 1
            points = sample(board, search, own, opp, mine, theirs, random)
        else:
            ply += 1
            points = 2 * playouts
            first = nodes[node].first + nodes[node].tried
            nodes[node].tried += playouts
            for child in range(first, first + playouts):
                disc = U1 << np.uint64(nodes[child].cell)
                discs = own | disc
                more = mine | new_threats(board, discs, disc)
                if search.solver and nodes[child].proven == OPEN:
                    nodes[child].proven = verdict(board, search, discs | opp, theirs, more)
                if nodes[child].proven == OPEN:
                    gain = sample(board, search, opp, discs, theirs, more, random)
                else:
                    gain = np.int64(nodes[child].proven) - 1
                    settled = search.solver
                nodes[child].visits = 1
                nodes[child].points = gain
                points -= gain
            ply -= 1
            search.deepest = max(search.deepest, ply + 1)
    search.deepest = max(search.deepest, ply)
    search.done += playouts
    back_up(search, nodes, path, ply, playouts, points, settled)


@kernel
def grow(
    board: Board,
    search: Search,
    nodes: Nodes,
    path: Path,
    random: Bits,
    until: int,
    limit: int,
    deadline: int,
    clock: int,
    kind: int,
) -> bool:
    """Iterate until `until` playouts are done; tell whether the search goes on after that."""
    turns = 0
    while search.done < until and nodes[0].proven == OPEN:
        if turns & 15 == 0 and nanoseconds(clock, kind) >= deadline:
            return False
        turns += 1
        iterate(board, search, nodes, path, random, limit - search.done)
    return search.done < limit and nodes[0].proven == OPEN
