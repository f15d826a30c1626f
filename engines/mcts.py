"""MCTS: a tree that grows towards the moves that win most random games.

Each iteration walks down the tree, at every node to the child of the highest upper confidence
bound, `value + c * sqrt(log(parent's visits) / visits)`: one that won often or was rarely tried.
At the edge it adds children, plays a game to its end from each of them, and adds the results to
all nodes on the way back. The most visited move is played. The solver passes proofs up as well: a
node with a winning move is won, one whose moves all lose is lost, and neither is visited again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from arena import Choice, Engine, Limits, Position, Rules, option, register
from arena.engine.levels import HARD, Offer
from arena.engine.reserve import reserve_of
from arena.game.kernels import NONE, winning_disc
from arena.game.tables import board_of
from engines.uct import MOST, Tree

MOVABLE = 1e7  # nodes of an old tree that each second of the budget may carry over


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
        depth, playouts = int(tree.search.deepest), int(tree.search.done)
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
        tree.grow(playouts, deadline)
        reserve.learn(deadline)
        return tree


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
