"""The search tree of `mcts`: an array of nodes, the kernels that grow it, and `Tree` to hold it.

A node counts the games through it and their half points (win 2, draw 1, loss 0) on behalf of the
player who moved into it. The children of a node lie side by side, so that choosing among them
reads one stretch of memory, and always behind their parent.

No kernel tests for a win: the cells that would complete a line ("threats") are carried along for
each player, and a new disc can only add threats on the lines through it. A place in the game is a
tuple (own, opp, mine, theirs): the discs of the player to move and of the other, then the threats.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from arena.engine.reserve import NEVER, Deadline
from arena.game.kernels import NONE, U1, below, next_random, playout
from arena.game.position import Position
from arena.game.rules import MAX_CELLS
from arena.game.tables import Bits, Board, board_of, new_record
from arena.jit import CLOCK_ADDRESS, is_past, kernel, lowest

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
        ("c", np.float64),
        ("expand", np.int64),  # children to visit in one iteration
        ("solver", np.bool_),
        ("winblock", np.bool_),
        ("depth", np.int64),  # nodes so far below the root are not opened
        ("limit", np.int64),  # playouts
        ("deadline", np.int64),  # in nanoseconds of the monotonic clock; 0: none
        ("cpu_deadline", np.int64),  # of the thread's processor clock
        ("root", np.uint64, 4),  # the place of the root
        ("bottoms", np.uint64),  # the lowest cells of all columns
        ("used", np.int64),  # nodes in the array
        ("done", np.int64),  # playouts of this search
        ("deepest", np.int64),  # the ply of its deepest node
        ("path", np.int64, MAX_CELLS + 1),  # nodes of this iteration, by ply
    ],
    align=True,
)

Search = np.record
Nodes = NDArray[np.void]
Place = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

NODE_BYTES = NODE.itemsize + 4  # a node, and what `keep_subtree` needs to move it
CHUNK = 50_000  # playouts in one go, so that a keyboard interrupt is heard in between
MOST = 2**30  # playouts: twice as many half points fit a node


@kernel
def free_cells(board: Board, search: Search, occupied: np.uint64) -> np.uint64:
    """The cells a disc can come to rest on: empty, with the floor or a disc right below."""
    return ~occupied & ((occupied << U1) | search.bottoms) & board.full


@kernel
def safe_cells(search: Search, free: np.uint64, theirs: np.uint64) -> np.uint64:
    """The moves after which the opponent, who has these threats, does not win at once."""
    urgent = free & theirs
    if urgent & (urgent - U1) != NONE:
        return NONE
    if urgent != NONE:
        free = urgent
    return free & ~((theirs & ~search.bottoms) >> U1)


@kernel
def new_threats(board: Board, discs: np.uint64, disc: np.uint64) -> np.uint64:
    """The last missing cells of lines through a disc, whether they are still empty or not."""
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
def drop(board: Board, place: Place, disc: np.uint64) -> Place:
    """The place after a move, seen by the other player."""
    own, opp, mine, theirs = place
    own |= disc
    return opp, own, theirs, mine | new_threats(board, own, disc)


@kernel
def verdict(board: Board, search: Search, place: Place) -> int:
    """What two plies tell about a place, for the player who moved there."""
    own, opp, mine, theirs = place
    free = free_cells(board, search, own | opp)
    if free & mine != NONE:
        return LOST
    if free != NONE and safe_cells(search, free, theirs) == NONE:
        return WON
    return OPEN


@kernel
def win_block_playout(board: Board, search: Search, place: Place, random: Bits) -> int:
    """A random game in which both take a win, else block one; the result is as in `playout`."""
    columns = np.uint64(board.width)
    word = random[0]
    result, sign = 0, 1
    while True:
        own, opp, mine, theirs = place
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
        place = drop(board, place, disc)
        sign = -sign
    random[0] = word
    return result


@kernel
def sample(board: Board, search: Search, place: Place, random: Bits) -> int:
    """The half points of one playout, for the player who moved to this place."""
    if search.winblock:
        return 1 - win_block_playout(board, search, place, random)
    return 1 - playout(board, place[0], place[1], random)


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
    moves = free_cells(board, search, own | opp)
    if search.solver:
        safe, urgent = safe_cells(search, moves, theirs), moves & theirs
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
def plant(
    board: Board, search: Search, nodes: Nodes, own: np.uint64, opp: np.uint64, keep: bool
) -> None:
    """Begin a search: the root, cleared unless it is kept, and its children."""
    place = own, opp, all_threats(board, own), all_threats(board, opp)
    for k in range(4):
        search.root[k] = place[k]
    search.bottoms = board.full // board.columns[0]
    search.done = search.deepest = 0
    if not keep:
        search.used = 1
        clear_node(nodes, 0)
        if search.solver:
            nodes[0].proven = verdict(board, search, place)
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
            nodes[child].proven = verdict(board, search, after)
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
def proof(nodes: Nodes, node: int) -> int:
    """What the children prove about a node: one that wins is enough, else all must be known."""
    best, known = LOST, True
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
    node, ply = 0, 0
    while nodes[node].count > 0 and nodes[node].tried == nodes[node].count:
        node = select(nodes, node, search.c)
        ply += 1
        search.path[ply] = node
        place = drop(board, place, U1 << np.uint64(nodes[node].cell))
    room = search.used + board.width <= nodes.size and ply < search.depth
    if room and nodes[node].count == 0 and nodes[node].proven == OPEN:
        open_node(board, search, nodes, node, place)
    fresh = nodes[node].count - nodes[node].tried
    playouts = min(fresh, search.expand, search.limit - search.done)
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
    search.done += playouts
    back_up(search, nodes, ply, playouts, points, settled and search.solver)


@kernel
def grow(board: Board, search: Search, nodes: Nodes, random: Bits, pause: int, clock: int) -> bool:
    """Iterate up to a pause; tell whether playouts, time and doubt are left to go on after it."""
    turns = 0
    while search.done < pause and nodes[0].proven == OPEN:
        iterate(board, search, nodes, random)
        turns += 1
        if turns & 15 == 0 and is_past(clock, search.deadline, search.cpu_deadline):
            return False
    return search.done < search.limit and nodes[0].proven == OPEN


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

    def __init__(self, memory: int, seed: int) -> None:
        """Reserve so many megabytes; the system provides them as the tree grows."""
        self.nodes: Nodes = np.empty(memory * 2**20 // NODE_BYTES, NODE)
        self.search = new_record(SEARCH)
        self._random = np.array([seed], np.uint64)
        self._position: Position | None = None

    def start(self, position: Position, reuse: bool) -> None:
        """Make this position the root; if the tree is reused, with all that it knows about it."""
        node = self._find(position) if reuse else None
        if node:
            keep_subtree(self.search, self.nodes, node)
        own, opp = np.uint64(position.own), np.uint64(position.opponent)
        self._board = board_of(position.rules)
        plant(self._board, self.search, self.nodes, own, opp, node is not None)
        self._position = position

    def grow(self, playouts: int, deadline: Deadline = NEVER) -> None:
        """Search for so many playouts, but not past the deadline or a proof at the root."""
        search, nodes = self.search, self.nodes
        search.limit = min(playouts, MOST - int(nodes[0]["visits"]))
        search.deadline, search.cpu_deadline = deadline
        going = search.limit > 0
        while going:
            pause = min(int(search.limit), int(search.done) + CHUNK)
            going = grow(self._board, search, nodes, self._random, pause, CLOCK_ADDRESS)

    def line(self) -> Iterator[int]:
        """The nodes that best play visits, from the child of the root on."""
        node = best_child(self.nodes, 0)
        yield node
        while self.nodes[node]["tried"]:
            node = best_child(self.nodes, node)
            yield node

    def column(self, node: int) -> int:
        """The column of the move into a node."""
        return int(self.nodes[node]["cell"]) // int(self._board.height)

    def score(self) -> float:
        """The result to expect for the player to move: 1 win, 0 draw, -1 loss if it is proven."""
        root, best = self.nodes[0], self.nodes[best_child(self.nodes, 0)]
        if root["proven"] != OPEN:
            return float(DRAWN - int(root["proven"]))
        if best["proven"] != OPEN:
            return float(int(best["proven"]) - DRAWN)
        return int(best["points"]) / int(best["visits"]) - 1 if best["visits"] else 0.0

    def _find(self, position: Position) -> int | None:
        """The node of a position that the game has reached from the root."""
        reached = self._position
        if reached is None or reached.rules != position.rules:
            return None
        node = 0
        for column in position.moves[len(reached.moves) :]:
            children = {self.column(child): child for child in self._children(node)}
            if column not in children:
                return None
            node = children[column]
            reached = reached.play(column)
        return node if reached == position else None

    def _children(self, node: int) -> range:
        first = int(self.nodes[node]["first"])
        return range(first, first + int(self.nodes[node]["count"]))
