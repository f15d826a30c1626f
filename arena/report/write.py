"""Write a report: one pass over the journal, then Markdown, CSV files, plots and a page from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from arena.errors import ArenaError, BadRules
from arena.files import write_whole
from arena.journal import Journal
from arena.judge.memory import Memory
from arena.judge.sampling import Judging, judge_journal
from arena.report.accuracy import ACCURACY_FILES, accuracy_figures, write_accuracy_files
from arena.report.blocks import FILES, FOLDED, Picture
from arena.report.canvas import can_plot, picture
from arena.report.content import Content, content_of
from arena.report.csv_files import with_limits, write_csv_files, write_table
from arena.report.curves import Moment
from arena.report.latex import FOLDER, OVERVIEW, latex_files
from arena.report.markdown import markdown
from arena.report.plots import NAMES, draw_plots
from arena.report.tables import standings
from arena.standings.accuracy import Accuracy, accuracy
from arena.standings.collect import collect_journal
from arena.standings.growth import Family, effort
from arena.standings.ranking import rank_journal
from arena.standings.rating import Ratings, rate
from arena.standings.results import Results

FORMATS = ("svg", "png")
MOST_MOVES = 20_000  # games for which every move is written to moves.csv
MOST_RATED = 200  # engines whose ratings over the run are worth the time

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Report:
    """The files of a report, and what they were made from."""

    folder: Path
    markdown: Path
    html: Path | None
    latex: tuple[Path, ...]
    tables: tuple[Path, ...]
    plots: tuple[Path, ...]
    content: Content = field(repr=False)

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that was written."""
        pages = (self.markdown,) if self.html is None else (self.markdown, self.html)
        return (*pages, *self.tables, *self.plots, *self.latex)


def write_report(
    journal: Journal,
    folder: Path,
    *,
    html: bool = False,
    latex: bool = False,
    moves: bool | None = None,
    formats: Sequence[str] = FORMATS,
    judging: Judging | None = None,
    progress: Progress = lambda words: None,
) -> Report:
    """Write everything into a folder; without formats, or without matplotlib, no plots.

    Every move is written to moves.csv if asked for, or if there are not too many games. Moves are
    judged by exact scores if that is wished, and possible on this board.
    Each file takes its name when it is complete, so an earlier report is never half overwritten.
    A journal may be read while a run still writes to it.
    """
    try:
        return _write(journal, folder, html, latex, moves, formats, judging, progress)
    except OSError as error:
        where = error.filename or folder
        raise ArenaError(f"{where} cannot be written: {error.strerror or error}") from None


def _write(
    journal: Journal,
    folder: Path,
    html: bool,
    latex: bool,
    moves: bool | None,
    formats: Sequence[str],
    judging: Judging | None,
    progress: Progress,
) -> Report:
    progress("reading the games")
    results = collect_journal(journal)
    rated = rate(results.outcomes, names=results.names, by_opening=results.by_opening)
    ratings = rank_journal(rated, journal)
    folder.mkdir(parents=True, exist_ok=True)
    found = judged(journal, judging, progress)
    progress("writing tables")
    each_move = results.games <= MOST_MOVES if moves is None else moves
    tables = write_csv_files(folder, journal, results, ratings, moves=each_move)
    if found is not None:
        tables += write_accuracy_files(folder, found, ratings.order)
    _, families = effort(journal.header.players, results, journal.header.rules)
    drawn = _draw(results, ratings, families, found, formats, progress)
    plots = [_put(folder / "plots" / name, data) for name, data in drawn.data.items()]
    names = [table.name for table in tables]
    names += ["report.html"] if html else []
    names += [f"{FOLDER}/{OVERVIEW}.tex"] if latex else []
    content = content_of(journal, results, ratings, drawn.pictures, names, found)
    tables += write_folds(folder, content)
    _remove_old(folder, drawn, tables)
    sheets = _latex(folder, content) if latex else ()
    page = None
    if html:
        from arena.report.html import write_page

        progress("writing the page")
        page = _put(folder / "report.html", write_page(content, journal, drawn.svg).encode())
    form = "svg" if "svg" in formats else "png"
    text = _put(folder / "report.md", markdown(content, form).encode())
    return Report(folder, text, page, sheets, tuple(tables), tuple(plots), content)


