"""Draw the dashboard in the middle of tournaments/quickstart.yaml, as an SVG for the README.

    python -m tests.dashboard.screenshot

plays two fifths of the tournament, draws the frame of a terminal of 110 x 34, and writes
reports/dashboard.svg. The engines get more nodes and playouts than in the file, as games of ten
milliseconds are over before anybody sees a board. It takes about a minute.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from arena.dashboard.cells import UNICODE, Block
from arena.dashboard.content import FrameContent
from arena.dashboard.frame import draw
from arena.dashboard.state import RunState
from arena.journal import Journal
from arena.session import Run, Watcher, Watchers, header_of
from arena.show.board import as_text
from arena.table.runner import TableView
from arena.tournament.load import load_text
from arena.tournament.spec import Tournament

TOP = Path(__file__).parents[2]
QUICKSTART = TOP / "tournaments" / "quickstart.yaml"
TARGET = TOP / "reports" / "dashboard.svg"
WORKERS = 4
SIZE = (110, 34)
SHARE = 0.4  # of the games, when the picture is taken
LIVE = 7  # discs that the board of every table shows at least
FONT_SIZE = 21  # pixels; so large that frames have no gaps between lines
FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


class Photographer(Watcher):
    """Takes a picture as soon as enough games are over and every board has something on it."""

    def __init__(self, state: RunState) -> None:
        self.state = state
        self.frame: Block | None = None

    def tick(self, tables: Sequence[TableView]) -> None:
        """Look, and stop the run when the picture is taken."""
        shown = self.state.snapshot(tables)
        boards = [t for t in shown.tables if t.position is not None and t.position.ply >= LIVE]
        alive = [table for table in boards if table.ended is None]
        if sys.stderr.isatty():
            print(f"\r{shown.done}/{shown.total} games", end="", file=sys.stderr, flush=True)
        if (
            shown.done >= SHARE * shown.total
            and len(boards) == len(shown.tables)
            and len(alive) > 1
        ):
            self.frame = draw(FrameContent(shown, UNICODE), *SIZE)
            raise KeyboardInterrupt


def photograph(tournament: Tournament) -> Block:
    """Play until the picture is taken."""
    state = RunState()
    photographer = Photographer(state)
    with Journal.open(tournament.output / "games.db", header_of(tournament)) as journal:
        session = Run(tournament, journal, Watchers(state, photographer))
        with suppress(KeyboardInterrupt):
            session.run("screenshot")
    assert photographer.frame is not None, "the tournament was over too soon"
    return photographer.frame


def as_svg(frame: Block) -> str:
    """The frame as rich exports it, with fonts that every machine has."""
    console = Console(record=True, width=SIZE[0], file=io.StringIO(), force_terminal=True,
                      color_system="truecolor", legacy_windows=False)  # fmt: skip
    console.print(as_text(frame, margin=""))
    style = re.sub(r"<!--.*?-->|@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    style = style.replace("Fira Code, monospace", FONTS)
    style = style.replace("font-size: {char_height}px", f"font-size: {FONT_SIZE}px")
    return console.export_svg(title="arena run", code_format=style, unique_id="dashboard")


def main() -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        text = QUICKSTART.read_text(encoding="utf-8")
        for few in ("nodes: 20000", "playouts: 2000"):
            assert few in text
            text = text.replace(few, few + "00")
        text += f"\nworkers: {WORKERS}\noutput: {folder}\n"
        svg = as_svg(photograph(load_text(text, Path(folder) / "t.yaml")))
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(svg, encoding="utf-8")
    print(TARGET)


if __name__ == "__main__":
    main()
