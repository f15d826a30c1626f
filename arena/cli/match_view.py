"""A match of `arena match`: its games as they end, and its result."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from rich.text import Text

from arena.bots.find import build_engine
from arena.cli.duel import Duel
from arena.cli.exits import INTERRUPTED
from arena.engine.errors import EngineMistakes
from arena.errors import ArenaError, BadOption, EngineFailure
from arena.game.notation import write_moves
from arena.game.position import DISCS
from arena.game.rules import Rules
from arena.journal import Journal
from arena.library.runs import match_tournament
from arena.session import RunProgress, Watcher, play
from arena.session.run import NOT_STARTED
from arena.show.board import COLOURS, board_text
from arena.show.games import GameLines
from arena.show.numbers import amount, duration, how_many, percent_range, whole, whole_percent
from arena.show.progress import Progress
from arena.show.table import Column, Table, cut_name
from arena.show.terminal import console, dot, print_json
from arena.standings.evidence import ends_of
from arena.standings.games import Games
from arena.standings.results import decided_test
from arena.standings.timekeeping import BUSY, WHY_LONG
from arena.table.game import GOOD_ENDS, Game, in_words
from arena.table.match import move_totals
from arena.table.runner import GameOver
from arena.tournament.mistakes import BadSpec, Mistake
from arena.tournament.spec import Tournament

MAX_NAME = 30  # characters in the table of scores


def play_match(
    engines: tuple[str, str], games: int, game: str, limits: Sequence[str], seed: int,
    opening_plies: int | None, workers: int | None, sprt: str | None, trust: bool,
    keep: Path | None, *, is_silent: bool, as_json: bool,
) -> str:  # fmt: skip
    """Play and show a match; return the decision about the first engine."""
    if len(limits) > 2:
        raise BadOption(f"--limit was given {len(limits)} times; expected once, or twice for both")
    both = (limits[0], limits[-1]) if limits else None
    try:
        tournament = match_tournament(
            *engines, games=games, game=Rules.named(game), limits=both, seed=seed,
            opening_plies=opening_plies, sprt=_read_sprt(sprt), trust=trust,
        )  # fmt: skip
    except BadSpec as error:
        for words in engines:
            build_engine(words)  # its own error has the frames of the engine
        sentences = [_in_words(mistake, engines) for mistake in error.mistakes]
        raise BadOption("\n".join(sentences)) from None
    with TemporaryDirectory(prefix="arena-") as temporary:
        placed = tournament.placed(keep or temporary, workers)
        return _play(placed, as_json, is_silent or as_json)


def _in_words(mistake: Mistake, engines: tuple[str, str]) -> str:
    """A mistake of the tournament in the words of the command line."""
    part, _, key = mistake.where.partition(".")
    if part.startswith("engines["):
        key = key.removeprefix("engine").removeprefix("options.")
        option = f"option {key!r}: " if key else ""
        return f"engine {engines[int(part[8:-1])]}: {option}{mistake.sentence}"
    if part == "stop":
        key = key.removeprefix("sprt").removeprefix(".")
        return f"--sprt: {f'{key}: ' if key else ''}{mistake.sentence}"
    return mistake.sentence


def _read_sprt(text: str | None) -> dict[str, Any] | None:
    """The test as a tournament file has it, from ELO0,ELO1 and further settings."""
    if text is None:
        return None
    elos, *settings = text.split()
    elo0, comma, elo1 = elos.partition(",")
    if not comma or not all("=" in word for word in settings):
        raise BadOption(f"--sprt {text!r}: expected two Elo differences, as in --sprt 0,20")
    test: dict[str, Any] = {"elo0": elo0, "elo1": elo1}
    for word in settings:
        name, _, value = word.partition("=")
        test[name] = value
    return {name: _number(value) for name, value in test.items()}


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _play(tournament: Tournament, as_json: bool, is_silent: bool) -> str:
    """Play and show a match; return the decision about the first engine."""
    view = MatchView(tournament)
    try:
        outcome = play(tournament, view.watcher(is_silent))
    except EngineFailure as error:
        error.args = (str(error).partition(f"; {NOT_STARTED}")[0],)  # the remedies are of files
        raise
    with Journal.read(tournament.output) as journal:
        games, ended_by = list(journal.rows()), decided_test(journal)
    if outcome.ending == "incomplete" or not games:
        raise ArenaError(f"the match ended after {how_many(len(games), 'game')}: {outcome.why}")
    played = Games(view.names, games, ended_by=ended_by)
    faults = sum(game.reason not in GOOD_ENDS for game in games)
    duel = Duel(played, 0, 1, tournament.stop.sprt, faults)
    if as_json:
        print_json(_data(tournament, duel, games))
    else:
        view.print_result(duel, games)
    if outcome.ending == "interrupted":
        raise typer.Exit(INTERRUPTED)
    return duel.decision


class MatchView:
    """Prints the games of a match as they end, and then the result."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.rules = tournament.rules
        self.out = console()
        self.names = [player.name for player in tournament.players]
        self.lines = GameLines(self.names, self.rules, self.out.width)

    def print_heading(self) -> None:
        """Print who plays, and how."""
        title = Text().append(self.names[0], style="bold").append(" against ")
        title.append(self.names[1], style="bold")
        limits = dict.fromkeys(str(player.limits) for player in self.tournament.players)
        games = how_many(self.tournament.games, "game")
        seed = f"seed {self.tournament.seed}"
        parts = [str(self.rules), games, " / ".join(limits), seed]
        self.out.print(title.append(f"\n{f' {dot()} '.join(parts)}\n", style="dim"))
        self.out.print(self.lines.heading(), style="dim", soft_wrap=True)

    def watcher(self, is_silent: bool) -> Any:
        """What prints the games while they are played."""
        view, progress = self, Progress("getting ready", at_once=True)
        ended: dict[int, Game] = {}  # games that wait for one of a lower number
        printed = 0

        class MatchWatcher(Watcher):
            def checking(self, name: str, number: int, count: int) -> None:
                progress.begin(f"getting ready: {name}", count, number - 1)

            def warned(self, words: str) -> None:
                progress.clear()
                print(f"arena: warning: {words}", file=sys.stderr)

            def game_over(self, event: GameOver, run: RunProgress) -> None:
                nonlocal printed
                progress.begin("playing games", run.total, run.done)
                ended[event.game.number] = event.game
                while (game := ended.pop(printed + 1, None)) is not None:
                    printed += 1
                    if not is_silent:
                        progress.clear()
                        if printed == 1:
                            view.print_heading()
                        view.print_game(game)
                progress.draw_again()

            def ended(self, outcome: object) -> None:
                progress.clear()

        return MatchWatcher()

    def print_game(self, game: Game) -> None:
        """Print a game on its line, with what went wrong below."""
        for line in self.lines.lines(game):
            self.out.print(line, soft_wrap=True)

    def print_result(self, duel: Duel, games: Sequence[Game]) -> None:
        """Print the last board, the score, and which engine is stronger."""
        self._print_board(games[-1])
        self._print_score(duel, games)
        for line in self.lines.mistakes.repeated():
            self.out.print(Text(f"\n{line}", style="red"))
        print()
        for words in duel.short_lines():
            self.out.print(Text(words), soft_wrap=True)
        self._print_waiting(games)

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

    def _print_score(self, duel: Duel, games: Sequence[Game]) -> None:
        columns = (
            Column(""), Column("won", whole), Column("drawn", whole), Column("lost", whole),
            Column("score", whole_percent), Column("95 %", str), Column("a move", duration),
            Column("longest", duration), Column("nodes/s", amount), Column("depth", whole),
        )  # fmt: skip
        rows, styles = [], []
        for side, (name, score) in enumerate(zip(self.names, duel.played.scores, strict=True)):
            own, totals = duel.played.score(side), move_totals(games, side)
            interval = "" if own is None else percent_range(*own.interval())
            longest = totals.longest if totals.moves else None
            rows.append((cut_name(name, MAX_NAME), *score, score.share, interval,
                         totals.mean_seconds, longest, totals.node_rate, totals.depth))  # fmt: skip
            styles.append("bold green" if score.won > score.lost else "")
        self.out.print(Table("", columns, tuple(rows)).screen(ruled=False, styles=styles))

    def _print_waiting(self, games: Sequence[Game]) -> None:
        """Warn if the moves took much longer than the processor worked."""
        moves = [move for game in games for move in game.move_records()]
        wall, cpu = sum(move.seconds for move in moves), sum(move.cpu for move in moves)
        if wall > BUSY * cpu and wall > 1.0:
            times = f"{duration(wall)} on the wall for {duration(cpu)} of the processor"
            self.out.print(f"\n{times}: {WHY_LONG}", style="yellow")


