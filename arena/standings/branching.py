"""What a search costs: how much pruning saves, and how nodes grow with depth.

Only players that tell their nodes and search to one depth are compared, pruning only with the same
evaluation, and only at equal numbers of their own moves in the game: late in a game there is less
to search for everybody.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product

import numpy as np

from arena.bots.find import find, is_ours
from arena.engine.contract import Limits
from arena.engine.registry import Entry
from arena.errors import ArenaError
from arena.game.rules import Rules
from arena.journal.records import Contestant
from arena.standings.evidence import Numbers, falling_root
from arena.standings.games import Counts
from arena.standings.moves import Curve, Moves
from arena.standings.results import Results, read_limits

MOST_PAIRS = 40  # engines beside minimax: a table that can still be read
LEAST = 2  # plies: nothing can be pruned before
MISSING = 0.05  # plies that a search to one depth may miss it by, on average
KNOWN = 0.98  # of its moves must have nodes
TIGHT = 0.5  # of the time allowed: who needs more may have been cut short


@dataclass(frozen=True)
class Searcher:
    """A player that searched to one depth; its kind is everything about it but the depth."""

    player: int
    kind: str
    depth: int  # plies
    plain: bool  # whether it looks at everything
    nodes: Curve  # by own move number
    evaluation: str = ""  # that it uses, as far as is known


@dataclass(frozen=True)
class Pruned:
    """A player's nodes a move beside those of a minimax player of its depth and evaluation."""

    depth: int
    player: int
    minimax: int
    nodes: float
    full: float  # nodes of minimax
    moves: int  # that were compared, of each

    @property
    def share(self) -> float:
        """The part of minimax's nodes that the player did without."""
        return 1 - self.nodes / self.full


@dataclass(frozen=True)
class Family:
    """Players that differ in nothing but depth, and their nodes a move in the first half."""

    kind: str
    columns: int  # of the board: the most moves that a position has
    players: tuple[int, ...]  # by depth
    depths: Counts  # in plies, rising
    nodes: Numbers

    @property
    def growth(self) -> list[float | None]:
        """How many times more nodes each ply took since the depth before; None for the first."""
        ratio = self.nodes[1:] / self.nodes[:-1]
        return [None, *(ratio ** (1 / np.diff(self.depths))).tolist()]

    @property
    def branching(self) -> list[float]:
        """The effective branching factor at each depth."""
        return list(map(branching, self.nodes.tolist(), self.depths.tolist()))


def search_costs(
    players: Sequence[Contestant], results: Results, rules: Rules
) -> tuple[list[Pruned], list[Family]]:
    """All that the games say about pruning and about growth."""
    comparable = searchers(players, results.moves, rules)
    return pruned(comparable), families(comparable, rules)


def searchers(
    players: Sequence[Contestant], moves: Sequence[Moves], rules: Rules
) -> list[Searcher]:
    """Those of a line-up whose searches can be compared.

    A class in a file is taken for the installed engine of its name: a report runs no files.
    """
    comparable = []
    for player, (contestant, own) in enumerate(zip(players, moves, strict=True)):
        limits, nodes = read_limits(contestant.limits), own.curve("nodes")
        depth = fixed_depth(own, rules.cells)
        if depth is not None and nodes is not None and not is_cut_short(own, limits):
            entry = _installed(contestant.engine.rpartition(":")[2].lower())
            plain = entry is not None and not entry.engine.prunes
            words, evaluation = kind(contestant, limits), evaluation_of(contestant)
            comparable.append(Searcher(player, words, depth, plain, nodes, evaluation))
    return comparable


def evaluation_of(contestant: Contestant) -> str:
    """The evaluation that a player was given, or that its engine uses by default.

    Of an engine in a file only the first is known: a report runs no files.
    """
    given = contestant.options.get("evaluation")
    entry = _installed(contestant.engine)
    if given is None and entry is not None:
        default = entry.engine.options.get("evaluation")
        given = default and default.default
    return "" if given is None else _word(given)


def _installed(engine: str) -> Entry | None:
    """The engine of this name, if it is none of a file and is installed here."""
    try:
        return find(engine) if is_ours(engine) else None
    except ArenaError:
        return None


