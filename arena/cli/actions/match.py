"""The body of `arena match`: two sides, their games as they end, and what it all adds up to."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.text import Text

from arena.bots.find import build_engine, check_adapter, without_openings
from arena.bots.hosted import PipedEngine
from arena.bots.names import BotName, engine_words, read_engine, side_names
from arena.cli.actions.games import result_words
from arena.engine.contract import Engine, Limits
from arena.engine.errors import EngineMistakes
from arena.engine.registry import check_shared_process
from arena.errors import BadOption
from arena.game.notation import write_moves
from arena.game.position import DISCS
from arena.game.rules import Rules
from arena.session import crowded, seating_of
from arena.show.board import COLOURS, board_text
from arena.show.numbers import amount, duration, percent_range, whole, whole_percent
from arena.show.progress import Progress, counted, warm_up_with_progress
from arena.show.strength import difference_data, verdict
from arena.show.table import Column, Table, cut_name
from arena.show.terminal import console, dot, print_json
from arena.standings.evidence import Estimate, ends_of
from arena.standings.games import WDL, Games
from arena.standings.timekeeping import BUSY, WHY_LONG
from arena.table.game import GOOD_ENDS, Game, in_words
from arena.table.match import MoveTotals, Side, move_totals, play_match, play_match_on_tables
from arena.text import printable
from arena.tournament.games import Player
from arena.tournament.openings import RandomPlies
from arena.tournament.spec import Tournament

OTHER_COLUMNS = 34  # of a line, without the names and how the game ended
SCORE = (
    Column(""), Column("won", whole), Column("drawn", whole), Column("lost", whole),
    Column("score", whole_percent), Column("95 %", str), Column("a move", duration),
    Column("longest", duration), Column("nodes/s", amount), Column("depth", whole),
)  # fmt: skip
SCORE_COLUMNS = 68  # of the score, without the name


@dataclass(frozen=True)
class EngineMatch:
    """A match as it is asked for: two engines by their words, and how they are to play."""

    engines: tuple[str, str]
    games: int
    game: str
    limits: Sequence[str]
    seed: int
    opening_plies: int | None
    workers: int | None
    isolated: bool = True
    usual_plies: int = 2  # of openings, where nothing is said

    @cached_property
    def rules(self) -> Rules:
        """The game they play."""
        return Rules.named(self.game)

    @property
    def plies(self) -> int:
        """The length of the openings: with the pie rule the first disc is a player's own."""
        if self.opening_plies is not None:
            return self.opening_plies
        return 0 if self.rules.pie or without_openings(self.engines) else self.usual_plies

    @property
    def notice(self) -> str | None:
        """Why games start from the empty board although nobody asked for that."""
        if self.opening_plies is not None or self.rules.pie:
            return None
        return without_openings(self.engines)

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """The two sides with their limits."""
        first, second = side_names(*self.engines)
        if len(self.limits) > 2:
            raise BadOption(
                f"--limit was given {len(self.limits)} times; once for both engines, or twice"
            )
        limits = [Limits.parse(text) for text in self.limits] or [Limits()]
        if not self.isolated:
            bots = [BotName.parse(engine_words(words)[0]) for words in self.engines]
            names = [bot.in_full(Path.cwd()) for bot in bots]
            check_shared_process(file for name in names for file in name.files)
        return (
            Side(first, self._build(0, limits[0]), limits[0]),
            Side(second, self._build(1, limits[-1]), limits[-1]),
        )

    def _build(self, number: int, limits: Limits) -> Engine:
        """An engine of the match; one from outside must be able to hear of all this."""
        words = self.engines[number]
        check_adapter(words, self.rules, limits, self.plies)
        return build_engine(words, isolated=self.isolated)

    def play(self) -> Iterator[Game]:
        """The games, in this process or on tables, once the engines are warm."""
        rules, sides, games, seed, plies = (
            self.rules, self.sides, self.games, self.seed, self.plies
        )  # fmt: skip
        RandomPlies(rules, plies, seed)  # whether there are any, before anything compiles
        warm_up_with_progress([(side.name, side.engine) for side in sides], rules)
        if self.notice is not None:
            print(printable(f"arena: note: {self.notice}"), file=sys.stderr, flush=True)
        warning = crowded([side.limits for side in sides], self.workers or 1)
        if warning is not None:
            print(printable(f"arena: warning: {warning}"), file=sys.stderr, flush=True)
        workers = self.workers
        if workers is None and any(isinstance(side.engine, PipedEngine) for side in sides):
            workers = 1  # the table takes care of processes that die
        if workers is None:
            return play_match(sides, rules, games, seed, plies)
        players = []
        for words, side in zip(self.engines, sides, strict=True):
            engine, options = read_engine(words)
            players.append(Player(side.name, engine, options, side.limits, self.isolated))
            if isinstance(side.engine, PipedEngine):
                side.engine.close()
        match = Tournament.model_construct(name="match", listed=tuple(players), rules=rules)
        seating = seating_of(match)
        return play_match_on_tables(seating, min(workers, games), games, seed, plies)


