"""The body of `arena history`: games, leaderboards, who beat whom, and single games."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.cli.actions.games import result_words
from arena.cli.actions.rate import notes, ratings_data
from arena.cli.actions.replay import Replay, step_through
from arena.errors import ArenaError, BadOption, UnknownName
from arena.game.notation import write_moves
from arena.game.rules import Rules
from arena.human.history import FinishedGame, History
from arena.human.menu import board_name
from arena.journal import Contestant, Header
from arena.journal.export import date
from arena.show.numbers import UNKNOWN, duration, how_many, whole_percent
from arena.show.table import cut_name
from arena.show.terminal import console, dot, is_live, print_json, symbol
from arena.standings.games import Games
from arena.standings.rating import Ratings, rate
from arena.table.game import GOOD_ENDS, Game
from arena.text import printable

NAME = 24  # characters of a name in a table
OTHERS = 48  # characters of a line of the list without the names and the board
WIDE = 100  # characters, from which on there is room for the hour
MATRIX_CELL = 8  # characters of a head-to-head cell with the space beside it


def show_games(
    player: str | None, board: str | None, limit: int, number: int | None, step: bool, as_json: bool
) -> None:
    """Print the games of a player or a board and what they add up to, or one game."""
    if step and (number is None or as_json):
        raise BadOption("--step needs --game NUMBER, and goes without --json")
    history = History()
    games = history.games()
    if number is not None:
        game = _numbered(games, number)
        replay = replay_of(game)
        if as_json:
            positions = replay.as_data(range(replay.last + 1))["positions"]
            print_json(game_data(game) | {"positions": positions})
        elif step and sys.stdin.isatty() and is_live(sys.stdout):
            step_through(replay)
        else:
            show_game(game, replay, console(), every=step)
        return
    if board is not None:
        on_board = Rules.named(board.replace(" ", "")).name
        games = [game for game in games if game.game == on_board]
    listed = [game for game in games if player in (None, *game.names)]
    if games and not listed and player is not None:
        raise UnknownName("player", player, {name for game in games for name in game.names})
    listed = listed[max(0, len(listed) - limit) :]
    if as_json:
        boards = [board_data(board) for board in leaderboards(games)]
        print_json({"file": str(history.path), "games": [game_data(game) for game in listed],
                    "boards": boards})  # fmt: skip
    elif not games:
        print(_nothing(board), file=sys.stderr)
    else:
        show_history(listed, games)


def _nothing(board: str | None) -> str:
    where = f" on {board}" if board is not None else ""
    return f"no games{where} yet; arena play records those that are played to their end"


def _numbered(games: list[FinishedGame], number: int) -> FinishedGame:
    for game in games:
        if game.number == number:
            return game
    if not games:
        raise ArenaError(f"game {number} is not in the history: {_nothing(None)}")
    raise ArenaError(
        f"game {number} is not in the history, which has {games[0].number} to {games[-1].number}"
    )


def show_history(listed: Sequence[FinishedGame], games: Sequence[FinishedGame]) -> None:
    """Print the games, then each board with its leaderboard and its head-to-head scores."""
    out = console()
    if listed:
        out.print(_list(listed, out.width))
        part = f"{len(listed):,} of " if len(listed) < len(games) else ""
        all_games = how_many(len(games), "game")
        out.print(f"{part}{all_games}; arena history --game NUMBER shows one", style="dim")
        if not all(game.is_rated for game in listed):
            out.print("* not rated: played with help, or by an engine against itself", style="dim")
        out.print()
    tables = leaderboards(games)
    for board in tables:
        _show_board(board, out)
    rated = [board for board in tables if board.scoreboard.names]
    if rated:
        out.print(notes(rated[0].ratings)[0], style="dim")


def _table(heads: Iterable[str], to_the_right: Collection[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in heads:
        table.add_column(head, justify="right" if head in to_the_right else "left", no_wrap=True)
    return table


def _list(games: Sequence[FinishedGame], width: int) -> Table:
    heads = ("game", "date", "board", "first (X)", "second (O)", "result", "plies", "ended by")
    table = _table(heads, ("game", "plies"))
    form = "%Y-%m-%d %H:%M" if width >= WIDE else "%Y-%m-%d"
    boards = [board_name(game.rules) for game in games]
    others = OTHERS + (6 if width >= WIDE else 0) + max(map(len, boards))
    room = max(10, min(NAME, (width - others) // 2))
    for game, board in zip(games, boards, strict=True):
        names = [
            Text(cut_name(name, room), style="bold green" if won else "")
            for name, won in zip(game.names, (game.result > 0, game.result < 0), strict=True)
        ]
        bad = game.reason not in (*GOOD_ENDS, "resigned")
        result = result_words(game.result) + ("" if game.is_rated else " *")
        table.add_row(str(game.number), datetime.fromtimestamp(game.played).strftime(form),
                      board, *names, result, str(len(game.moves)),
                      Text(printable(game.reason), style="red" if bad else ""))  # fmt: skip
    return table


def _show_board(board: Leaderboard, out: Console) -> None:
    name = board_name(Rules.named(board.game))
    out.print(f"leaderboard {dot()} {name}", style="bold")
    if board.scoreboard.names:
        out.print(_ratings(board))
        for sentence in notes(board.ratings)[1:]:
            out.print(sentence, style="dim")
    if board.unrated:
        games = "1 game is" if board.unrated == 1 else f"{board.unrated} games are"
        out.print(f"{games} not rated.", style="dim")
    out.print()
    if len(board.scoreboard.names) > 2:
        out.print(f"head to head {dot()} {name}", style="bold")
        out.print(_matrix(board, out.width))
        out.print()


def _ratings(board: Leaderboard) -> Table:
    """The players group by group, best first; people stand out."""
    ratings = board.ratings
    several = len(ratings.groups) > 1
    numbers = ["", "Elo", symbol("±", "+-"), "won", "drawn", "lost", "score"]
    numbers += ["group"] if several else []
    table = _table(["", "player", *numbers], numbers)
    for number, group in enumerate(ratings.groups, start=1):
        for place, player in enumerate(group.players, start=1):
            score, is_person = board.scoreboard.scores[player], board.is_person[player]
            elo, error = ratings.elo[player], ratings.error[player]
            name = cut_name(board.scoreboard.names[player], NAME)
            table.add_row(
                str(place), Text(name, style="bold" if is_person else ""),
                Text("person" if is_person else "engine", style="dim"),
                UNKNOWN if elo is None else f"{elo:+z.0f}",
                UNKNOWN if error is None else f"{error:.0f}",
                *map(str, score), whole_percent(ratings.score[player]),
                *[str(number)] * several,
            )  # fmt: skip
    return table


def _matrix(board: Leaderboard, width: int) -> Table:
    """Won, drawn and lost of each row against each column, as many as fit on the screen."""
    order = board.ratings.order
    columns = order[: max(1, (width - NAME - 6) // MATRIX_CELL)]
    table = _table(["", f"won-drawn-lost against {symbol('→', '>')}"], ())
    for place, _ in enumerate(columns, start=1):
        table.add_column(str(place), justify="center", no_wrap=True, min_width=MATRIX_CELL - 2)
    for place, player in enumerate(order, start=1):
        cells = []
        for other in columns:
            score = board.scoreboard.versus(player, other)
            words = "-".join(map(str, score)) if score.games and player != other else dot()
            style = "green" if score.won > score.lost else "red" if score.won < score.lost else ""
            cells.append(Text(words, style=style or "dim"))
        name = cut_name(board.scoreboard.names[player], NAME)
        table.add_row(str(place), name, *cells)
    return table


@dataclass(frozen=True)
class Leaderboard:
    """What the rated games on one board add up to; players are their places in its scoreboard."""

    game: str
    scoreboard: Games
    ratings: Ratings
    is_person: tuple[bool, ...]
    unrated: int  # games


def leaderboards(games: Iterable[FinishedGame]) -> list[Leaderboard]:
    """A leaderboard for each board, the one with most games first."""
    by_board: dict[str, list[FinishedGame]] = {}
    for game in games:
        by_board.setdefault(game.game, []).append(game)
    order = sorted(by_board.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_leaderboard(name, on_board) for name, on_board in order]


def _leaderboard(name: str, games: Sequence[FinishedGame]) -> Leaderboard:
    """Players are told apart; a person who is called like an engine gets a word more."""
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


def replay_of(game: FinishedGame) -> Replay:
    """The game in the form that `arena replay` shows."""
    players = tuple(
        Contestant(name, engine, {}, game.pace)
        for name, engine in zip(game.names, (game.first_engine, game.second_engine), strict=True)
    )
    header = Header("personal games", game.game, game.seed, "", {}, "", players, {}, game.played)
    finished = Game(
        game.number, 1, 0, 1, b"", game.moves, game.result, game.reason, game.detail, game.seed,
        game.played - game.seconds, game.seconds, game.telemetry,
    )  # fmt: skip
    return Replay(header, finished)


def show_game(game: FinishedGame, replay: Replay, out: Console, every: bool) -> None:
    """Who played, the final board or every one, the moves, and how it ended."""
    when = datetime.fromtimestamp(game.played).strftime("%Y-%m-%d %H:%M")
    parts = [f"game {game.number}", when, str(game.rules), game.pace, duration(game.seconds)]
    parts += [f"helped {how_many(game.helps, 'time')}"] if game.helps else []
    out.print(f" {dot()} ".join(parts), style="dim")
    for disc, name, engine in (("X", game.first, game.first_engine),
                               ("O", game.second, game.second_engine)):  # fmt: skip
        spec = f" ({printable(engine)})" if engine not in ("", name) else ""
        out.print(f"{disc} {printable(name)}{spec}")
    out.print()
    for ply in range(0 if every else replay.last, replay.last + 1):
        out.print(replay.position(ply), soft_wrap=True)
        out.print()
    moves = write_moves(game.moves, game.rules)
    out.print(f"moves {moves or UNKNOWN}", soft_wrap=True)
    out.print(replay.ending(), soft_wrap=True)


def game_data(game: FinishedGame) -> dict[str, Any]:
    """A game with its moves in notation."""
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
    """Ratings as `arena rate` prints them, what everybody won, drew and lost, and against whom."""
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
