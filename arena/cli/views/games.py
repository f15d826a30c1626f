"""The games of a journal on the screen: one line each, as they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.text import Text

from arena.cli.views.match import mistake_lines, repeated_lines
from arena.engine.errors import Mistakes
from arena.game.notation import write_moves
from arena.journal import Journal
from arena.play.record import GOOD_ENDS, GameRow
from arena.printable import printable
from arena.show.names import cut_name
from arena.show.numbers import duration, how_many
from arena.show.terminal import console, dash, dot, symbol

OTHER_COLUMNS = 62  # of a line, without the names


def list_games(journal: Journal, rows: Iterable[GameRow]) -> None:
    """Print a heading, the games, and how many of all they are."""
    out = console()
    total, shown = journal.count(), 0
    lines = _Lines(journal, out.width)
    for heading in lines.heading():
        out.print(heading, style="dim", soft_wrap=True)
    for row in rows:
        shown += 1
        for line in lines.game(row):
            if out.is_terminal:
                out.print(line, soft_wrap=True)
            else:
                print(line.plain.rstrip())
    for words in repeated_lines(lines.mistakes):
        out.print(Text(f"\n{words}", style="red"), soft_wrap=True)
    part = "" if shown == total else f"{shown:,} of "
    out.print(f"\n{part}{how_many(total, 'game')}" if total else "no games yet", style="dim")


class _Lines:
    """Lines of a table whose names are as wide as the line-up asks and the screen allows."""

    def __init__(self, journal: Journal, screen: int) -> None:
        self.header = journal.header
        self.rules = journal.header.rules
        self.mistakes = Mistakes()
        self.names = [printable(name) for name in journal.header.names]
        longest = max(map(len, self.names), default=0)
        room = (screen - OTHER_COLUMNS) // 2
        self.width = max(len("second (O)"), min(longest, room))

    def heading(self) -> Iterator[Text]:
        """What is listed, and the names of the columns."""
        yield Text(f"{printable(self.header.name)} {dot()} {self.rules}\n")
        names = f"{'first (X)':{self.width}}  {'second (O)':{self.width}}"
        yield Text(f"{'game':>7}  round  {names}  result  plies  opening      time  ended by")

    def game(self, row: GameRow) -> Iterator[Text]:
        """A game on its line, and on the next what went wrong, if something did."""
        line = Text(f"{row.number:>7}  {row.round:>5}  ")
        for player, won in ((row.first, row.result > 0), (row.second, row.result < 0)):
            name = cut_name(self.names[player], self.width)
            line.append(f"{name:{self.width}}  ", style="bold green" if won else "")
        line.append(f"{result_words(row.result):^6}  {len(row.moves):>5}  ")
        opening = write_moves(row.opening, self.rules) or dash()
        line.append(f"{opening:7}  ", style="dim").append(f"{duration(row.seconds):>8}  ")
        bad = row.reason not in GOOD_ENDS
        yield line.append(printable(row.reason), style="red" if bad else "")
        if bad and row.detail:
            mistake = self.mistakes.add(row.number, row.detail, row.log)
            for words in mistake_lines(mistake):
                yield Text(f"{'':9}{words}", style="red")


def result_words(result: int) -> str:
    """The result as players write it."""
    return {1: "1-0", 0: symbol("½-½", "draw"), -1: "0-1"}[result]
