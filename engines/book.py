"""Book: an engine that learns an opening book from its own games, around any other engine.

This book is played, not solved: it knows the games of its tournament and what a search says of the
moves that were not tried in them, and it grows with every game. It leaves a lost line at the last
point where another move looks better, and plays a winner's line when it has the winner's seat. The
openings that `arena book` makes are exact scores of the solver and have nothing to do with it.

A position in which a game ended has its result. In every other one, the value of a move is what the
book says of the position behind it, or, as long as nobody has played it, what a search says; so the
best move that was not played hangs there as an alternative. Minimax asks only which of two numbers
is larger. So the search needs no scale: a lost game is below all it can say, a won one above, and
a drawn one is 0, as a position that it holds to be even. Positions that are images of one another,
or were reached in another order, are one.

Source: Buro, Toward Opening Book Learning, 1999.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from heapq import heapify, heappop, heappush
from typing import Any

from arena import Choice, Engine, Limits, PlayedGame, Position, Rules, option
from arena.bots.find import build_engine
from arena.bots.names import engine_words
from arena.errors import ArenaError, BadOption
from arena.game.notation import play_moves

WON, DRAWN, LOST = float("inf"), 0.0, float("-inf")

Key = tuple[int, int]
Study = Callable[[Position], Mapping[int, float]]  # what a search says of each column
RESULTS = {1: WON, 0: DRAWN, -1: LOST}


class Book(Engine):
    """Learns from its games which openings to play; where its book ends, another engine thinks.

    Its book is played, not solved: it begins empty with each tournament, and is not the one that
    `arena book` builds. Moves that nobody has played are valued while it learns, on no clock, by
    the other engine under the limits of `study`, which know no time: the same games teach the same.

    Source: Buro, Toward Opening Book Learning, 1999
    """

    learns = True

    around: str = option("alphabeta depth=6", "the engine that thinks, by its name and options")
    study: str = option(
        "nodes=200000 playouts=2000", "limits of the search that values moves nobody has played"
    )
    surprises: bool = option(
        True, "reckon with moves that opponents have not tried (Buro); no: trust them to repeat"
    )

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.limits = _repeatable(self.study)
        self.thinker, self.tutor = _built(self.around), _built(self.around)
        self.books: dict[Rules, tuple[PlayedBook, PlayedBook]] = {}  # by its own seat

    def new_game(self) -> None:
        """Tell the thinker; the book stays."""
        self.thinker.begin(self.rules, self.seed_of_game)

    def warm_up(self) -> None:
        """Make both ready, and the search that values moves."""
        for engine in (self.thinker, self.tutor):
            engine.begin(self.rules, 0)
            engine.warm_up()
        self.tutor.ask_opinions(Position(self.rules), Limits(depth=2, nodes=100, playouts=10))

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The best column by the book; outside it, and where all of it is lost, think."""
        book = self._books(position.rules)[position.to_move]
        column, value = book.best(position) if position in book else (0, LOST)
        if value == LOST:
            return self.thinker.ask(position, limits)
        return Choice(column, None if value == WON else value)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The opinions of the thinker."""
        return self.thinker.ask_opinions(position, limits)

    def learn(self, game: PlayedGame) -> None:
        """Put a game into the book, from the end of its opening on, for both seats."""
        start, end = len(game.opening), len(game.columns)
        positions = [play_moves(game.columns[:ply], game.rules) for ply in range(start, end + 1)]
        result = None if game.by_fault else RESULTS[-game.result if end % 2 else game.result]
        study = cache(self._opinions)
        for book in dict.fromkeys(self._books(game.rules)):
            book.add(positions, result, study)

    def _books(self, rules: Rules) -> tuple[PlayedBook, PlayedBook]:
        """The book for each seat: one and the same, unless opponents are trusted."""
        if rules not in self.books:
            both = PlayedBook()
            self.books[rules] = (
                (both, both) if self.surprises else (PlayedBook(trusts=0), PlayedBook(trusts=1))
            )
        return self.books[rules]

    def _opinions(self, position: Position) -> dict[int, float]:
        """The search's opinion of each column, or its scores of the positions behind them.

        It depends on the position alone, whatever was studied before.
        """
        self.tutor.begin(position.rules, 0)
        if opinions := self.tutor.ask_opinions(position, self.limits):
            return opinions
        behind = {column: position.play(column) for column in position.legal}
        choices = {
            column: self.tutor.ask(after, self.limits)
            for column, after in behind.items()
            if not after.is_over
        }
        return {column: 0.0 - (choice.score or DRAWN) for column, choice in choices.items()}


class PlayedBook:
    """The lessons of games; all values are those to the player to move.

    `trusts` is a player whose opponents are trusted to play nothing that they have not played yet;
    None: what the search says of their other moves counts as well.
    """

    def __init__(self, trusts: int | None = None) -> None:
        self.trusts = trusts
        self.values: dict[Key, float] = {}
        self.moves: dict[Key, dict[Key, float]] = {}  # where each leads to, and what a search says
        self.parents: defaultdict[Key, set[Key]] = defaultdict(set)

    def __contains__(self, position: Position) -> bool:
        """True if a game has gone on from here."""
        return position.symmetry_key in self.moves

    def best(self, position: Position) -> tuple[int, float]:
        """The best column and its value; of equal ones one that was played, the most central."""
        moves = self.moves[position.symmetry_key]
        behind = {
            column: position.play(column).symmetry_key
            for column in position.rules.centre_order
            if column in position.legal
        }
        values = {column: self._value_of(moves, key) for column, key in behind.items()}
        column = max(values, key=lambda column: (values[column], behind[column] in self.values))
        return column, values[column]

    def add(self, game: Iterable[Position], result: float | None, study: Study) -> None:
        """Take in the positions of a game; the result is to the player to move in the last.

        Without a result, which may be somebody's fault, a search has to evaluate the last one.
        """
        *way, last = game
        if result is None and not last.is_over:
            way.append(last)
        elif last.symmetry_key not in self.values:
            self.values[last.symmetry_key] = result_in(last) if last.is_over else result or DRAWN
        for position in way:
            if position not in self:
                self._open(position, study(position))
        self._update(position.symmetry_key for position in [*way, last])

    def _open(self, position: Position, opinions: Mapping[int, float]) -> None:
        """Write down the moves of a position; one that ends the game has its result at once."""
        key = position.symmetry_key
        moves = self.moves[key] = {}
        for column in position.legal:
            after = position.play(column)
            behind, opinion = after.symmetry_key, opinions.get(column, DRAWN)
            moves[behind] = max(opinion, moves.get(behind, opinion))  # two may be images
            self.parents[behind].add(key)
            if after.is_over:
                self.values[behind] = result_in(after)

    def _update(self, keys: Iterable[Key]) -> None:
        """Find the value of these positions, and of all before them that it changes."""
        waiting = [(-discs(key), key) for key in set(keys)]
        heapify(waiting)
        while waiting:  # the fullest boards first, as the others depend on them
            _, key = heappop(waiting)
            before = self.values.get(key)
            if key in self.moves:
                self.values[key] = self._minimax(key)
            if self.values[key] != before:
                for parent in self.parents[key]:
                    heappush(waiting, (-discs(parent), parent))

    def _minimax(self, key: Key) -> float:
        moves = self.moves[key]
        is_trusted = self.trusts is not None and discs(key) % 2 != self.trusts
        in_book = [move for move in moves if move in self.values]
        return max(
            self._value_of(moves, move) for move in (in_book if is_trusted and in_book else moves)
        )

    def _value_of(self, moves: Mapping[Key, float], move: Key) -> float:
        """The value of a move: the book's, if it knows the position behind it, else a search's."""
        return 0.0 - self.values[move] if move in self.values else moves[move]


def discs(key: Key) -> int:
    """The number of discs on the board."""
    return (key[0] | key[1]).bit_count()


def result_in(position: Position) -> float:
    """The result of a game that is over, to the player who would be next: a win is the other's."""
    return DRAWN if position.winner is None else LOST


def _repeatable(study: str) -> Limits:
    """The limits in words, of which none may be a time."""
    try:
        limits = Limits.parse(study)
    except BadOption as error:
        raise BadOption(f"option 'study' is {study!r}: {error}") from None
    if limits.timed or limits == Limits():
        expected = "expected depth, nodes or playouts, as what is learned must not depend on time"
        raise BadOption(f"option 'study' is {study!r}; {expected}")
    return limits


def _built(words: str) -> Engine:
    """The engine inside; one from a file or one that learns by itself is refused."""
    try:
        if engine_words(words)[0].endswith(".py") or ".py:" in words:
            raise BadOption("it is a file; expected the name of an engine, with its options")
        engine = build_engine(words)
        if engine.learns:
            raise BadOption("it learns by itself; expected an engine that does not")
    except ArenaError as error:
        raise BadOption(f"option 'around' is {words!r}: {error}") from None
    return engine
