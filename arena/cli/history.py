"""Your own games, those of `arena play`: the list, a leaderboard for each board, one game."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from arena.cli import replay
from arena.cli.rate import notes, ratings_data
from arena.errors import ArenaError, UnknownName
from arena.game.notation import write_moves
from arena.game.rules import Rules
from arena.human.history import FinishedGame, History
from arena.human.menu import board_name
from arena.journal import Contestant, Header
from arena.journal.export import date
from arena.show.games import result_words
from arena.show.numbers import how_many
from arena.show.standings import standings_screen
from arena.show.table import cut_name
from arena.show.terminal import console, dot, print_json
from arena.standings.games import Games
from arena.standings.rating import Ratings, rate
from arena.table.game import GOOD_ENDS, Game
from arena.text import printable

MAX_LISTED = 20
NAME_WIDTH = 24
OTHER_COLUMNS = 52  # characters of a line, without the names and the board
HEADINGS = ("game", "date", "board", "first (X)", "second (O)", "result", "plies", "ended by")


@dataclass(frozen=True)
class Leaderboard:
    """The rated games on one board."""

    game: str
    scoreboard: Games
    ratings: Ratings
    is_person: tuple[bool, ...]
    unrated: int  # games


def show_history(player: str | None, board: str | None, most: int | None, as_json: bool) -> None:
    """Print the games of a player or on a board, and the leaderboards."""
    history = History()
    games = history.games()
    if board is not None:
        on_board = Rules.named(board.replace(" ", "")).name
        games = [game for game in games if game.game == on_board]
    listed = [game for game in games if player in (None, *game.names)]
    if games and not listed and player is not None:
        raise UnknownName("player", player, {name for game in games for name in game.names})
    listed = listed[max(0, len(listed) - (MAX_LISTED if most is None else most)) :]
    boards = leaderboards(games)
    if as_json:
        print_json({"file": str(history.path), "games": list(map(game_data, listed)),
                    "boards": list(map(board_data, boards))})  # fmt: skip
        return
    if not games:
        where = f" on {board}" if board is not None else ""
        print(f"no games{where} yet; arena play records finished games", file=sys.stderr)
        return
    out = console()
    if listed:
        out.print(_list(listed, out.width))
        part = f"{len(listed):,} of " if len(listed) < len(games) else ""
        out.print(f"{part}{how_many(len(games), 'game')}; arena games NUMBER shows one",
                  style="dim")  # fmt: skip
        if not all(game.is_rated for game in listed):
            out.print("* not rated: played with help, or by an engine against itself", style="dim")
    for each in boards:
        out.print(f"\nleaderboard {dot()} {board_name(Rules.named(each.game))}", style="bold")
        if each.scoreboard.names:
            out.print(standings_screen("", each.scoreboard, each.ratings, width=out.width))
        if each.unrated:
            verb = "is" if each.unrated == 1 else "are"
            out.print(f"{how_many(each.unrated, 'game')} {verb} not rated.", style="dim")
    rated = [each for each in boards if each.scoreboard.names]
    if rated:
        out.print(notes(rated[0].ratings)[0], style="dim")


def _list(games: Sequence[FinishedGame], width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in HEADINGS:
        justify = "right" if heading in ("game", "plies") else "left"
        table.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    boards = [board_name(game.rules) for game in games]
    room = (width - OTHER_COLUMNS - max(map(len, boards))) // 2
    for game, board in zip(games, boards, strict=True):
        names = [
            Text(cut_name(name, max(10, min(NAME_WIDTH, room))), style="bold green" if won else "")
            for name, won in zip(game.names, (game.result > 0, game.result < 0), strict=True)
        ]
        is_bad = game.reason not in (*GOOD_ENDS, "resigned")
        result = result_words(game.result) + ("" if game.is_rated else " *")
        table.add_row(str(game.number), f"{datetime.fromtimestamp(game.played):%Y-%m-%d}",
                      board, *names, result, str(len(game.moves)),
                      Text(printable(game.reason), style="red" if is_bad else ""))  # fmt: skip
    return table


def leaderboards(games: Iterable[FinishedGame]) -> list[Leaderboard]:
    """A leaderboard for each board, the one with most games first."""
    by_board: dict[str, list[FinishedGame]] = {}
    for game in games:
        by_board.setdefault(game.game, []).append(game)
    order = sorted(by_board.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_leaderboard(name, on_board) for name, on_board in order]


def _leaderboard(name: str, games: Sequence[FinishedGame]) -> Leaderboard:
    """Rate people and engines; a person named like an engine is marked."""
    rated = [game for game in games if game.is_rated]
    keys = list(dict.fromkeys(key for game in rated for key in game.keys))
    engines = {name for name, is_person in keys if not is_person}
    names = [f"{name} (person)" if is_person and name in engines else name
             for name, is_person in keys]  # fmt: skip
    scoreboard = Games(names)
    for game in rated:
        first, second = map(keys.index, game.keys)
        scoreboard.append(first, second, game.result)
    ratings = rate(scoreboard.outcomes, names=scoreboard.names)
    is_person = tuple(is_person for _, is_person in keys)
    return Leaderboard(name, scoreboard, ratings, is_person, len(games) - len(rated))


def show_game(number: int, ply: int | None, plain: bool, as_json: bool) -> None:
    """Show one of your own games."""
    games = {game.number: game for game in History().games()}
    if number not in games:
        known = f"{min(games)} to {max(games)}" if games else "no games yet"
        raise ArenaError(f"game {number} is not among your games: {known}")
    game = games[number]
    recorded = replay_of(game)
    if as_json:
        positions = recorded.data(range(recorded.last + 1))["positions"]
        print_json(game_data(game) | {"positions": positions})
    else:
        replay.show_game(recorded, ply, plain, as_json=False)


def replay_of(game: FinishedGame) -> replay.Replay:
    """The game as one of a journal."""
    players = tuple(
        Contestant(name, engine, {}, game.pace)
        for name, engine in zip(game.names, (game.first_engine, game.second_engine), strict=True)
    )
    header = Header("your games", game.game, game.seed, "", {}, "", players, {}, game.played)
    finished = Game(
        game.number, 1, 0, 1, b"", game.moves, game.result, game.reason, game.detail, game.seed,
        game.played - game.seconds, game.seconds, game.telemetry,
    )  # fmt: skip
    return replay.Replay(header, finished)


def game_data(game: FinishedGame) -> dict[str, Any]:
    """A game for programs, with its moves in notation."""
    winner = {1: game.first, 0: None, -1: game.second}[game.result]
    return {
        "number": game.number, "played": date(game.played), "game": game.game,
        "first": game.first, "second": game.second, "first_engine": game.first_engine or None,
        "second_engine": game.second_engine or None, "result": game.result, "winner": winner,
        "reason": game.reason, "detail": game.detail, "plies": len(game.moves),
        "moves": write_moves(game.moves, game.rules), "pace": game.pace, "helps": game.helps,
        "rated": game.is_rated, "seed": game.seed, "seconds": game.seconds,
    }  # fmt: skip


def board_data(board: Leaderboard) -> dict[str, Any]:
    """Ratings as of `arena rate`, with the results of each player and of each pair."""
    scoreboard, order = board.scoreboard, board.ratings.order
    rated = ratings_data(board.ratings)
    for row in rated["players"]:
        player = scoreboard.names.index(row["player"])
        row |= {"person": board.is_person[player], **scoreboard.scores[player]._asdict()}
    pairs = []
    for one in order:
        for other in order:
            score = scoreboard.versus(one, other)
            if one != other and score.games:
                names = {"player": scoreboard.names[one], "opponent": scoreboard.names[other]}
                counts = {"lost": score.lost, "drawn": score.drawn, "won": score.won}
                pairs.append({**names, **counts})
    return {"game": board.game, "unrated": board.unrated, **rated, "head_to_head": pairs}
