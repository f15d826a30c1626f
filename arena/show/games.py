"""Games as lines of a list: the same for a match that is played and for a journal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from arena.engine.errors import EngineMistakes
from arena.game.notation import write_moves
from arena.game.rules import Rules
from arena.show.numbers import UNKNOWN, duration
from arena.show.table import cut_name
from arena.show.terminal import symbol
from arena.table.game import GOOD_ENDS, Game
from arena.text import printable

OTHER_COLUMNS = 62  # characters of a line, without the names


def result_words(result: int) -> str:
    """A result as players write it."""
    return {1: "1-0", 0: symbol("½-½", "draw"), -1: "0-1"}[result]


class GameLines:
    """Lines whose names are as wide as the line-up needs and the screen allows."""

    def __init__(self, names: Sequence[str], rules: Rules, screen: int) -> None:
        self.names = [printable(name) for name in names]
        self.rules = rules
        self.mistakes = EngineMistakes()
        longest = max(map(len, self.names), default=0)
        self.width = max(len("second (O)"), min(longest, (screen - OTHER_COLUMNS) // 2))

    def heading(self) -> Text:
        """The names of the columns."""
        names = f"{'first (X)':{self.width}}  {'second (O)':{self.width}}"
        return Text(f"{'game':>7}  round  {names}  result  plies  opening      time  ended by")

    def lines(self, game: Game) -> Iterator[Text]:
        """A game on its line, and what went wrong on the next ones."""
        line = Text(f"{game.number:>7}  {game.round:>5}  ")
        for player, won in ((game.first, game.result > 0), (game.second, game.result < 0)):
            name = cut_name(self.names[player], self.width)
            line.append(f"{name:{self.width}}  ", style="bold green" if won else "")
        line.append(f"{result_words(game.result):^6}  {len(game.moves):>5}  ")
        opening = write_moves(game.opening, self.rules) or UNKNOWN
        line.append(f"{opening:7}  ", style="dim").append(f"{duration(game.seconds):>8}  ")
        is_bad = game.reason not in GOOD_ENDS
        yield line.append(printable(game.reason), style="red" if is_bad else "")
        if is_bad and game.detail:
            loser = "" if game.loser is None else self.names[game.loser]
            mistake = self.mistakes.add(game.number, game.detail, game.log, loser)
            for words in mistake.lines():
                yield Text(f"{'':9}{words}", style="red")
