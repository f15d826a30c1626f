"""Recorded games: replayed from their seed, and compared ply by ply."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import arena
from tests.support.golden import FOLDER, Golden

GAMES = Path("games")
UNKNOWN = "-"
TOLERANCE = 1e-4  # the last digits of a score depend on the processor
MAX_DIFFERENCES = 20


class Ply(NamedTuple):
    """One move and what its engine said about it, as text."""

    move: str
    score: str
    depth: str
    nodes: str

    def matches(self, other: Ply) -> bool:
        same = self.move == other.move and self[2:] == other[2:]
        return same and _same_number(self.score, other.score)

    def __str__(self) -> str:
        return f"move {self.move}, score {self.score}, depth {self.depth}, nodes {self.nodes}"


@dataclass(frozen=True)
class RecordedGame:
    """A game by its seed, and how it went; a row of a golden file."""

    rules: str
    first: str
    second: str
    seed: str
    opening: str
    result: str
    reason: str
    moves: str  # all moves; the figures are those of the moves after the opening
    scores: str
    depths: str
    nodes: str

    @property
    def title(self) -> str:
        return f"{self.first} - {self.second} on {self.rules}, seed {self.seed}"

    @property
    def plies(self) -> list[Ply]:
        """The moves after the opening."""
        moves = _split_moves(self.moves)[len(_split_moves(self.opening)) :]
        figures = [text.split() for text in (self.scores, self.depths, self.nodes)]
        return [Ply(*each) for each in zip(moves, *figures, strict=True)]

    def with_outcome(self, game: arena.Game, solving: Sequence[bool] = ()) -> RecordedGame:
        """The same game as it went now.

        Engines that are `solving` without limits share what the process has solved before, so
        their nodes depend on earlier games and are left out.
        """
        nodes = [
            None if solving and solving[ply % 2] else move.nodes
            for ply, move in enumerate(game.moves, len(game.opening))
        ]
        return replace(
            self,
            result=str(game.result),
            reason=game.reason,
            moves=game.notation,
            scores=" ".join(_figure(move.score) for move in game.moves),
            depths=" ".join(_figure(move.depth) for move in game.moves),
            nodes=" ".join(map(_figure, nodes)),
        )


def record(game: arena.Game) -> RecordedGame:
    """A game that was just played, as a row."""
    opening = _split_moves(game.notation)[: len(game.opening)]
    separator = "," if "," in game.notation else ""
    blank = RecordedGame(
        game.rules.name, *game.players, str(game.seed), separator.join(opening), *[""] * 6
    )
    return blank.with_outcome(game)


def read_games(file: Path) -> list[RecordedGame]:
    """The games of a golden file; paths start at tests/golden."""
    with (FOLDER / file).open(encoding="utf-8", newline="") as lines:
        return [RecordedGame(**row) for row in csv.DictReader(lines)]


def read_players() -> dict[str, tuple[str, str]]:
    """The engine and the limits of every player by name, with all options written out."""
    with (FOLDER / GAMES / "players.csv").open(encoding="utf-8", newline="") as lines:
        return {row["player"]: (row["engine"], row["limits"]) for row in csv.DictReader(lines)}


def write_games(games: Sequence[RecordedGame]) -> str:
    """The text of a golden file."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(field.name for field in fields(RecordedGame))
    rows.writerows(astuple(game) for game in games)
    return text.getvalue()


def replay(games: Sequence[RecordedGame]) -> list[RecordedGame]:
    """The games played again from their seeds."""
    players = read_players()
    solving = {
        name: engine.startswith("perfect") and not limits
        for name, (engine, limits) in players.items()
    }
    return [
        game.with_outcome(_play(game, players), [solving[game.first], solving[game.second]])
        for game in games
    ]


def compare_games(file: Path, now: list[RecordedGame], golden: Golden) -> None:
    """Fail with the first ply of each game that differs, or record the games."""
    recorded = read_games(file) if (FOLDER / file).exists() else []
    different = differences(recorded, now)
    if golden.record and different:
        golden(file, write_games(now))
    elif different:
        raise AssertionError(
            f"{file}: {len(different)} of {len(now)} games differ. If the change is intended, "
            "run pytest --record.\n" + "\n".join(different)
        )


def differences(recorded: Sequence[RecordedGame], now: Sequence[RecordedGame]) -> list[str]:
    """One line for each game that went differently: the first ply that differs, then and now."""
    lines = [line for old, new in zip_longest(recorded, now) for line in _difference(old, new)]
    more = len(lines) - MAX_DIFFERENCES
    return lines[:MAX_DIFFERENCES] + ([f"... and {more} more games"] if more > 0 else [])


def _play(game: RecordedGame, players: dict[str, tuple[str, str]]) -> arena.Game:
    (first, its_limits), (second, other_limits) = players[game.first], players[game.second]
    played: arena.Game = arena.play(
        first, second, game=game.rules, limits=(its_limits, other_limits),
        seed=int(game.seed), opening=game.opening,
    )  # fmt: skip
    return played


def _difference(old: RecordedGame | None, new: RecordedGame | None) -> Iterator[str]:
    if old is None or new is None:
        title = (old or new or RecordedGame(*[""] * 11)).title
        yield f"{title}: {'not recorded' if old is None else 'not played now'}"
        return
    if astuple(old)[:5] != astuple(new)[:5]:
        yield f"recorded {old.title}, opening {old.opening}; now {new.title}, {new.opening}"
        return
    start = len(_split_moves(old.opening)) + 1
    for ply, (before, after) in enumerate(zip_longest(old.plies, new.plies), start):
        if before is None or after is None or not before.matches(after):
            was, now = before or "no move", after or "no move"
            yield f"{old.title}, ply {ply}:\n  recorded {was}\n  now      {now}"
            return
    if (old.result, old.reason) != (new.result, new.reason):
        yield (f"{old.title}: recorded result {old.result} ({old.reason}), "
               f"now {new.result} ({new.reason})")  # fmt: skip


def _split_moves(text: str) -> list[str]:
    return text.split(",") if "," in text else list(text)


def _figure(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _same_number(one: str, other: str) -> bool:
    if UNKNOWN in (one, other):
        return one == other
    return math.isclose(float(one), float(other), rel_tol=TOLERANCE, abs_tol=TOLERANCE)
