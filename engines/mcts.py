"""MCTS: a tree that grows towards the moves that win most random games.

Each iteration walks down the tree, at every node to the child of the highest upper confidence
bound, `value + c * sqrt(log(parent's visits) / visits)`: one that won often or was rarely tried.
At the edge it adds children, plays a game to its end from each of them, and adds the results to
all nodes on the way back. The most visited move is played. The solver passes proofs up as well: a
node with a winning move is won, one whose moves all lose is lost, and neither is visited again.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from arena import Choice, Engine, Limits, Position, Rules, option, register
from arena.engine.levels import HARD, Offer
from arena.engine.reserve import Deadline, reserve_of
from arena.game.kernels import NONE, U1, playout, winning_disc
from arena.game.meter import new_meter, spent
from arena.game.tables import Bits, Board, board_of
from arena.jit import kernel
from engines.threats import Place, drop, win_block_playout
from engines.tree import LOST, OPEN, WON, Nodes, Search, Tree, open_node, verdict

MOVABLE = 1e7  # nodes of an old tree that each second of the budget may carry over
CHECK_EVERY = 16  # playouts between two looks at the clocks
CHUNK = 50_000  # playouts in one go, so that a keyboard interrupt is heard in between
MOST = 2**30  # playouts: twice as many half points fit a node


@kernel
def select(nodes: Nodes, node: int, c: float) -> int:
    """The child of the highest upper confidence bound; those that lose are left out."""
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
def try_children(
    board: Board, search: Search, nodes: Nodes, node: int, place: Place, random: Bits, playouts: int
) -> tuple[int, bool]:
    """Visit the next children of a node: their half points, and whether one of them is proven."""
    points, settled = 0, False
    first = nodes[node].first + nodes[node].tried
    nodes[node].tried += playouts
    for child in range(first, first + playouts):
        after = drop(board, place, U1 << np.uint64(nodes[child].cell))
        if search.solver and nodes[child].proven == OPEN:
            nodes[child].proven = verdict(board, after)
        if nodes[child].proven == OPEN:
            gain = sample(board, search, after, random)
        else:
            gain = nodes[child].proven - 1
            settled = True
        nodes[child].visits = 1
        nodes[child].points = gain
        points += gain
    return points, settled


@kernel
def sample(board: Board, search: Search, place: Place, random: Bits) -> int:
    """The half points of one playout, for the player who moved to this place."""
    if search.winblock:
        return 1 - win_block_playout(board, place, random)
    return 1 - playout(board, place[0], place[1], random)


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
    search: Search, nodes: Nodes, ply: int, playouts: int, points: int, settled: bool
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
def iterate(board: Board, search: Search, nodes: Nodes, random: Bits) -> None:
    """One iteration: walk down, add children, play a game from each of them, add up."""
    place = search.root[0], search.root[1], search.root[2], search.root[3]

    # Walk down to a node with children that were never visited, or with none.
    node, ply = 0, 0
    while nodes[node].count > 0 and nodes[node].tried == nodes[node].count:
        node = select(nodes, node, search.c)
        ply += 1
        search.path[ply] = node
        place = drop(board, place, U1 << np.uint64(nodes[node].cell))

    # Open it, if there is room, and visit the next of its children; or visit it once more.
    room = search.used + board.width <= nodes.size and ply < search.depth
    if room and nodes[node].count == 0 and nodes[node].proven == OPEN:
        open_node(board, search, nodes, node, place)
    fresh = nodes[node].count - nodes[node].tried
    playouts = min(fresh, search.expand, search.meter.most - search.meter.nodes)
    settled = False
    if playouts > 0:
        points, settled = try_children(board, search, nodes, node, place, random, playouts)
        points = 2 * playouts - points
        search.deepest = max(search.deepest, ply + 1)
    else:
        playouts = 1
        if nodes[node].proven != OPEN:
            points = nodes[node].proven - 1
        else:
            points = sample(board, search, place, random)

    # Tell the nodes above.
    search.meter.nodes += playouts
    back_up(search, nodes, ply, playouts, points, settled and search.solver)


@kernel
def grow(board: Board, search: Search, nodes: Nodes, random: Bits, pause: int) -> bool:
    """Iterate up to a pause; tell whether playouts, time and doubt are left to go on after it."""
    meter = search.meter
    while meter.nodes < pause and nodes[0].proven == OPEN and not spent(meter):
        iterate(board, search, nodes, random)
    return not meter.stopped and meter.nodes < meter.most and nodes[0].proven == OPEN


@register("mcts")
class MCTS(Engine):
    """Plays the move that a growing tree of random games visits most (UCT)."""

    source = "UCT: Kocsis and Szepesvari 2006; solver: Winands, Bjornsson and Saito 2008 (S4.6)"
    shares_chance = False
    offer = Offer(10, "a tree of random games", suits=(HARD,), suits_in_space=False)

    playouts: int = option(10_000, "games to play for a move when no limit says otherwise", least=1)
    c: float = option(0.6, "how much to explore; results are from 0 to 1", least=0)
    expand: Literal[1, 2, 4, "all"] = option(1, "children to add and play from in an iteration")
    playout: Literal["light", "winblock"] = option(
        "winblock", "all moves at random, or first a win, then a block, else at random"
    )
    solver: bool = option(True, "prove wins, losses and draws, and search no further there")
    reuse: bool = option(False, "keep what the tree knows of the position the game has reached")
    memory: int = option(
        128, "megabytes for the tree; a full tree stops growing", least=1, most=16384
    )

    _tree: Tree | None = None

    def new_game(self, rules: Rules, seed: int) -> None:
        """Drop the tree of the last game."""
        super().new_game(rules, seed)
        self._tree = None

    def warm_up(self, rules: Rules) -> None:
        """Make two moves, so that carrying a tree over is ready too."""
        self.new_game(rules, 0)
        for position in (Position(rules), Position(rules).play(0)):
            self._search(position, Limits(playouts=10))
        super().warm_up(rules)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Win at once, or grow the tree and play the most visited move."""
        win = _winning_column(position)
        if win is not None:
            return Choice(win, score=1.0, depth=1, nodes=0, line=(win,))
        tree = self._search(position, limits)
        nodes = list(tree.line())
        line = tuple(tree.column(node) for node in nodes)
        depth, playouts = int(tree.search.deepest), int(tree.search.meter.nodes)
        return Choice(line[0], tree.score(), depth, playouts, line)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The result to expect of each column, from a search of its own with a share of the limits.

        Engines apart search them, so that asking for an opinion does not change the game.
        """
        share = _share(limits, position)
        settings = self.settings() | {"playouts": -(-self.playouts // position.rules.columns)}
        worth: dict[int, float] = {}
        for column in position.legal:
            after = position.play(column)
            if after.is_over:
                worth[column] = 0.0 if after.is_draw else 1.0
            else:
                score = type(self)(**settings).choose(after, share).score
                worth[column] = 0.0 - (score or 0.0)
        return worth

    def _search(self, position: Position, limits: Limits) -> Tree:
        """Grow the tree as far as the limits allow; depth bounds the tree, not the games."""
        reserve = reserve_of(type(self))
        deadline, budget = reserve.deadline(position, limits), limits.budget(position)
        counts = [count for count in (limits.playouts, limits.nodes) if count is not None]
        playouts = min(counts, default=self.playouts if budget is None else MOST)
        if self._tree is None:
            self._tree = Tree(self.memory, self.random.getrandbits(64))
        tree, search = self._tree, self._tree.search
        search.c, search.solver = self.c, self.solver
        search.winblock = self.playout == "winblock"
        search.expand = position.rules.columns if self.expand == "all" else self.expand
        search.depth = limits.depth or position.rules.cells
        movable = budget is None or search.used < MOVABLE * budget
        tree.start(position, self.reuse and movable)
        self._grow(tree, playouts, deadline)
        reserve.learn(deadline)
        return tree

    def _grow(self, tree: Tree, playouts: int, deadline: Deadline) -> None:
        """Search for so many playouts, but not past the deadline or a proof at the root."""
        most = min(playouts, MOST - int(tree.nodes[0]["visits"]))
        tree.search.meter = new_meter(most, deadline, CHECK_EVERY)
        pause, going = 0, True
        while going:
            pause = min(most, pause + CHUNK)
            going = grow(tree.board, tree.search, tree.nodes, tree.random, pause)


def _winning_column(position: Position) -> int | None:
    own, opp = np.uint64(position.own), np.uint64(position.opponent)
    disc = winning_disc(board_of(position.rules), own, opp)
    return (int(disc).bit_length() - 1) // position.rules.height if disc != NONE else None


def _share(limits: Limits, position: Position) -> Limits:
    """The limits for one of the legal columns."""
    columns = max(1, len(position.legal))
    budget = replace(limits, cpu=None).budget(position)
    return replace(
        limits,
        nodes=limits.nodes and -(-limits.nodes // columns),
        playouts=limits.playouts and -(-limits.playouts // columns),
        seconds=budget and budget / columns,
        clock=None,
        cpu=limits.cpu and limits.cpu / columns,
    )
