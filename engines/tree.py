"""The search tree of `mcts` and `puct`: an array of nodes, and the engine around it.

A node counts the games through it and their half points (win 2, draw 1, loss 0) on behalf of the
player who moved into it. The children of a node lie side by side, so that choosing among them
reads one stretch of memory, and always behind their parent. An engine supplies a kernel that
grows the tree; a move is one call of it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from arena import Choice, Engine, Limits, Position, option
from arena.game.bits import (
    NONE,
    Bits,
    Board,
    Meter,
    OneRecord,
    free_cells,
    safe_cells,
    winning_disc,
)
from arena.game.playouts import State, state_of
from arena.game.rules import MAX_CELLS
from arena.jit import kernel, lowest

# The proven result of a node, if there is one: half points plus one.
OPEN, LOST, DRAWN, WON = 0, 1, 2, 3

NOWHERE = -1
ROOT = 0
CHECK_EVERY = 16  # iterations between two looks at the clocks
CHUNK = 50_000  # iterations of a kernel call; Ctrl-C works between two calls
MAX_ITERATIONS = 2**30  # twice as many half points fit a node

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
        ("c", np.float64),
        ("temperature", np.float64),
        ("mixing", np.float64),
        ("expand", np.int64),  # children to visit in one iteration
        ("solver", np.bool_),
        ("winblock", np.bool_),
        ("depth", np.int64),  # nodes this far below the root are not opened
        ("root", np.uint64, 4),  # the state of the root
        ("used", np.int64),  # nodes in the array
        ("deepest", np.int64),  # the ply of its deepest node
        ("path", np.int64, MAX_CELLS + 1),  # nodes of this iteration, by ply
        ("line", np.int64, MAX_CELLS + 1),  # cells of the principal variation
    ],
    align=True,
)

Search = np.record
Nodes = NDArray[np.void]
Root = tuple[np.uint64, np.uint64, int, int]  # both players' discs, depth, iterations
Answer = tuple[bool, float, int, int]  # whether to continue, score, deepest ply, length of line


@kernel
def two_ply_result(board: Board, state: State) -> int:
    """The result that two plies prove, for the player who moved to this state; else OPEN."""
    own, opp, mine, theirs = state
    free = free_cells(board, own | opp)
    if free & mine != NONE:
        return LOST
    if free != NONE and safe_cells(board, free, theirs) == NONE:
        return WON
    return OPEN


@kernel
def clear_node(nodes: Nodes, node: int) -> None:
    """Reset a node."""
    nodes[node].visits = nodes[node].points = nodes[node].first = 0
    nodes[node].cell = nodes[node].count = nodes[node].tried = 0
    nodes[node].proven = OPEN


@kernel
def open_node(board: Board, search: Search, nodes: Nodes, node: int, state: State) -> None:
    """Make room for the children of a node, the most promising columns first.

    With the solver a move that loses at once gets no child, unless there is no other.
    """
    own, opp, mine, theirs = state
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
    """The result that the children prove: one that wins is enough, else all must be proven."""
    best, is_known = LOST, True
    first = nodes[node].first
    for child in range(first, first + nodes[node].count):
        proven = nodes[child].proven
        if proven == WON:
            return LOST
        is_known &= proven != OPEN
        best = max(best, proven)
    return WON + LOST - best if is_known else OPEN


@kernel
def back_up(
    search: Search, nodes: Nodes, ply: int, playouts: int, points: float, proves: bool
) -> None:
    """Add playouts to all nodes of the path; above a proven child, look for a proof."""
    for k in range(ply, -1, -1):
        node = search.path[k]
        if proves:
            proven = proof(nodes, node)
            proves = proven != OPEN
            if proves:
                nodes[node].proven = proven
                points = playouts * (proven - 1)
        nodes[node].visits += playouts
        nodes[node].points += points
        points = 2 * playouts - points


@kernel
def set_root(
    board: Board, search: Search, nodes: Nodes, meter: Meter, own: np.uint64, opp: np.uint64,
    depth: int, iterations: int,
) -> bool:  # fmt: skip
    """Begin a search with a root and its children; false if a move wins at once."""
    search.depth, search.deepest = depth, 0
    win = winning_disc(board, own, opp)
    if win != NONE:
        search.line[0] = lowest(win)
        return False

    state = state_of(board, own, opp)
    for k in range(4):
        search.root[k] = state[k]
    search.used = 1
    clear_node(nodes, ROOT)
    if search.solver:
        nodes[0].proven = two_ply_result(board, state)
    open_node(board, search, nodes, ROOT, state)
    meter.most = min(iterations, MAX_ITERATIONS)
    meter.check = min(CHECK_EVERY, meter.most)
    return True


@kernel
def best_child(nodes: Nodes, node: int) -> int:
    """The move to play: a proven win, else the most visited that does not lose, then the first."""
    best: int = nodes[node].first
    first = best
    for child in range(first, first + nodes[node].count):
        if _rank(nodes, child) > _rank(nodes, best):
            best = child
    return best


@kernel
def _rank(nodes: Nodes, node: int) -> tuple[int, int, int]:
    proven = nodes[node].proven
    certainty = 2 if proven == WON else 0 if proven == LOST else 1
    return certainty, nodes[node].visits, nodes[node].points


@kernel
def answer(search: Search, nodes: Nodes, meter: Meter) -> Answer:
    """The answer of the tree so far; the score is 1 for a win, 0 for a draw, -1 for a loss."""
    # The principal variation.
    node, length = ROOT, 0
    while length == 0 or nodes[node].tried > 0:
        node = best_child(nodes, node)
        search.line[length] = nodes[node].cell
        length += 1

    # The score: proven, or the mean of the best child.
    best, score = best_child(nodes, ROOT), 0.0
    if nodes[0].proven != OPEN:
        score = np.float64(DRAWN) - nodes[0].proven
    elif nodes[best].proven != OPEN:
        score = np.float64(nodes[best].proven) - DRAWN
    elif nodes[best].visits > 0:
        score = nodes[best].points / nodes[best].visits - 1.0
    continues = not meter.stopped and meter.nodes < meter.most and nodes[0].proven == OPEN
    return continues, score, search.deepest, length


class TreeEngine(Engine):
    """An engine that grows a tree and plays its most visited move."""

    solver: bool = option(True, "prove wins, losses and draws, and search no further there")
    memory: int = option(
        128, "megabytes for the tree; a full tree stops growing", least=1, most=16384
    )

    node: ClassVar[np.dtype[np.void]] = NODE
    amount: ClassVar[str]  # the option for the number of iterations without limits

    nodes: Nodes | None  # set by `new_game`, made with the first move
    search: OneRecord
    chance: Bits  # the state of the kernels' random numbers

    @abstractmethod
    def grow(self, nodes: Nodes, meter: OneRecord, root: Root, pause: int) -> Answer:
        """Iterate until that many iterations are done in all, and answer."""

    def new_game(self) -> None:
        self.nodes, self.search = None, np.zeros(1, SEARCH)
        self.search["solver"] = self.solver

    def choose(self, position: Position, limits: Limits) -> Choice:
        meter = self.meter(position, limits)
        if self.nodes is None:  # memory is taken only as the tree grows
            self.nodes = np.empty(self.memory * 2**20 // self.node.itemsize, self.node)
            self.chance = np.array([self.random.getrandbits(64)], np.uint64)
        depth = limits.depth or position.rules.cells
        root = *position.words, depth, self.playout_limit(limits)
        pause, continues = 0, True
        while continues:
            pause += CHUNK
            continues, score, deepest, length = self.grow(self.nodes, meter, root, pause)
        cells, height = self.search["line"][0, :length].tolist(), position.rules.height
        line = tuple([cell // height for cell in cells])
        return Choice(line[0], score, deepest, int(meter["nodes"][0]), line)

    def playout_limit(self, limits: Limits) -> int:
        """The number of iterations allowed; a playout and a node are one each."""
        playouts, nodes = limits.playouts, limits.nodes
        if playouts is not None:
            return playouts if nodes is None else min(playouts, nodes)
        if nodes is not None:
            return nodes
        usual: int = MAX_ITERATIONS if limits.timed else getattr(self, self.amount)
        return usual

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        if wins := [column for column in position.legal if position.wins_with(column)]:
            return dict.fromkeys(wins, 1.0)
        tree, height = self.fresh(), position.rules.height
        tree.choose(position, limits)
        assert tree.nodes is not None
        values = dict.fromkeys(position.legal, -1.0)  # a move without a node loses at once
        root = tree.nodes[0]
        count = 0 if root["proven"] == WON else int(root["count"])
        for node in tree.nodes[root["first"] :][:count]:
            value = (node["points"] - node["visits"]) / (node["visits"] + 1.0)  # and a draw more
            proven = int(node["proven"])
            values[node["cell"] // height] = float(value if proven == OPEN else proven - DRAWN)
        return values