def match_engines(match: EngineMatch, as_json: bool) -> None:
    """Play a match and show it, or print it as data."""
    _ = match.rules, match.sides  # mistakes are told before anything is played
    playing = match.play()
    if as_json:
        games = list(counted(playing, "playing games", match.games, at_once=True))
        print_json(_as_data(match, games))
    else:
        MatchView(match).show(playing)


class MatchView:
    """Shows the games of a match as they end, and then the score."""

    def __init__(self, match: EngineMatch) -> None:
        self.match = match
        self.rules = rules = match.rules
        self.out = console()
        self.names = [side.name for side in match.sides]
        short = [engine_words(name)[0] for name in self.names]  # where it tells them apart
        labels = self.names if short[0] == short[1] else short
        self.labels = dict(zip(self.names, labels, strict=True))
        self.mistakes = EngineMistakes()
        endings = max(len(direction.name_on(rules.is_flat)) for direction in rules.directions)
        room = (self.out.width - OTHER_COLUMNS - endings) // 2
        self.width = max(len("second (O)"), min(max(map(len, labels)), room))

    def show(self, playing: Iterable[Game]) -> None:
        """Print each game when it is over, and the summary after the last one."""
        self._print_heading()
        games: list[Game] = []
        ahead = 0
        with Progress("playing games", self.match.games, at_once=True) as progress:
            for game in playing:
                games.append(game)
                ahead += game.result if game.first == 0 else -game.result
                progress.clear()
                self._print_game(game)
                leader = self.labels[self.names[0 if ahead > 0 else 1]]
                standing = f"{leader} leads by {abs(ahead)}" if ahead else "level"
                progress.show(len(games), standing)
        self._print_board(games[-1])
        self._print_score(games)
        self._print_notes(games)

    def _print_heading(self) -> None:
        title = Text().append(self.names[0], style="bold").append(" against ")
        title.append(self.names[1], style="bold")
        limits = dict.fromkeys(str(side.limits) for side in self.match.sides)
        games = "1 game" if self.match.games == 1 else f"{self.match.games} games"
        parts = [str(self.rules), games, " / ".join(limits), f"seed {self.match.seed}"]
        self.out.print(title.append(f"\n{f' {dot()} '.join(parts)}\n", style="dim"))
        names = f"{'first (X)':{self.width}}  {'second (O)':{self.width}}"
        self.out.print(f"{'game':>4}  {names}  result  plies  opening  ended by", style="dim")

    def _print_game(self, game: Game) -> None:
        row = Text(f"{game.number:>4}  ")
        for seat, player in enumerate((game.first, game.second)):
            style = "bold green" if game.winner == seat else ""
            label = cut_name(self.labels[self.names[player]], self.width)
            row.append(f"{label:{self.width}}  ", style=style)
        row.append(f"{result_words(game.result):^6}  {game.plies:>5}  ")
        row.append(f"{write_moves(game.opening, self.rules):7}  ", style="dim")
        forfeited = game.reason not in ("line", "full board")
        line = game.final(self.rules).winning_line if game.reason == "line" else None
        ending = line.direction if line else game.reason
        self.out.print(row.append(ending, style="red" if forfeited else ""), soft_wrap=True)
        if forfeited:
            for words in self.mistakes.add(game.number, game.detail, game.log).lines():
                self.out.print(Text(f"      {words}", style="red"), soft_wrap=True)

    def _print_board(self, game: Game) -> None:
        final = game.final(self.rules)
        self.out.print(f"\nthe last game: {write_moves(game.moves, self.rules)}\n", style="dim")
        self.out.print(board_text(final))
        legend = Text("\n  ")
        for seat, player in enumerate((game.first, game.second)):
            legend.append(DISCS[seat], style=COLOURS[seat]).append(f" {self.names[player]}   ")
        self.out.print(legend)
        for line in final.winning_lines:
            self.out.print(f"  {DISCS[line.player]} wins by a {in_words(line, self.rules)}")
        if game.winner is None:
            self.out.print(f"  a draw: {game.detail}")
        elif game.reason != "line":
            self.out.print(f"  {DISCS[game.winner]} wins: {game.detail}")
        self.out.print()

    def _print_score(self, games: Sequence[Game]) -> None:
        played = Games(self.names, games)
        rows, styles = [], []
        for side, (name, score) in enumerate(zip(self.names, played.scores, strict=True)):
            own, totals = played.score(side), move_totals(games, side)
            rows.append((
                cut_name(self.labels[name], max(10, self.out.width - SCORE_COLUMNS)), *score,
                score.share, _range(own), totals.mean_seconds,
                totals.longest if totals.moves else None, totals.node_rate, totals.depth,
            ))  # fmt: skip
            styles.append("bold green" if score.won > score.lost else "")
        self.out.print(Table("", SCORE, tuple(rows)).screen(ruled=False, styles=styles))
        difference = played.score(0, 1)
        if difference is not None:
            names = self.labels[self.names[0]], self.labels[self.names[1]]
            self.out.print(Text(f"\n{verdict(names, difference.as_elo())}"))

    def _print_notes(self, games: Sequence[Game]) -> None:
        for line in self.mistakes.repeated():
            self.out.print(Text(f"\n{line}", style="red"))
        distinct = len({game.moves for game in games})
        if distinct < len(games):
            self.out.print(
                f"\n{distinct} of {len(games)} games are distinct; more opening plies vary them",
                style="dim",
            )
        moves = [move for game in games for move in game.move_records()]
        wall, cpu = sum(move.seconds for move in moves), sum(move.cpu for move in moves)
        if wall > BUSY * cpu and wall > 1.0:
            times = f"{duration(wall)} on the wall for {duration(cpu)} of the processor"
            self.out.print(f"\n{times}: {WHY_LONG}", style="yellow")


