"""Book: an engine that learns an opening book from its own games, around any other engine.

This book is played, not solved: it knows the games of its tournament and what a search says of the
moves that were not tried in them, and it grows with every game. It leaves a lost line at the last
point where another move looks better, and plays a winner's line when it has the winner's seat. The
openings that `arena book` makes are exact scores of the solver and have nothing to do with it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from arena import Choice, Engine, Limits, PlayedGame, Position, Rules, option
from arena.engines.played_book import DRAWN, LOST, WON, PlayedBook
from arena.errors import ArenaError, BadOption
from arena.game.notation import play_moves
from arena.outside.finding import build_engine
from arena.outside.words import engine_words

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
        column, worth = book.best(position) if position in book else (0, LOST)
        if worth == LOST:
            return self.thinker.ask(position, limits)
        return Choice(column, None if worth == WON else worth)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """What the thinker thinks."""
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
        """What a search says of each column, or of the positions behind them if it has no opinions.

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
