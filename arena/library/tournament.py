"""A tournament as a program has it: from a file, from data, or built in code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any
from weakref import finalize

from arena.errors import ArenaError
from arena.game.rules import Rules
from arena.library.engines import LineUp, limits_entry, plain
from arena.tournament import spec
from arena.tournament.load import load, load_text
from arena.tournament.mistakes import BadSpec
from arena.tournament.yaml import write

ENGINES = "engines"  # the folder beside a journal with engines of a session
NAME = "tournament"


class Tournament:
    """A tournament, checked: who plays, and how.

    The keys are those of a tournament file (`arena help tournament-files` lists them). An engine is
    a name, a mapping as in a file, a class, or an object; limits may be words as well.

    >>> tournament = arena.Tournament(
    ...     name="first steps", engines=[MyBot, "greedy", "mcts playouts=200"],
    ...     games=4, openings={"random": 2}, limits="depth=4")
    >>> arena.Tournament.load("tournaments/quickstart.yaml")

    One without `output` keeps its games for as long as the object lives; to run it again goes on
    where it was interrupted.
    """

    def __init__(self, **keys: Any) -> None:
        self._keys: dict[str, Any] | None = keys
        output = keys.get("output")
        self.spec = self._understand(folder_of(output) if output else self._own_folder())

    @classmethod
    def load(cls, path: Path | str, *, full: bool = False) -> Tournament:
        """The tournament of a file, or its full variant; its games go where the file says."""
        loaded = cls.__new__(cls)
        loaded._keys = None
        loaded.spec = load(path, full=full)
        return loaded

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Tournament:
        """The tournament of data such as a file would hold."""
        for key in data:
            if not isinstance(key, str):
                raise ArenaError(f"found {key!r} as a key of a tournament; expected a word")
        return cls(**data)

    @property
    def name(self) -> str:
        """Its name."""
        return self.spec.name

    @property
    def players(self) -> tuple[str, ...]:
        """The line-up."""
        return tuple(player.name for player in self.spec.players)

    @property
    def rules(self) -> Rules:
        """The game that is played."""
        return self.spec.rules

    @property
    def games(self) -> int | None:
        """How many games there are; None where results decide."""
        return self.spec.schedule().total

    @property
    def text(self) -> str:
        """The tournament file."""
        return self.spec.text

    def placed(self, output: Path | str | None, workers: int | None = None) -> spec.Tournament:
        """What a run has to know, with its games in this folder."""
        placed = self.spec
        if output is not None:
            folder = folder_of(output)
            placed = placed.model_copy(update={"output": folder})
            if self._keys is not None:
                placed = self._understand(folder)
        return placed if workers is None else placed.model_copy(update={"workers": workers})

    def _own_folder(self) -> Path:
        """A folder that is gone when this object is, or when the process ends."""
        folder = mkdtemp(prefix="arena-")
        finalize(self, rmtree, folder, ignore_errors=True)
        return Path(folder)

    def _understand(self, folder: Path) -> spec.Tournament:
        """Check it all, with the engines of this session in files of this folder."""
        assert self._keys is not None
        keys = {key: value for key, value in self._keys.items() if key != "output"}
        line_up = LineUp(_in_short(folder / ENGINES))
        if isinstance(engines := keys.get("engines"), list | tuple):
            keys["engines"] = [line_up.entry(engine) for engine in engines]
        if isinstance(game := keys.get("game"), Rules):
            keys["game"] = game.name
        if "limits" in keys:
            keys["limits"] = limits_entry(keys["limits"])
        text = write({key: plain(value, key) for key, value in keys.items()})
        title = Path(str(keys.get("name") or NAME))
        try:
            understood = load_text(text, Path(f"{NAME}.yaml"))
        except BadSpec as error:  # there is no file whose lines could be named
            own = Path(f"{NAME}.yaml")
            raise BadSpec(
                replace(each, path=title, place=None) if each.path == own else each
                for each in error.mistakes
            ) from None
        return understood.model_copy(update={"output": folder})

    def __repr__(self) -> str:
        games = "" if self.games is None else f", {self.games} games"
        return f"Tournament({self.name!r}, {', '.join(self.players)}{games})"


def _in_short(folder: Path) -> Path:
    """A folder as it is seen from here, or in full where it lies elsewhere."""
    full, here = folder.absolute(), Path.cwd()
    return full.relative_to(here) if full.is_relative_to(here) else full


def folder_of(output: object) -> Path:
    """The folder that somebody names."""
    if not isinstance(output, str | Path):
        raise ArenaError(f"output is {output!r}; expected the name of a folder")
    return Path(output).expanduser()
