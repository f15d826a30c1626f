"""Write a report: one pass over the journal, then Markdown, CSV files, plots and a page from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from arena.errors import ArenaError
from arena.files import write_atomic
from arena.journal import Journal
from arena.report.accuracy import accuracy_figures
from arena.report.blocks import FOLDED, Picture
from arena.report.canvas import can_plot, picture
from arena.report.content import Content
from arena.report.csv_files import write_csv_files, write_folds
from arena.report.ends import ends_table
from arena.report.html import write_page
from arena.report.latex import FOLDER, OVERVIEW, latex_files
from arena.report.limits import with_limits
from arena.report.markdown import markdown
from arena.report.plots import NAMES, draw_plots
from arena.report.reading import Announce, judged_figures, read_content
from arena.report.sections import JUDGED, SECTIONS
from arena.report.tables import lines_made
from arena.show.standings import standings_table
from arena.standings.branching import search_costs

FORMATS = ("svg", "png")
MOST_MOVES = 20_000  # games for which every move is written to moves.csv

Images = Mapping[str, Mapping[str, bytes]]  # of each plot, by the form of the file


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
    def page(self) -> Path:
        """The file to read first."""
        return self.html or self.markdown

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
    judging: float | None = None,
    sections: tuple[str, ...] = SECTIONS,
    progress: Announce = lambda words: None,
    quiet: bool = False,
    on_interrupt: Callable[[], None] | None = None,
) -> Report:
    """Write these sections into a folder; without formats, or without matplotlib, no plots.

    Every move is written to moves.csv if asked for, or if there are not too many games. Moves are
    judged by exact scores for so many seconds of each core, if a section shows that and the board
    can be solved; `quiet` and `on_interrupt` are those of `judged_accuracy`.
    Each file takes its name when it is complete, so an earlier report is never half overwritten.
    A journal may be read while a run still writes to it.
    """
    with _disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if judging is not None and not (JUDGED & set(sections) or judged_figures(journal)):
            judging = 0.0  # what is judged already costs nothing
        content = read_content(journal, judging, progress, quiet=quiet, on_interrupt=on_interrupt)
        content = replace(content, chosen=sections)
        progress("writing tables")
        results, ratings, accuracy = content.results, content.ratings, content.accuracy
        each_move = results.games <= MOST_MOVES if moves is None else moves
        tables = write_csv_files(folder, journal, results, ratings, accuracy, moves=each_move)
        images = _images(content, formats, progress) if formats and can_plot() else {}
        files = {f"{name}.{form}": images[name][form] for name in images for form in formats}
        plots = tuple(_put(folder / "plots" / name, data) for name, data in files.items())
        names = [table.name for table in tables]
        names += ["report.html"] if html else []
        names += [f"{FOLDER}/{OVERVIEW}.tex"] if latex else []
        pictures = [Picture(name, NAMES[name]) for name in images]
        content = replace(content, pictures=pictures, files=names)
        tables += write_folds(folder, content)
        _remove_old(folder, (*tables, *plots), bool(plots))
        sheets = latex_files(content) if latex else {}
        pages = [_put(folder / FOLDER / name, text) for name, text in sheets.items()]
        page = None
        if html:
            progress("writing the page")
            svg = {name: forms["svg"].decode() for name, forms in images.items()}
            page = _put(folder / "report.html", write_page(content, journal, svg))
        form = "svg" if "svg" in formats else "png"
        text = _put(folder / "report.md", markdown(content, form))
        report = Report(folder, text, page, tuple(pages), tuple(tables), plots, content)
        _check_nothing_is_gone(report, journal)
        return report


@contextmanager
def _disk_errors(folder: Path) -> Iterator[None]:
    """What the disk refuses is an error of the user's, with the file in it."""
    try:
        yield
    except OSError as error:
        where = error.filename or folder
        raise ArenaError(f"{where} cannot be written: {error.strerror or error}") from None


def _images(content: Content, formats: Sequence[str], progress: Announce) -> Images:
    """Every plot in these forms, and as SVG for the page."""
    images = {}
    header, results, forms = content.header, content.results, dict.fromkeys((*formats, "svg"))
    _, families = search_costs(header.players, results, header.rules)
    learners = content.learners
    wanted = [name for name in NAMES if name in content.drawn]
    plots = draw_plots(results, content.ratings, families, content.accuracy, learners, wanted)
    for name, figure in plots:
        progress(f"drawing {NAMES[name].lower()}")
        images[name] = {form: picture(figure, form) for form in forms}
    return images


def _put(path: Path, data: bytes | str) -> Path:
    """A file that appears whole, in a folder that need not be there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_atomic(path, data.encode() if isinstance(data, str) else data)


def _check_nothing_is_gone(report: Report, journal: Journal) -> None:
    """Somebody may clear the folder away while we write to it."""
    if gone := [path for path in report.files if not path.exists()]:
        raise ArenaError(
            f"{gone[0]} was removed while the report was written, which is incomplete; "
            f"{'arena report writes it again' if journal.path.exists() else 'the games are lost'}"
        )
    if not journal.path.exists():
        raise ArenaError(
            f"{journal.path} was removed while the report was written: the games are lost, "
            f"and {report.page} is what is left of them"
        )


def _remove_old(folder: Path, files: Sequence[Path], plotted: bool) -> None:
    """Plots and tables of an earlier report that this one does not have."""
    names = ["accuracy.csv", "decided.csv", *(f"tables/{name}.csv" for name in FOLDED)]
    if plotted:
        names += [f"plots/{name}.{form}" for name in NAMES for form in FORMATS]
    for name in names:
        if folder / name not in files:
            (folder / name).unlink(missing_ok=True)


def key_figures(content: Content) -> dict[str, object]:
    """The main numbers for programs."""
    results, ratings = content.results, content.ratings
    table = with_limits(standings_table(results.scoreboard, ratings), content.header.players)
    return {
        "name": content.header.name,
        "games": results.games,
        "answer": content.answer,
        **content.verdict_data,
        "warnings": [words for _, words in content.cautions],
        "distinct": results.distinct,
        "first_player_score": results.scoreboard.first_share,
        "first_move_elo": ratings.first_advantage,
        "first_move_elo_error": ratings.first_advantage_error,
        "draw_rate": ratings.draw_rate,
        "wall_over_cpu": results.time.ratio,
        "seconds": results.seconds,
        "immediate_wins": [
            {"engine": name, **each._asdict()}
            for name, each in zip(results.names, results.missed, strict=False)
        ],
        "wins_by_direction": lines_made(results, range(len(results.names))).records(),
        "ends": ends_table(results, range(len(results.endings))).records({"95 %": "AUC_95"}),
        "mistakes": [asdict(mistake) for mistake in content.mistakes],
        "standings": table.records({"±": "error", "Elo": "elo"}),
        **({} if content.accuracy is None else {"accuracy": accuracy_figures(content.accuracy)}),
    }
