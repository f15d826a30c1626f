"""The sections of a report: one list, from what a reader came for to how it was made.

To add a section, write a function that makes its blocks, and put a `Section` into the list; its
plots are functions in plots.py or curves.py. `arena report --sections all` has all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING, Literal, NamedTuple

from arena.errors import BadOption, IllegalMove, suggestion
from arena.game.notation import draw, play_moves, write_moves
from arena.game.rules import Rules
from arena.report import curves, plots, tables
from arena.report.accuracy import (
    accuracy_details,
    accuracy_section,
    blunders_section,
    decided_section,
)
from arena.report.blocks import Block, Code, Game, Link, Picture, Words
from arena.report.conditions import (
    environment,
    how_it_was_played,
    limits_differ,
    limits_in_words,
    with_limits,
)
from arena.report.data import ReportData
from arena.report.glossary import glossary
from arena.report.question import question_section
from arena.report.summary import UNEQUAL_LIMITS, cautions, head, pairs_sentence, verdicts
from arena.report.verdicts import expectations_section, figures_section, published_section
from arena.show.numbers import duration, how_many, listed, percent
from arena.show.standings import standings_table
from arena.show.table import Table
from arena.standings.branching import MOST_PAIRS
from arena.standings.endings import MOST_VALUES, SEEN
from arena.table.game import GOOD_ENDS, in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALL = "all"
WIDE = 16  # engines in a crosstable
MAX_MISTAKES = 10
BETWEEN = re.compile(r"[\s_-]+")
FILES = {
    "report.html": "this report as one page, with a board to replay games",
    "standings.csv": "the standings",
    "crosstable.csv": "every pair of engines",
    "accuracy.csv": "accuracy of each engine by phase and seat",
    "decided.csv": "for each judged game, the move that decided it",
    "blunders.csv": "every blunder, with its position and the better moves",
    "timing.csv": "time, nodes and depth",
    "games.csv": "a line for each game",
    "moves.csv": "a line for each move",
}


class Plot(NamedTuple):
    """A plot: the name of its file, what it shows, and the function that draws it."""

    name: str
    words: str
    draw: Callable[[ReportData], Figure | None]


@dataclass(frozen=True)
class Section:
    """A heading, the function that makes what is below it, and plots at its end.

    "scores" are exact scores of moves, "replay" is a board on the page. A short report has the
    brief sections, each with its first plot.
    """

    title: str
    blocks: Callable[[ReportData], Iterable[Block]]
    plots: tuple[Plot, ...] = ()
    needs: frozenset[Literal["scores", "replay"]] = frozenset()
    brief: bool = True


def standings_of(data: ReportData) -> Table:
    """Who is best, with limits if engines had different ones."""
    table = standings_table(data.results.scoreboard, data.ratings)
    players = data.header.players
    if limits_differ(players):
        table = with_limits(table, players, limits_in_words)
    hidden = {"points", "won", "drawn", "lost"}
    brief = tuple(name for name in table.headings() if name not in hidden)
    return replace(table, brief=brief, file="standings.csv")


def standings(data: ReportData) -> Iterator[Block]:
    """The standings, and what one has to know to read them."""
    yield standings_of(data)
    notes = [UNEQUAL_LIMITS] if limits_differ(data.header.players) else []
    if len(data.ratings.groups) > 1:
        notes.append(
            "Engines of different groups have never met, not even through common opponents: "
            "their ratings cannot be compared."
        )
    if (pairs := pairs_sentence(data)) is not None:
        notes.append(pairs)
    if notes:
        yield Words(" ".join(notes))
    yield from conclusions(data)


def conclusions(data: ReportData) -> Iterator[Block]:
    """The verdicts in a sentence each, and everything to be careful about."""
    if sentences := verdicts(data):
        yield Words(" ".join(sentences))
    yield from cautions(data)


def crosstable(data: ReportData) -> Iterator[Block]:
    """The score of each against each."""
    if data.results.games and len(data.order) <= WIDE:
        yield Words("Score of the engine in the row against the one in the column.")
        yield replace(tables.crosstable(data.results, data.order), title="Crosstable")


def head_to_head(data: ReportData) -> Iterator[Block]:
    """Every pair in the order of the standings."""
    table = tables.head_to_head(data.results, data.order)
    place = {data.names[player]: at for at, player in enumerate(data.order)}
    rows = [row for row in table.rows if place[str(row[0])] < place[str(row[1])]]
    if rows:
        yield replace(table, rows=tuple(rows))


def learning(data: ReportData) -> Iterator[Block]:
    """The course of the scores, where engines learn; the others are there to compare."""
    if data.learners and data.results.games:
        names = [data.names[player] for player in data.learners]
        learn = "learns" if len(names) == 1 else "learn"
        still = len(data.names) - len(names)
        others = ("", "; the other does not")[still] if still < 2 else "; the others do not"
        yield Words(f"{listed(names)} {learn} from game to game{others}.")
        yield tables.by_fifths(data.results, data.order)


def timing(data: ReportData) -> Iterator[Block]:
    """Time, nodes and depth."""
    if not any(moves.count for moves in data.results.moves):
        return
    yield replace(tables.timing(data.results, data.order), title="Time and search")
    words = (
        "A move of a bundled search takes some 10 µs beside the search itself; "
        "arena bench kernels measures it on your machine."
    )
    time = data.results.time
    if time.ratio is not None:
        words = (
            f"Wall/CPU ratio of longer moves: {time.ratio:.2f} ({duration(time.wall)}, of which "
            f"{duration(max(0.0, time.wall - time.cpu))} was waiting). {words}"
        )
    yield Words(words)


def effort(data: ReportData) -> Iterator[Block]:
    """What pruning saves, and how nodes grow with depth."""
    pairs, families = data.costs
    if pairs:
        more = f" The first {MOST_PAIRS} pairs are shown." if len(pairs) == MOST_PAIRS else ""
        yield Words(
            "Nodes per move of searches with the same depth and evaluation, compared over the "
            "same numbers of own moves. Pruned is the share of minimax's nodes that were not "
            f"needed.{more}"
        )
        yield tables.pruning(pairs, data.names)
    if families:
        b = families[0].columns
        yield Words(
            "Engines that differ only in depth d, over the first half of the game. A full tree "
            f"grows as {b}^d, an optimally pruned one as {b}^(d/2). The branching factor is "
            "that of a full tree with the same number of nodes."
        )
        yield tables.growth(families, data.names)


def causes(data: ReportData) -> Iterator[Block]:
    """What games were lost by, if somebody forfeited one."""
    if data.results.causes.keys() - {*GOOD_ENDS}:
        yield tables.causes(data.results, data.order)


def missed_wins(data: ReportData) -> Iterator[Block]:
    """How often engines could have won at once."""
    if any(each.chances for each in data.results.missed):
        yield Words(
            "How often an engine could have won with its next disc, and how often it did not. "
            "Opening moves are not counted."
        )
        yield tables.missed_wins(data.results, data.order)


def mistakes(data: ReportData) -> Iterator[Block]:
    """What engines lost games by, each mistake once, with the lines that led to it."""
    every = data.results.mistakes
    for mistake in every[:MAX_MISTAKES]:
        games = "Once, in" if mistake.is_new else f"{mistake.count:,} times, first in"
        yield Words(f"{games} game {mistake.first}: {mistake.detail}")
        if mistake.trace:
            yield Code(mistake.trace)
        if mistake.printed:
            yield Words("Its last output:")
            yield Code("\n".join(mistake.printed))
    if len(every) > MAX_MISTAKES:
        others = f"{len(every) - MAX_MISTAKES:,} more kinds of mistakes"
        yield Words(f"{others}: arena games {quote(data.place)} --bad")


def seats(data: ReportData) -> Iterator[Block]:
    """What the first move is worth."""
    if not data.results.games:
        return
    words = f"The first player scored {percent(data.results.scoreboard.first_share)}"
    elo, error = data.ratings.first_advantage, data.ratings.first_advantage_error
    if elo is not None and error is not None:
        words += f"; first-move advantage: {elo:+z.0f} ± {error:.0f} Elo"
    yield Words(f"{words}.")
    yield tables.by_seat(data.results, data.order)


def openings(data: ReportData) -> Iterator[Block]:
    """How the first player did from each opening."""
    named, _ = data.results.scoreboard.by_opening()
    if set(named) - {b""}:
        yield Words(f"{how_many(len(named), 'opening')}, the most played first.")
        yield tables.openings(data.results, data.rules)


def games(data: ReportData) -> Iterator[Block]:
    """How many games, and how long they were."""
    if data.results.games:
        yield replace(tables.game_lengths(data.results), title="Games")


def ends(data: ReportData) -> Iterator[Block]:
    """How long won and lost games were, what evaluations knew of them, and the lines that won."""
    results = data.results
    if any(ends.lengths.any() or ends.evaluated for ends in results.endings):
        yield tables.ends_table(results, data.order)
    if any(ends.auc is not None for ends in results.endings):
        most = max(ends.evaluated for ends in results.endings)
        sample = f" Of more than {MOST_VALUES:,} won or lost games, so many are taken by chance."
        yield Words(
            "AUC: how well the last evaluation of a game that did not see its end yet, in the "
            "engine's own units, tells won games from lost ones: the chance that a won game was "
            "valued higher, 1 if always, 0.5 if it tells nothing (Mann and Whitney 1947; intervals "
            f"of Newcombe 2006). An evaluation of {percent(SEEN, 0)} of the engine's largest, or "
            "more, has seen the end, and the one before it is taken."
            f"{sample if most > MOST_VALUES else ''}"
        )
    if any(counts.any() for counts in results.lines.values()):
        yield tables.lines_made(results, data.order)


def notable(data: ReportData) -> Iterator[Block]:
    """The shortest win, the longest game, and the first of each kind of fault."""
    for why, game in data.results.notable.items():
        board, line = final_board(game.moves, data.rules)
        names = data.names[game.first], data.names[game.second]
        end = game.detail or line or game.reason
        yield Game(
            f"{why.capitalize()}: game {game.number}",
            game.number,
            f"{names[0]} (X) against {names[1]} (O): {end}, after {len(game.moves)} plies. "
            f"Moves: {write_moves(game.moves, data.rules) or 'none'}.",
            board,
            f"arena replay {quote(data.place)} {game.number}",
        )


def final_board(moves: bytes, rules: Rules) -> tuple[str, str]:
    """The board at the end of a game, drawn, and the line that won it, in words."""
    try:
        position = play_moves(moves, rules)
    except IllegalMove as error:  # a journal from elsewhere
        return f"({error})", ""
    line = position.winning_line
    return draw(position), in_words(line, rules) if line else ""


def files(data: ReportData) -> Iterator[Block]:
    """The files beside the report, and how to get the rest of it."""
    for file, words in FILES.items():
        if file in data.files:
            yield Link(file, words)


def tournament_file(data: ReportData) -> Iterator[Block]:
    """The file as it was written."""
    yield Code(data.header.spec_text, "yaml")


SCORES: frozenset[Literal["scores", "replay"]] = frozenset({"scores"})
REPLAY: frozenset[Literal["scores", "replay"]] = frozenset({"replay"})

SECTIONS = (
    Section("Standings", standings, (
        Plot("ratings", "Ratings with 95 % intervals", plots.ratings),
        Plot("rating_over_run", "Ratings over the run", curves.over_run),
    )),
    Section("Expectations", expectations_section),
    Section("Published vs measured", published_section),
    Section("Figures", figures_section),
    Section("How the question is answered", question_section, needs=SCORES, brief=False),
    Section("Crosstable", crosstable, (
        Plot("crosstable", "Score of each engine against each", plots.crosstable),
    )),
    Section("Head to head", head_to_head, brief=False),
    Section("Accuracy", accuracy_section, (
        Plot("accuracy", "Accuracy by exact scores", plots.accuracy),
    ), needs=SCORES),
    Section("Accuracy in detail", accuracy_details, needs=SCORES, brief=False),
    Section("Worst blunders", blunders_section, needs=SCORES | REPLAY, brief=False),
    Section("Where games were decided", decided_section, needs=SCORES, brief=False),
    Section("Learning", learning, (
        Plot("score_over_games", "Score over the games", curves.over_games),
    )),
    Section("Time and search", timing, (
        Plot("strength_by_time", "Strength against time", plots.frontier),
        Plot("time_by_move", "Time by move", curves.time_by_move),
        Plot("nodes_by_move", "Nodes by move", curves.nodes_by_move),
        Plot("depth_by_ply", "Depth by ply of the game", curves.depth_by_ply),
    )),
    Section("Search effort", effort, (
        Plot("nodes_by_depth", "Nodes by depth", curves.growth),
    ), brief=False),
    Section("Causes of losses", causes),
    Section("Mistakes of engines", mistakes),
    Section("Immediate wins missed", missed_wins, brief=False),
    Section("Seats and the first move", seats, brief=False),
    Section("Openings", openings, brief=False),
    Section("Games", games, (
        Plot("game_length", "Length of the games", plots.lengths),
    ), needs=REPLAY),
    Section("Ends of games", ends, (
        Plot("moves_to_win", "Moves to win and to lose", curves.moves_to_win),
        Plot("last_evaluations", "Last evaluation before the end was seen, of won and lost games",
             curves.last_evaluations),
    ), brief=False),
    Section("Notable games", notable, needs=REPLAY, brief=False),
    Section("How it was played", how_it_was_played),
    Section("What the numbers mean", glossary, brief=False),
    Section("Files", files),
    Section("Environment", environment, brief=False),
    Section("The tournament file", tournament_file, brief=False),
)  # fmt: skip
BRIEF = tuple(
    replace(section, plots=section.plots[:1]) for section in SECTIONS if section.brief
)  # a short report


def compose(
    data: ReportData, sections: Sequence[Section], drawn: Collection[str] = ()
) -> tuple[list[Block], dict[str, list[Block]]]:
    """The head of a report, and its sections by heading, but for those that are empty."""
    blocks = {
        section.title: [
            *section.blocks(data),
            *(Picture(plot.name, plot.words) for plot in section.plots if plot.name in drawn),
        ]
        for section in sections
    }
    screen = [*head(data), *([] if "Standings" in blocks else conclusions(data))]
    return screen, {title: each for title, each in blocks.items() if each}


def read_sections(text: str) -> tuple[Section, ...]:
    """The sections that a list such as "standings, time-and-search" names; "all" names all."""
    by_name = {_plain(section.title): section for section in SECTIONS}
    titles = [section.title for section in SECTIONS]
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise BadOption(f"no section is named; expected all or some of {', '.join(titles)}")
    if ALL in map(_plain, names):
        return SECTIONS
    for name in names:
        if _plain(name) not in by_name:
            raise BadOption(f"unknown section {name[:60]!r}{suggestion(name, [ALL, *titles])}")
    chosen = {_plain(name) for name in names}
    return tuple(section for name, section in by_name.items() if name in chosen)


def _plain(name: str) -> str:
    """A name without capitals, its words apart by single spaces."""
    return BETWEEN.sub(" ", name.strip().casefold()).strip()
