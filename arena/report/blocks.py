"""What a report is made of: paragraphs, tables, pictures, boards; plain words, not yet escaped."""

from __future__ import annotations

from dataclasses import dataclass

from arena.report.folding import Fold, folded
from arena.show.table import Table


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Code:
    """Text that stays as it is: a board, a command, a file."""

    text: str
    language: str = "text"


@dataclass(frozen=True)
class Picture:
    """A plot by its file name without ending, and what it shows."""

    name: str
    words: str


@dataclass(frozen=True)
class Game:
    """A game that is shown: a heading, its final board, and how to see the rest."""

    title: str
    number: int
    story: str
    board: str
    command: str
    ply: int | None = None  # discs on the board where a replay begins; None: the end


@dataclass(frozen=True)
class Link:
    """A file beside the report."""

    file: str
    words: str


Block = Words | Code | Picture | Game | Link | Table | Fold


def shortened(block: Block) -> Block:
    """A table that is too long for a page folded; everything else as it is."""
    return folded(block) if isinstance(block, Table) else block


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    title: str
    blocks: tuple[Block, ...]
