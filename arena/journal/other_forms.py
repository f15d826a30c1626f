"""Games in the forms of other programs, read into a journal.

Nothing is told there of how long a move took or who programmed the players, and the board is known
only to who reads them. Every game is played through; whatever is wrong is told with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal

from arena.game.rules import SCORE4, Rules
from arena.journal.errors import BadJournal
from arena.journal.game_table import is_table, table_games
from arena.journal.records import Contestant, Header
from arena.journal.store import Journal
from arena.journal.transcripts import is_transcript, transcripts
from arena.journal.written import CheckedGame, Mistake, played_through
from arena.table.game import Game

Form = Literal["export", "transcript", "table"]

BEGINNING = 10_000  # characters by which a form is known
MOST_MISTAKES = 20


def form_of(source: Path) -> Form:
    """In which form games are written in a file, or in those of a folder, by what is in them."""
    if source.is_dir():
        return "transcript"
    try:
        with source.open(encoding="utf-8-sig") as file:
            beginning = file.read(BEGINNING)
    except UnicodeDecodeError:
        return "export"  # and as such it is refused
    lines = [line.strip() for line in beginning.splitlines() if line.strip()][:4]
    if not lines or lines[0].startswith(("{", "[")):
        return "export"
    if is_table(lines[0]):
        return "table"
    if is_transcript(lines):
        return "transcript"
    raise BadJournal(
        f"{source}:1: no games in a form that is known; expected an export, "
        "transcripts, or a table with the column moves_xy"
    )


def files_of(source: Path) -> list[Path]:
    """The file, or those of a folder in the order of the numbers in their names."""
    if not source.is_dir():
        return [source]
    files = [path for path in source.iterdir() if path.is_file() and path.name[0] != "."]
    return sorted(files, key=lambda path: [_natural(p) for p in re.split(r"(\d+)", path.name)])


def _natural(part: str) -> tuple[int, str]:
    return (int(part), "") if part.isdecimal() else (-1, part)


def build(
    source: Path,
    target: Path,
    rules: Rules | None,
    progress: Callable[[int], None],
    notice: Callable[[str], None],
) -> int:
    """Write the games of a file, or of all files of a folder, to a new journal; tell how many.

    The board is 4x4x4 if no other is given. When they were played is as little known as how long
    they took: the time of the newest file stands for it.
    """
    rules = rules or SCORE4
    games = read_games(source, rules, progress, notice)
    names = list(dict.fromkeys(name for each in games for name in each.game.players))
    players = tuple(Contestant(name, "", {}, "") for name in names)
    started = max(file.stat().st_mtime for file in files_of(source))
    text = f"# games of {source.name}, as they were written down\n"
    fingerprint = sha256(repr(games).encode()).hexdigest()
    header = Header(source.stem, rules.name, 0, text, {}, fingerprint, players, {}, started)
    with Journal.open(target, header) as journal, journal.together():
        for number, each in enumerate(games, start=1):
            journal.write(_row(number, each, names, started))
    return len(games)


def read_games(
    source: Path, rules: Rules, progress: Callable[[int], None], notice: Callable[[str], None]
) -> list[CheckedGame]:
    """All games; the mistakes are listed, if any.

    A game whose end the board does not show is taken as it is recorded, with a notice.
    """
    games: list[CheckedGame] = []
    mistakes: list[str] = []
    read = 0
    for file in files_of(source):
        data = file.read_bytes()
        for each in _checked(file, data, rules):
            if isinstance(each, Mistake):
                mistakes.append(f"{file}:{each.line}: {each}")
                continue
            games.append(each)
            if each.oddity:
                notice(f"{file}:{each.game.line}: {each.oddity}")
        read += len(data)
        progress(read)
    if len(mistakes) > MOST_MISTAKES:
        mistakes[MOST_MISTAKES:] = ["there may be more"]
    if mistakes or not games:
        raise BadJournal("\n".join(mistakes) or f"{source}: there are no games in it")
    return games


def _row(number: int, checked: CheckedGame, names: Sequence[str], started: float) -> Game:
    """A game as a journal keeps it; nothing is known of its moves but their columns."""
    first, second = map(names.index, checked.game.players)
    moves = bytes(move.column for move in checked.game.moves)
    return Game(
        number, 1, first, second, b"", moves, checked.result, checked.reason, checked.detail,
        0, started, checked.game.seconds, b"",
    )  # fmt: skip


def _checked(file: Path, data: bytes, rules: Rules) -> Iterator[CheckedGame | Mistake]:
    """Every game of a file, or what is wrong with it."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        yield Mistake(1, "not text in UTF-8")
        return
    form = form_of(file)
    if form == "export":
        yield Mistake(1, "an export, which stands alone" if text.strip() else "an empty file")
        return
    read = table_games(text, rules) if form == "table" else transcripts(text, rules)
    for each in read:
        try:
            yield each if isinstance(each, Mistake) else played_through(each, rules)
        except Mistake as mistake:
            yield mistake
