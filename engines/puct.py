"""PUCT: a tree that grows towards the moves that a learned network likes, and checks them.

An iteration walks down the tree, at every node to the child of the highest `value + c * prior *
sqrt(parent's visits) / (1 + visits)`, until it comes to one that was never visited. The network has
given that one its value when its parent was opened, all children at once; mixed with the result of
a random game it goes to all nodes on the way back. The priors are those values too, as a softmax:
the better a move looks at first sight, the more often it is tried. Proofs go up as in `mcts`.
"""

from __future__ import annotations

import math

import numpy as np

from arena import Rules, option, register
from arena.engine.levels import Offer
from arena.engines.threats import Place, drop, win_block_playout
from arena.engines.tree import DRAWN, LOST, OPEN, Nodes, Search, Tree, back_up, open_node, verdict
from arena.engines.tree_engine import TreeEngine
from arena.game.kernels import U1
from arena.game.meter import spent
from arena.game.tables import Bits, Board, new_record
from arena.jit import kernel
from arena.network.option import NetworkOption
from arena.network.value import MOVES, Moves, Net, evaluate_moves

NOWHERE = -1

# A node of `mcts` with the network's opinion of the move into it.
NODE = np.dtype(
    [
        ("points", np.float64),  # the sum of 1 + value over all visits
        ("visits", np.int32),
        ("first", np.int32),
        ("prior", np.float32),
        ("value", np.float32),  # to the player who moved into this node, from -1 to 1
        ("cell", np.uint8),
        ("count", np.uint8),
        ("tried", np.uint8),
        ("proven", np.uint8),
    ],
    align=True,
)


@kernel
def weigh_children(
    board: Board, net: Net, search: Search, nodes: Nodes, moves: Moves, node: int, place: Place
) -> bool:
    """Give the children of a node their values and priors; tell whether one of them is proven."""
    first, count = nodes[node].first, np.int64(nodes[node].count)
    moves.count = count
    for k in range(count):
        moves.disc[k] = U1 << np.uint64(nodes[first + k].cell)
    evaluate_moves(board, net, moves, place[0], place[1])

    # What is certain counts more than what the network says.
    settled, best = False, -1.0
    for k in range(count):
        child = first + k
        if search.solver and nodes[child].proven == OPEN:
            nodes[child].proven = verdict(board, drop(board, place, moves.disc[k]))
        value = -math.tanh(moves.total[k])
        if nodes[child].proven != OPEN:
            value = np.float64(nodes[child].proven) - DRAWN
            settled = True
        nodes[child].value = value
        best = max(best, value)

    # Softmax: the likelier a move is to be the best, the more of the visits it should get.
    total = 0.0
    for child in range(first, first + count):
        total += math.exp((nodes[child].value - best) / search.temperature)
    for child in range(first, first + count):
        prior = math.exp((nodes[child].value - best) / search.temperature) / total
        nodes[child].prior = prior
    return settled


@kernel
def first_sight(nodes: Nodes, node: int) -> float:
    """The points of one visit to a node alone: what is proven, else what the network says."""
    if nodes[node].proven != OPEN:
        return nodes[node].proven - 1.0
    return 1.0 + nodes[node].value


@kernel
def select(nodes: Nodes, node: int, c: float) -> int:
    """The child to visit next; those that lose are left out, if all do there is none.

    A child that was not visited yet is worth what the network says, a proven one what it is.
    """
    explore = c * math.sqrt(nodes[node].visits)
    best, highest = NOWHERE, -1.0
    first = nodes[node].first
    for child in range(first, first + nodes[node].count):
        proven, visits = nodes[child].proven, nodes[child].visits
        if proven == LOST:
            continue
        points = nodes[child].points / visits if visits > 0 else 0.0
        if proven != OPEN or visits == 0:
            points = first_sight(nodes, child)
        bound = 0.5 * points + explore * nodes[child].prior / (1 + visits)
        if bound > highest:
            best, highest = child, bound
    return best


