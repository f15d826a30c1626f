"""The openings of a file: do they fit the board, and what stands in a list of positions."""

from __future__ import annotations

from pathlib import Path

from arena.errors import ArenaError
from arena.game.notation import play_moves, read_moves
from arena.game.rules import Rules
from arena.solver.exact import refuse
from arena.tournament.balanced import check_scores
from arena.tournament.openings import Opening, RandomPlies
from arena.tournament.spec.mistakes import Mistake, Place, Trail
from arena.tournament.spec.parts import BalancedEntry, OpeningsEntry
from arena.tournament.spec.validation import Draft

MOST_BYTES = 4 * 1024 * 1024
MOST_LISTED = 20  # mistakes of one list of positions


def check_openings(draft: Draft, rules: Rules) -> OpeningsEntry:
    """The openings for a board, with the lines of their file; what is wrong goes to the draft."""
    entry = draft.file.openings
    if entry.file is not None:
        return entry.with_lines(_read_lines(draft, draft.document.path.parent / entry.file, rules))
    if entry.balanced is not None:
        _check_balanced(draft, entry.balanced, rules)
        return entry
    try:
        entry.build(rules, seed=0)
    except ArenaError as error:
        draft.wrong(("openings", entry.kind), str(error))
    return entry


def _check_balanced(draft: Draft, entry: BalancedEntry, rules: Rules) -> None:
    """Can there be such openings on this board?"""
    at: Trail = ("openings", "balanced")
    is_short = not isinstance(draft.document.data["openings"]["balanced"], dict)
    plies_at, value_at = (at, at) if is_short else ((*at, "plies"), (*at, "value"))
    try:
        refuse(rules)
        at = plies_at
        RandomPlies(rules, entry.plies, seed=0)
        at = value_at
        check_scores(rules, entry.plies, entry.scores(rules))
    except ArenaError as error:
        draft.wrong(at, str(error))


def _read_lines(draft: Draft, path: Path, rules: Rules) -> tuple[Opening, ...]:
    """The positions of a list, one a line; the mistakes in it carry its own lines."""
    at = ("openings", "file")
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        draft.wrong(at, f"{path.name}: {error.strerror or error}; expected a list of positions")
        return ()
    except UnicodeDecodeError:
        draft.wrong(at, f"{path.name} is not a text file; expected a list of positions")
        return ()
    if len(content) > MOST_BYTES:
        draft.wrong(at, f"{path.name} is larger than {MOST_BYTES // 2**20} MB")
        return ()
    lines: dict[Opening, int] = {}
    wrong: list[Mistake] = []
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.partition("#")[0]
        if not written.strip():
            continue
        try:
            moves = _read_line(written, rules, lines)
            lines[moves] = number
        except ArenaError as error:
            column = len(written) - len(written.lstrip()) + 1
            wrong.append(Mistake(path, Place(number, column), "", str(error)))
    _add(draft, path, wrong)
    if not lines and not wrong:
        draft.wrong(at, f"{path.name} holds no positions; expected one a line, such as 4453")
    return tuple(lines)


def _read_line(text: str, rules: Rules, lines: dict[Opening, int]) -> Opening:
    moves = read_moves(text, rules)
    if play_moves(moves, rules).is_over:
        raise ArenaError(f"the game is over after {text.strip()}; expected an unfinished one")
    if moves in lines:
        raise ArenaError(f"{text.strip()} stands in line {lines[moves]} already")
    return moves


def _add(draft: Draft, path: Path, wrong: list[Mistake]) -> None:
    if wrong:
        draft.broken.add("openings")
    draft.mistakes += wrong[:MOST_LISTED]
    if len(wrong) > MOST_LISTED:
        rest = f"{len(wrong) - MOST_LISTED} more lines are wrong"
        draft.mistakes.append(Mistake(path, wrong[MOST_LISTED].place, "", rest))
