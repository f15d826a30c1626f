"""The report of a training: what became of the learner, how it got there, and what made it so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from shlex import join
from typing import Any

from arena.learning.canonical import fingerprint
from arena.learning.curve import Point
from arena.learning.folder import BEST, CURVE, ENDINGS, PLOTS, REPORT, TRAJECTORY, put
from arena.learning.learner import Learner
from arena.learning.outcome_plots import OUTCOME_NAMES
from arena.learning.outcomes import Outcomes, endings_csv, outcomes_table
from arena.learning.plots import NAMES, draw_plots, elo_of
from arena.learning.screen import about, lasting, strength_words
from arena.learning.spec import Training
from arena.learning.train import Outcome
from arena.machine import environment
from arena.report.blocks import Block, Code, Link, Picture, Words
from arena.report.canvas import can_plot, picture
from arena.report.conditions import machine
from arena.report.markdown import document
from arena.show.numbers import (
    amount,
    elo,
    how_many,
    in_bytes,
    listed,
    pace,
    percent,
    percent_range,
    whole,
)
from arena.show.table import Cell, Column, Table

LONG, SHOWN = 15, 12  # rows of a curve that stays whole, and what is shown of a longer one
FORMS = ("svg", "png")
PICTURES = {
    "Learning curve": ("exact", "ladder", "elo"),
    "Weights": ("weights",),
    "Ends of games": tuple(OUTCOME_NAMES),
}  # at the end of each section
FILES = {
    CURVE: "the learning curve, a line for each measurement",
    TRAJECTORY: "the weights after each step of learning",
    ENDINGS: "how each game ended that was played for this report",
}


@dataclass(frozen=True)
class TrainingReport:
    """All that a report is made from."""

    training: Training[Any]
    learner: Learner
    outcome: Outcome

    @property
    def first(self) -> Point:
        """The learner before its first game, or when it was first measured."""
        return self.outcome.points[0]

    @property
    def last(self) -> Point:
        """The learner as it is now."""
        return self.outcome.points[-1]

    def write(self, folder: Path) -> Path:
        """Write plots and text; the path of the text."""
        names = list(self._write_plots(folder)) if can_plot() else []
        if self.outcomes:
            put(folder / ENDINGS, endings_csv(self.outcomes))
        text = document(self.training.name, [*map(Words, self.words())], self.sections(names))
        return put(folder / REPORT, text.encode())

    def _write_plots(self, folder: Path) -> Iterator[str]:
        course = self.learner.trajectory()
        for name, figure in draw_plots(self.outcome.points, course, self.outcomes):
            for form in FORMS:
                put(folder / PLOTS / f"{name}.{form}", picture(figure, form))
            yield name

    def words(self) -> list[str]:
        """What was trained, and what became of it."""
        outcome = self.outcome
        rate = outcome.games / outcome.seconds if outcome.seconds else 0.0
        done = f"{how_many(outcome.games, 'game')} in {lasting(outcome.seconds)} of training"
        words = [f"{about(self.training)}; {done} ({pace(rate)})."]
        if outcome.points and (shares := strength_words(self.last)):
            words.append(f"After {how_many(self.last.games, 'game')}: {listed(shares)}.")
        return words

    def sections(self, pictures: Sequence[str]) -> Mapping[str, Sequence[Block]]:
        """Everything in order by its heading, without sections that have nothing to say."""
        parts: dict[str, Sequence[Block]] = {
            "Untrained and trained": list(self._comparison()),
            "Learning curve": list(self._curve()),
            "The best weights": list(self._best()),
            "Weights": list(self._figures()),
            "Ends of games": list(self._ends()),
            "Training": list(self._provenance()),
            "Files": [Link(file, words) for file, words in self._files().items()],
            "The training file": [Code(self.training.text, "yaml")],
        }
        for title, names in PICTURES.items():
            drawn = [Picture(name, NAMES[name]) for name in names if name in pictures]
            parts[title] = [*parts[title], *drawn]
        return {title: blocks for title, blocks in parts.items() if blocks}

    def before_and_after(self) -> Table | None:
        """The first measurement beside the last, if there are two."""
        if len(self.outcome.points) < 2 or not self.last.strength.scores():
            return None
        before, after = self.first.strength.scores(), self.last.strength.scores()
        rows = [(name, _shown(before.get(name)), _shown(after[name])) for name in after]
        columns = (
            Column("measured by"),
            Column(f"after {how_many(self.first.games, 'game')}"),
            Column(f"after {how_many(self.last.games, 'game')}"),
        )
        return Table("Untrained and trained", columns, tuple(rows))

    def _comparison(self) -> Iterator[Block]:
        """The same with what it means."""
        table = self.before_and_after()
        if table is None:
            return
        yield table
        if self.last.strength.perfect is not None:
            yield Words(
                "Perfect play: the share of points as first player from the empty board, a draw "
                "one half, against the exactly best replies, drawn at random. Value kept: how "
                "often a move keeps the exact value of a position; critical are those where "
                "columns differ in value. Against an engine: the share of points, from both sides."
            )

    def _curve(self) -> Iterator[Block]:
        """The curve as a table; of a long one only some rows."""
        points = self.outcome.points
        if not points:
            return
        names = list(dict.fromkeys(name for p in points for name in p.strength.scores()))
        columns = [Column("games", whole), Column("training", lasting)]
        columns += [Column(name, percent) for name in names]
        rows = [_row(point, names) for point in points]
        if ladder := list(points[-1].strength.against):
            columns.append(Column("Elo", elo))
            rows = [(*row, x) for row, x in zip(rows, elo_of(points, ladder)[1], strict=True)]
        table = Table("Learning curve", tuple(columns), tuple(rows))
        yield table if len(rows) <= LONG else _some_rows(table)
        if len(rows) > LONG:
            yield Link(CURVE, f"all {len(rows):,} rows")
        if ladder:
            yield Words("Elo is by all games against the ladder together, whose mean is 0.")

    def _best(self) -> Iterator[Block]:
        """What was kept besides the last weights."""
        if self.outcome.best is not None:
            point, path = self.outcome.best
            shares = listed(strength_words(point))
            yield Words(
                f"{BEST}/{path.name} has the weights after {how_many(point.games, 'game')}: "
                f"{shares}. That is a second measurement, by other games than the one they were "
                "chosen by."
            )

    def _figures(self) -> Iterator[Block]:
        """What the learner itself notes, before and after."""
        if not self.outcome.points or not self.last.figures:
            return
        before = self.first.figures
        rows = [(name, before.get(name), value) for name, value in self.last.figures.items()]
        columns = Column("figure"), Column("at first", amount), Column("at last", amount)
        yield Table("Figures of the learner", columns, tuple(rows))

    @cached_property
    def outcomes(self) -> Sequence[Outcomes]:
        """The ends of games with the weights of the start and of now."""
        return self.learner.outcomes()

    def _ends(self) -> Iterator[Block]:
        """How well the value tells won games from lost ones, and how long winning took."""
        if not self.outcomes:
            return
        yield outcomes_table(self.outcomes)
        yield Words(
            "Games as they are played in the training, untrained beside trained. AUC: the chance "
            "that a won game was valued higher than a lost one before its last move, ties counted "
            "half. Low lines: the share of winning lines in the lower half of the board."
        )

    def _provenance(self) -> Iterator[Block]:
        """What decided the weights, the machine, and the command."""
        training, outcome = self.training, self.outcome
        weights = outcome.weights
        rate = outcome.games / outcome.seconds if outcome.seconds else 0.0
        facts: tuple[tuple[Cell, ...], ...] = (
            ("game", f"{training.rules.name} ({training.rules})"),
            ("method", training.method),
            ("seed", str(training.settings.seed)),
            ("games", f"{whole(outcome.games)} of {whole(training.settings.games)}"),
            ("time of training", f"{lasting(outcome.seconds)}, {pace(rate)}"),
            ("training file, SHA-256", sha256(training.text.encode()).hexdigest()),
            ("fingerprint of what decides the weights", fingerprint(training)),
            ("weights", f"{weights.name}, {in_bytes(weights.stat().st_size)}"),
            ("weights, SHA-256", sha256(weights.read_bytes()).hexdigest()),
        )
        yield Table("Training", (Column("what"), Column("value")), facts)
        yield machine(environment())
        yield Words("To train it again, with the training file below:")
        yield Code(join(["arena", "train", str(training.path)]), "sh")

    def _files(self) -> dict[str, str]:
        weights = {self.outcome.weights.name: "the weights, for engines that take them"}
        there = {CURVE: True, TRAJECTORY: bool(self.learner.trajectory().names),
                 ENDINGS: bool(self.outcomes)}  # fmt: skip
        return weights | {file: words for file, words in FILES.items() if there[file]}


def _some_rows(table: Table) -> Table:
    """The first row, the last and some between them; all are in the file of the curve."""
    last = len(table.rows) - 1
    places = sorted({round(k * last / (SHOWN - 1)) for k in range(SHOWN)})
    return replace(table, rows=tuple(table.rows[place] for place in places))


def _shown(share: tuple[float, float, float] | None) -> Cell:
    """A share with its interval."""
    return None if share is None else f"{percent(share[0])} ({percent_range(share[1], share[2])})"


def _row(point: Point, names: Sequence[str]) -> tuple[Cell, ...]:
    scores = point.strength.scores()
    shares = (scores[name][0] if name in scores else None for name in names)
    return point.games, point.seconds, *shares
