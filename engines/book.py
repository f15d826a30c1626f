"""Book: an engine that learns an opening book from its own games, around any other engine.

The book holds the games of its tournament, and a search's opinion of each move that was not played
in them. It leaves a lost line at the last position where another move looks better, and repeats the
line of a winner. The books of `arena book` are something else: exact scores of the solver.

The last position of a game has its result. In every other position, the value of a move is that of
the position after it if the book has it, else the search's. Minimax needs only the larger of two
values, so a search may have any scale: a lost game is below all its values, a won one above, and a
drawn one is 0. Mirror images and positions reached in another order are one entry.

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
Study = Callable[[Position], Mapping[int, float]]  # a search's opinion of each column
RESULTS = {1: WON, 0: DRAWN, -1: LOST}


class Book(Engine):
    """Learns from its games which openings to play; where its book ends, another engine thinks.

    The book is empty at the start of a tournament, and has nothing to do with `arena book`. While
    it learns, no clock runs: the other engine evaluates moves that nobody has played under the
    limits of `study`. They may not limit time, so that the same games teach the same book.

    Source: Buro, Toward Opening Book Learning, 1999
    """

    learns = True

    around: str = option("alphabeta depth=6", "the engine that thinks, by its name and options")
    study: str = option(
        "nodes=200000 playouts=2000", "limits of the search that evaluates moves nobody has played"
    )
    surprises: bool = option(
        True, "expect moves that opponents have not tried (Buro); no: trust them to repeat"
    )

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.limits = _read_study(self.study)
        self.thinker, self.tutor = _build_inner(self.around), _build_inner(self.around)
        self.books: dict[Rules, tuple[PlayedBook, PlayedBook]] = {}  # by its own seat

    def new_game(self) -> None:
        self.thinker.begin(self.rules, self.seed_of_game)

    def warm_up(self) -> None:
        for engine in (self.thinker, self.tutor):
            engine.begin(self.rules, 0)
            engine.warm_up()
        self.tutor.ask_opinions(Position(self.rules), Limits(depth=2, nodes=100, playouts=10))

    def choose(self, position: Position, limits: Limits) -> Choice:
        book = self._books(position.rules)[position.to_move]
        column, value = book.best(position) if position in book else (0, LOST)
        if value == LOST:
            return self.thinker.ask(position, limits)
        return Choice(column, None if value == WON else value)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        return self.thinker.ask_opinions(position, limits)

    def learn(self, game: PlayedGame) -> None:
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
        """The search's opinion of each column, or its scores of the positions after them.

        They depend on the position alone.
        """
        self.tutor.begin(position.rules, 0)
        if opinions := self.tutor.ask_opinions(position, self.limits):
            return opinions
        children = {column: position.play(column) for column in position.legal}
        choices = {
            column: self.tutor.ask(child, self.limits)
            for column, child in children.items()
            if not child.is_over
        }
        return {column: 0.0 - (choice.score or DRAWN) for column, choice in choices.items()}


class PlayedBook:
    """The positions of played games with their values to the player to move.

    `trusts` is a player who expects opponents to play only moves of the book; None: the search's
    opinion of their other moves counts too.
    """

    def __init__(self, trusts: int | None = None) -> None:
        self.trusts = trusts
        self.values: dict[Key, float] = {}
        self.moves: dict[Key, dict[Key, float]] = {}  # by the key after it: a search's opinion
        self.parents: defaultdict[Key, set[Key]] = defaultdict(set)

    def __contains__(self, position: Position) -> bool:
        """Check whether a game continued from here."""
        return position.symmetry_key in self.moves

    def best(self, position: Position) -> tuple[int, float]:
        """The best column and its value; of equal ones a played one, then the most central."""
        moves = self.moves[position.symmetry_key]
        keys = {
            column: position.play(column).symmetry_key
            for column in position.rules.centre_order
            if column in position.legal
        }
        values = {column: self._value_of(moves, key) for column, key in keys.items()}
        column = max(values, key=lambda column: (values[column], keys[column] in self.values))
        return column, values[column]

    def add(self, game: Iterable[Position], result: float | None, study: Study) -> None:
        """Add the positions of a game; the result is that of the player to move in the last one.

        Without a result, as after a forfeit, a search evaluates the last position.
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
        """Add the moves of a position; those that end the game have their result."""
        key = position.symmetry_key
        moves = self.moves[key] = {}
        for column in position.legal:
            after = position.play(column)
            move, opinion = after.symmetry_key, opinions.get(column, DRAWN)
            moves[move] = max(opinion, moves.get(move, opinion))  # two may be images
            self.parents[move].add(key)
            if after.is_over:
                self.values[move] = result_in(after)

    def _update(self, keys: Iterable[Key]) -> None:
        """Update the values of these positions, and of those before them that depend on them."""
        waiting = [(-count_discs(key), key) for key in set(keys)]
        heapify(waiting)
        while waiting:  # the fullest boards first, as the others depend on them
            _, key = heappop(waiting)
            before = self.values.get(key)
            if key in self.moves:
                self.values[key] = self._minimax(key)
            if self.values[key] != before:
                for parent in self.parents[key]:
                    heappush(waiting, (-count_discs(parent), parent))

    def _minimax(self, key: Key) -> float:
        moves = self.moves[key]
        is_trusted = self.trusts is not None and count_discs(key) % 2 != self.trusts
        in_book = [move for move in moves if move in self.values]
        return max(
            self._value_of(moves, move) for move in (in_book if is_trusted and in_book else moves)
        )

    def _value_of(self, moves: Mapping[Key, float], move: Key) -> float:
        """The value of a move: the book's if it has the position after it, else the search's."""
        return 0.0 - self.values[move] if move in self.values else moves[move]


def count_discs(key: Key) -> int:
    """The number of discs on the board."""
    return (key[0] | key[1]).bit_count()


def result_in(position: Position) -> float:
    """The result of a finished game to the player who would move next: a draw or a loss."""
    return DRAWN if position.winner is None else LOST


def _read_study(study: str) -> Limits:
    """Read limits, none of which may be a time."""
    try:
        limits = Limits.parse(study)
    except BadOption as error:
        raise BadOption(f"option 'study' is {study!r}: {error}") from None
    if limits.timed or limits == Limits():
        expected = "expected depth, nodes or playouts, as what is learned must not depend on time"
        raise BadOption(f"option 'study' is {study!r}; {expected}")
    return limits


def _build_inner(words: str) -> Engine:
    """Build the engine inside; refuse one from a file or one that learns."""
    try:
        if engine_words(words)[0].endswith(".py") or ".py:" in words:
            raise BadOption("it is a file; expected the name and the options of an engine")
        engine = build_engine(words)
        if engine.learns:
            raise BadOption("it learns by itself; expected an engine that does not")
    except ArenaError as error:
        raise BadOption(f"option 'around' is {words!r}: {error}") from None
    return engine