def _data(tournament: Tournament, duel: Duel, games: Sequence[Game]) -> dict[str, Any]:
    mistakes = EngineMistakes()
    for game in games:
        if game.reason not in GOOD_ENDS:
            loser = "" if game.loser is None else tournament.players[game.loser].name
            mistakes.add(game.number, game.detail, game.log, loser)
    sides = map(partial(_side_data, tournament, duel, games), (0, 1))
    return {
        "rules": tournament.rules.name,
        **duel.data(),
        "players": list(sides),
        "mistakes": [asdict(mistake) for mistake in mistakes],
        "game_list": [_game_data(tournament, game) for game in games],
    }


def _side_data(
    tournament: Tournament, duel: Duel, games: Sequence[Game], side: int
) -> dict[str, Any]:
    player, score, totals = tournament.players[side], duel.played.scores[side], None
    totals = move_totals(games, side)
    low, high = ends_of(duel.played.score(side))
    return {
        "player": player.name,
        "limits": str(player.limits),
        **score._asdict(),
        **asdict(totals),
        "points": score.points,
        "mean_seconds": totals.mean_seconds,
        "node_rate": totals.node_rate,
        "score": score.share,
        "low": low,
        "high": high,
    }


def _game_data(tournament: Tournament, game: Game) -> dict[str, Any]:
    names = [player.name for player in tournament.players]
    return {
        "rules": tournament.rules.name,
        "players": [names[game.first], names[game.second]],
        "opening": list(game.opening),
        "moves": [move._asdict() for move in game.move_records()],
        "result": game.result,
        "reason": game.reason,
        "detail": game.detail,
        "seed": game.seed,
        "trace": game.trace,
        "printed": game.printed,
        "notation": write_moves(game.moves, tournament.rules),
    }
