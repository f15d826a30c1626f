"""PUCT: a tree that grows towards the moves that a learned network likes, and checks them.

An iteration walks down the tree, at every node to the child of the highest `value + c * prior *
sqrt(parent's visits) / (1 + visits)`, until it reaches one that was never visited. The network gave
that node its value when its parent was opened. Mixed with the result of a random game, the value
goes to all nodes on the way back. The priors are a softmax of the children's values: the better a
move looks at first, the more often it is tried. Proofs go up as in `mcts`.

Sources: Rosin 2011; Silver et al. 2016 (AlphaGo) and 2017 (AlphaGo Zero).
"""

from __future__ import annotations

import math

import numpy as np

from arena import option
from arena.engines import tree
from arena.engines.tree import Answer, Nodes, Root, Search, TreeEngine
from arena.game.bits import U1, Bits, Board, Meter, OneRecord, is_spent
from arena.game.playouts import State, next_state, win_block_playout
from arena.jit import kernel
from arena.network.option import NetworkOption
from arena.network.value import MOVES, Moves, Net, evaluate_moves

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
def grow(
    boards: OneRecord, nets: OneRecord, searches: OneRecord, meters: OneRecord, nodes: Nodes,
    lists: OneRecord, random: Bits, root: Root, pause: int,
) -> Answer:  # fmt: skip
    """Iterate up to a pause, or until iterations or time run out or the root is proven."""
    board, net, search, meter, moves = boards[0], nets[0], searches[0], meters[0], lists[0]
    if meter.nodes == 0 and not tree.set_root(board, search, nodes, meter, *root):
        return False, 1.0, 1, 1
    while meter.nodes < pause and nodes[0].proven == tree.OPEN and not is_spent(meter):
        iterate(board, net, search, meter, nodes, moves, random)
    return tree.answer(search, nodes, meter)


@kernel
def iterate(
    board: Board, net: Net, search: Search, meter: Meter, nodes: Nodes, moves: Moves, random: Bits
) -> None:
    """One iteration: walk down to a node that is new, and add its value to those above."""
    state = search.root[0], search.root[1], search.root[2], search.root[3]

    # Walk down; a node that was visited but once is opened on the way.
    node, ply, proves, points = tree.ROOT, 0, False, 0.0
    while True:
        if nodes[node].tried == 0:
            if nodes[node].count == 0:
                tree.open_node(board, search, nodes, node, state)
            proves = evaluate_children(board, net, search, nodes, moves, node, state)
        child = select(nodes, node, search.c)
        if child == tree.NOWHERE:  # all lose, which proves something about the node
            proves = True
            break
        state = next_state(board, state, U1 << np.uint64(nodes[child].cell))
        is_new = nodes[child].visits == 0
        room = search.used + board.width <= nodes.size and ply + 1 < search.depth
        if is_new or nodes[child].proven != tree.OPEN or (nodes[child].count == 0 and not room):
            nodes[node].tried += is_new
            proves |= nodes[child].proven != tree.OPEN
            points = visit(board, search, nodes, child, state, random)
            search.deepest = max(search.deepest, ply + 1)
            break
        node = child
        ply += 1
        search.path[ply] = node

    # Add the value to the nodes above.
    meter.nodes += 1
    tree.back_up(search, nodes, ply, 1, 2.0 - points, proves and search.solver)


@kernel
def evaluate_children(
    board: Board, net: Net, search: Search, nodes: Nodes, moves: Moves, node: int, state: State
) -> bool:
    """Give the children of a node their values and priors; return whether one is proven."""
    first, count = nodes[node].first, np.int64(nodes[node].count)
    moves.count = count
    for k in range(count):
        moves.disc[k] = U1 << np.uint64(nodes[first + k].cell)
    evaluate_moves(board, net, moves, state[0], state[1])

    # A proven result replaces the value of the network.
    proves, best = False, -1.0
    for k in range(count):
        child = first + k
        if search.solver and nodes[child].proven == tree.OPEN:
            after = next_state(board, state, moves.disc[k])
            nodes[child].proven = tree.two_ply_result(board, after)
        value = -math.tanh(moves.total[k])
        if nodes[child].proven != tree.OPEN:
            value = np.float64(nodes[child].proven) - tree.DRAWN
            proves = True
        nodes[child].value = value
        best = max(best, value)

    # Softmax: the likelier a move is to be the best, the more of the visits it should get.
    total = 0.0
    for child in range(first, first + count):
        total += math.exp((nodes[child].value - best) / search.temperature)
    for child in range(first, first + count):
        prior = math.exp((nodes[child].value - best) / search.temperature) / total
        nodes[child].prior = prior
    return proves


@kernel
def prior_value(nodes: Nodes, node: int) -> float:
    """The points of one visit: the proven result, else the value of the network."""
    if nodes[node].proven != tree.OPEN:
        return nodes[node].proven - 1.0
    return 1.0 + nodes[node].value


@kernel
def select(nodes: Nodes, node: int, c: float) -> int:
    """The child to visit next among those that do not lose; NOWHERE if all do.

    A child without visits has the value of the network, a proven one its result.
    """
    explore = c * math.sqrt(nodes[node].visits)
    best, highest = tree.NOWHERE, -1.0
    first = nodes[node].first
    for child in range(first, first + nodes[node].count):
        proven, visits = nodes[child].proven, nodes[child].visits
        if proven == tree.LOST:
            continue
        points = nodes[child].points / visits if visits > 0 else 0.0
        if proven != tree.OPEN or visits == 0:
            points = prior_value(nodes, child)
        bound = 0.5 * points + explore * nodes[child].prior / (1 + visits)
        if bound > highest:
            best, highest = child, bound
    return best


@kernel
def visit(
    board: Board, search: Search, nodes: Nodes, node: int, state: State, random: Bits
) -> float:
    """Count a visit to a node at the edge of the tree; return its points for who moved there.

    They are a mixture of the network's value and the result of a random game, as in AlphaGo (Silver
    et al. 2016).
    """
    points = prior_value(nodes, node)
    if search.mixing > 0.0 and nodes[node].proven == tree.OPEN:
        points += search.mixing * (1.0 - win_block_playout(board, state, random) - points)
    nodes[node].visits += 1
    nodes[node].points += points
    return points


class PUCT(TreeEngine):
    """Plays the move that a tree guided by a learned n-tuple network visits most (PUCT).

    Source: Rosin 2011; Silver et al. 2016, 2017 (AlphaGo, AlphaGo Zero)
    """

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

    def new_game(self) -> None:
        super().new_game()
        self.network = self.weights.network_for(self.rules).unfolded
        self.moves = np.zeros(1, MOVES)
        self.search["c"], self.search["temperature"] = self.c, self.temperature
        self.search["mixing"] = self.mixing

    def grow(self, nodes: Nodes, meter: OneRecord, root: Root, pause: int) -> Answer:
        tables = self.rules.board, self.network.tables, self.search
        return grow(*tables, meter, nodes, self.moves, self.chance, root, pause)
