"""The openings of a file: do they fit the board, and what stands in a list of positions."""

from __future__ import annotations

from pathlib import Path

from arena.errors import ArenaError
from arena.game.notation import play_moves, read_moves
from arena.game.rules import Rules
from arena.tournament import balanced, openings
from arena.tournament.spec_mistakes import Mistake, Place, Trail
from arena.tournament.spec_parts import BalancedSheet
from arena.tournament.spec_settings import (
    BalancedLines,
    EveryLine,
    FileOfLines,
    NoOpenings,
    Openings,
    RandomPlies,
)
from arena.tournament.spec_shape import Shape

MOST_BYTES = 4 * 1024 * 1024
MOST_TOLD = 20  # mistakes of one list of positions


def make_openings(shape: Shape, rules: Rules) -> Openings:
    """The openings of a file; what is wrong goes to the shape's mistakes."""
    sheet = shape.sheet.openings
    try:
        if sheet.every is not None:
            openings.EveryLine(rules, sheet.every, seed=0)
            return EveryLine(plies=sheet.every)
        if sheet.random is not None:
            openings.RandomPlies(rules, sheet.random, seed=0)
            return RandomPlies(plies=sheet.random)
    except ArenaError as error:
        shape.wrong(("openings", "every" if sheet.every else "random"), str(error))
    if sheet.balanced is not None:
        return _balanced(shape, sheet.balanced, rules)
    if sheet.file is not None:
        path = shape.source.path.parent / sheet.file
        lines = _read_lines(shape, path, rules)
        return FileOfLines(path=path.absolute(), lines=lines)
    return NoOpenings()


def _balanced(shape: Shape, sheet: BalancedSheet, rules: Rules) -> Openings:
    """The value as a range of the scores that are possible on this board."""
    least, most = balanced.possible(rules, sheet.plies)
    match sheet.value:
        case "draw":
            scores = balanced.Scores(0, 0)
        case "first":
            scores = balanced.Scores(1, max(1, most))
        case "second":
            scores = balanced.Scores(min(-1, least), -1)
        case int(score):
            scores = balanced.Scores(score, score)
        case [low, high]:
            scores = balanced.Scores(low, high)
    _check_balanced(shape, rules, sheet.plies, scores)
    return BalancedLines(plies=sheet.plies, least=scores.least, most=scores.most)


def _check_balanced(shape: Shape, rules: Rules, plies: int, scores: balanced.Scores) -> None:
    """Can there be such openings on this board?"""
    at: Trail = ("openings", "balanced")
    short = not isinstance(shape.source.data["openings"]["balanced"], dict)
    plies_at, value_at = (at, at) if short else ((*at, "plies"), (*at, "value"))
    try:
        balanced.check_board(rules)
        at = plies_at
        openings.RandomPlies(rules, plies, seed=0)
        at = value_at
        balanced.check_scores(rules, plies, scores)
    except ArenaError as error:
        shape.wrong(at, str(error))


def _read_lines(shape: Shape, path: Path, rules: Rules) -> tuple[tuple[int, ...], ...]:
    """The positions of a list, one a line; the mistakes in it carry its own lines."""
    at = ("openings", "file")
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        shape.wrong(at, f"{path.name}: {error.strerror or error}; expected a list of positions")
        return ()
    except UnicodeDecodeError:
        shape.wrong(at, f"{path.name} is not a text file; expected a list of positions")
        return ()
    if len(content) > MOST_BYTES:
        shape.wrong(at, f"{path.name} is larger than {MOST_BYTES // 2**20} MB")
        return ()
    first: dict[tuple[int, ...], int] = {}
    wrong: list[Mistake] = []
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.partition("#")[0]
        if not written.strip():
            continue
        try:
            moves = _read_line(written, rules, first)
            first[moves] = number
        except ArenaError as error:
            column = len(written) - len(written.lstrip()) + 1
            wrong.append(Mistake(path, Place(number, column), "", str(error)))
    _tell(shape, path, wrong)
    if not first and not wrong:
        shape.wrong(at, f"{path.name} holds no positions; expected one a line, such as 4453")
    return tuple(first)


def _read_line(text: str, rules: Rules, first: dict[tuple[int, ...], int]) -> tuple[int, ...]:
    moves = read_moves(text, rules)
    if play_moves(moves, rules).is_over:
        raise ArenaError(f"the game is over after {text.strip()}; expected an unfinished one")
    if moves in first:
        raise ArenaError(f"{text.strip()} stands in line {first[moves]} already")
    return moves


def _tell(shape: Shape, path: Path, wrong: list[Mistake]) -> None:
    if wrong:
        shape.broken.add("openings")
    shape.mistakes += wrong[:MOST_TOLD]
    if len(wrong) > MOST_TOLD:
        rest = f"{len(wrong) - MOST_TOLD} more lines are wrong"
        shape.mistakes.append(Mistake(path, wrong[MOST_TOLD].place, "", rest))
