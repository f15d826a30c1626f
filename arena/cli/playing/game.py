"""One game at the board: whose turn it is, and what each typed line does."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from arena.cli.playing.view import OutOfTime, help_lines, opinion_lines
from arena.errors import ArenaError
from arena.human.advice import Adviser, opinions
from arena.human.commands import Drop, Order, Unclear, column_name, read
from arena.show.numbers import how_many

if TYPE_CHECKING:
    from arena.cli.playing.view import View
    from arena.human.sitting import Sitting


class Left(Enum):
    """How the board was left."""

    OVER = "the game has ended"
    BACK = "for the menu"
    QUIT = "for good"


class Game:
    """Leads a game from its first move to its end, or until somebody leaves."""

    def __init__(self, sitting: Sitting, view: View, adviser: Adviser, pause: float) -> None:
        self.sitting = sitting
        self.view = view
        self.adviser = adviser
        self.pause = pause
        self.orders: dict[str, Callable[[], Left | None]] = {
            "hint": self._hint,
            "undo": self._undo,
            "opinion": self._opinion,
            "moves": self._moves,
            "resign": self._resign,
            "help": self._help,
            "back": lambda: Left.BACK,
            "quit": lambda: Left.QUIT,
        }

    def play(self, title: Sequence[str]) -> Left:
        """Play until the game is over or left."""
        self.view.begin(self.sitting, title)
        while self.sitting.ending is None:
            person = self.sitting.seats[self.sitting.to_move].is_person
            left = self._ask_person() if person else self._ask_engine()
            if left is not None:
                return left
        return Left.OVER

    def _ask_engine(self) -> Left | None:
        sitting = self.sitting
        name = sitting.seats[sitting.to_move].name
        before = sitting.position.ply
        self.view.thinking(sitting, f"{name} is thinking")
        sitting.ask_engine()
        if sitting.position.ply == before:
            return None  # it has lost by a fault
        self.view.moved(sitting)
        if sitting.people_count or sitting.ending is not None:
            return None
        return self._watched(self.view.pause(self.pause))

    def _watched(self, line: str | None) -> Left | None:
        """What those who watch have typed between two moves."""
        meant = read(line or "", self.sitting.position)
        if isinstance(meant, Order) and meant.command in ("back", "quit"):
            return self.orders[meant.command]()
        return None

    def _ask_person(self) -> Left | None:
        """Ask until a disc is dropped; the time that answers to questions take does not count."""
        sitting, seat = self.sitting, self.sitting.to_move
        allowed, spent = sitting.allowed(seat), 0.0
        ply = sitting.position.ply
        while sitting.ending is None and sitting.position.ply == ply:
            began = time.monotonic()
            try:
                line = self.view.ask_move(sitting, None if allowed is None else allowed - spent)
            except OutOfTime:
                sitting.overstep(seat)
                return None
            spent += time.monotonic() - began
            if allowed is not None and spent > allowed:  # where one cannot wait for a while only
                sitting.overstep(seat)
                return None
            left = self._obey(line, spent)
            if left is not None:
                return left
        return None

    def _obey(self, line: str, spent: float) -> Left | None:
        meant = read(line, self.sitting.position)
        if isinstance(meant, Drop):
            self.sitting.drop(meant.column, spent)
            self.view.moved(self.sitting)
        elif isinstance(meant, Unclear):
            self.view.tell([f"{meant.reason[:1].upper()}{meant.reason[1:]}."])
        else:
            return self.orders[meant.command]()
        return None

    def _hint(self) -> None:
        from arena.show.progress import reporting

        position = self.sitting.position
        self.view.thinking(self.sitting, "thinking of a hint")
        try:
            with reporting() as report:
                hint = self.adviser.hint(position, report)
        except ArenaError as error:
            self.view.tell([f"No hint: {error}."])
            return
        self.sitting.helps += 1
        column = column_name(hint.choice.column, position.rules)
        depth = f", {hint.choice.depth} plies deep" if hint.choice.depth else ""
        self.view.tell([f"{hint.engine} would drop into {column}{depth}."])

    def _undo(self) -> None:
        plies = self.sitting.take_back()
        if plies:
            self.view.taken_back(self.sitting, f"{how_many(plies, 'move')} taken back.")
        else:
            self.view.tell(["There is nothing to take back."])

    def _opinion(self) -> None:
        engines = [seat for seat in self.sitting.seats if seat.engine is not None]
        if not engines or engines[0].engine is None:
            self.view.tell(["No engine plays here; hint asks one."])
            return
        name = engines[0].name
        self.view.thinking(self.sitting, f"asking {name}")
        try:
            worths = opinions(engines[0].engine, name, self.sitting.position)
        except ArenaError as error:
            self.view.tell([f"No opinion: {error}."])
            return
        self.sitting.helps += bool(worths)
        self.view.tell(opinion_lines(name, worths, self.sitting))

    def _moves(self) -> None:
        self.view.tell([f"Moves: {self.sitting.position.notation or 'none yet'}"])

    def _resign(self) -> None:
        self.sitting.resign(self.sitting.to_move)

    def _help(self) -> None:
        people = self.sitting.people_count
        self.view.tell(help_lines(people == 2, people < 2))
