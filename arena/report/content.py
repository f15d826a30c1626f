"""What a report says and in which order, whatever language it is written in afterwards.

Everything here is plain words: names of engines are escaped by whoever writes the page.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from arena.engine.errors import Mistake
from arena.journal import Header, Journal, Session
from arena.judge.game import Judged
from arena.judge.verdict import Blunder
from arena.report import provenance, tables
from arena.report.accuracy import accuracy_blocks, decided_blocks
from arena.report.answer import Evidence, answer
from arena.report.blocks import Block, Code, Fold, Link, Picture, Section, Words, folded
from arena.report.cautions import Caution, cautions, glossary
from arena.report.games import (
    MOST_BLUNDERS,
    blunder_block,
    mistake_blocks,
    mistakes_of,
    notable_block,
)
from arena.run import CROWDED, ENGINE_CHANGED
from arena.show.names import names_with_limits
from arena.show.numbers import how_many, percent
from arena.show.standings import standings_table
from arena.show.table import Table
from arena.standings.accuracy import Accuracy
from arena.standings.branching import MOST_PAIRS, search_costs
from arena.standings.rating import Ratings
from arena.standings.results import Results

WIDE = 16  # engines in a crosstable


@dataclass(frozen=True)
class Content:
    """All that a report is made from; everything else follows."""

    header: Header
    sessions: tuple[Session, ...]
    place: str  # the journal, as a command names it
    results: Results
    ratings: Ratings
    pictures: tuple[Picture, ...] = ()
    files: Collection[str] = ()
    accuracy: Accuracy | None = None  # None where no exact scores were asked for, or can be had
    mistakes: tuple[Mistake, ...] = ()
    crowded: tuple[str, ...] = ()  # what was said of the machine before the games
    damage: str = ""  # what of the journal is left out, if it is damaged
    changed: tuple[str, ...] = ()  # and of engines that are not those of earlier runs

    @property
    def title(self) -> str:
        """The name of the tournament."""
        return self.header.name

    @property
    def summary(self) -> str:
        """The tournament in a sentence."""
        results, count = self.results, len(self.results.names)
        games, when = how_many(results.games, "game"), provenance.when(self.sessions)
        return f"{count} engines, {games} of {self.header.rules}{when}."

    @property
    def order(self) -> tuple[int, ...]:
        """The engines as the standings list them, the first first."""
        return self.ratings.order

    @cached_property
    def cautions(self) -> tuple[Caution, ...]:
        """What to be careful about."""
        given = self.header.players, self.sessions, self.results, self.accuracy
        return tuple(cautions(*given, self.crowded, self.damage, self.changed))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before believing the numbers."""
        return tuple(caution.words for caution in self.cautions)

    @cached_property
    def answer(self) -> str:
        """Who won, under which limits, and how certain that is."""
        given = self.header, self.sessions, self.results, self.ratings, self.cautions
        return answer(Evidence(*given))

    @cached_property
    def labelled(self) -> Results:
        """The results with limits beside the names, where these differ."""
        names = names_with_limits(self.header.players)
        return replace(self.results, scoreboard=self.results.scoreboard.renamed(names))

    def unlabelled(self, table: Table) -> Table:
        """A table for programs: names alone, as every file has them."""
        names = dict(zip(self.labelled.names, self.results.names, strict=True))
        plain = tuple(tuple(names.get(str(cell), cell) for cell in row) for row in table.rows)
        return replace(table, rows=plain)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Every table of the report, whole."""
        blocks = [block for section in self.sections() for block in section.blocks]
        return tuple(
            block.whole if isinstance(block, Fold) else block
            for block in blocks
            if isinstance(block, Table | Fold)
        )

    @property
    def folds(self) -> tuple[Fold, ...]:
        """The tables of which only a part is on the page."""
        blocks = (block for section in self.sections() for block in section.blocks)
        return tuple(block for block in blocks if isinstance(block, Fold))

    def sections(self) -> list[Section]:
        """Everything in order, without sections that have nothing to say."""
        parts = (
            ("Standings", self._standings()),
            ("Crosstable", self._crosstable()),
            ("Head to head", self._head_to_head()),
            ("Accuracy", self._accuracy()),
            ("Worst blunders", self._blunders()),
            ("Where games were decided", self._decided()),
            ("Time and search", self._timing()),
            ("Search effort", self._effort()),
            ("Causes of losses", self._causes()),
            ("Mistakes of engines", mistake_blocks(self.mistakes, self.place)),
            ("Seats and the first move", self._seats()),
            ("Openings", self._openings()),
            ("Games", self._games()),
            ("Notable games", self._notable()),
            ("Environment", provenance.environment(self.header, self.sessions)),
            ("Files", self._files()),
            ("What the numbers mean", glossary(self.ratings)),
            ("The tournament file", [Code(self.header.spec_text, "yaml")]),
        )
        sections = [
            Section(title, tuple(folded(b) if isinstance(b, Table) else b for b in blocks))
            for title, blocks in parts
        ]
        return [section for section in sections if section.blocks]

    def _standings(self) -> Iterator[Block]:
        yield standings_table(self.labelled.scoreboard, self.ratings)
        if len(self.ratings.groups) > 1:
            yield Words(
                "Engines of different groups have never met, not even through others: "
                "their ratings cannot be compared."
            )
        yield from self._pictures("ratings", "rating_over_run")

    def _crosstable(self) -> Iterator[Block]:
        order = self.order
        if not self.results.games:
            return
        if len(order) <= WIDE:
            yield Words("Score of the engine in the row against the one in the column.")
            yield tables.crosstable(self.labelled, order)
        yield from self._pictures("crosstable")

    def _head_to_head(self) -> Iterator[Block]:
        order = self.order
        table = tables.head_to_head(self.labelled, order)
        place = {self.labelled.names[player]: at for at, player in enumerate(order)}
        rows = [row for row in table.rows if place[str(row[0])] < place[str(row[1])]]
        if rows:
            yield Table(table.title, table.columns, tuple(rows))
        if self.results.scoreboard.pairs:
            yield Words(
                "Two games with the same opening and swapped seats are a pair; so often the first "
                "engine got this many points from one."
            )
            yield tables.pair_outcomes(self.labelled)

    @property
    def blunders(self) -> list[Blunder]:
        """The worst blunders, as many as are shown."""
        return [] if self.accuracy is None else self.accuracy.blunders(MOST_BLUNDERS)

    @property
    def judged(self) -> dict[int, Judged]:
        """What was proven about each judged game, by its number."""
        games = () if self.accuracy is None else self.accuracy.games
        return {game.number: game.judged for game, _ in games}

    def _accuracy(self) -> Iterator[Block]:
        if self.accuracy is not None:
            yield from accuracy_blocks(self._labelled_accuracy(self.accuracy), self.order)
            yield from self._pictures("accuracy")

    def _labelled_accuracy(self, accuracy: Accuracy) -> Accuracy:
        return replace(accuracy, names=self.labelled.names)

    def _blunders(self) -> Iterator[Block]:
        if self.accuracy is not None:
            for blunder in self.blunders:
                yield blunder_block(blunder, self.accuracy, self.place)

    def _decided(self) -> Iterator[Block]:
        if self.accuracy is not None:
            yield from decided_blocks(self._labelled_accuracy(self.accuracy), self.order)
            yield from self._pictures("decided")

    def _timing(self) -> Iterator[Block]:
        if not any(moves.count for moves in self.results.moves):
            return
        order = self.order
        yield folded(tables.timing(self.labelled, order), tables.TIMES)
        ratio = self.results.time.ratio
        if ratio is not None:
            yield Words(
                f"Wall time was {ratio:.2f} times the processor time over all longer moves."
            )
        yield tables.first_to_last(self.labelled, order)
        yield from self._pictures("time_by_move", "nodes_by_move", "depth_by_ply")

    def _effort(self) -> Iterator[Block]:
        pairs, families = search_costs(self.header.players, self.results, self.header.rules)
        names = self.labelled.names
        if pairs:
            more = f" The first {MOST_PAIRS} pairs are shown." if len(pairs) == MOST_PAIRS else ""
            yield Words(
                "Nodes a move of searches to the same depth in plies by the same evaluation, "
                "compared at equal numbers of their own moves; pruned is the share of minimax's "
                f"nodes that were not needed.{more}"
            )
            yield tables.pruning(pairs, names)
        if families:
            b = families[0].columns
            yield Words(
                "Engines that differ in depth d alone, over the first half of the game. A full "
                f"tree grows like {b}^d, one pruned in the best order like {b}^(d/2). The "
                "branching factor is that of a full tree with as many nodes."
            )
            yield tables.growth(families, names)
        yield from self._pictures("nodes_by_depth")

    def _causes(self) -> Iterator[Block]:
        if self.results.causes:
            yield tables.causes(self.labelled, self.order)

    def _seats(self) -> Iterator[Block]:
        if not self.results.games:
            return
        yield Words(first_move(self.results, self.ratings))
        yield tables.by_seat(self.labelled, self.order)
        yield from self._pictures("seats")

    def _openings(self) -> Iterator[Block]:
        if self.results.games and set(self.results.openings) != {""}:
            yield Words(
                f"{how_many(len(self.results.openings), 'opening')}, the most played first."
            )
            yield tables.openings(self.results)

    def _games(self) -> Iterator[Block]:
        if self.results.games:
            yield tables.game_lengths(self.results)
            yield from self._pictures("game_length")

    def _notable(self) -> Iterator[Block]:
        for notable in self.results.notable:
            yield notable_block(notable, self.results.names, self.header.rules, self.place)

    def _files(self) -> Iterator[Block]:
        yield from self._link(
            "report.html", "this report as one page, with a board to replay games"
        )
        yield from self._link("latex/tables.tex", "the tables for LaTeX, one file each beside it")
        yield from self._link("standings.csv", "the standings")
        yield from self._link("crosstable.csv", "every pair of engines")
        yield from self._link("accuracy.csv", "accuracy of each engine by phase and seat")
        yield from self._link("decided.csv", "for each judged game, the move that decided it")
        yield from self._link("timing.csv", "time, nodes and depth")
        yield from self._link("games.csv", "a line for each game")
        yield from self._link("moves.csv", "a line for each move")

    def _link(self, file: str, words: str) -> Iterator[Link]:
        if file in self.files:
            yield Link(file, words)

    def _pictures(self, *names: str) -> Iterator[Picture]:
        by_name = {picture.name: picture for picture in self.pictures}
        yield from (by_name[name] for name in names if name in by_name)


def content_of(
    journal: Journal,
    results: Results,
    ratings: Ratings,
    pictures: Collection[Picture] = (),
    files: Collection[str] = (),
    accuracy: Accuracy | None = None,
) -> Content:
    """What a report of this journal says."""
    return Content(
        journal.header, tuple(journal.sessions()), shown_path(journal.path), results, ratings,
        tuple(pictures), files, accuracy, mistakes_of(journal), events_of(journal, CROWDED),
        str(journal.damage), events_of(journal, ENGINE_CHANGED),
    )  # fmt: skip


def events_of(journal: Journal, kind: str) -> tuple[str, ...]:
    """What was said of this before the runs of a journal, each once."""
    words = [event.text for event in journal.events() if event.kind == kind]
    return tuple(dict.fromkeys(words))


def shown_path(path: Path) -> str:
    """A path as a command names it: from here if it lies below, else its last part."""
    try:
        return str(path.resolve().relative_to(Path(os.getcwd()).resolve()))
    except ValueError:
        return path.name


def first_move(results: Results, ratings: Ratings) -> str:
    """What the first move was worth, in a sentence."""
    words = f"Whoever moved first scored {percent(results.scoreboard.first_share)}"
    elo, error = ratings.first_advantage, ratings.first_advantage_error
    if elo is None or error is None:
        return f"{words}."
    return f"{words}; between equals the first move is worth {elo:+z.0f} ± {error:.0f} Elo."
