"""The pages of the full screen: a question of the menu, and a game with its board and clocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from arena.cli.playing.board import Falling, Painter
from arena.cli.playing.themes import Theme
from arena.cli.playing.view import Question, clock_words
from arena.game.position import Position
from arena.printable import printable

if TYPE_CHECKING:
    from arena.human.sitting import Sitting

TITLE = "Connect Arena"
FOOT = "Enter takes what is in brackets; back, quit"
FIRST_PLAYER_LINE = 3  # of a game's page, counted from 1
LEAST_BELOW = 2  # lines under the board, so that it stays where it is from page to page

Page = list[Text]


@dataclass(frozen=True)
class Pages:
    """Lays pages out for a window; the line under a page is that of the prompt."""

    theme: Theme
    out: Console

    @property
    def painter(self) -> Painter:
        """Who draws the boards."""
        return Painter(self.theme, not self.out.no_color, self.out.width)

    def menu(self, question: Question) -> Page:
        """A question with its choices, the usual one marked."""
        page = [Text(TITLE, style="bold"), Text(question.trail, style="dim"), Text()]
        page.append(Text(question.words, style="bold"))
        width = max((len(item.word) for item in question.items), default=0)
        for number, item in enumerate(question.items, start=1):
            chosen = item.word == question.usual
            line = Text().append(f"{number:>4}  ", style="dim")
            line.append(f"{item.word:{width}}", style="bold green" if chosen else "")
            page.append(line.append(f"  {item.about}"))
        page += [Text(f"      {question.free}", style="dim")] if question.free else []
        page += [Text(question.note, style="red")] if question.note else []
        return [*page, Text(FOOT, style="dim")]

    def afterwards(self, question: Question) -> Page:
        """What can be done after a game, to stand under its last board."""
        words = "   ".join(item.word for item in question.items)
        line = Text().append(question.words, style="bold").append(f"   {words}")
        return [line, *([Text(question.note, style="red")] if question.note else [])]

    def game(
        self,
        title: str,
        sitting: Sitting,
        below: Sequence[Text],
        seconds: float | None = None,
        falling: tuple[Position, Falling] | None = None,
    ) -> Page:
        """Title, players, board and what stands below; `seconds` are left to the person to move."""
        head = [Text(title, style="dim"), Text()]
        head += [self.player(sitting, seat, seconds) for seat in (0, 1)]
        under = [part for line in below for part in line.wrap(self.out, self.out.width)]
        under = [*[Text()] * (LEAST_BELOW - len(under)), *under]
        position, disc = falling or (sitting.position, None)
        room = self.out.height - len(head) - len(under) - 1
        roomy = self.painter.rows(position.rules, roomy=True) <= room
        room -= self.painter.rows(position.rules, roomy)
        board = self.painter.board(position, roomy, disc)
        return [*head, *[Text()] * (room > 0), *board, *[Text()] * (room > 1), *under]

    def player(self, sitting: Sitting, seat: int, seconds: float | None) -> Text:
        """Who sits here, and the time left: in all, and in this turn."""
        is_next = sitting.ending is None and sitting.to_move == seat
        width = max(cell_len(player.name) for player in sitting.seats)
        line = Text().append(" > " if is_next else "   ", style="bold")
        line.append(self.painter.disc(seat)).append(" ")
        line.append(set_cell_size(printable(sitting.seats[seat].name), width))
        line.append(f"  {self.theme.colours[seat]:<7}", style="dim")
        spent = 0.0
        if is_next and seconds is not None:
            spent = max(0.0, (sitting.allowed(seat) or 0.0) - seconds)
        left = sitting.referee.clocks[seat].left
        if left is not None:
            line.append(f"  {clock_words(left - spent)}", style="bold")
        if sitting.pace.seconds is not None and is_next:
            line.append(f"  this turn {clock_words(sitting.pace.seconds - spent)}")
        return line