def _as_data(match: EngineMatch, games: Sequence[Game]) -> dict[str, Any]:
    played = Games([side.name for side in match.sides], games)
    score = played.score(0, 1)
    mistakes = EngineMistakes()
    for game in games:
        if game.reason not in GOOD_ENDS:
            mistakes.add(game.number, game.detail, game.log)
    sides = enumerate(match.sides)
    return {
        "rules": match.rules.name,
        "players": [
            _side_data(side, played.scores[n], played.score(n), move_totals(games, n))
            for n, side in sides
        ],
        "difference": difference_data(None if score is None else score.as_elo()),
        "mistakes": [asdict(mistake) for mistake in mistakes],
        "games": [_game_data(match, game) for game in games],
    }


def _game_data(match: EngineMatch, game: Game) -> dict[str, Any]:
    return {
        "rules": match.rules.name,
        "players": [match.sides[game.first].name, match.sides[game.second].name],
        "opening": list(game.opening),
        "moves": [move._asdict() for move in game.move_records()],
        "result": game.result,
        "reason": game.reason,
        "detail": game.detail,
        "seed": game.seed,
        "trace": game.trace,
        "printed": game.printed,
        "notation": write_moves(game.moves, match.rules),
    }


def _range(score: Estimate | None) -> str:
    return "" if score is None else percent_range(*score.interval())


def _side_data(side: Side, score: WDL, own: Estimate | None, totals: MoveTotals) -> dict[str, Any]:
    low, high = ends_of(own)
    return {
        "player": side.name,
        "limits": str(side.limits),
        **score._asdict(),
        **asdict(totals),
        "points": score.points,
        "mean_seconds": totals.mean_seconds,
        "node_rate": totals.node_rate,
        "score": score.share,
        "low": low,
        "high": high,
    }
