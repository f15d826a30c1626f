"""Write a report: one pass over the journal, then Markdown, CSV files, plots and a page from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from shlex import quote

from arena.errors import ArenaError
from arena.files import write_atomic
from arena.journal import Journal
from arena.report.accuracy import accuracy_figures
from arena.report.blocks import Block, Words, file_of, fold, slug
from arena.report.canvas import can_plot, picture, styled
from arena.report.conditions import with_limits
from arena.report.csv_files import GAMES, MOVES, data_tables, game_writers, write_table
from arena.report.data import Announce, ReportData, has_judged_figures, read_data
from arena.report.html import MAX_GAMES, Replayed, write_page
from arena.report.markdown import document
from arena.report.sections import BRIEF, SECTIONS, Plot, Section, compose
from arena.report.summary import answer, cautions
from arena.report.tables import ends_table, lines_made
from arena.report.verdicts import verdict_data
from arena.show.standings import standings_table
from arena.show.table import Table
from arena.standings.accuracy import Accuracy
from arena.standings.batch import Batch
from arena.standings.results import Listener
from arena.table.game import Game

FORMATS = ("svg", "png")
MAX_MOVES = 20_000  # games for which every move is written to moves.csv
TABLES, PLOTS, LATEX = "tables", "plots", "latex"

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
    for so many seconds of each core, if a section shows that and the board can be solved; `quiet`
    and `on_interrupt` are those of `judged_accuracy`. Each file takes its name when it is complete,
    so an earlier report is never half overwritten. A run may still write to the journal.
    """
    in_text, in_page = (BRIEF, SECTIONS) if sections is None else (sections, sections)
    if judging is not None and not (needs(in_text, "scores") or has_judged_figures(journal)):
        judging = 0.0  # what is judged already costs nothing
    each_move = journal.count() <= MAX_MOVES if moves is None else moves
    newest: deque[Game] = deque(maxlen=MAX_GAMES)
    with _disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as files:

            def listeners(accuracy: Accuracy | None) -> list[Listener]:
                writers = game_writers(files, folder, journal.header, each_move, accuracy)
                return [*writers, *([newest_into(newest)] if html else [])]

            data = read_data(
                journal, judging, progress,
                quiet=quiet, on_interrupt=on_interrupt, listeners=listeners,
            )  # fmt: skip
        progress("writing tables")
        written = [folder / GAMES, *([folder / MOVES] if each_move else [])]
        written += [write_table(folder / name, table) for name, table in data_tables(data).items()]
        chosen = in_page if html else in_text
        images = _images(data, chosen, formats, progress) if formats and can_plot() else {}
        plotted = {plot.name for section in in_text for plot in section.plots} & images.keys()
        plots = [
            _put(folder / PLOTS / f"{name}.{form}", images[name][form])
            for name in images
            if name in plotted
            for form in formats
        ]
        data.files.extend([*(table.name for table in written), *(["report.html"] if html else [])])
        head, text = compose(data, in_text, images)
        if sections is None:
            again = quote(data.place)
            text["Files"].append(Words(f"The whole report: arena report {again} --sections all"))
        tables = _tables(text.values())
        page = None
        if html:
            progress("writing the page")
            on_page = compose(data, in_page, images)
            tables += _tables(on_page[1].values())
            svg = {name: forms["svg"].decode() for name, forms in images.items()}
            games = replayed(data, journal, newest) if needs(in_page, "replay") else None
            page = _put(folder / "report.html", write_page(data, *on_page, svg, games))
        written += _write_folded(folder, tables, {table.name for table in written})
        _remove_old(folder, {*written, *plots}, bool(plots))
        sheets = _write_latex(folder / LATEX, tables) if latex else ()
        form = "svg" if "svg" in formats else "png"
        markdown = _put(folder / "report.md", document(data.header.name, head, text, form))
        silent = tuple(section.title for section in in_text if section.title not in text)
        report = Report(folder, markdown, page, sheets, tuple(written), tuple(plots), data, silent)
        _check_nothing_is_gone(report, journal)
        return report


def needs(sections: Iterable[Section], what: str) -> bool:
    """Whether any of these sections needs exact scores, or a board on the page."""
    return any(what in section.needs for section in sections)


def newest_into(games: deque[Game]) -> Listener:
    """A listener that keeps the newest games."""

    def add(batch: Batch) -> None:
        games.extend(batch.games)

    return add


def replayed(data: ReportData, journal: Journal, newest: Iterable[Game]) -> Replayed:
    """The games for the page: those that the report shows first, then the newest."""
    games = {game.number: game for game in newest}
    shown = {game.number: game for game in data.results.notable.values()}
    missing = {blunder.game for blunder in data.blunders} - games.keys() - shown.keys()
    shown |= {game.number: game for game in journal.rows(numbers=missing)} if missing else {}
    shown |= {each.game: games[each.game] for each in data.blunders if each.game in games}
    return Replayed(list(shown.values()), list(games.values()), journal.count())


@contextmanager
def _disk_errors(folder: Path) -> Iterator[None]:
    """Name the file of an error of the disk; it need not be the folder."""
    try:
        yield
    except OSError as error:
        where = error.filename or folder
        raise ArenaError(f"{where} cannot be written: {error.strerror or error}") from None


def _images(
    data: ReportData, sections: Iterable[Section], formats: Sequence[str], progress: Announce
) -> Images:
    """Every plot that has something to show in these forms, and as SVG for the page."""
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


def _tables(sections: Iterable[Iterable[Block]]) -> list[Table]:
    return [block for blocks in sections for block in blocks if isinstance(block, Table)]


def _write_folded(folder: Path, tables: Iterable[Table], there: set[str]) -> list[Path]:
    """A file for each table of which a page shows only a part."""
    files = {file_of(table): table for table in tables if fold(table)[1]}
    (folder / TABLES).mkdir(exist_ok=True) if files.keys() - there else None
    return [write_table(folder / file, table) for file, table in files.items() if file not in there]


def _write_latex(folder: Path, tables: Iterable[Table]) -> tuple[Path, ...]:
    """A file for each table, to be put into a paper."""
    sheets = {slug(table.title) or "table": table.latex() for table in tables}
    return tuple(_put(folder / f"{name}.tex", text) for name, text in sheets.items())


def _put(path: Path, data: bytes | str) -> Path:
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
    old += (folder / TABLES).glob("*.csv")
    if plotted:
        old += [folder / PLOTS / f"{plot.name}.{form}" for plot in plots_of(SECTIONS)
                for form in FORMATS]  # fmt: skip
    for path in old:
        if path not in files:
            path.unlink(missing_ok=True)


def key_figures(data: ReportData) -> dict[str, object]:
    """The main numbers for programs."""
    results, ratings = data.results, data.ratings
    table = with_limits(standings_table(results.scoreboard, ratings), data.header.players)
    return {
        "name": data.header.name,
        "games": results.games,
        "answer": answer(data),
        **verdict_data(data),
        "warnings": [caution.text for caution in cautions(data)],
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
        "ends": ends_table(results, range(len(results.endings))).records(),
        "mistakes": [asdict(mistake) for mistake in results.mistakes],
        "standings": table.records(),
        **({} if data.accuracy is None else {"accuracy": accuracy_figures(data.accuracy)}),
    }
