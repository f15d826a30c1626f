"""What engines share that grow a tree of nodes: limits, reuse, the choice, and their opinions.

An engine brings a kernel that grows the tree (`grow`); the tree itself is in tree.py.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar

import numpy as np

from arena import Choice, Engine, Limits, Position, Rules, option
from arena.engine.timing import Deadline, reserve_of
from arena.engines.tree import NODE, Search, Tree
from arena.game.kernels import NONE, winning_disc
from arena.game.meter import new_meter
from arena.game.tables import board_of

MOVABLE = 1e7  # nodes of an old tree that each second of the budget may carry over
CHECK_EVERY = 16  # iterations between two looks at the clocks
CHUNK = 50_000  # iterations in one go, so that a keyboard interrupt is heard in between
MOST = 2**30  # iterations: twice as many half points fit a node


class TreeEngine(Engine):
    """An engine that plays the most visited move of a tree that grows, visit by visit."""

    solver: bool = option(True, "prove wins, losses and draws, and search no further there")
    reuse: bool = option(False, "keep what the tree knows of the position the game has reached")
    memory: int = option(
        128, "megabytes for the tree; a full tree stops growing", least=1, most=16384
    )

    node: ClassVar[np.dtype[np.void]] = NODE  # what a node of its tree holds
    amount: ClassVar[str]  # the option that says how much to search when no limit does

    _tree: Tree | None = None

    @abstractmethod
    def set_up(self, search: Search, rules: Rules) -> None:
        """Write down the options that its kernel reads."""

    @abstractmethod
    def grow(self, tree: Tree, pause: int) -> bool:
        """Search up to a pause; tell whether iterations, time and doubt are left to go on."""

    def new_game(self) -> None:
        """Drop the tree of the last game."""
        self._tree = None

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Win at once, or grow the tree and play the most visited move."""
        win = _winning_column(position)
        if win is not None:
            return Choice(win, score=1.0, depth=1, nodes=0, line=(win,))
        tree = self._search(position, limits)
        nodes = list(tree.line())
        line = tuple(tree.column(node) for node in nodes)
        depth, iterations = int(tree.search.deepest), int(tree.search.meter.nodes)
        return Choice(line[0], tree.score(), depth, iterations, line)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The result to expect of each column, from a search of its own with a share of the limits.

        Engines apart search them, so that asking for an opinion does not change the game.
        """
        share = _share(limits, position)
        fewer = -(-getattr(self, self.amount) // position.rules.columns)
        settings = self.settings() | {self.amount: fewer, "explore": 0.0}
        worth: dict[int, float] = {}
        for column in position.legal:
            after = position.play(column)
            if after.is_over:
                worth[column] = 0.0 if after.is_draw else 1.0
            else:
                score = type(self)(**settings).ask(after, share).score
                worth[column] = 0.0 - (score or 0.0)
        return worth

    def _search(self, position: Position, limits: Limits) -> Tree:
        """Grow the tree as far as the limits allow; depth bounds the tree, not the games."""
        reserve = reserve_of(type(self))
        deadline, budget = reserve.deadline(position, limits), limits.budget(position)
        counts = [count for count in (limits.playouts, limits.nodes) if count is not None]
        iterations = min(counts, default=getattr(self, self.amount) if budget is None else MOST)
        if self._tree is None:
            self._tree = Tree(self.memory, self.random.getrandbits(64), self.node)
        tree, search = self._tree, self._tree.search
        search.solver = self.solver
        search.depth = limits.depth or position.rules.cells
        self.set_up(search, position.rules)
        movable = budget is None or search.used < MOVABLE * budget
        tree.start(position, self.reuse and movable)
        self._grow(tree, iterations, deadline)
        reserve.learn(deadline)
        return tree

    def _grow(self, tree: Tree, iterations: int, deadline: Deadline) -> None:
        """Search for so many iterations, but not past the deadline or a proof at the root."""
        most = min(iterations, MOST - int(tree.nodes[0]["visits"]))
        tree.search.meter = new_meter(most, deadline, CHECK_EVERY)
        pause, going = 0, True
        while going:
            pause = min(most, pause + CHUNK)
            going = self.grow(tree, pause)


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
