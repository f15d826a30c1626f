"""Openings: how games begin, so that engines without chance do not play one game over and over.

Every kind of opening is a numbered list that can be entered anywhere: opening k is the same on
every machine, whatever was asked for before.

From a balanced opening, which is a draw with best play, both sides have something to win and
something to lose; from a random one the game is often decided before an engine has moved.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import BadOption
from arena.game.notation import play_moves
from arena.game.position import FIRST, Position
from arena.game.rules import Rules
from arena.solver.solver import Budget, refuse
from arena.tournament.numbered import Lazy, derive_seed, shuffled

if TYPE_CHECKING:
    from arena.solver.flat.search import Solver

Opening = tuple[int, ...]

MAX_LINES = 1_000_000  # more lines than this are not listed
FEW_LINES = 20_000  # up to here, random openings are drawn without putting any back
TRIES = 1000


class Openings(ABC):
    """A numbered list of openings; `count` says how many differ, None that they never run out."""

    count: int | None

    @abstractmethod
    def opening(self, k: int) -> Opening:
        """The opening number k, from 0, as columns from 0."""


class NoOpenings(Openings):
    """Every game starts from the empty board."""

    count = 1

    def opening(self, k: int) -> Opening:
        """No moves at all."""
        return ()


class FromList(Openings):
    """Given lines in a seeded order; when they run out they repeat, in a new order each time."""

    def __init__(self, lines: Sequence[Opening], seed: int) -> None:
        if not lines:
            raise BadOption("the list of openings is empty")
        self.count: int = len(lines)
        self._lines = lines
        self._seed = seed

    def opening(self, k: int) -> Opening:
        """The opening number k; after `count` of them the list starts again, shuffled anew."""
        lap, place = divmod(k, self.count)
        order = shuffled(self.count, derive_seed(self._seed, "openings", lap))
        return self._lines[order[place]]


class EveryLine(FromList):
    """Every line of so many plies that can be played and does not end the game."""

    def __init__(self, rules: Rules, plies: int, seed: int) -> None:
        super().__init__(_lines(rules, plies, quiet=False), seed)


class RandomPlies(Openings):
    """Plies at random, after which nobody has won or wins with the next disc.

    Where there are few lines (up to 20,000) they are drawn like cards, so none comes twice before
    all have come. Where there are more, opening k is drawn by k alone, and two may happen to be
    the same: of the first 1,000 openings of 6 plies on 7x6 about five, hardly any of longer ones.
    """

    def __init__(self, rules: Rules, plies: int, seed: int) -> None:
        _check_plies(rules, plies)
        self._rules, self._plies, self._seed = rules, plies, seed
        self._cards: FromList | None = None
        self._spare: Opening | None = None
        if rules.columns**plies <= FEW_LINES:
            self._cards = FromList(_lines(rules, plies, quiet=True), seed)
        else:
            self._spare = self._draw(0)
            if self._spare is None:
                raise _none_left(rules, plies)
        self.count = self._cards.count if self._cards else None

    def opening(self, k: int) -> Opening:
        """The opening number k; in the rare case that none is found for k, number 0 again."""
        if self._cards:
            return self._cards.opening(k)
        line = self._draw(k) or self._spare
        assert line is not None, "checked when this was made"
        return line

    def _draw(self, k: int) -> Opening | None:
        """A line drawn by k alone, each that is allowed as likely as any other."""
        random = Random(derive_seed(self._seed, "opening", k)).random
        columns, masks, bottoms = self._rules.columns, self._rules.column_masks, self._rules.bottoms
        for _ in range(TRIES):
            # drop discs without a look at who wins: a line stays there, so it is seen afterwards
            own = other = 0
            line: list[int] = []
            while len(line) < self._plies:
                column = int(random() * columns)
                mask = masks[column]
                if disc := ((own | other) & mask) + bottoms[column] & mask:
                    own, other = other, own | disc
                    line.append(column)
            first, second = (other, own) if len(line) % 2 else (own, other)
            if _is_quiet(self._rules, first, second):
                return tuple(line)
        return None


def _lines(rules: Rules, plies: int, quiet: bool) -> Sequence[Opening]:
    """All lines of a length after which the game goes on, each kept as one number or not at all.

    `quiet` leaves out those after which the player to move wins at once.
    """
    _check_plies(rules, plies)
    most = rules.columns**plies
    if most > MAX_LINES:
        raise BadOption(
            f"every line of {plies} plies on a {rules.size} board would be up to {most:,} "
            f"openings and the most is {MAX_LINES:,}; use fewer plies, or random ones"
        )
    codes: Sequence[int] = range(most)
    if plies > rules.height or plies >= 2 * rules.connect - (2 if quiet else 1):
        # a column may be full or somebody may have won: look at each line
        codes = array("I", _codes(Position(rules), plies, quiet))
    if not codes:
        raise _none_left(rules, plies)
    return Lazy(codes, lambda code: _digits(code, rules.columns, plies))


def _codes(position: Position, plies: int, quiet: bool, code: int = 0) -> Iterator[int]:
    """The lines from here as numbers whose digits are the columns."""
    rules = position.rules
    if position.ply < plies:
        for column in position.legal:
            yield from _codes(position.play(column), plies, quiet, code * rules.columns + column)
    elif _is_quiet(rules, position.first, position.second) if quiet else not position.is_over:
        yield code


def _digits(code: int, columns: int, plies: int) -> Opening:
    """The line that a number stands for."""
    line = [0] * plies
    for ply in reversed(range(plies)):
        code, line[ply] = divmod(code, columns)
    return tuple(line)


def _is_quiet(rules: Rules, first: int, second: int) -> bool:
    """Whether nobody has a line, nor completes one with the next disc."""
    own, other = first, second
    if first.bit_count() > second.bit_count():
        own, other = second, first
    occupied, reach = own | other, own
    for mask, bottom in zip(rules.column_masks, rules.bottoms, strict=True):
        reach |= (occupied & mask) + bottom & mask
    for _, line, _ in rules.lines:
        if not line & ~reach:
            missing = line & ~own
            if not missing & (missing - 1):
                return False
        elif not line & ~other:
            return False
    return True


def check_pie(rules: Rules, plies: int) -> None:
    """Refuse openings after which the pie rule would mean nothing."""
    if rules.pie and plies > 1:
        raise BadOption(
            f"an opening of {plies} plies leaves no first disc to steal; "
            "with the pie rule it has 1 ply, or there is none"
        )


def _check_plies(rules: Rules, plies: int) -> None:
    check_pie(rules, plies)
    if not 0 <= plies < rules.cells:
        raise BadOption(f"an opening of {plies} plies does not fit on a {rules.size} board")


def _none_left(rules: Rules, plies: int) -> BadOption:
    return BadOption(f"no opening of {plies} plies on {rules} leaves the game open")


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

    The solver looks at one random opening after the other. No two of those it keeps are the same
    position, nor mirror images. When no more are found, they repeat, in a new order each time.
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
