"""What a report says and in which order, whatever language it is written in afterwards.

Everything here is plain words: names of engines are escaped by whoever writes the page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from shlex import quote
from typing import Any

from arena.errors import IllegalMove
from arena.game.notation import draw, play_moves, write_moves
from arena.game.rules import Rules
from arena.judge.judge import Blunder
from arena.report import tables
from arena.report.accuracy import MOST_BLUNDERS, accuracy_blocks, blunder_block, decided_blocks
from arena.report.aims import (
    aims_data,
    busy_sentence,
    expectation_blocks,
    figures_table,
    grade_sentence,
    published_blocks,
    published_sentence,
)
from arena.report.answer import answer
from arena.report.blocks import Block, Code, Fold, Game, Link, Picture, Words, folded, shortened
from arena.report.ends import ends_blocks
from arena.report.evidence import Evidence, environment
from arena.report.glossary import glossary
from arena.report.limits import limits_differ, limits_in_words, with_limits
from arena.report.question import question_blocks, question_figures, question_paragraph
from arena.report.sections import EXPECTATIONS, FIGURES, PUBLISHED, SECTIONS
from arena.show.numbers import how_many, listed, percent
from arena.show.standings import standings_table
from arena.show.table import Table
from arena.standings.branching import MOST_PAIRS, search_costs
from arena.standings.question import Answer
from arena.standings.question import answer as answer_question
from arena.table.game import in_words
from arena.tournament.question import Question

WIDE = 16  # engines in a crosstable
MANY_MISTAKES = 10
UNEQUAL_LIMITS = (
    "Conditions differ: the engines had different limits, so the standings compare engines "
    "together with their limits."
)
PICTURES = {
    "Standings": ("ratings", "rating_over_run"),
    "Crosstable": ("crosstable",),
    "Accuracy": ("accuracy",),
    "Where games were decided": ("decided",),
    "Learning": ("score_over_games",),
    "Time and search": ("strength_by_time", "time_by_move", "nodes_by_move", "depth_by_ply"),
    "Search effort": ("nodes_by_depth",),
    "Seats and the first move": ("seats",),
    "Games": ("game_length",),
    "Ends of games": ("moves_to_win", "last_evaluations"),
}  # at the end of each section
FILES = {
    "report.html": "this report as one page, with a board to replay games",
    "latex/tables.tex": "the tables for LaTeX, one file each beside it",
    "standings.csv": "the standings",
    "crosstable.csv": "every pair of engines",
    "accuracy.csv": "accuracy of each engine by phase and seat",
    "decided.csv": "for each judged game, the move that decided it",
    "timing.csv": "time, nodes and depth",
    "games.csv": "a line for each game",
    "moves.csv": "a line for each move",
}


@dataclass(frozen=True)
class Content(Evidence):
    """The evidence, and the sections that are made from it."""

    pictures: Collection[Picture] = ()
    files: Collection[str] = ()
    chosen: tuple[str, ...] = SECTIONS  # the sections that are asked for

    @cached_property
    def answer(self) -> str:
        """Who won, under which limits, and how certain that is."""
        return answer(self)

    @cached_property
    def standings(self) -> Table:
        """Who is best, with limits if engines had different ones."""
        table, players = standings_table(self.results.scoreboard, self.ratings), self.header.players
        return with_limits(table, players, limits_in_words) if limits_differ(players) else table

    @cached_property
    def question_answer(self) -> Answer | None:
        """The answer to the tournament's question, if it has one."""
        question = Question.read(self.header.question, self.results.names)
        if question is None:
            return None
        return answer_question(
            question, self.results.scoreboard, self.ratings, self.accuracy, self.decided_test
        )

    @property
    def question(self) -> tuple[str, ...]:
        """The question with its answer, as a paragraph; none where nothing was asked."""
        return (
            ()
            if self.question_answer is None
            else (question_paragraph(self, self.question_answer),)
        )

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """What stands above everything else: what was asked, and the answer."""
        about = (self.aims.about,) if self.aims.about else ()
        return self.summary, *about, *self.question, *self.verdicts, self.answer

    @property
    def verdicts(self) -> tuple[str, ...]:
        """How expectations and published figures fare, in a sentence each."""
        expected = (grade_sentence(self.grade),) if self.grade.rulings else ()
        published = (published_sentence(self.comparisons),) if self.comparisons else ()
        ratio, timed = self.results.time.ratio, "time" in self.aims.measures()
        busy = (busy_sentence(ratio),) if ratio and timed and self.results.time.is_busy else ()
        return *expected, *published, *busy

    @property
    def verdict_data(self) -> dict[str, Any]:
        """The question and its answer, expectations and published figures, for programs."""
        data = aims_data(self.shown, self.grade, self.comparisons)
        return {**question_figures(self, self.question_answer), **data}

    @cached_property
    def sections(self) -> Mapping[str, tuple[Block, ...]]:
        """What is asked for, by its heading, without sections that have nothing to say."""
        results, order, accuracy = self.results, self.ratings.order, self.accuracy
        blunders: list[Block] = []
        if accuracy is not None:
            blunders = [blunder_block(each, accuracy, self.place) for each in self.blunders]
        causes = [tables.causes(results, order)] if results.causes else []
        parts: dict[str, Iterable[Block]] = {
            EXPECTATIONS: expectation_blocks(self.grade, self.aims.early),
            PUBLISHED: published_blocks(self.comparisons),
            FIGURES: [figures_table(self.shown)] if self.shown else (),
            "Standings": self._standings(),
            "How the question is answered": self._question(),
            "Crosstable": self._crosstable(),
            "Head to head": self._head_to_head(),
            "Accuracy": () if accuracy is None else accuracy_blocks(accuracy, order),
            "Worst blunders": blunders,
            "Where games were decided": () if accuracy is None else decided_blocks(accuracy, order),
            "Learning": self._learning(),
            "Time and search": self._timing(),
            "Search effort": self._effort(),
            "Causes of losses": causes,
            "Immediate wins missed": self._missed_wins(),
            "Mistakes of engines": self._mistakes(),
            "Seats and the first move": self._seats(),
            "Openings": self._openings(),
            "Games": [tables.game_lengths(results)] if results.games else (),
            "Ends of games": self._ends(),
            "Notable games": self._notable(),
            "What the numbers mean": glossary(self.ratings),
            "Files": [Link(file, words) for file, words in FILES.items() if file in self.files],
            "Environment": environment(self),
            "The tournament file": [Code(self.header.spec_text, "yaml")],
        }
        assert parts.keys() == set(SECTIONS), "each section stands in the list of all"
        pictures = {picture.name: picture for picture in self.pictures}
        sections = {}
        for title in self.chosen:
            drawn = [pictures[name] for name in PICTURES.get(title, ()) if name in pictures]
            blocks = (folded(b) if isinstance(b, Table) else b for b in parts[title])
            sections[title] = (*blocks, *drawn)
        return {title: blocks for title, blocks in sections.items() if blocks}

    @property
    def drawn(self) -> tuple[str, ...]:
        """The names of the pictures that its sections may have."""
        return tuple(name for title in self.chosen for name in PICTURES.get(title, ()))

    @property
    def silent(self) -> tuple[str, ...]:
        """The sections that are asked for and have nothing to say."""
        return tuple(title for title in self.chosen if title not in self.sections)

    @property
    def folds(self) -> tuple[Fold, ...]:
        """The tables of which only a part is on the page."""
        blocks = (block for blocks in self.sections.values() for block in blocks)
        return tuple(block for block in blocks if isinstance(block, Fold))

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every table of the report, whole."""
        blocks = (block for blocks in self.sections.values() for block in blocks)
        wholes = (block.whole if isinstance(block, Fold) else block for block in blocks)
        return tuple(block for block in wholes if isinstance(block, Table))

    @property
    def blunders(self) -> list[Blunder]:
        """The worst blunders, as many as are shown."""
        return [] if self.accuracy is None else self.accuracy.blunders(MOST_BLUNDERS)

    def _standings(self) -> Iterator[Block]:
        yield self.standings
        if limits_differ(self.header.players):
            yield Words(UNEQUAL_LIMITS)
        if len(self.ratings.groups) > 1:
            yield Words(
                "Engines of different groups have never met, not even through common opponents: "
                "their ratings cannot be compared."
            )

    def _question(self) -> Iterator[Block]:
        if self.question_answer is not None and self.results.games:
            yield from question_blocks(self, self.question_answer)

    def _crosstable(self) -> Iterator[Block]:
        if self.results.games and len(self.ratings.order) <= WIDE:
            yield Words("Score of the engine in the row against the one in the column.")
            yield tables.crosstable(self.results, self.ratings.order)

    def _head_to_head(self) -> Iterator[Block]:
        table = tables.head_to_head(self.results, self.ratings.order)
        place = {self.results.names[player]: at for at, player in enumerate(self.ratings.order)}
        rows = [row for row in table.rows if place[str(row[0])] < place[str(row[1])]]
        if rows:
            yield Table(table.title, table.columns, tuple(rows))

    def _learning(self) -> Iterator[Block]:
        """The course of the scores, where somebody learns; who does not is there to compare."""
        if self.learners and self.results.games:
            names = [self.results.names[player] for player in self.learners]
            learn = "learns" if len(names) == 1 else "learn"
            still = len(self.results.names) - len(names)
            others = ("", "; the other does not")[still] if still < 2 else "; the others do not"
            yield Words(f"{listed(names)} {learn} from game to game{others}.")
            yield tables.by_fifths(self.results, self.ratings.order)

    def _timing(self) -> Iterator[Block]:
        if not any(moves.count for moves in self.results.moves):
            return
        yield folded(tables.timing(self.results, self.ratings.order), tables.TIMES)
        yield Words(
            "A move of a bundled search takes some 10 µs beside the search itself; "
            "arena bench kernels measures it on your machine."
        )
        ratio = self.results.time.ratio
        if ratio is not None:
            yield Words(
                f"Wall time was {ratio:.2f} times the processor time over all longer moves."
            )

    def _effort(self) -> Iterator[Block]:
        pairs, families = search_costs(self.header.players, self.results, self.header.rules)
        if pairs:
            more = f" The first {MOST_PAIRS} pairs are shown." if len(pairs) == MOST_PAIRS else ""
            yield Words(
                "Nodes per move of searches with the same depth and evaluation, compared over the "
                "same numbers of own moves. Pruned is the share of minimax's nodes that were not "
                f"needed.{more}"
            )
            yield tables.pruning(pairs, self.results.names)
        if families:
            b = families[0].columns
            yield Words(
                "Engines that differ only in depth d, over the first half of the game. A full tree "
                f"grows as {b}^d, an optimally pruned one as {b}^(d/2). The branching factor is "
                "that of a full tree with the same number of nodes."
            )
            yield tables.growth(families, self.results.names)

    def _missed_wins(self) -> Iterator[Block]:
        if any(each.chances for each in self.results.missed):
            yield Words(
                "How often an engine could have won with its next disc, and how often it did not. "
                "Opening moves are not counted."
            )
            yield tables.missed_wins(self.results, self.ratings.order)

    def _ends(self) -> Iterator[Block]:
        yield from ends_blocks(self.results, self.ratings.order)
        if any(counts.any() for counts in self.results.lines.values()):
            of = self.results, self.ratings.order
            yield shortened(tables.lines_by_kind(*of), tables.lines_made(*of))

    def _mistakes(self) -> Iterator[Block]:
        """What engines lost games by, each mistake once, with the lines that led to it."""
        for mistake in self.mistakes[:MANY_MISTAKES]:
            games = "Once, in" if mistake.is_new else f"{mistake.count:,} times, first in"
            yield Words(f"{games} game {mistake.first}: {mistake.detail}")
            if mistake.trace:
                yield Code(mistake.trace)
            if mistake.printed:
                yield Words("Its last output:")
                yield Code("\n".join(mistake.printed))
        if len(self.mistakes) > MANY_MISTAKES:
            others = f"{len(self.mistakes) - MANY_MISTAKES:,} more kinds of mistakes"
            yield Words(f"{others}: arena games {quote(self.place)} --bad")

    def _seats(self) -> Iterator[Block]:
        if not self.results.games:
            return
        words = f"Whoever moved first scored {percent(self.results.scoreboard.first_share)}"
        elo, error = self.ratings.first_advantage, self.ratings.first_advantage_error
        if elo is not None and error is not None:
            words += f"; between equals, the first move is worth {elo:+z.0f} ± {error:.0f} Elo"
        yield Words(f"{words}.")
        yield tables.by_seat(self.results, self.ratings.order)

    def _openings(self) -> Iterator[Block]:
        named, _ = self.results.scoreboard.by_opening()
        if set(named) - {b""}:
            count = how_many(len(named), "opening")
            yield Words(f"{count}, the most played first.")
            yield tables.openings(self.results, self.header.rules)

    def _notable(self) -> Iterator[Block]:
        rules, place = self.header.rules, quote(self.place)
        for why, game in self.results.notable.items():
            board, line = final_board(game.moves, rules)
            names = self.results.names[game.first], self.results.names[game.second]
            end = game.detail or line or game.reason
            yield Game(
                f"{why.capitalize()}: game {game.number}",
                game.number,
                f"{names[0]} (X) against {names[1]} (O): {end}, after {len(game.moves)} plies. "
                f"Moves: {write_moves(game.moves, rules) or 'none'}.",
                board,
                f"arena replay {place} {game.number}",
            )


def final_board(moves: bytes, rules: Rules) -> tuple[str, str]:
    """The board at the end of a game, drawn, and the line that won it, in words."""
    try:
        position = play_moves(moves, rules)
    except IllegalMove as error:  # a journal from elsewhere
        return f"({error})", ""
    line = position.winning_line
    return draw(position), in_words(line, rules) if line else ""
