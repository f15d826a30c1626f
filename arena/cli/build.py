"""`arena export`, `speak` and `book`: engines as files and programs, opening books."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.options import (
    MAX_WORKERS,
    AsJson,
    LimitsText,
    argument,
    complete_engines,
    option,
    refuse,
    seconds,
)
from arena.errors import BadOption, EngineFailure, UnknownName

if TYPE_CHECKING:
    from arena.game.rules import Rules

KAGGLE_MOVE, KAGGLE_BANK = 2.0, 60.0  # seconds a move, and of a game beyond that


# ---- export


def export(
    engine: list[str] = argument(
        ..., "ENGINE [NAME=VALUE]...", "A name, or FILE.py:Class, with options.", complete_engines
    ),
    output: Path = option(Path("submission.py"), "--output -o FILE", "The file to write."),
    seconds: float | None = seconds(
        None, "--seconds TIME", "Time for a move; by default what actTimeout allows.", least=0.01
    ),
    force: bool = option(False, "--force", "Replace a file that Arena did not write."),
    untried: bool = option(False, "--untried", "Do not test the file by playing a move."),
    as_json: AsJson = False,
) -> None:
    """Write an engine as one file for Kaggle's ConnectX.

    The file holds Arena's engines, networks and books, the folder of FILE.py and the files that
    options name. It needs Python 3.11 or later and third-party packages such as numpy and numba
    where it runs. It plays on any board of up to 64 cells.

    At Kaggle, the first move waits for the compiler. Time beyond the limit of a move comes from a
    bank of 60 seconds. On a quiet machine the first move takes 2 seconds for ntuple, 6 for mcts, 9
    for alphabeta and 20 for perfect. Arena measures it before it writes the file.

    Example: arena export mcts playouts=1000 -o submission.py

    Example: arena export my_bot.py:MyBot
    """
    from arena.bots.find import build_engine
    from arena.bots.names import engine_words, join_words
    from arena.export.kaggle import check_target, pack, submission, try_out
    from arena.files import disk_errors, write_atomic
    from arena.show.numbers import in_bytes
    from arena.show.progress import saying
    from arena.show.terminal import print_json

    whole = join_words(engine)
    words = engine_words(whole)
    _check_exportable(words)
    check_target(output, force)
    with saying(as_json) as say:
        say(f"loading {words[0]}")
        build_engine(whole)
        package = pack(words)
        text = submission(package, whole, seconds)
        trial = None
        if not untried:
            say("playing a first move, with everything to compile")
            trial = try_out(text)
    content = text.encode()
    with disk_errors(output):
        write_atomic(output, content)
    size = len(content)
    if as_json:
        print_json(
            {
                "file": str(output),
                "bytes": size,
                "contents": sorted(package.contents),
                "packages": package.others,
                "loading": trial and trial.loading,
                "first_move": trial and trial.first_move,
                "processor": trial and trial.processor,
            }
        )
        return
    print(f"{output}: {in_bytes(size)}, {len(package.contents)} files packed into one")
    if package.others:
        print(f"It needs {', '.join(package.others)}, which must be installed where it runs.")
    if trial is None:
        print("It was not tried; its first move waits for the compiler.")
        return
    print(
        f"Its first move takes {trial.processor:.1f} s of this processor, with everything to "
        f"compile; Kaggle allows {KAGGLE_MOVE:g} s and a bank of {KAGGLE_BANK:g} s."
    )
    if trial.processor > KAGGLE_BANK:
        print("That is too long for Kaggle, unless its processors are faster.")


def _check_exportable(words: Sequence[str]) -> None:
    """Refuse what is not an engine in Python."""
    from arena.bots.names import BotName

    if not words[0]:
        raise BadOption("the engine has an empty name; expected a name or FILE.py:Class")
    if BotName.parse(words[0]).kind:
        raise EngineFailure(
            f"engine {words[0]} is an external bot; expected a name or FILE.py:Class, "
            "as only subclasses of Engine can be exported"
        )
    for word in words[1:]:
        if "=" not in word:
            raise BadOption(f"engine {words[0]}: {word!r} is not an option; expected NAME=VALUE")


# ---- speak


def speak(
    protocol: str = argument(..., "PROTOCOL", "uci, codingame, or lines (bare columns)."),
    engine: str = argument("mcts", "ENGINE", "The engine, with options.", complete_engines),
    game: str | None = option(
        None,
        "--game GAME",
        "The board, if the protocol does not set it; by default the usual one of the protocol.",
    ),
    limit: LimitsText = "",
    seed: int = option(1, "--seed", "Seed of the engine."),
) -> None:
    """Run an engine as a UCI or other line-protocol program.

    Other tools that start bots as programs can then use our engines.

    Example: arena speak uci "alphabeta depth=8"

    Example: arena speak lines alphabeta --game 8x7 --limit depth=8
    """
    from contextlib import closing

    from arena.bots.speak import SPEAKERS, usual_game
    from arena.bots.spoken import SpokenEngine
    from arena.engine.contract import Limits
    from arena.game.rules import Rules

    if protocol not in SPEAKERS:
        raise UnknownName("protocol", protocol, SPEAKERS)
    rules = Rules.named(usual_game(protocol) if game is None else game)
    spoken = SpokenEngine.from_words(engine, rules, Limits.parse(limit), seed)

    def say(line: str) -> None:
        print(line, flush=True)

    with closing(spoken):
        SPEAKERS[protocol](spoken, iter(sys.stdin.readline, ""), say)


# ---- books


def book(
    board: str = argument("connect4", "BOARD", "A flat board by name or size."),
    plies: int | None = option(
        None, "--build PLIES", "Solve all positions with up to this many discs.", min=1, max=12
    ),
    workers: int | None = option(
        None, "--workers", "Threads; by default one per core.", min=1, max=MAX_WORKERS
    ),
    memory: int = option(1024, "--memory", "Megabytes of the shared table.", min=1, max=1_000_000),
    output: Path | None = option(
        None, "--output -o", "The file to write; by default in your folder of books."
    ),
    as_json: AsJson = False,
) -> None:
    """Show or build an opening book of exact scores.

    Without --build, it shows the book that the solver uses for a board.

    With --build, Arena saves results as it solves; stop at any moment, and the same command
    resumes. On 7x6, 8 plies take about an hour on two cores; smaller boards take seconds. If you
    and the package both have a book of a board, the solver uses the one that reaches further.

    Example: arena book 7x6

    Example: arena book 6x5 --build 6
    """
    from arena.game.rules import Rules
    from arena.show.terminal import print_json
    from arena.solver.book import book_for, file_name, own_books
    from arena.solver.solver import refuse as refuse_board

    rules = Rules.named(board).plain
    refuse_board(rules)
    own_file = own_books() / file_name(rules)
    if plies is not None:
        refuse("with --build", json=as_json)
        _build_book(rules, plies, workers, memory, output or own_file)
        return
    refuse("without --build", workers=workers, output=output)
    found = book_for(rules)
    if as_json:
        facts = None
        if found is not None:
            facts = {"name": found.name, "plies": found.plies, "positions": len(found)}
        print_json({"board": str(rules), "own_file": str(own_file), "book": facts})
    elif found is None:
        print(f"{rules}: no book; arena book {board} --build 6 makes one")
    else:
        print(f"{rules}: {len(found):,} positions of up to {found.plies} discs, {found.name}")


def _build_book(rules: Rules, plies: int, workers: int | None, memory: int, file: Path) -> None:
    """Build the book of a board, or continue where it was stopped."""
    from arena.machine import usable_cores
    from arena.show.progress import Progress
    from arena.solver.book import Book, build

    if file.is_file() and (existing := Book.load(file)).plies >= plies:
        raise BadOption(
            f"{file} is a book of {existing.plies} plies already; delete it, or use --output"
        )
    file.parent.mkdir(parents=True, exist_ok=True)
    state = file.with_name(f"{file.stem}.{rules.width}x{rules.height}c{rules.connect}-{plies}")
    with Progress("solving", at_once=True) as progress:

        def show(done: int, count: int) -> None:
            if not progress.total:
                progress.begin("solving", count, done)
            progress.at(done)

        try:
            book = build(rules, plies, state, workers or usable_cores(), memory, show)
        except KeyboardInterrupt:
            progress.clear()
            print(f"arena: stopped; run the same command to resume (saved in {state})",
                  file=sys.stderr)  # fmt: skip
            raise
    book.save(file)
    state.unlink(missing_ok=True)
    print(f"{file}: {len(book)} positions of up to {book.plies} discs")
