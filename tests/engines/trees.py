"""What the tree of an engine knows after a search, to look into."""

from __future__ import annotations

import numpy as np

from arena.engines.tree import Nodes, TreeEngine
from arena.game.bits import record_of


class Tree:
    """The nodes of an engine's last search."""

    def __init__(self, engine: TreeEngine) -> None:
        assert engine.nodes is not None
        self.nodes: Nodes = engine.nodes
        self.search: np.record = record_of(engine.search)
        self.height = engine.rules.height

    def column(self, node: int) -> int:
        """The column of the move into a node."""
        return int(self.nodes[node]["cell"]) // self.height

    def children(self, node: int) -> range:
        """Where the children of a node are."""
        first = int(self.nodes[node]["first"])
        return range(first, first + int(self.nodes[node]["count"]))
