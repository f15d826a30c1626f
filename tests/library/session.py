"""What a notebook or a script would define: engines that stand in no file of their own."""

from __future__ import annotations

from typing import Any

from arena import Engine

SOURCE = '''
from arena import Choice, Engine, option

HOME = {"middle": 3}

def distance(column, home):
    return abs(column - home)

class Steady(Engine):
    """Plays as near to its home as it can."""

    shift: int = option(0, "columns to the right", least=0, most=3)

    def choose(self, position, limits):
        home = HOME["middle"] + self.shift
        return Choice(min(position.legal, key=lambda column: distance(column, home)))

class Wandering(Steady):
    """Plays anywhere, now and then."""

    def new_game(self):
        super().new_game()
        self.kind = Wandering

    def choose(self, position, limits):
        if self.random.random() < 0.5:
            return Choice(self.random.choice(position.legal))
        return super().choose(position, limits)
'''


def defined(source: str = SOURCE, file: str = "<cell 1>") -> dict[str, Any]:
    """The names that a session has after this was typed."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, file, "exec"), names)
    return names


def engine(name: str, source: str = SOURCE, file: str = "<cell 1>") -> type[Engine]:
    """An engine class of a session."""
    kind: type[Engine] = defined(source, file)[name]
    return kind
