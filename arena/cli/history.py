"""`arena history`: the games people have played here, who beat whom, and a leaderboard."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completing
from arena.cli.options import AsJson
from arena.errors import ArenaError, BadOption, UnknownName

if TYPE_CHECKING:
    from arena.cli.views.replay import Replay
    from arena.human.history import Played

LISTED = 20


def history(
    player: Annotated[str | None, typer.Option(help="List only games of this player.")] = None,
    board: Annotated[
        str | None,
        typer.Option(
            "--board",
            metavar="GAME",
            help="Only games on this board: 7x6, score4.",
            autocompletion=completing.games,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="List no more games than this.")] = LISTED,
    game: Annotated[
        int | None,
        typer.Option("--game", metavar="NUMBER", help="Show one game: its board and moves."),
    ] = None,
    step: Annotated[
        bool, typer.Option("--step", help="With --game: step through it, move by move.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List your games, who beat whom, and a leaderboard.

    These are the games of arena play. Ratings are board by board, over people and engines alike.
    Games in which somebody asked for a hint or an opinion, or took a move back, are listed but
    not rated.

    Example: arena history --player Anna --board 7x6
    """
    from arena.human.history import History

    if step and (game is None or as_json):
        raise BadOption("--step needs --game NUMBER, and goes without --json")
    kept = History()
    games = kept.games()
    if game is not None:
        _show_one(_numbered(games, game), step, as_json)
        return
    games = _on_board(games, board)
    listed = _of_player(games, player)
    listed = listed[max(0, len(listed) - limit) :]
    if as_json:
        from arena.cli.views.history_data import history_data
        from arena.show.terminal import print_json

        print_json(history_data(str(kept.path), listed, games))
    elif not games:
        print(_nothing(board), file=sys.stderr)
    else:
        from arena.cli.views.history import show_history

        show_history(listed, games)


def _nothing(board: str | None) -> str:
    where = f" on {board}" if board is not None else ""
    return f"no games{where} yet; arena play records those that are played to their end"


def _numbered(games: list[Played], number: int) -> Played:
    for game in games:
        if game.number == number:
            return game
    if not games:
        raise ArenaError(f"game {number} is not in the history: {_nothing(None)}")
    raise ArenaError(
        f"game {number} is not in the history, which has {games[0].number} to {games[-1].number}"
    )


def _on_board(games: list[Played], board: str | None) -> list[Played]:
    if board is None:
        return games
    from arena.game.rules import Rules

    name = Rules.named(board.replace(" ", "")).name
    return [game for game in games if game.game == name]


def _of_player(games: list[Played], player: str | None) -> list[Played]:
    if player is None:
        return games
    found = [game for game in games if player in game.names]
    if games and not found:
        raise UnknownName("player", player, {name for game in games for name in game.names})
    return found


def _show_one(game: Played, step: bool, as_json: bool) -> None:
    from arena.cli.views.history import replay_of, show_game
    from arena.cli.views.replay import step_through
    from arena.show.terminal import console, is_live, print_json

    replay: Replay = replay_of(game)
    if as_json:
        from arena.cli.views.history_data import game_data

        print_json(
            game_data(game) | {"positions": replay.as_data(range(replay.last + 1))["positions"]}
        )
    elif step and sys.stdin.isatty() and is_live(sys.stdout):
        step_through(replay)
    else:
        show_game(game, replay, console(), every=step)
