"""Command lines as users write them, read into the words of a program that exists."""

from __future__ import annotations

import os
import shlex
import shutil

from arena.errors import EngineFailure, NotInstalled
from arena.text import printable

GAMES = ("/usr/local/games", "/usr/games")  # where Debian keeps games, off the path of some users


def read_command(line: str, folder: str = "") -> list[str]:
    """The words of a command; the first one is a program that can be started, in this folder."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        why = str(error).lower()
        raise EngineFailure(f"{printable(line)!r} is no command: {why}") from None
    if not words or not words[0]:
        raise EngineFailure("an empty command; expected a program and its arguments")
    program = words[0]
    if os.path.dirname(program):
        program = os.path.abspath(os.path.join(folder, program))
    path = os.pathsep.join((os.environ.get("PATH") or os.defpath, *GAMES))
    start = shutil.which(program, path=path)
    if start is None:
        if not os.path.dirname(program):
            raise NotInstalled(f"no program {printable(program)!r} is installed here")
        raise EngineFailure(_why_not(words[0], program))
    return [start, *words[1:]]


def _why_not(written: str, program: str) -> str:
    """What stands between a word and a program."""
    name = repr(printable(written))
    if os.path.isdir(program):
        return f"{name} is a folder; expected a program"
    if os.path.exists(program):
        return f"{name} cannot be run; a script is started by its language, as in 'python3 bot.py'"
    return f"no program {name} is found here"
