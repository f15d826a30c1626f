"""The full screen: pages that are drawn over each other, a prompt below, and a running clock."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from arena.human.board import Painter
from arena.human.game import HumanGame
from arena.human.game_loop import COMMANDS
from arena.human.menu import MenuPage
from arena.human.view import View, clock_words, columns_in_words, last_move_words
from arena.show.board import COLOURS
from arena.show.terminal import console, dot
from arena.text import printable

ENTER_SCREEN, LEAVE_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
HOME, TO_LINE_END, TO_SCREEN_END = "\x1b[H", "\x1b[K", "\x1b[J"
SAVE, RESTORE = "\x1b7", "\x1b8"
TICK = 0.5  # seconds between two looks at a running clock
TITLE = "Connect Arena"
FIRST_PLAYER_LINE = 3  # of a game's page, counted from 1
MIN_BELOW = 2  # lines under the board, so that it stays where it is from page to page


class ScreenView(View):
    """Draws whole pages on a screen of its own; what was there before comes back at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.out = console()
        self.title = ""
        self.news: list[Text] = []  # the last move in words, or what somebody wants to know
        self.page_lines = 0  # lines of the last page

    @contextmanager
    def open(self) -> Iterator[None]:
        """A screen of its own, gone afterwards whatever happens."""
        self._write(ENTER_SCREEN)
        try:
            yield
        finally:
            self._write(LEAVE_SCREEN)

    def ask(self, page: MenuPage, after: HumanGame | None = None) -> str:
        """Draw a question, alone or below the final board, and read the answer."""
        note = [Text(page.note, style="red")] if page.note else []
        if after is None:
            foot = Text("Enter takes what is in brackets; back, quit", style="dim")
            self._draw([*self._menu(page), *note, foot])
        else:
            words = "   ".join(item.word for item in page.items)
            line = Text().append(page.question, style="bold").append(f"   {words}")
            self._draw_game(after, [*self.news, line, *note])
        self._write(f"({page.usual}) > ")
        return self.lines.next()

    def preparing(self, title: str) -> None:
        """Clear the page for the progress of compiling."""
        self._draw([Text(TITLE, style="bold"), Text(title, style="dim"), Text()])

    def begin(self, game: HumanGame, title: Sequence[str]) -> None:
        """Forget the game before."""
        self.title = f" {dot()} ".join(title)
        self.news = []

    def thinking(self, game: HumanGame, words: str) -> None:
        """Draw the board and who is busy."""
        self._draw_game(game, [*self.news, Text(f"{words} ...", style="dim")])

    def moved(self, game: HumanGame) -> None:
        """Draw the board and describe the last move."""
        self.news = [Text(f"  {last_move_words(game, f' {dot()} ')}")]
        self._draw_game(game, self.news)

    def taken_back(self, game: HumanGame, words: str) -> None:
        """Say below the board what was taken back."""
        self.tell([words])

    def ask_move(self, game: HumanGame, seconds: float | None) -> str | None:
        """Draw the board, and wait for a line while the clock runs."""
        until = None if seconds is None else time.monotonic() + seconds
        commands = [name for name in COMMANDS if name != "steal" or game.position.can_steal]
        words = f"{columns_in_words(game.rules)}, or {', '.join(commands)}"
        self._draw_game(game, [*self.news, Text(words, style="dim")], seconds)
        self._write(f"{game.players[game.to_move]} > ")
        if until is None:
            return self.lines.next()
        while (left := until - time.monotonic()) > 0:
            line = self.lines.read(min(TICK, left))
            if line is not None:
                return line
            self._tick(game, until - time.monotonic())
        self.lines.forget()
        return None

    def tell(self, lines: Sequence[str]) -> None:
        """Show it below the board until the next move."""
        self.news = [Text(f"  {printable(line)}", style="cyan") for line in lines]

    def over(self, game: HumanGame, lines: Sequence[str]) -> None:
        """Show how it ended below the board."""
        self.tell(lines)
        outcome = printable(game.outcome(COLOURS))
        self.news.insert(0, Text(f"  {outcome}", style="bold cyan"))

    def pause(self, seconds: float) -> str | None:
        """Wait a little, listening."""
        self._write("(back, quit) > ")
        return self.lines.read(seconds)

    def _menu(self, page: MenuPage) -> list[Text]:
        """A question with its choices, the usual one marked."""
        answers = f" {dot()} ".join(page.answers)
        lines = [Text(TITLE, style="bold"), Text(answers, style="dim"), Text()]
        lines.append(Text(page.question, style="bold"))
        width = max((len(item.word) for item in page.items), default=0)
        for number, item in enumerate(page.items, start=1):
            line = Text().append(f"{number:>4}  ", style="dim")
            style = "bold green" if item.word == page.usual else ""
            lines.append(line.append(f"{item.word:{width}}", style).append(f"  {item.about}"))
        if page.other_answers:
            lines.append(Text(f"      {page.other_answers}", style="dim"))
        return lines

    def _painter(self) -> Painter:
        return Painter(not self.out.no_color, self.out.width)

    def _player(self, game: HumanGame, seat: int, seconds: float | None) -> Text:
        """A player, and the time left: in all, and in this turn."""
        is_next = game.ending is None and game.to_move == seat
        width = max(map(cell_len, game.players))
        line = Text().append(" > " if is_next else "   ", style="bold")
        line.append(self._painter().disc(seat)).append(" ")
        line.append(set_cell_size(printable(game.players[seat]), width))
        line.append(f"  {COLOURS[seat]:<7}", style="dim")
        spent = 0.0
        if is_next and seconds is not None:
            spent = max(0.0, (game.allowed(seat) or 0.0) - seconds)
        left, turn = game.clocks[seat].left, game.time_control.seconds
        if left is not None:
            line.append(f"  {clock_words(left - spent)}", style="bold")
        if turn is not None and is_next:
            line.append(f"  this turn {clock_words(turn - spent)}")
        return line

    def _tick(self, game: HumanGame, seconds: float) -> None:
        """Redraw the running clock without touching what is being typed."""
        if self.page_lines >= self.out.height:
            return  # the page has scrolled, and its lines have moved
        seat = game.to_move
        place = f"\x1b[{FIRST_PLAYER_LINE + seat};1H"
        line = self._ansi(self._player(game, seat, seconds))
        self._write(f"{SAVE}{place}{line}{TO_LINE_END}{RESTORE}")

    def _draw_game(
        self, game: HumanGame, below: Sequence[Text], seconds: float | None = None
    ) -> None:
        """Draw title, players, board and the lines below; the person to move has `seconds` left."""
        head = [Text(self.title, style="dim"), Text()]
        head += [self._player(game, seat, seconds) for seat in (0, 1)]
        under = [part for line in below for part in line.wrap(self.out, self.out.width)]
        under = [*[Text()] * (MIN_BELOW - len(under)), *under]
        room = self.out.height - len(head) - len(under) - 1
        board = self._painter().board(game.position, roomy=True)
        if len(board) > room:
            board = self._painter().board(game.position)
        room -= len(board)
        self._draw([*head, *[Text()] * (room > 0), *board, *[Text()] * (room > 1), *under])

    def _draw(self, page: Sequence[Text]) -> None:
        """Replace the page that is there, line by line, so that nothing flickers."""
        lines = [part for line in page for part in line.wrap(self.out, self.out.width)]
        text = self._ansi(Text("\n").join([*lines, Text()]))
        self.page_lines = len(lines)
        self._write(HOME + text.replace("\n", f"{TO_LINE_END}\r\n") + TO_SCREEN_END)

    def _ansi(self, text: Text) -> str:
        with self.out.capture() as captured:
            self.out.print(text, end="", soft_wrap=True)
        return captured.get()

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
