"""Write a report: one pass over the journal, then Markdown, CSV files, plots and a page from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote

from arena.errors import ArenaError
from arena.files import disk_errors, write_atomic
from arena.journal import Journal
from arena.report.blocks import Words, file_of, fold, slug
from arena.report.canvas import can_plot, picture, styled
from arena.report.csv_files import GAMES, MOVES, data_tables, game_writers, write_table
from arena.report.data import Announce, ReportData, has_judged_figures, read_data
from arena.report.html import MAX_GAMES, write_page
from arena.report.markdown import document
from arena.report.sections import BRIEF, SECTIONS, Plot, Section, compose
from arena.show.table import Table
from arena.standings.accuracy import Accuracy
from arena.standings.results import Listener
from arena.table.game import Game

FORMATS = ("svg", "png")
MAX_MOVES = 20_000  # games for which every move is written to moves.csv
PLOTS, LATEX = "plots", "latex"


@dataclass(frozen=True)
class Report:
    """The files of a report, and its data."""

    folder: Path
    markdown: Path
    html: Path | None
    latex: tuple[Path, ...]
    tables: tuple[Path, ...]
    plots: tuple[Path, ...]
    data: ReportData = field(repr=False)
    silent: tuple[str, ...] = ()  # sections that were asked for and are empty

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
    sections: Sequence[Section] | None = None,
    progress: Announce = lambda words: None,
    quiet: bool = False,
    on_interrupt: Callable[[], None] | None = None,
) -> Report:
    """Write these sections into a folder; without formats, or without matplotlib, no plots.

    Unless sections are given, report.md is short and the page has everything. Every move is written
    to moves.csv if asked for, or if there are not too many games. Moves are judged by exact scores
    for this many seconds of each core, if a section shows that and the board can be solved; `quiet`
    and `on_interrupt` are those of `judged_accuracy`. Each file takes its name when it is complete,
    so an earlier report is never half overwritten. A run may still write to the journal.
    """
    in_text, in_page = (BRIEF, SECTIONS) if sections is None else (sections, sections)
    is_judged = any(section.needs_scores for section in in_text) or has_judged_figures(journal)
    if judging is not None and not is_judged:
        judging = 0.0  # games judged before cost nothing
    each_move = journal.count() <= MAX_MOVES if moves is None else moves
    newest: deque[Game] = deque(maxlen=MAX_GAMES if html else 0)
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as files:

            def listeners(accuracy: Accuracy | None) -> list[Listener]:
                writers = game_writers(files, folder, journal.header, each_move, accuracy)
                return [*writers, lambda batch: newest.extend(batch.games)]

            data = read_data(
                journal, judging, progress,
                quiet=quiet, on_interrupt=on_interrupt, listeners=listeners,
            )  # fmt: skip
        progress("writing tables")
        written = [folder / GAMES, *([folder / MOVES] if each_move else [])]
        written += [write_table(folder / name, table) for name, table in data_tables(data).items()]
        images = _images(data, in_page if html else in_text, formats, progress)
        plots = [
            _write(folder / PLOTS / f"{plot.name}.{form}", images[plot.name][form])
            for plot in plots_of(in_text)
            if plot.name in images
            for form in formats
        ]
        data.files.extend([*(table.name for table in written), *(["report.html"] if html else [])])
        head, text = compose(data, in_text, images)
        if sections is None:
            again = quote(data.place)
            text["Files"].append(Words(f"The whole report: arena report {again} --sections all"))
        tables = _tables(text)
        sheets = [_write(folder / LATEX / f"{slug(table.title) or 'table'}.tex", table.latex())
                  for table in tables if latex]  # fmt: skip
        page = None
        if html:
            progress("writing the page")
            screen, whole = compose(data, in_page, images)
            tables += _tables(whole)
            svg = {name: forms["svg"].decode() for name, forms in images.items()}
            has_board = any(section.needs_replay for section in in_page)
            games = games_to_replay(data, journal, newest) if has_board else []
            page = _write(folder / "report.html", write_page(data, screen, whole, svg, games))
        folded = {folder / file_of(table): table for table in tables if fold(table)[1]}
        written += [write_table(file, table) for file, table in folded.items()
                    if file not in written]  # fmt: skip
        _remove_old(folder, {*written, *plots}, bool(plots))
        form = "svg" if "svg" in formats else "png"
        markdown = _write(folder / "report.md", document(data.header.name, head, text, form))
        silent = tuple(section.title for section in in_text if section.title not in text)
        report = Report(
            folder, markdown, page, tuple(sheets), tuple(written), tuple(plots), data, silent
        )
        _check_nothing_is_gone(report, journal)
        return report


def _images(
    data: ReportData, sections: Iterable[Section], formats: Sequence[str], progress: Announce
) -> Mapping[str, Mapping[str, bytes]]:
    """Every plot that has something to show, in these forms, and as SVG for the page."""
    if not formats or not can_plot():
        return {}
    images, forms = {}, dict.fromkeys((*formats, "svg"))
    for plot in plots_of(sections):
        with styled():
            figure = plot.draw(data)
        if figure is not None:
            progress(f"drawing {plot.words.lower()}")
            images[plot.name] = {form: picture(figure, form) for form in forms}
    return images


def plots_of(sections: Iterable[Section]) -> list[Plot]:
    """The plots of these sections."""
    return [plot for section in sections for plot in section.plots]


def _tables(sections: Mapping[str, Sequence[object]]) -> list[Table]:
    return [each for blocks in sections.values() for each in blocks if isinstance(each, Table)]


def games_to_replay(data: ReportData, journal: Journal, newest: Iterable[Game]) -> list[Game]:
    """The games for the page: those that the report shows first, then the newest."""
    games = {game.number: game for game in newest}
    games |= {game.number: game for game in data.results.notable.values()}
    blunders = {blunder.game for blunder in data.blunders}
    if missing := blunders - games.keys():
        games |= {game.number: game for game in journal.rows(numbers=missing)}
    shown = {game.number for game in data.results.notable.values()} | blunders
    return [games[number] for number in sorted(games, key=lambda n: (n not in shown, -n))]


def _write(path: Path, data: bytes | str) -> Path:
    """Write a file atomically, in a folder that need not be there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_atomic(path, data.encode() if isinstance(data, str) else data)


def _check_nothing_is_gone(report: Report, journal: Journal) -> None:
    """Refuse a report that somebody cleared away while it was written."""
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


def _remove_old(folder: Path, files: set[Path], plotted: bool) -> None:
    """Remove plots and tables of an earlier report that this one does not have."""
    old = [folder / name for name in ("accuracy.csv", "decided.csv", "blunders.csv", MOVES)]
    old += (folder / "tables").glob("*.csv")
    if plotted:
        old += [folder / PLOTS / f"{plot.name}.{form}" for plot in plots_of(SECTIONS)
                for form in FORMATS]  # fmt: skip
    for path in old:
        if path not in files:
            path.unlink(missing_ok=True)
