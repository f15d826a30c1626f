"""A game with people in it: the referee asks engines, people enter their columns themselves."""

from __future__ import annotations

from typing import NamedTuple

from arena.engine.contract import Choice, Engine, Limits
from arena.game.notation import play_moves
from arena.game.position import DISCS, Position
from arena.game.rules import Rules
from arena.human.setup import Participant, TimeControl
from arena.play.record import MoveRecord, in_words
from arena.play.referee import Referee


class Keyboard(Engine):
    """Plays the column that a person has entered."""

    def __init__(self) -> None:
        super().__init__()
        self.column = 0

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The column entered."""
        return Choice(self.column)


class Ending(NamedTuple):
    """How a game ended: the result for the first player, the reason and the words for it."""

    result: int
    reason: str
    detail: str


class HumanGame:
    """One game in progress; who moves first sits in seat 0."""

    def __init__(
        self,
        players: tuple[Participant, Participant],
        rules: Rules,
        time_control: TimeControl,
        seed: int,
    ) -> None:
        self.players = players
        self.time_control = time_control
        self.keyboards = (Keyboard(), Keyboard())
        first, second = (
            player.engine or keyboard
            for player, keyboard in zip(players, self.keyboards, strict=True)
        )
        names = (players[0].name, players[1].name)
        self.referee = Referee((first, second), rules, time_control.limits, seed, players=names)
        self.helps = 0  # hints, opinions and moves taken back: such a game is not rated
        self._resigned: int | None = None
        self._clocks = [self._left()]  # as they stood before each ply

    @property
    def position(self) -> Position:
        """The board as it is now."""
        return self.referee.position

    @property
    def rules(self) -> Rules:
        """The board that is played on."""
        return self.position.rules

    @property
    def to_move(self) -> int:
        """The seat whose turn it is."""
        return self.position.to_move

    @property
    def moves(self) -> list[MoveRecord]:
        """The moves so far."""
        return self.referee.moves

    @property
    def people(self) -> int:
        """How many people sit at the board."""
        return sum(player.is_person for player in self.players)

    @property
    def ending(self) -> Ending | None:
        """How it ended, if it has."""
        if self._resigned is not None:
            name = self.players[self._resigned].name
            return Ending(1 if self._resigned else -1, "resigned", f"{name} gave up")
        return None if self.referee.ending is None else Ending(*self.referee.ending)

    def ask_engine(self) -> bool:
        """Let the engine to move drop a disc; tell whether the game goes on."""
        goes_on = self.referee.ask()
        self._note_clocks()
        return goes_on

    def drop(self, column: int, seconds: float) -> bool:
        """A person drops a disc after so much thinking; tell whether the game goes on."""
        self.position.play(column)  # an illegal one is an error of ours, not a game lost
        seat = self.to_move
        allowed = self.allowed(seat)
        if allowed is not None and seconds > allowed:
            return self.overstep(seat)
        clock = self.referee.clocks[seat]
        left = clock.left
        self.keyboards[seat].column = column
        goes_on = self.referee.ask()
        clock.left = None if left is None else left - seconds  # not the time of asking
        self.moves[-1] = self.moves[-1]._replace(seconds=seconds, cpu=0.0)
        self._note_clocks()
        return goes_on

    def allowed(self, seat: int) -> float | None:
        """Seconds that a person may think now; None: as long as it takes."""
        given = (self.time_control.seconds, self.referee.clocks[seat].left)
        return min((each for each in given if each is not None), default=None)

    def overstep(self, seat: int) -> bool:
        """A person has thought too long, and loses."""
        left = self.referee.clocks[seat].left
        seconds, minutes = self.time_control.seconds, self.time_control.minutes
        turn = seconds is not None and (left is None or seconds <= left)
        limit = f"{seconds:g} s of a turn" if turn else f"{minutes:g} min"
        return self.referee.forfeit(seat, "time", f"the {limit} are over")

    def resign(self, seat: int) -> None:
        """A person gives up."""
        self._resigned = seat

    def take_back(self) -> int:
        """Go back to the same person's turn before, or one ply between two people; how many."""
        plies = 1 if self.people == 2 else 2
        if self.position.ply < plies:
            return 0
        del self.moves[-plies:]
        del self._clocks[-plies:]
        self.referee.position = play_moves([move.column for move in self.moves], self.rules)
        for clock, left in zip(self.referee.clocks, self._clocks[-1], strict=True):
            clock.left = left
        self.helps += 1
        return plies

    def outcome(self, sides: tuple[str, str] = (DISCS[0], DISCS[1])) -> str:
        """The end in a sentence: who won and by which lines, or why it ended otherwise."""
        ending = self.ending
        assert ending is not None
        if ending.result == 0:
            return f"A draw: {ending.detail}."
        seat = 0 if ending.result > 0 else 1
        lines = [f"a {in_words(line, self.rules)}" for line in self.position.winning_lines]
        why = f" by {' and '.join(lines)}" if lines else f": {ending.detail} ({ending.reason})"
        return f"{self.players[seat].name} ({sides[seat]}) wins{why}."

    def _left(self) -> tuple[float | None, float | None]:
        first, second = self.referee.clocks
        return first.left, second.left

    def _note_clocks(self) -> None:
        if len(self._clocks) <= len(self.moves):
            self._clocks.append(self._left())