def write_folds(folder: Path, content: Content) -> list[Path]:
    """A CSV file for each table of which the page shows only a part."""
    files = []
    for fold in content.folds:
        if fold.file not in FILES.values():
            path = folder / fold.file
            path.parent.mkdir(exist_ok=True)
            files.append(write_table(path, content.unlabelled(fold.whole)))
    return files


def _latex(folder: Path, content: Content) -> tuple[Path, ...]:
    sheets = latex_files(content)
    return tuple(_put(folder / FOLDER / name, text.encode()) for name, text in sheets.items())


def judged(journal: Journal, judging: Judging | None, progress: Progress) -> Accuracy | None:
    """The accuracy of the engines; None where it is not wished or no judge takes the board."""
    if judging is None or not journal.count():
        return None

    def told(done: int, of: int, left: float) -> None:
        progress(f"judging games {done:,}/{of:,}, at most {left:.0f} s left")

    header = journal.header
    try:
        with Memory.beside(journal) as memory:
            survey = judge_journal(journal, judging, memory, told)
    except BadRules:
        return None
    if not survey.games and not judging.seconds:
        return None
    return accuracy(survey, header.names, header.rules)


@dataclass
class _Drawn:
    """Plots as files, and as SVG for the page."""

    pictures: list[Picture] = field(default_factory=list)
    data: dict[str, bytes] = field(default_factory=dict)
    svg: dict[str, str] = field(default_factory=dict)


def _draw(
    results: Results,
    ratings: Ratings,
    families: Sequence[Family],
    found: Accuracy | None,
    formats: Sequence[str],
    progress: Progress,
) -> _Drawn:
    drawn = _Drawn()
    if not formats or not can_plot():
        return drawn
    for plot in draw_plots(results, ratings, history(results), families, found):
        progress(f"drawing {plot.words.lower()}")
        drawn.pictures.append(Picture(plot.name, plot.words))
        for form in formats:
            drawn.data[f"{plot.name}.{form}"] = picture(plot.figure, form)
        svg = drawn.data.get(f"{plot.name}.svg") or picture(plot.figure, "svg")
        drawn.svg[plot.name] = svg.decode()
    return drawn


def history(results: Results) -> list[Moment]:
    """Ratings after more and more games."""
    if len(results.names) > MOST_RATED:
        return []
    return [
        Moment(games, rate(outcomes, names=results.names).elo)
        for games, outcomes in results.over_time
    ]


def _put(path: Path, data: bytes) -> Path:
    """A file that appears whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_whole(path, data)


def _remove_old(folder: Path, drawn: _Drawn, tables: Sequence[Path]) -> None:
    """Plots and tables of an earlier report that this one does not have."""
    names = (*ACCURACY_FILES, *(f"tables/{name}.csv" for name in FOLDED))
    old = [folder / name for name in names if folder / name not in tables]
    if drawn.data:
        files = (f"{name}.{form}" for name in NAMES for form in FORMATS)
        old += [folder / "plots" / file for file in files if file not in drawn.data]
    for file in old:
        file.unlink(missing_ok=True)


def key_figures(content: Content) -> dict[str, object]:
    """The main numbers for programs."""
    results, ratings = content.results, content.ratings
    table = with_limits(standings(results, ratings), content.header)
    return {
        "name": content.title,
        "games": results.games,
        "answer": content.answer,
        "warnings": list(content.warnings),
        "distinct": results.distinct,
        "first_player_score": results.first_advantage,
        "first_move_elo": ratings.first_advantage,
        "first_move_elo_error": ratings.first_advantage_error,
        "draw_rate": ratings.draw_rate,
        "wall_over_cpu": results.busy,
        "seconds": results.seconds,
        "mistakes": [asdict(mistake) for mistake in content.mistakes],
        "standings": table.records({"±": "error", "Elo": "elo"}),
        **({} if content.accuracy is None else {"accuracy": accuracy_figures(content.accuracy)}),
    }
