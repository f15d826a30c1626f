"""What is installed: the facts that the menu asks for, from the registry."""

from __future__ import annotations

from arena.engine.errors import build_engine
from arena.engine.registry import find, names
from arena.errors import ArenaError
from arena.human.levels import AS_IT_IS, grade
from arena.human.seats import usual_level


class World:
    """The engines of this installation, and the colours of a theme."""

    def __init__(self, colours: tuple[str, str]) -> None:
        self.colours = colours

    @property
    def engines(self) -> list[str]:
        """The names of all engines that are installed."""
        return names()

    def refusal(self, engine: str) -> str:
        """Why an engine cannot be built, in a sentence; empty if it can."""
        try:
            build_engine(engine)
        except ArenaError as error:
            return str(error)
        return ""

    def usual_level(self, engine: str) -> str:
        """The level of an engine for which none was chosen."""
        return usual_level(engine)

    def level_words(self, engine: str, level: str) -> str:
        """What a level of an engine amounts to, on flat boards and in space."""
        if level == AS_IT_IS:
            return "with its own settings"
        name = engine.partition(" ")[0]
        entry = find(name)
        flat, space = (str(grade(entry, level, is_flat)) for is_flat in (True, False))
        return flat if flat == space else f"{flat}; in space {space}"
