"""The common parts of all plots: colours, markers, drawable names, and files without a date.

Colours are those of Okabe and Ito, which colour-blind readers tell apart; every line also has its
own marker and dashes, so that the plots can be printed in black and white.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from itertools import zip_longest
from math import ceil
from typing import TYPE_CHECKING, Any

from arena.show.table import cut_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAPER, INK, FAINT = "#ffffff", "#1b1f24", "#8a9099"  # the page in dark mode changes these
GRID = "#d9dce0"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", INK, "#a0522d")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)))
MAX_NAME = 26  # characters
MAX_PANELS, ACROSS = 40, 4  # small plots in one picture, and beside each other
DPI = 144

STYLE: Any = {
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlecolor": INK,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "legend.frameon": False,
    "hatch.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "savefig.facecolor": PAPER,
    "svg.fonttype": "path",
    "svg.hashsalt": "connect arena",
    "text.color": INK,
    "text.parse_math": False,  # a name may hold dollars
    "xtick.color": INK,
    "ytick.color": INK,
}


def can_plot() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


@contextmanager
def styled() -> Iterator[None]:
    """Inside, figures are made in our style, whatever the user's settings are."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        yield


def one_axes(width: float, height: float, title: str) -> tuple[Figure, Axes]:
    """A figure of this size in inches with one plot in it, and room for its labels."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    room = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12)
    figure = Figure(figsize=(width, height), layout=room)
    axes = figure.add_subplot()
    axes.set_title(title, pad=10)
    return figure, axes


def small_plots(
    title: str,
    names: Sequence[str],
    draw: Callable[[Axes, int], None],
    labels: tuple[str, str],
    *,
    shared: bool = False,
) -> Figure:
    """A small plot for each of the first engines, all with the same two labels."""
    from matplotlib.figure import Figure

    cut = names[:MAX_PANELS]
    across = min(ACROSS, len(cut))
    rows = ceil(len(cut) / across)
    wide, high = 2.5 * max(across, 2), 1.3 + 1.6 * rows
    figure = Figure(figsize=(wide, high))
    words = first_of(title, len(cut), len(names))
    figure.suptitle(words, x=0.01, ha="left", fontsize=12, weight="bold", color=INK)
    grid = figure.subplots(rows, across, sharex=shared, sharey=shared, squeeze=False)
    for place, (axes, name) in enumerate(zip_longest(grid.flat, cut)):
        if name is None:
            axes.set_visible(False)
            continue
        axes.set_title(label(name, 24), fontsize=8, pad=3)
        axes.tick_params(labelsize=7, labelbottom=not shared or place >= len(cut) - across)
        draw(axes, place)
    figure.supxlabel(labels[0], fontsize=9, y=0.1 / high)
    figure.supylabel(labels[1], fontsize=9)
    # Margins by hand, in inches: fitting them to many plots would take longer than drawing.
    figure.subplots_adjust(
        left=0.85 / wide, right=1 - 0.2 / wide, bottom=0.6 / high, top=1 - 0.7 / high,
        wspace=0.08 if shared else 0.25, hspace=0.28 if shared else 0.4,
    )  # fmt: skip
    return figure


def first_of(title: str, count: int, total: int) -> str:
    """The title, and how many engines the plot has if it leaves some out."""
    return title if count == total else f"{title}: the first {count} of {total}"


def picture(figure: Figure, form: str) -> bytes:
    """The figure as SVG or PNG: the same bytes for the same figure, without a date."""
    out = BytesIO()
    about = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
    with styled():
        if figure.get_layout_engine() is not None:  # once is enough
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
        figure.savefig(out, format=form, dpi=DPI, metadata=about)
    return out.getvalue()


def whole_numbers(axes: Axes) -> None:
    """Ticks at whole numbers on both axes, for counts of games by ply."""
    from matplotlib.ticker import MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=15))


def name_rows(axes: Axes, names: Sequence[str], at: Sequence[int] | None = None) -> None:
    """Name the rows of engines at the left, the first on top; `at` is where, if there are gaps."""
    places = range(len(names)) if at is None else at
    axes.set_yticks(places, [label(name) for name in names])
    axes.set_ylim(max(places) + 0.6, -0.6)
    axes.grid(visible=False, axis="y")


def line_style(player: int) -> dict[str, Any]:
    """How the lines of a player look in every plot."""
    lap = player // len(COLOURS)  # each time round, a colour has another mark
    return {
        "color": COLOURS[player % len(COLOURS)],
        "marker": MARKERS[(player + lap) % len(MARKERS)],
        "linestyle": DASHES[(player + lap) % len(DASHES)],
        "markeredgecolor": PAPER,
        "markeredgewidth": 0.6,
    }


def label(name: str, longest: int = MAX_NAME) -> str:
    """A name as it can be drawn: not too long, only characters of the font."""
    drawable = _characters()
    text = "".join(char if ord(char) in drawable and char.isprintable() else "?" for char in name)
    return cut_name(" ".join(text.split()) or "?", longest)


@cache
def _characters() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())


def time_tick(seconds: float) -> str:
    """A power of ten on an axis of times."""
    for unit, letters in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= 0.999 * unit:
            return f"{seconds / unit:g} {letters}"
    return f"{seconds * 1e9:g} ns"
