"""The games that were judged before: a small file beside the journal, whose loss costs only time.

Verdicts depend on the board and on the moves alone, so they are the key: whatever happens to the
journal, an entry is right or not found. A line of the file is an entry in JSON with its checksum;
lines are appended, the last one of a game counts, and damaged ones are skipped.
"""

from __future__ import annotations

import json
import sys
import zlib
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from arena.game.rules import Rules
from arena.journal import Journal
from arena.judge.game import Judged

ENDING = ".judged"
DATABASE = b"SQLite"  # with which files of earlier versions begin
BATCH = 500  # games written at once
MAX_LINE = 1 << 16  # bytes of a line; a game has at most some 2,000

Key = tuple[bytes, int]  # the moves, and how many of them are the opening
Entry = tuple[Judged, int]  # what is proven, and the nodes that each open question was given


class Memory:
    """The judged games of this run and of earlier ones; without a path, of this run only."""

    def __init__(self, rules: Rules, path: Path | None = None) -> None:
        self.game, self.path = str(rules), path
        self._entries: dict[Key, Entry] = {}
        self._unsaved: dict[Key, Entry] = {}
        self.skipped = 0  # damaged lines
        self._is_ours = True
        with suppress(OSError):
            self._read()

    @classmethod
    def beside(cls, journal: Journal) -> Memory:
        """The memory that belongs to a journal."""
        memory = cls(journal.header.rules, journal.path.with_name(journal.path.stem + ENDING))
        if memory.skipped and memory.path is not None:
            words = "1 damaged line" if memory.skipped == 1 else f"{memory.skipped} damaged lines"
            print(f"arena: skipped {words} of {memory.path.name}", file=sys.stderr)
        return memory

    def get(self, moves: bytes, opening: int) -> Entry:
        """The scores that are known of a game, and the nodes a question had for the others."""
        return self._entries.get((moves, opening)) or (Judged.blank(moves, opening), 0)

    @property
    def count(self) -> int:
        """How many games are known, perhaps some of them no longer in the journal."""
        return len(self._entries)

    def put(self, judged: Judged, nodes: int) -> None:
        """Remember a game."""
        key = judged.moves, judged.opening
        self._entries[key] = self._unsaved[key] = judged, nodes
        if len(self._unsaved) >= BATCH:
            self.save()

    def save(self) -> None:
        """Append the games that are not in the file yet, if it can be written."""
        lines = [_line(self.game, *entry) for entry in self._unsaved.values()]
        self._unsaved = {}
        if self.path is None or not lines or not self._is_ours:
            return
        with suppress(OSError), self.path.open("ab", buffering=0) as file:  # in one piece
            file.write("".join(f"{line}\n" for line in lines).encode())

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *error: object) -> None:
        self.save()

    def _read(self) -> None:
        """Read the file; a file of an earlier version is replaced, one of others left alone."""
        if self.path is None or not self.path.is_file():
            return
        line, found = b"", 0
        with self.path.open("rb") as file:
            if file.read(len(DATABASE)) == DATABASE:
                self.path.unlink()
                return
            file.seek(0)
            while piece := file.readline(MAX_LINE):
                line = piece
                try:
                    game, judged, nodes = _entry(line)
                except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
                    self.skipped += 1
                    continue
                found += 1
                if game == self.game:
                    self._entries[judged.moves, judged.opening] = judged, nodes
        self._is_ours = found > 0 or not line
        if self._is_ours and line and not line.endswith(b"\n"):  # it was cut short
            with self.path.open("ab") as file:
                file.write(b"\n")


def _line(game: str, judged: Judged, nodes: int) -> str:
    """An entry as the file has it."""
    facts = {
        "game": game,
        "moves": judged.moves.hex(),
        "opening": judged.opening,
        "nodes": nodes,
        "scores": judged.scores,
        "critical": judged.critical,
        "better": {str(ply): moves for ply, moves in judged.better_moves.items()},
    }
    return json.dumps({**facts, "check": _checksum(facts)}, separators=(",", ":"))


def _entry(line: bytes) -> tuple[str, Judged, int]:
    """The game, the scores and the nodes of a line; ValueError, or the like, if it is damaged."""
    facts: dict[str, Any] = json.loads(line)
    if facts.pop("check") != _checksum(facts):
        raise ValueError("another checksum")
    moves, opening = bytes.fromhex(facts["moves"]), facts["opening"]
    scores, critical = tuple(facts["scores"]), tuple(facts["critical"])
    blank = Judged.blank(moves, opening)
    if (len(scores), len(critical)) != (len(blank.scores), len(blank.critical)):
        raise ValueError("scores of another game")
    if any(a is not None and b is not None and -b > a for a, b in pairwise(scores)):
        raise ValueError("scores that no game can have")
    better_moves = {int(ply): tuple(columns) for ply, columns in facts["better"].items()}
    judged = Judged(opening, moves, scores, critical, better_moves)
    return facts["game"], judged, int(facts["nodes"])


def _checksum(facts: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(facts, sort_keys=True).encode())
