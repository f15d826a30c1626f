"""The results of a tournament as a program has them: tables, games, ratings, a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, overload

from arena.errors import BadOption, suggestion
from arena.journal import Header, Journal
from arena.journal.export import FIELDS, game_lines
from arena.library.game import Game
from arena.report.accuracy import group_table
from arena.report.csv_files import MOVE_FIELDS, move_lines
from arena.report.data import (
    ReportData,
    has_judged_figures,
    judged_accuracy,
    judging_seconds,
    read_data,
)
from arena.report.scores import crosstable, head_to_head, standings_of
from arena.report.search import timing
from arena.report.summary import answer, facts
from arena.report.verdicts import expectations_table, figures_table, published_table
from arena.report.write import write_report
from arena.show.progress import saying
from arena.show.standings import standings_screen
from arena.show.table import Column, Table, escape, table_html, titled
from arena.show.terminal import console
from arena.standings.rating import Ratings
from arena.standings.verdicts import Grade
from arena.table.game import Game as FinishedGame
from arena.text import harmless

ACCURACY_SECONDS = 20.0
MAX_ROWS = 20  # games of a table that is printed
TABLES = ("standings", "crosstable", "head_to_head", "games", "moves", "timing")


class Games(Sequence[Game]):
    """The games of a journal, read when they are asked for; the first has index 0."""

    def __init__(
        self, path: Path, header: Header, numbers: Sequence[int], owner: object = None
    ) -> None:
        """Read them when they are asked for; the owner of their folder is kept meanwhile."""
        self._path, self._header, self._numbers, self._owner = path, header, numbers, owner

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> Game: ...
    @overload
    def __getitem__(self, place: slice) -> Games: ...
    def __getitem__(self, place: int | slice) -> Game | Games:
        """A game by its index, or several of them."""
        if isinstance(place, slice):
            return Games(self._path, self._header, self._numbers[place], self._owner)
        with Journal.read(self._path) as journal:
            return self._game(journal.row(self._numbers[place]))

    def __iter__(self) -> Iterator[Game]:
        with Journal.read(self._path) as journal:
            for game in journal.rows(numbers=self._numbers):
                yield self._game(game)

    def _game(self, game: FinishedGame) -> Game:
        return Game(game, self._header.names, self._header.rules)

    @property
    def table(self) -> Table:
        """A row for each game."""
        with Journal.read(self._path) as journal:
            rows = journal.rows(numbers=self._numbers, telemetry=False)
            lines = tuple(game_lines(rows, self._header, words=str))
        return Table("Games", tuple(map(Column, FIELDS)), lines)

    def to_pandas(self) -> Any:
        """The games as a data frame of pandas."""
        return self.table.to_pandas()

    def __repr__(self) -> str:
        return f"<{len(self)} games of {self._header.name}>"

    def __str__(self) -> str:
        """The first games as a table."""
        return f"{self._first}\n{self._more}".rstrip()

    def _repr_html_(self) -> str:
        more = f"<p>{self._more}</p>" if self._more else ""
        return titled("Games", table_html(self._first), more)

    @property
    def _first(self) -> Table:
        names = ("number", "first", "second", "winner", "plies", "reason", "moves")
        return self[:MAX_ROWS].table.only("Games", names)

    @property
    def _more(self) -> str:
        return f"and {len(self) - MAX_ROWS:,} more" if len(self) > MAX_ROWS else ""


class Results:
    """The results of a tournament; printed, or in a notebook, they show the standings.

    >>> results = arena.run(tournament)          # or arena.open_journal("reports/quickstart")
    >>> results.standings, results.crosstable    # tables, with .to_pandas() and .records()
    >>> results.games[0].notation
    >>> results.accuracy(seconds=10)             # how often each engine kept what it had
    >>> results.report("reports/mine")
    """

    def __init__(self, path: Path, owner: object = None) -> None:
        """Read a journal; a temporary folder stays while its owner is referenced."""
        with Journal.read(path) as journal:
            self.path = journal.path
            self.header = journal.header
            self._numbers = [game.number for game in journal.outcomes()]
        self._owner = owner

    @classmethod
    def load(cls, path: Path | str) -> Results:
        """The results in a journal, or in the folder that holds one."""
        return cls(Path(path).expanduser())

    @cached_property
    def data(self) -> ReportData:
        """All that a report says."""
        with Journal.read(self.path) as journal:
            judged = has_judged_figures(journal)
            seconds = judging_seconds(journal.header.rules, None) if judged else None
            return read_data(journal, seconds, quiet=True)

    @property
    def name(self) -> str:
        """The name of the tournament."""
        return self.header.name

    @property
    def players(self) -> tuple[str, ...]:
        """The line-up."""
        return self.header.names

    @property
    def answer(self) -> str:
        """The winner, and how certain that is, in a paragraph."""
        return answer(self.data)

    @property
    def standings(self) -> Table:
        """A row for each engine, the best first, with its rating."""
        return standings_of(self.data)

    @property
    def ratings(self) -> Ratings:
        """Joint ratings with their errors, by the number of the engine in `players`."""
        return self.data.ratings

    @property
    def crosstable(self) -> Table:
        """The score of each against each."""
        return crosstable(self.data.results, self.data.order)

    @property
    def head_to_head(self) -> Table:
        """A row for each pair that met, from both sides."""
        return head_to_head(self.data.results, self.data.order)

    @property
    def timing(self) -> Table:
        """Time, nodes and depth of each engine's moves."""
        return timing(self.data.results, self.data.order)

    @property
    def games(self) -> Games:
        """Every game, read when it is asked for."""
        return Games(self.path, self.header, self._numbers, self._owner)

    @property
    def moves(self) -> Table:
        """A row for each move that an engine chose; plies and columns count from 1."""
        with Journal.read(self.path) as journal:
            lines = move_lines(journal.rows(), self.header)
            return Table("Moves", tuple(map(Column, MOVE_FIELDS)), tuple(lines))

    def accuracy(self, seconds: float = ACCURACY_SECONDS, progress: bool = False) -> Table:
        """How often each engine kept the value and the score that it had, by the exact solver.

        Games are judged for this many seconds of each core; earlier judgements are kept.
        """
        with Journal.read(self.path) as journal, saying(not progress) as say:
            judging = judging_seconds(self.header.rules, seconds)
            accuracy = judged_accuracy(journal, judging, say, quiet=not progress)
        if accuracy is None:
            return Table("Accuracy", (Column("engine"),), ())
        return group_table("Accuracy", accuracy, self.ratings.order, ("all", "critical"))

    @property
    def figures(self) -> Table:
        """The figures that the tournament asks for."""
        return figures_table(self.data.figures)

    @property
    def expectations(self) -> Table:
        """The expectations of the tournament, with their verdicts."""
        return expectations_table(self.data.grade)

    @property
    def published(self) -> Table:
        """Figures of a source, beside those of these games."""
        return published_table(self.data.comparisons)

    @property
    def grade(self) -> Grade:
        """The verdicts on all expectations; `grade.fails` if one does not hold."""
        return self.data.grade

    def to_pandas(self, what: str = "standings") -> Any:
        """Standings, games, moves, crosstable, head_to_head or timing as a data frame of pandas."""
        if what not in TABLES:
            raise BadOption(f"no table is called {what!r}{suggestion(what, TABLES)}")
        return getattr(self, what).to_pandas()

    def report(
        self, folder: Path | str | None = None, *, html: bool = True, seconds: float | None = None
    ) -> Path:
        """Write the report, with a page to read, into a folder; by default beside the journal.

        So many seconds are spent on the accuracy of the engines, 20 by default where that is
        possible. The file to read first is returned.
        """
        out = self.path.parent if folder is None else Path(folder).expanduser()
        with Journal.read(self.path) as journal:
            judging = judging_seconds(self.header.rules, seconds)
            return write_report(journal, out, html=html, judging=judging, quiet=True).page

    def __len__(self) -> int:
        """How many games there are."""
        return len(self._numbers)

    def __repr__(self) -> str:
        return f"<Results of {self.name}: {len(self)} games of {', '.join(self.players)}>"

    def __str__(self) -> str:
        """The standings, as a terminal shows them."""
        screen, data = console(), self.data
        with screen.capture() as shown:
            screen.print(
                standings_screen(
                    self.name, data.results.scoreboard, data.ratings, width=screen.width
                )
            )
        return shown.get().rstrip()

    def _repr_html_(self) -> str:
        summary = f"<p>{escape(harmless(facts(self.data)))}</p>"
        return titled(self.name, summary, table_html(self.standings))


def open_journal(path: Path | str) -> Results:
    """The results in a journal on disk: a file, or the folder that holds one.

    >>> arena.open_journal("reports/quickstart").standings
    """
    return Results.load(path)
