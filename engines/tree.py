"""The search tree of `mcts` and `puct`: an array of nodes, and `Tree` to hold it.

A node counts the games through it and their half points (win 2, draw 1, loss 0) on behalf of the
player who moved into it. The children of a node lie side by side, so that choosing among them
reads one stretch of memory, and always behind their parent.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from arena.engines.threats import Place, free_cells, place_of, safe_cells
from arena.game.kernels import NONE
from arena.game.meter import METER
from arena.game.position import Position
from arena.game.rules import MAX_CELLS
from arena.game.tables import Board, board_of, new_record
from arena.jit import kernel, lowest

# What is known of a node for certain, if anything: half points plus one.
OPEN, LOST, DRAWN, WON = 0, 1, 2, 3

NODE = np.dtype(
    [
        ("visits", np.int32),
        ("points", np.int32),  # half points
        ("first", np.int32),  # where the children start
        ("cell", np.uint8),  # where the disc of the move into this node lies
        ("count", np.uint8),  # how many children there are: none before the node is opened
        ("tried", np.uint8),  # how many of them were visited
        ("proven", np.uint8),
    ],
    align=True,
)

SEARCH = np.dtype(
    [
        ("meter", METER),  # nodes are playouts
        ("c", np.float64),
        ("temperature", np.float64),
        ("mixing", np.float64),
        ("expand", np.int64),  # children to visit in one iteration
        ("solver", np.bool_),
        ("winblock", np.bool_),
        ("depth", np.int64),  # nodes so far below the root are not opened
        ("root", np.uint64, 4),  # the place of the root
        ("used", np.int64),  # nodes in the array
        ("deepest", np.int64),  # the ply of its deepest node
        ("path", np.int64, MAX_CELLS + 1),  # nodes of this iteration, by ply
    ],
    align=True,
)

Search = np.record
Nodes = NDArray[np.void]

MOVING = 4  # bytes that `keep_subtree` needs to move a node
NODE_BYTES = NODE.itemsize + MOVING


@kernel
def verdict(board: Board, place: Place) -> int:
    """What two plies tell about a place, for the player who moved there."""
    own, opp, mine, theirs = place
    free = free_cells(board, own | opp)
    if free & mine != NONE:
        return LOST
    if free != NONE and safe_cells(board, free, theirs) == NONE:
        return WON
    return OPEN


@kernel
def clear_node(nodes: Nodes, node: int) -> None:
    """A node of which nothing is known."""
    nodes[node].visits = nodes[node].points = nodes[node].first = 0
    nodes[node].cell = nodes[node].count = nodes[node].tried = 0
    nodes[node].proven = OPEN


@kernel
def open_node(board: Board, search: Search, nodes: Nodes, node: int, place: Place) -> None:
    """Make room for the children of a node, the most promising columns first.

    With the solver a move that loses at once gets no child, unless there is no other.
    """
    own, opp, mine, theirs = place
    moves = free_cells(board, own | opp)
    if search.solver:
        safe, urgent = safe_cells(board, moves, theirs), moves & theirs
        moves = safe if safe != NONE else urgent if urgent != NONE else moves
    child = search.used
    nodes[node].first = child
    for k in range(board.width):
        disc = moves & board.columns[board.order[k]]
        if disc == NONE:
            continue
        clear_node(nodes, child)
        nodes[child].cell = lowest(disc)
        if disc & mine != NONE:
            nodes[child].proven = WON
        elif own | opp | disc == board.full:
            nodes[child].proven = DRAWN
        child += 1
    nodes[node].count = child - search.used
    search.used = child


@kernel
def proof(nodes: Nodes, node: int) -> int:
    """What the children prove about a node: one that wins is enough, else all must be known."""
    best, is_settled = LOST, True
    first = nodes[node].first
    for child in range(first, first + nodes[node].count):
        proven = nodes[child].proven
        if proven == WON:
            return LOST
        is_settled &= proven != OPEN
        best = max(best, proven)
    return WON + LOST - best if is_settled else OPEN


@kernel
def back_up(
    search: Search, nodes: Nodes, ply: int, playouts: int, points: float, settled: bool
) -> None:
    """Add playouts to all nodes of the path; where a child is settled, look for a proof."""
    for k in range(ply, -1, -1):
        node = search.path[k]
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
def plant(
    board: Board, search: Search, nodes: Nodes, own: np.uint64, opp: np.uint64, keep: bool
) -> None:
    """Begin a search: the root, cleared unless it is kept, and its children."""
    place = place_of(board, own, opp)
    for k in range(4):
        search.root[k] = place[k]
    search.deepest = 0
    if not keep:
        search.used = 1
        clear_node(nodes, 0)
        if search.solver:
            nodes[0].proven = verdict(board, place)
    if nodes[0].count == 0:
        open_node(board, search, nodes, 0, place)


@kernel
def keep_subtree(search: Search, nodes: Nodes, root: int) -> None:
    """Move a node and all below it to the front of the array, and forget the rest.

    Children lie behind their parents, so one pass finds every parent at its new place already.
    """
    parents = np.zeros(search.used, np.int32)  # of the children that start here: 1 + its new place
    nodes[0] = nodes[root]
    if nodes[0].count > 0:
        parents[nodes[0].first] = 1
    used = 1
    for old in range(1, search.used):
        if parents[old] == 0:
            continue
        parent = parents[old] - 1
        nodes[parent].first = used
        for child in range(old, old + nodes[parent].count):
            nodes[used] = nodes[child]
            used += 1
            if nodes[used - 1].count > 0:
                parents[nodes[used - 1].first] = used
    search.used = used


@kernel
def best_child(nodes: Nodes, node: int) -> int:
    """The move to play: a proven win, else the most visited that does not lose, then the first."""
    best = first = nodes[node].first
    for child in range(first, first + nodes[node].count):
        if _rank(nodes, child) > _rank(nodes, best):
            best = child
    return best


@kernel
def _rank(nodes: Nodes, node: int) -> tuple[int, int, int]:
    proven = nodes[node].proven
    certainty = 2 if proven == WON else 0 if proven == LOST else 1
    return certainty, nodes[node].visits, nodes[node].points


class Tree:
    """The nodes of one game, and the position at their root."""

    def __init__(self, memory: int, seed: int, node: np.dtype[np.void] = NODE) -> None:
        """Reserve so many megabytes; the system provides them as the tree grows."""
        self.nodes: Nodes = np.empty(memory * 2**20 // (node.itemsize + MOVING), node)
        self.search: Search = new_record(SEARCH)
        self.random = np.array([seed], np.uint64)
        self._position: Position | None = None

    def start(self, position: Position, reuse: bool) -> None:
        """Make this position the root; if the tree is reused, with all that it knows about it."""
        node = self.find(position) if reuse else None
        if node:
            keep_subtree(self.search, self.nodes, node)
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        self.board = board_of(position.rules)
        plant(self.board, self.search, self.nodes, own, opp, node is not None)
        self._position = position

    def line(self) -> Iterator[int]:
        """The nodes that best play visits, from the child of the root on."""
        node = best_child(self.nodes, 0)
        yield node
        while self.nodes[node]["tried"]:
            node = best_child(self.nodes, node)
            yield node

    def column(self, node: int) -> int:
        """The column of the move into a node."""
        return int(self.nodes[node]["cell"]) // int(self.board.height)

    def score(self) -> float:
        """The result to expect for the player to move: 1 win, 0 draw, -1 loss if it is proven."""
        root, best = self.nodes[0], self.nodes[best_child(self.nodes, 0)]
        if root["proven"] != OPEN:
            return float(DRAWN - int(root["proven"]))
        if best["proven"] != OPEN:
            return float(int(best["proven"]) - DRAWN)
        return float(best["points"]) / int(best["visits"]) - 1 if best["visits"] else 0.0

    def find(self, position: Position) -> int | None:
        """The node of a position that the game has reached from the root."""
        reached = self._position
        if reached is None or reached.rules != position.rules:
            return None
        node = 0
        for column in position.moves[len(reached.moves) :]:
            children = {self.column(child): child for child in self.children(node)}
            if column not in children:
                return None
            node = children[column]
            reached = reached.play(column)
        return node if reached == position else None

    def children(self, node: int) -> range:
        """Where the children of a node are."""
        first = int(self.nodes[node]["first"])
        return range(first, first + int(self.nodes[node]["count"]))
