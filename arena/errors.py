"""Every error that can reach a user, as one small tree.

ArenaError
├── BadRules        a board that cannot be played on
├── BadNotation     text that is not a position or a move
├── IllegalMove     a column that cannot be dropped into
├── BadOption       an engine option or limit of the wrong name, type or range
├── BadEvaluation   weights that do not describe an evaluation
├── UnknownName     a game, engine or evaluation nobody registered
├── BadBook         an opening book that is damaged or of another kind
├── BadCheckpoint   a training on disk that is damaged or another one
├── EngineFailure   an engine that could not be loaded or broke the contract
│   └── NotInstalled    a program or package that an engine needs is not here
├── ClusterFailure  a cluster that cannot be reached, or a worker that cannot play
├── BadSpec         a tournament file with mistakes, all of them (arena/tournament/spec/mistakes.py)
└── JournalError    a journal that cannot be read or written (arena/journal/errors.py)
    ├── BadJournal      missing, damaged, or no journal at all
    ├── JournalBusy     another run is writing to it
    └── JournalChanged  begun with a different tournament

The command line turns each of them into one sentence and exit code 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 60  # characters of a wrong name that a sentence repeats
CHANGED = "has changed since game 1"  # a file that decides the games of a tournament


class ArenaError(Exception):
    """A mistake that one sentence can explain."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the sentence, and the engine's own lines if it broke."""
        trace = getattr(self, "trace", "")
        return [f"{type(self).__name__}: {self}", *([trace] if trace else [])]


class ArenaWarning(UserWarning):
    """Something to know that stops nothing; the command line tells it in one sentence."""


class BadRules(ArenaError):
    """The board or the length of a line makes no game."""


class BadNotation(ArenaError):
    """The text does not describe a position."""


class IllegalMove(ArenaError):
    """The column is off the board or full, or the game is over."""


class BadOption(ArenaError):
    """An option or limit has an unknown name, a wrong type or a value out of range."""


class BadEvaluation(ArenaError):
    """The weights do not describe an evaluation."""


class UnknownName(ArenaError):
    """No such game, engine or evaluation; the sentence suggests a near one."""

    def __init__(self, kind: str, name: str, choices: Iterable[str]) -> None:
        short = name if len(name) <= LONGEST else name[: LONGEST - 3] + "..."
        super().__init__(f"unknown {kind} {short!r}{suggestion(name, sorted(choices))}")

    def __reduce__(self) -> tuple[object, ...]:
        return _with_sentence, (type(self), str(self))


class BadBook(ArenaError):
    """The file is no opening book, or not one to be trusted."""


class BadCheckpoint(ArenaError):
    """The training on disk is damaged, or was begun with another file."""


class EngineFailure(ArenaError):
    """An engine could not be loaded, or broke the contract; the lines of it where it did."""

    def __init__(self, sentence: str = "", trace: str = "") -> None:
        super().__init__(sentence)
        self.trace = trace


class NotInstalled(EngineFailure):
    """A program or a package that an engine from outside needs is not on this machine."""


class ClusterFailure(ArenaError):
    """A cluster cannot be reached, or one of its workers cannot play; the sentence names it."""


def _with_sentence(kind: type[ArenaError], sentence: str) -> ArenaError:
    """An error that comes from another process: the sentence is already made."""
    error = kind.__new__(kind)
    error.args = (sentence,)
    return error


def suggestion(name: str, choices: Iterable[str]) -> str:
    """The tail of a sentence about a wrong name: a near one, or all there are."""
    choices = list(choices)
    lower = {choice.lower(): choice for choice in choices}
    near = get_close_matches(name.lower(), lower, n=1, cutoff=0.6)
    if near:
        return f"; did you mean {lower[near[0]]!r}?"
    return f"; expected one of {', '.join(choices)}" if choices else ""
