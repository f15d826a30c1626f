"""A game with people in it: the players, their time, and the game itself.

It has a referee like any other game, but people type their columns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from arena.engine.contract import Choice, Engine, Limits
from arena.errors import BadOption
from arena.game.notation import play_moves
from arena.game.position import DISCS, Position
from arena.game.rules import Rules
from arena.table.game import in_words
from arena.table.referee import ONE_GAME, Referee

MAX_MINUTES = 24 * 60  # minutes
NO_CLOCK = ("", "none", "no", "no clock", "untimed")
LENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)(?:\s*(?:a|per)\s*(?:turn|move)|\s*in all)?")
SECONDS = ("s", "sec", "secs", "second", "seconds")
MINUTES = ("m", "min", "mins", "minute", "minutes")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long each side may think: over a turn, and over the whole game."""

    seconds: float | None = None
    minutes: float | None = None

    def __post_init__(self) -> None:
        for name, value, most in (
            ("seconds a turn", self.seconds, 60 * MAX_MINUTES),
            ("minutes in all", self.minutes, MAX_MINUTES),
        ):
            if value is not None and not 0 < value <= most:
                raise BadOption(f"{value:g} {name}: expected more than 0 and at most {most:g}")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """A time in words: "none", "10 s", "5 min", "10 s 5 min"."""
        words = " ".join(text.lower().replace(",", " ").split())
        if words in NO_CLOCK:
            return cls()
        lengths = list(LENGTH.finditer(words))
        if not lengths or LENGTH.sub("", words).strip():
            raise BadOption(f"{text.strip()!r} is not a time; expected none, 10 s or 5 min")
        given: dict[str, float] = {}
        for number, unit in (length.groups() for length in lengths):
            kind = "seconds" if unit in SECONDS else "minutes" if unit in MINUTES else None
            if kind is None or kind in given:
                raise BadOption(f"{number} what? Say {number} s for a turn or {number} min in all")
            given[kind] = float(number)
        return cls(**given)

    @property
    def limits(self) -> Limits:
        """The limits of an engine."""
        return Limits(
            seconds=self.seconds, clock=None if self.minutes is None else 60 * self.minutes
        )

    @property
    def short(self) -> str:
        """As one would type it: "10 s 5 min", or "none"."""
        return " ".join(self._lengths("s", "min")) or "none"

    def __str__(self) -> str:
        return ", ".join(self._lengths("s a turn", "min in all")) or "no clock"

    def _lengths(self, turn: str, game: str) -> list[str]:
        given = ((self.seconds, turn), (self.minutes, game))
        return [f"{length:g} {unit}" for length, unit in given if length is not None]


@dataclass(frozen=True)
class Participant:
    """A player at the board; a person has no engine."""

    name: str
    engine: Engine | None = None
    words: str = ""  # what builds the engine again

    @property
    def is_person(self) -> bool:
        """Whether the moves are typed."""
        return self.engine is None


class Keyboard(Engine):
    """Plays the column that a person has entered, or steals."""

    plays_pie = True
    column = 0

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The column entered, or STEAL."""
        return Choice(self.column)


class HumanGame(Referee):
    """One game in progress; who moves first sits in seat 0."""

    def __init__(
        self,
        participants: tuple[Participant, Participant],
        rules: Rules,
        time_control: TimeControl,
        seed: int,
    ) -> None:
        self.participants = participants
        self.time_control = time_control
        self.keyboards = (Keyboard(), Keyboard())
        first, second = participants
        engines = (first.engine or self.keyboards[0], second.engine or self.keyboards[1])
        names = (first.name, second.name)
        super().__init__(engines, rules, time_control.limits, ONE_GAME._replace(seed=seed), names)
        self.helps = 0  # hints, opinions and moves taken back: such a game is not rated
        self._clocks_before = [self._left()]  # as they stood before each ply

    @property
    def rules(self) -> Rules:
        """The board that is played on."""
        return self.position.rules

    @property
    def to_move(self) -> int:
        """The seat whose turn it is."""
        return self.position.to_move

    @property
    def people(self) -> int:
        """How many people sit at the board."""
        return sum(participant.is_person for participant in self.participants)

    def ask_engine(self) -> bool:
        """Let the engine to move drop a disc; return whether the game continues."""
        goes_on = self.ask()
        self._note_clocks()
        return goes_on

    def drop(self, column: int, seconds: float) -> bool:
        """Drop a person's disc, or steal; return whether the game continues."""
        self.position.play(column)  # an illegal one is an error of ours, not a game lost
        seat = self.to_move
        allowed = self.allowed(seat)
        if allowed is not None and seconds > allowed:
            return self.overstep(seat)
        clock = self.clocks[seat]
        left = clock.left
        self.keyboards[seat].column = column
        goes_on = self.ask()
        clock.left = None if left is None else left - seconds  # not the time of asking
        self.moves[-1] = self.moves[-1]._replace(seconds=seconds, cpu=0.0)
        self._note_clocks()
        return goes_on

    def allowed(self, seat: int) -> float | None:
        """Seconds that a person may think now; None without a limit."""
        given = (self.time_control.seconds, self.clocks[seat].left)
        return min((each for each in given if each is not None), default=None)

    def overstep(self, seat: int) -> bool:
        """A person has thought too long, and loses."""
        left = self.clocks[seat].left
        seconds, minutes = self.time_control.seconds, self.time_control.minutes
        turn = seconds is not None and (left is None or seconds <= left)
        limit = f"{seconds:g} s of a turn" if turn else f"{minutes:g} min"
        return self.forfeit(seat, "time", f"the {limit} are over")

    def resign(self, seat: int) -> None:
        """A person gives up, for which games of engines have no reason."""
        detail = f"{self.players[seat]} gave up"
        self.ending = (1 if seat else -1, "resigned", detail)  # type: ignore[assignment]

    def take_back(self) -> int:
        """Go back to the same person's turn before, or one ply between two people; how many."""
        plies = 1 if self.people == 2 else 2
        if len(self.moves) < plies:
            return 0
        del self.moves[-plies:]
        del self._clocks_before[-plies:]
        self.position = play_moves([move.column for move in self.moves], self.rules)
        for clock, left in zip(self.clocks, self._clocks_before[-1], strict=True):
            clock.left = left
        self.helps += 1
        return plies

    def outcome(self, sides: tuple[str, str] = (DISCS[0], DISCS[1])) -> str:
        """The end in a sentence: who won and by which lines, or why it ended otherwise."""
        assert self.ending is not None
        result, reason, detail = self.ending
        if result == 0:
            return f"A draw: {detail}."
        seat = 0 if result > 0 else 1
        lines = [f"a {in_words(line, self.rules)}" for line in self.position.winning_lines]
        why = f" by {' and '.join(lines)}" if lines else f": {detail} ({reason})"
        return f"{self.players[seat]} ({sides[seat]}) wins{why}."

    def _left(self) -> tuple[float | None, float | None]:
        first, second = self.clocks
        return first.left, second.left

    def _note_clocks(self) -> None:
        if len(self._clocks_before) <= len(self.moves):
            self._clocks_before.append(self._left())
