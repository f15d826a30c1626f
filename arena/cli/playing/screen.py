"""The full screen: pages that are drawn over each other, a prompt below, and a running clock."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.text import Text

from arena.cli.playing.board import Falling, last_cell
from arena.cli.playing.lines import Lines
from arena.cli.playing.pages import FIRST_PLAYER_LINE, TITLE, Pages
from arena.cli.playing.themes import Theme
from arena.cli.playing.view import OutOfTime, Question, move_words
from arena.game.notation import play_moves
from arena.human.commands import columns_in_words
from arena.printable import printable
from arena.show.terminal import console, dot

if TYPE_CHECKING:
    from arena.human.sitting import Sitting

ENTER_SCREEN, LEAVE_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
HOME, TO_LINE_END, TO_SCREEN_END = "\x1b[H", "\x1b[K", "\x1b[J"
SAVE, RESTORE = "\x1b7", "\x1b8"
TICK = 0.5  # seconds between two looks at a running clock
FRAME = 0.02  # seconds for each cell that a disc falls
WORDS = "hint, undo, opinion, moves, resign, help, back, quit"


class Screen:
    """Draws whole pages on a screen of its own; what was there before comes back at the end."""

    def __init__(self, theme: Theme) -> None:
        self.out = console()
        self.lines = Lines()
        self.theme = theme
        self.pages = Pages(theme, self.out)
        self.title = ""
        self.news: list[Text] = []  # the last move in words, or what somebody wants to know
        self.drawn = 0  # lines of the last page

    @contextmanager
    def open(self) -> Iterator[None]:
        """A screen of its own, gone afterwards whatever happens."""
        self._write(ENTER_SCREEN)
        try:
            yield
        finally:
            self._write(LEAVE_SCREEN)

    def ask(self, question: Question, after: Sitting | None = None) -> str:
        """Draw a question, alone or below the final board, and read the answer."""
        if after is None:
            self._draw(self.pages.menu(question))
        else:
            below = [*self.news, *self.pages.afterwards(question)]
            self._draw(self.pages.game(self.title, after, below))
        self._write(f"({question.usual}) > ")
        return self._line()

    def preparing(self, title: str) -> None:
        """An empty page on which compiling can tell of itself."""
        self._draw([Text(TITLE, style="bold"), Text(title, style="dim"), Text()])

    def begin(self, sitting: Sitting, title: Sequence[str]) -> None:
        """Forget the game before."""
        self.title = f" {dot()} ".join(title)
        self.news = []

    def thinking(self, sitting: Sitting, words: str) -> None:
        """Draw the board and who is busy."""
        below = [*self.news, Text(f"{words} ...", style="dim")]
        self._draw(self.pages.game(self.title, sitting, below))

    def moved(self, sitting: Sitting) -> None:
        """Let the last disc fall, and draw the board."""
        self.news = [Text(f"  {move_words(sitting, f' {dot()} ')}")]
        if sitting.position.rules.is_flat:
            self._fall(sitting)
        self._draw(self.pages.game(self.title, sitting, self.news))

    def taken_back(self, sitting: Sitting, words: str) -> None:
        """Tell it below the board as it is again."""
        self.tell([words])

    def ask_move(self, sitting: Sitting, seconds: float | None) -> str:
        """Draw the board, and wait for a line while the clock runs."""
        until = None if seconds is None else time.monotonic() + seconds
        words = f"{columns_in_words(sitting.position.rules)}, or {WORDS}"
        below = [*self.news, Text(words, style="dim")]
        self._draw(self.pages.game(self.title, sitting, below, seconds))
        self._write(f"{sitting.seats[sitting.to_move].name} > ")
        while until is not None:
            left = until - time.monotonic()
            line = self.lines.read(max(0.0, min(TICK, left)))
            if line is not None:
                return line
            if left <= 0:
                self.lines.forget()
                raise OutOfTime
            self._tick(sitting, until - time.monotonic())
        return self._line()

    def tell(self, lines: Sequence[str]) -> None:
        """Show it below the board until the next move."""
        self.news = [Text(f"  {printable(line)}", style="cyan") for line in lines]

    def over(self, sitting: Sitting, lines: Sequence[str]) -> None:
        """Show how it ended below the board."""
        self.tell(lines)
        outcome = printable(sitting.outcome(self.theme.colours))
        self.news.insert(0, Text(f"  {outcome}", style="bold cyan"))

    def pause(self, seconds: float) -> str | None:
        """Wait a little, listening."""
        self._write("(back, quit) > ")
        return self.lines.read(seconds)

    def _fall(self, sitting: Sitting) -> None:
        """The last disc on its way down."""
        rules = sitting.position.rules
        before = play_moves([move.column for move in sitting.moves[:-1]], rules)
        landed = last_cell(sitting.position)
        assert landed is not None
        for z in range(rules.height - 1, landed[2], -1):
            falling = before, Falling((landed[0], landed[1], z), before.to_move)
            self._draw(self.pages.game(self.title, sitting, self.news, falling=falling))
            time.sleep(FRAME)

    def _tick(self, sitting: Sitting, seconds: float) -> None:
        """Draw the running clock anew, without touching what is being typed."""
        if self.drawn >= self.out.height:
            return  # the page has scrolled, and nobody knows where its lines are
        seat = sitting.to_move
        place = f"\x1b[{FIRST_PLAYER_LINE + seat};1H"
        line = self._ansi(self.pages.player(sitting, seat, seconds))
        self._write(f"{SAVE}{place}{line}{TO_LINE_END}{RESTORE}")

    def _draw(self, page: Sequence[Text]) -> None:
        """Replace the page that is there, line by line, so that nothing flickers."""
        lines = [part for line in page for part in line.wrap(self.out, self.out.width)]
        text = self._ansi(Text("\n").join([*lines, Text()]))
        self.drawn = len(lines)
        self._write(HOME + text.replace("\n", f"{TO_LINE_END}\r\n") + TO_SCREEN_END)

    def _ansi(self, text: Text) -> str:
        with self.out.capture() as captured:
            self.out.print(text, end="", soft_wrap=True)
        return captured.get()

    def _line(self) -> str:
        line = self.lines.read()
        assert line is not None
        return line

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
