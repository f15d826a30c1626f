"""`arena analyse`: every move of a game judged, or the accuracy of a journal's engines."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completing
from arena.cli.options import AsJson
from arena.errors import ArenaError, BadOption

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from arena.cli.judging.game import Analysed
    from arena.game.rules import Rules
    from arena.judge.game import Judged
    from arena.standings.accuracy import Accuracy

FORMS = (".svg", ".png")


def analyse(
    what: Annotated[
        str,
        typer.Argument(
            metavar="JOURNAL|GAME",
            help="A journal, its directory or tournament file; or the moves of a game.",
            autocompletion=completing.journals,
        ),
    ],
    number: Annotated[
        int | None, typer.Argument(metavar="NUMBER", help="One game of the journal.")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            autocompletion=completing.games,
            help="Of a game's moves: by name or size.  [default: connect4]",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds",
            metavar="SECONDS",
            min=0.001,
            max=1e7,
            help="By processor time, for each core; a journal's games go on from there.",
        ),
    ] = 60.0,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the game's value, or the accuracies."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Judge moves by exact scores: a game, or all of a journal.

    Of one game every move is told with its verdict: best, a slower win, a faster loss, or a
    blunder, and the value by ply is drawn. Of a journal the accuracy of each engine is counted,
    over as many games as the time allows; what was judged is kept beside the journal.

    Example: arena analyse reports/quickstart 12

    Example: arena analyse 4444453535332 --plot game.svg
    """
    if plot is not None:
        _check_plot(plot)
    if is_notation(what):
        if number is not None:
            raise BadOption(f"{what} is a game already; only a journal has a game {number}")
        _tell_game(written(what, game or "connect4", seconds), plot, as_json)
    elif game is not None:
        raise BadOption(f"{what} is a journal, which knows its game: leave --game {game} out")
    elif number is not None:
        _tell_game(recorded(Path(what), number, seconds), plot, as_json)
    else:
        _tell_journal(Path(what), seconds, plot, as_json)


def is_notation(text: str) -> bool:
    """Whether the text is a game rather than the name of a journal."""
    return re.fullmatch(r"[\d,\s]+", text) is not None and not Path(text).exists()


def written(text: str, game: str, seconds: float) -> Analysed:
    """A game from its moves."""
    from arena.cli.judging.game import Analysed
    from arena.game.notation import play_moves, read_moves
    from arena.game.rules import Rules

    rules = Rules.named(game)
    moves = read_moves(text, rules)
    final = play_moves(moves, rules)
    judged = judged_in(bytes(moves), 0, rules, seconds)
    result = {None: 0 if final.is_over else None, 0: 1, 1: -1}[final.winner]
    return Analysed(rules, str(rules), ("first", "second"), judged, result, "line")


def recorded(place: Path, number: int, seconds: float) -> Analysed:
    """A game of a journal."""
    from arena.cli.journals import open_journal
    from arena.cli.judging.game import Analysed
    from arena.printable import printable
    from arena.show.terminal import dot

    with open_journal(place) as journal:
        header, row = journal.header, journal.row(number)
    judged = judged_in(row.moves, len(row.opening), header.rules, seconds)
    title = f" {dot()} ".join([printable(header.name), f"game {number}", str(header.rules)])
    names = printable(header.names[row.first]), printable(header.names[row.second])
    return Analysed(header.rules, title, names, judged, row.result, row.reason)


def judged_in(moves: bytes, opening: int, rules: Rules, seconds: float) -> Judged:
    """All that can be proven of a game in so many seconds, compile time apart."""
    from arena.cli.judging.ready import ready_judge
    from arena.judge.asking import Allowance
    from arena.judge.game import Judged, judge_in_rounds
    from arena.show.numbers import span
    from arena.show.progress import Progress

    judge = ready_judge(rules)
    with Progress("judging", at_once=True) as progress:

        def waiting() -> None:
            left = allowed.seconds or 0.0
            progress.begin(f"judging {len(moves) - opening} moves, at most {span(left)} left")

        allowed = Allowance.of(seconds, waiting=waiting)
        return judge_in_rounds(judge, rules, Judged.blank(moves, opening), allowed)


def _tell_game(game: Analysed, plot: Path | None, as_json: bool) -> None:
    from arena.show.terminal import print_json

    if plot is not None:
        from arena.report.plots import game_plot

        _draw(plot, lambda: game_plot(game.judged, game.rules, game.names))
    if as_json:
        print_json(game.as_data())
        return
    from arena.cli.judging.game import show_game

    show_game(game)


def _tell_journal(place: Path, seconds: float, plot: Path | None, as_json: bool) -> None:
    from arena.cli.judging import journal as view
    from arena.show.terminal import print_json

    name, found = accuracy_in(place, seconds)
    if plot is not None:
        from arena.report.rows import accuracy_plot

        _draw(plot, lambda: accuracy_plot(found, view.by_accuracy(found)))
    if as_json:
        print_json({"name": name, **view.as_data(found)})
    else:
        view.show_accuracy(found, name)


def accuracy_in(place: Path, seconds: float) -> tuple[str, Accuracy]:
    """The name of a journal's tournament, and how accurate its engines are."""
    from arena.cli.journals import open_journal
    from arena.cli.judging.ready import ready_judge
    from arena.judge.memory import Memory
    from arena.judge.survey import Judging, judge_journal
    from arena.machine import usable_cores
    from arena.show.numbers import span
    from arena.show.progress import Progress
    from arena.standings.accuracy import accuracy

    with open_journal(place) as journal, Memory.beside(journal) as memory:
        header = journal.header
        judging = Judging(seconds, lambda: ready_judge(header.rules), usable_cores())
        with Progress("judging games") as progress:

            def told(done: int, of: int, left: float) -> None:
                progress.begin(f"judging games {done:,}/{of:,}, at most {span(left)} left")

            survey = judge_journal(journal, judging, memory, told)
    return header.name, accuracy(survey, header.names, header.rules)


def _check_plot(file: Path) -> None:
    """Refuse at once what would fail after all is judged."""
    from arena.report.canvas import can_plot

    if file.suffix.lower() not in FORMS:
        raise BadOption(f"--plot {file}: a plot is an .svg or a .png file")
    if not file.parent.is_dir():
        raise BadOption(f"{file} cannot be written: there is no directory {file.parent}")
    if not can_plot():
        raise ArenaError("no plot: matplotlib is not installed")


def _draw(file: Path, make: Callable[[], Figure | None]) -> None:
    """Write a plot to a file; nothing is written where there is nothing to draw."""
    from arena.report.canvas import picture, styled

    with styled():
        figure = make()
    if figure is None:
        print("arena: no plot: nothing was judged", file=sys.stderr)
        return
    try:
        file.write_bytes(picture(figure, file.suffix.lower().removeprefix(".")))
    except OSError as error:
        raise ArenaError(f"{file} cannot be written: {error.strerror or error}") from None