@kernel
def visit(
    board: Board, search: Search, nodes: Nodes, node: int, place: Place, random: Bits
) -> float:
    """Count a visit to a node at the edge of the tree; its points for who moved there.

    As AlphaGo mixed them (Silver et al. 2016): some of it what the network says, some of it the
    result of a random game.
    """
    points = first_sight(nodes, node)
    if search.mixing > 0.0 and nodes[node].proven == OPEN:
        points += search.mixing * (1.0 - win_block_playout(board, place, random) - points)
    nodes[node].visits += 1
    nodes[node].points += points
    return points


@kernel
def iterate(
    board: Board, net: Net, search: Search, nodes: Nodes, moves: Moves, random: Bits
) -> None:
    """One iteration: walk down to a node that is new, and tell its value to those above."""
    place = search.root[0], search.root[1], search.root[2], search.root[3]

    # Walk down; a node that was visited but once is opened on the way.
    node, ply, settled, points = 0, 0, False, 0.0
    while True:
        child = select(nodes, node, search.c)
        if child == NOWHERE:  # all lose, which proves something about the node
            settled = True
            break
        place = drop(board, place, U1 << np.uint64(nodes[child].cell))
        is_new = nodes[child].visits == 0
        room = search.used + board.width <= nodes.size and ply + 1 < search.depth
        if is_new or nodes[child].proven != OPEN or (nodes[child].count == 0 and not room):
            nodes[node].tried += is_new
            settled |= nodes[child].proven != OPEN
            points = visit(board, search, nodes, child, place, random)
            search.deepest = max(search.deepest, ply + 1)
            break
        if nodes[child].count == 0:
            open_node(board, search, nodes, child, place)
            settled = weigh_children(board, net, search, nodes, moves, child, place)
        node = child
        ply += 1
        search.path[ply] = node

    # Tell the nodes above.
    search.meter.nodes += 1
    back_up(search, nodes, ply, 1, 2.0 - points, settled and search.solver)


@kernel
def grow(
    board: Board, net: Net, search: Search, nodes: Nodes, moves: Moves, random: Bits, pause: int
) -> bool:
    """Iterate up to a pause; tell whether iterations, time and doubt are left to go on after it."""
    meter = search.meter
    if meter.nodes == 0:
        place = search.root[0], search.root[1], search.root[2], search.root[3]
        weigh_children(board, net, search, nodes, moves, 0, place)
    while meter.nodes < pause and nodes[0].proven == OPEN and not spent(meter):
        iterate(board, net, search, nodes, moves, random)
    return not meter.stopped and meter.nodes < meter.most and nodes[0].proven == OPEN


@register("puct")
class PUCT(TreeEngine):
    """Plays the move that a tree guided by a learned n-tuple network visits most (PUCT)."""

    source = "Rosin 2011; Silver et al. 2016, 2017 (AlphaGo, AlphaGo Zero)"
    shares_chance = False
    offer = Offer(12, "a tree guided by a learned network; 7x6 and 4x4x4")

    weights: NetworkOption = option("shipped", "`shipped`, or a .net file written by `arena train`")
    iterations: int = option(1000, "visits for a move when no limit says otherwise", least=1)
    c: float = option(0.4, "how much to explore; results are from 0 to 1", least=0)
    temperature: float = option(
        1.0, "of the priors: small, and the tree follows the network closely", least=0.001
    )
    mixing: float = option(
        0.25, "share of a random game in a new node's value; AlphaGo had 0.5", least=0, most=1
    )

    node = NODE
    amount = "iterations"

    def new_game(self, rules: Rules, seed: int) -> None:
        """Have the network of this board ready."""
        super().new_game(rules, seed)
        self.network = self.weights.network_for(rules).unfolded
        self.moves = new_record(MOVES)

    def set_up(self, search: Search, rules: Rules) -> None:
        """Write down how to choose."""
        search.c, search.temperature, search.mixing = self.c, self.temperature, self.mixing

    def grow(self, tree: Tree, pause: int) -> bool:
        """Follow the network, up to a pause."""
        net = self.network.record
        return grow(tree.board, net, tree.search, tree.nodes, self.moves, tree.random, pause)
