"""A match on the screen: a line a game, the last board, and what it all adds up to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from arena.cli.views.compare import verdict
from arena.engine.errors import Mistake, Mistakes
from arena.engine.registry import engine_words
from arena.game.notation import write_moves
from arena.game.position import DISCS
from arena.game.rules import Rules
from arena.play import GameRecord
from arena.play.record import in_words
from arena.printable import printable
from arena.runners.match import MoveTotals, Side, move_totals
from arena.show.board import COLOURS, board_text
from arena.show.numbers import amount, duration, percent_range, whole, whole_percent
from arena.show.progress import Progress
from arena.show.table import Cell, Column, Table, cut_name
from arena.show.terminal import console, dot, symbol
from arena.standings.compare import head_to_head, match_scoreboard
from arena.standings.moves import BUSY, WHY_LONG
from arena.standings.scoreboard import WDL

OTHER_COLUMNS = 34  # of a line, without the names and how the game ended
SCORE = (
    Column("won", whole), Column("drawn", whole), Column("lost", whole),
    Column("score", whole_percent), Column("95 %", str), Column("a move", duration),
    Column("longest", duration), Column("nodes/s", amount), Column("depth", whole),
)  # fmt: skip
SCORE_COLUMNS = 68  # of the score, without the name


class MatchView:
    """Shows the games of a match as they end, and then the score."""

    def __init__(self, rules: Rules, sides: tuple[Side, Side], games: int, seed: int) -> None:
        self.rules = rules
        self.sides = sides
        self.games = games
        self.seed = seed
        self.out = console()
        self.names = [side.name for side in sides]
        self.labels = _labels(sides)
        self.mistakes = Mistakes()
        longest = max(map(len, self.labels.values()))
        endings = max(len(direction.name_on(rules.is_flat)) for direction in rules.directions)
        room = (self.out.width - OTHER_COLUMNS - endings) // 2
        self.width = max(len("second (O)"), min(longest, room))

    def show(self, playing: Iterable[GameRecord]) -> None:
        """Print each game when it is over, and the summary after the last one."""
        self.out.print(self._title())
        self.out.print(self._heading(), style="dim")
        records: list[GameRecord] = []
        ahead = 0
        with Progress("playing games", self.games, at_once=True) as progress:
            for record in playing:
                records.append(record)
                ahead += record.result if record.players[0] == self.names[0] else -record.result
                progress.clear()
                self._print_game(len(records), record)
                progress.show(len(records), self._standing(ahead))
        self._print_board(records[-1])
        self._print_score(records)

    def _standing(self, ahead: int) -> str:
        if ahead == 0:
            return "level"
        leader = self.labels[self.names[0] if ahead > 0 else self.names[1]]
        return f"{leader} leads by {abs(ahead)}"

    def _title(self) -> Text:
        title = Text()
        for seat, side in enumerate(self.sides):
            title.append(side.name, style="bold")
            title.append(" against " if seat == 0 else "")
        limits = dict.fromkeys(str(side.limits) for side in self.sides)
        games = "1 game" if self.games == 1 else f"{self.games} games"
        parts = [str(self.rules), games, " / ".join(limits), f"seed {self.seed}"]
        return title.append(f"\n{f' {dot()} '.join(parts)}\n", style="dim")

    def _heading(self) -> str:
        names = f"{'first (X)':{self.width}}  {'second (O)':{self.width}}"
        return f"{'game':>4}  {names}  result  plies  opening  ended by"

    def _print_game(self, number: int, record: GameRecord) -> None:
        row = Text(f"{number:>4}  ")
        for seat, name in enumerate(record.players):
            style = "bold green" if record.winner == seat else ""
            row.append(f"{cut_name(self.labels[name], self.width):{self.width}}  ", style=style)
        row.append(f"{_result(record):^6}  {record.plies:>5}  ")
        row.append(f"{write_moves(record.opening, self.rules):7}  ", style="dim")
        forfeited = record.reason not in ("line", "full board")
        row.append(_ending(record), style="red" if forfeited else "")
        self.out.print(row, soft_wrap=True)
        if forfeited:
            mistake = self.mistakes.add(number, record.detail, record.trace)
            for line in mistake_lines(mistake):
                self.out.print(Text(f"      {line}", style="red"), soft_wrap=True)

    def _print_board(self, record: GameRecord) -> None:
        final = record.final()
        self.out.print(f"\nthe last game: {write_moves(record.columns, self.rules)}\n", style="dim")
        self.out.print(board_text(final))
        legend = Text("\n  ")
        for seat, name in enumerate(record.players):
            legend.append(DISCS[seat], style=COLOURS[seat]).append(f" {name}   ")
        self.out.print(legend)
        for line in final.winning_lines:
            self.out.print(f"  {DISCS[line.player]} wins by a {in_words(line, self.rules)}")
        if record.winner is None:
            self.out.print(f"  a draw: {record.detail}")
        elif record.reason != "line":
            self.out.print(f"  {DISCS[record.winner]} wins: {record.detail}")
        self.out.print()

    def _print_score(self, records: Sequence[GameRecord]) -> None:
        scoreboard = match_scoreboard(records, self.names)
        rows = tuple(
            (cut_name(self.labels[name], max(10, self.out.width - SCORE_COLUMNS)),
             *_cells(score, move_totals(records, name)))
            for name, score in zip(self.names, scoreboard.scores, strict=True)
        )  # fmt: skip
        leads = ["bold green" if score.won > score.lost else "" for score in scoreboard.scores]
        self.out.print(Table("", (Column(""), *SCORE), rows).screen(ruled=False, styles=leads))
        difference = head_to_head(scoreboard)
        if difference is not None:
            names = self.labels[self.names[0]], self.labels[self.names[1]]
            self.out.print(Text(f"\n{verdict(names, difference)}"))
        self._print_notes(records)

    def _print_notes(self, records: Sequence[GameRecord]) -> None:
        for line in repeated_lines(self.mistakes):
            self.out.print(Text(f"\n{line}", style="red"))
        distinct = len({record.columns for record in records})
        if distinct < len(records):
            self.out.print(
                f"\n{distinct} of {len(records)} games are distinct; more opening plies vary them",
                style="dim",
            )
        moves = [move for record in records for move in record.moves]
        wall, cpu = sum(move.seconds for move in moves), sum(move.cpu for move in moves)
        if wall > BUSY * cpu and wall > 1.0:
            times = f"{duration(wall)} on the wall for {duration(cpu)} of the processor"
            self.out.print(f"\n{times}: {WHY_LONG}", style="yellow")


def mistake_lines(mistake: Mistake) -> Iterator[str]:
    """What went wrong in a game, with the engine's frames; what is known already, in short."""
    if not mistake.is_new:
        yield f"the same as in game {mistake.first}"
        return
    yield printable(mistake.detail)
    yield from map(printable, mistake.trace.splitlines())


def repeated_lines(mistakes: Mistakes) -> Iterator[str]:
    """Each mistake that was made more than once, with a count."""
    for mistake in mistakes:
        if not mistake.is_new:
            first = f"first in game {mistake.first}"
            yield printable(f"{mistake.count} times, {first}: {mistake.detail}")


def _labels(sides: Sequence[Side]) -> dict[str, str]:
    """What to call the sides in a table: the engine alone, where that tells them apart."""
    short = [engine_words(side.name)[0] for side in sides]
    same = short[0] == short[1]
    return {
        side.name: side.name if same else label for side, label in zip(sides, short, strict=True)
    }


def _result(record: GameRecord) -> str:
    half = symbol("½-½", "draw")
    return {1: "1-0", 0: half, -1: "0-1"}[record.result]


def _ending(record: GameRecord) -> str:
    """How a game ended: the direction of the line, or what else decided it."""
    line = record.final().winning_line if record.reason == "line" else None
    return line.direction if line else str(record.reason)


def _cells(score: WDL, totals: MoveTotals) -> tuple[Cell, ...]:
    longest = totals.longest if totals.moves else None
    return (*score, score.share, percent_range(*score.interval), totals.mean_seconds, longest,
            totals.node_rate, totals.depth)  # fmt: skip