def fixed_depth(moves: Moves, cells: int) -> int | None:
    """The depth in plies that nearly all moves reached, but for those near a full board."""
    reached, by_ply, nodes = moves.depth, moves.depth_by_ply, moves.nodes
    if reached is None or by_ply is None or nodes is None or nodes.count < KNOWN * reached.count:
        return None
    depth = int(reached.most)
    away = by_ply.x <= cells - depth + 1  # this many cells were empty
    count = by_ply.count[away]
    if depth < LEAST or not count.sum():
        return None
    missing = (depth - by_ply.mean[away]) @ count / count.sum()
    return depth if missing <= MISSING else None


def is_cut_short(moves: Moves, limits: Limits) -> bool:
    """Whether some searches may have ended because nodes or time ran out."""
    if limits.on is not None:  # how much time there was is each host's own
        return True
    if limits.nodes is not None and moves.nodes is not None and moves.nodes.most >= limits.nodes:
        return True
    if limits.cpu is not None and moves.cpu is not None and moves.cpu.most > TIGHT * limits.cpu:
        return True
    if limits.seconds is not None and moves.seconds is not None:
        return moves.seconds.most > TIGHT * limits.seconds
    return limits.clock is not None and (moves.used or 0.0) > TIGHT


def kind(contestant: Contestant, limits: Limits) -> str:
    """An engine with all that it was given but for the depth, in words."""
    options = {key: value for key, value in contestant.options.items() if key != "depth"}
    words = [f"{key}={_word(value)}" for key, value in sorted(options.items())]
    rest = replace(limits, depth=None)
    return " ".join([contestant.engine, *words, *([] if rest == Limits() else [str(rest)])])


def pruned(players: Iterable[Searcher], most: int = MOST_PAIRS) -> list[Pruned]:
    """Searchers beside minimax players of their depth and evaluation, the lesser depths first.

    Up to a number. With another evaluation a search visits other positions, pruned or not.
    """
    pairs: list[Pruned] = []
    by_depth = sorted(players, key=lambda each: each.depth)
    for full, other in product(by_depth, by_depth):
        alike = (other.depth, other.evaluation) == (full.depth, full.evaluation)
        if full.plain and not other.plain and alike and len(pairs) < most:
            (nodes, of_minimax), moves = matched([other.nodes, full.nodes])
            if moves and of_minimax > 0:
                figures = float(nodes), float(of_minimax), moves
                pairs.append(Pruned(full.depth, other.player, full.player, *figures))
    return pairs


def families(players: Iterable[Searcher], rules: Rules) -> list[Family]:
    """Searchers of at least two depths that differ in nothing else; of equal ones, the first."""
    kinds: dict[str, dict[int, Searcher]] = {}
    for each in players:
        kinds.setdefault(each.kind, {}).setdefault(each.depth, each)
    grown = []
    for name, by_depth in kinds.items():
        members = [by_depth[depth] for depth in sorted(by_depth)]
        means, moves = matched([each.nodes for each in members], rules.cells // 4)
        if len(members) > 1 and moves and (means > 0).all():
            numbers = tuple(each.player for each in members)
            grown.append(Family(name, rules.columns, numbers, np.array(sorted(by_depth)), means))
    return grown


def matched(curves: Sequence[Curve], last: int | None = None) -> tuple[Numbers, int]:
    """The mean of each curve over the x that all have, and how many moves that is.

    Each x, up to the last, weighs as much as the curve with the fewest moves there has of them.
    """
    common = reduce(np.intersect1d, [curve.x for curve in curves])
    if last is not None:
        common = common[common <= last]
    places = [np.searchsorted(curve.x, common) for curve in curves]
    pairs = list(zip(curves, places, strict=True))
    weight = np.min([curve.count[place] for curve, place in pairs], axis=0)
    total = int(weight.sum())
    sums = np.array([curve.mean[place] @ weight for curve, place in pairs])
    return sums / max(total, 1), total


def branching(nodes: float, depth: int) -> float:
    """The b for which b + b^2 + ... + b^depth, a full tree without its root, has these nodes."""

    def missing(b: float) -> float:
        return nodes - sum(b**ply for ply in range(1, depth + 1))

    return falling_root(missing, 0.0, nodes ** (1 / depth))


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
