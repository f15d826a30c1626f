"""Balanced openings: random ones whose exact value is as asked, so that games measure more.

From an opening that is a draw with best play, both sides have something to win and something to
lose; from a random one the game is often decided before an engine has moved. The solver looks at
one random opening after the other and keeps those of the right value. No two of them are the same
position, nor mirror images.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import BadOption
from arena.game.notation import play_moves
from arena.game.position import FIRST, Position
from arena.game.rules import Rules
from arena.solver.solver import Budget, refuse
from arena.tournament.numbered import derive_seed, shuffled
from arena.tournament.openings import Opening, Openings, RandomPlies

if TYPE_CHECKING:
    from arena.solver.flat.search import Solver

GIVE_UP = 2000  # openings in a row of another value, after which no more are looked for


class Abandoned(Exception):
    """Nobody waits for an opening any more."""


class Scores(NamedTuple):
    """A range of exact scores, seen from the player who moves first: 0 is a draw."""

    least: int
    most: int

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


class SolvedOpening(NamedTuple):
    """An opening, and how many random ones had been looked at with it; None: no more are there."""

    tried: int
    line: Opening | None

    def __str__(self) -> str:
        """As exports have it: "12: 3 3 2 0", or "12: none"."""
        return f"{self.tried}: " + ("none" if self.line is None else " ".join(map(str, self.line)))

    @classmethod
    def parse(cls, text: str) -> SolvedOpening:
        """Read it back."""
        tried, _, line = text.partition(": ")
        return cls(int(tried), None if line == "none" else tuple(map(int, line.split())))


class Balanced(Openings):
    """Openings of so many plies with a score in a range, in the order in which they are found.

    When no more are found those that there are repeat, in a new order each time.
    """

    def __init__(self, rules: Rules, plies: int, scores: Scores, seed: int) -> None:
        refuse(rules)
        check_scores(rules, plies, scores)
        self._rules, self._plies, self._scores, self._seed = rules, plies, scores, seed
        self._random = RandomPlies(rules, plies, seed)
        self._lines: list[Opening] = []
        self._keys: set[tuple[int, int]] = set()
        self._tried = self._hit = 0  # random openings looked at, and up to the last good one
        self._run_out = False
        self._solver: Solver | None = None
        self._resting = False
        self.note: Callable[[SolvedOpening], object] = lambda opening: None  # hears of each new one

    @property
    def count(self) -> int | None:  # type: ignore[override]
        """How many there are, if that is known by now."""
        return len(self._lines) if self._run_out else None

    def opening(self, k: int) -> Opening:
        """The opening number k, found now if it was not before."""
        self.find(k + 1)
        lap, place = divmod(k, len(self._lines)) if self._run_out else (0, k)
        if lap:
            seed = derive_seed(self._seed, "openings", lap)
            place = shuffled(len(self._lines), seed)[place]
        return self._lines[place]

    def find(self, count: int) -> None:
        """Find so many, if there are."""
        self._resting = False
        every = self._random.count
        while len(self._lines) < count and not self._run_out:
            line = self._random.opening(self._tried)
            self._tried += 1
            position = play_moves(line, self._rules)
            if position.symmetry_key not in self._keys and self._is_wanted(position):
                opening = SolvedOpening(self._tried, line)
            elif self._tried - self._hit >= GIVE_UP or (every is not None and self._tried >= every):
                opening = SolvedOpening(self._tried, None)
            else:
                continue
            self.recall([opening])
            self.note(opening)

    def recall(self, openings: Iterable[SolvedOpening]) -> None:
        """Take up what was found before."""
        for tried, line in openings:
            self._tried = tried
            if line is None:
                self._run_out = True
                if not self._lines:
                    raise BadOption(
                        f"no opening of {self._plies} plies with a score of {self._scores} on "
                        f"{self._rules} was found among {self._tried}"
                    )
            else:
                self._hit = tried
                self._lines.append(line)
                self._keys.add(play_moves(line, self._rules).symmetry_key)

    @property
    def solved(self) -> int:
        """How many have been found by now."""
        return len(self._lines)

    def rest(self) -> None:
        """Stop looking, and let go of the solver until more openings are asked for."""
        self._resting = True
        self._solver = None

    def _is_wanted(self, position: Position) -> bool:
        """Two questions tell; neither of them needs the exact score."""
        least, most = self._scores
        if position.to_move != FIRST:
            least, most = -most, -least
        return not self._beats(position, most) and self._beats(position, least - 1)

    def _beats(self, position: Position, score: int) -> bool:
        from arena.solver.flat.search import Solver

        solver = self._solver = self._solver or Solver(self._rules.plain)
        return solver.beats(position.plain, score, Budget(on_wait=self._stop_if_resting))

    def _stop_if_resting(self) -> None:
        if self._resting:
            raise Abandoned


def check_scores(rules: Rules, plies: int, scores: Scores) -> None:
    """Refuse scores that no position of so many plies can have."""
    least, most = possible(rules, plies)
    if scores.least > scores.most:
        raise BadOption(f"a score of {scores} is an empty range")
    if scores.most < least or scores.least > most:
        raise BadOption(
            f"a score of {scores} is not possible after {plies} plies on {rules}: "
            f"scores are from {least} to {most} there"
        )


def possible(rules: Rules, plies: int) -> Scores:
    """The lowest and the highest score, for the first player, of a game that is not over.

    A score counts the discs that the winner has left, and one.
    """
    of_first, of_second = (rules.cells + 1) // 2, rules.cells // 2
    return Scores(plies // 2 - of_second, of_first - (plies + 1) // 2)
