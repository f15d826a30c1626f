"""MCTS: a tree that grows towards the moves that win most random games.

Each iteration walks down the tree, at every node to the child of the highest upper confidence
bound, `value + c * sqrt(log(parent's visits) / visits)`: one that won often or was rarely tried.
At the edge it adds children, plays a game to its end from each of them, and adds the results to
all nodes on the way back. The most visited move is played. The solver passes proofs up as well: a
node with a winning move is won, one whose moves all lose is lost, and neither is visited again.

Sources: Kocsis and Szepesvari 2006 (UCT); Winands, Bjornsson and Saito 2008 (the solver).
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from arena import option
from arena.engines import tree
from arena.engines.tree import Answer, Nodes, Root, Search, TreeEngine
from arena.game.bits import U1, Bits, Board, Meter, OneRecord, is_spent
from arena.game.playouts import State, next_state, playout, win_block_playout
from arena.jit import kernel


@kernel
def grow(
    boards: OneRecord, searches: OneRecord, meters: OneRecord, nodes: Nodes, random: Bits,
    root: Root, pause: int,
) -> Answer:  # fmt: skip
    """Iterate up to a pause, or until playouts or time run out or the root is proven."""
    board, search, meter = boards[0], searches[0], meters[0]
    if meter.nodes == 0 and not tree.set_root(board, search, nodes, meter, *root):
        return False, 1.0, 1, 1
    while meter.nodes < pause and nodes[0].proven == tree.OPEN and not is_spent(meter):
        iterate(board, search, meter, nodes, random)
    return tree.answer(search, nodes, meter)


@kernel
def iterate(board: Board, search: Search, meter: Meter, nodes: Nodes, random: Bits) -> None:
    """One iteration: walk down, add children, play a game from each of them, add up."""
    state = search.root[0], search.root[1], search.root[2], search.root[3]

    # Walk down to a node with children that were never visited, or with none.
    node, ply = tree.ROOT, 0
    while nodes[node].count > 0 and nodes[node].tried == nodes[node].count:
        node = select(nodes, node, search.c)
        ply += 1
        search.path[ply] = node
        state = next_state(board, state, U1 << np.uint64(nodes[node].cell))

    # Open it, if there is room, and visit the next of its children; or visit it once more.
    room = search.used + board.width <= nodes.size and ply < search.depth
    if room and nodes[node].count == 0 and nodes[node].proven == tree.OPEN:
        tree.open_node(board, search, nodes, node, state)
    fresh = np.int64(nodes[node].count) - np.int64(nodes[node].tried)
    playouts = min(fresh, search.expand, meter.most - meter.nodes)
    proves = False
    if playouts > 0:
        points, proves = try_children(board, search, nodes, node, state, random, playouts)
        points = 2 * playouts - points
        search.deepest = max(search.deepest, ply + 1)
    else:
        playouts = 1
        if nodes[node].proven != tree.OPEN:
            points = nodes[node].proven - 1
        else:
            points = sample(board, search, state, random)

    # Add the results to the nodes above.
    meter.nodes += playouts
    tree.back_up(search, nodes, ply, playouts, points, proves and search.solver)


@kernel
def select(nodes: Nodes, node: int, c: float) -> int:
    """The child of the highest upper confidence bound; those that lose are left out."""
    log = math.log(nodes[node].visits)
    best, highest = 0, -1.0
    first = nodes[node].first
    for child in range(first, first + nodes[node].count):
        if nodes[child].proven == tree.LOST:
            continue
        visits = nodes[child].visits
        bound = (0.5 * nodes[child].points + c * math.sqrt(log * visits)) / visits
        if bound > highest:
            best, highest = child, bound
    return best


@kernel
def try_children(
    board: Board, search: Search, nodes: Nodes, node: int, state: State, random: Bits, playouts: int
) -> tuple[int, bool]:
    """Visit the next children of a node; return their half points, and whether one is proven."""
    points, proves = 0, False
    first = nodes[node].first + nodes[node].tried
    nodes[node].tried += playouts
    for child in range(first, first + playouts):
        after = next_state(board, state, U1 << np.uint64(nodes[child].cell))
        if search.solver and nodes[child].proven == tree.OPEN:
            nodes[child].proven = tree.two_ply_result(board, after)
        if nodes[child].proven == tree.OPEN:
            gain = sample(board, search, after, random)
        else:
            gain = nodes[child].proven - 1
            proves = True
        nodes[child].visits = 1
        nodes[child].points = gain
        points += gain
    return points, proves


@kernel
def sample(board: Board, search: Search, state: State, random: Bits) -> int:
    """The half points of one random game, for the player who moved to this state."""
    if search.winblock:
        return 1 - win_block_playout(board, state, random)
    return 1 - playout(board, state[0], state[1], random)


class MCTS(TreeEngine):
    """Plays the move that a growing tree of random games visits most (UCT).

    Source: UCT: Kocsis and Szepesvari 2006; solver: Winands, Bjornsson and Saito 2008
    """

    playouts: int = option(10_000, "games to play for a move when no limit says otherwise", least=1)
    c: float = option(0.6, "how much to explore; results are from 0 to 1", least=0)
    expand: Literal[1, 2, 4, "all"] = option(1, "children to add and play from in an iteration")
    playout: Literal["light", "winblock"] = option(
        "winblock", "all moves at random, or first a win, then a block, else at random"
    )

    amount = "playouts"

    def new_game(self) -> None:
        super().new_game()
        self.search["c"] = self.c
        self.search["winblock"] = self.playout == "winblock"
        self.search["expand"] = self.rules.columns if self.expand == "all" else self.expand

    def grow(self, nodes: Nodes, meter: OneRecord, root: Root, pause: int) -> Answer:
        return grow(self.rules.board, self.search, meter, nodes, self.chance, root, pause)
