"""Programs that read whole positions, such as Pons' solver: `positions:./c4solver`.

A position is one line with the columns played so far, counted from 1: "4453" ("10,4" on boards of
more than nine columns). The answer is one line, after an optional echo of the position:

    4453 2                    the score of the position for the player to move
    4453 -2 -1 0 2 0 -1 -2    the score of a drop into each column, for the player who drops
    4                         a column
"""

from __future__ import annotations

import re
from random import Random
from typing import Literal

from arena.bots.adapter import Program
from arena.engine.contract import Choice, Limits, option
from arena.engine.errors import Fault
from arena.game.notation import write_moves
from arena.game.position import Position
from arena.game.rules import Rules
from arena.text import quote
from arena.timing import AnswerDeadline

Style = Literal["score", "scores", "move"]
MAX_CHATTER = 1000  # lines before an answer
NUMBERS = re.compile(r"[-+]?\d+(\.\d+)?(\s+[-+]?\d+(\.\d+)?)*")
TRIES = 50  # games from which a trial position is taken


class Positions(Program):
    """A program that reads a position a line and writes a score, scores or a move."""

    kind = "positions"

    answer: Literal["auto", "score", "scores", "move"] = option(
        "auto", "what it writes; auto finds out at the start"
    )
    leftmost: Literal[0, 1] = option(1, "the number of the leftmost column of a move")
    _style: Style | None = None  # of a program that is asked with answer=auto

    def check_rules(self, rules: Rules) -> None:
        """Accept every board: the program must know it."""

    def try_a_move(self) -> None:
        """Ask about a late position, which is easy for every solver."""
        self.reply(trial_position(self.rules), Limits())

    def new_game(self) -> None:
        """Start the program if necessary and find out, off the clock, how it answers."""
        super().new_game()
        with self.getting_ready(self.process):
            self._find_style()

    def reply(self, position: Position, limits: Limits) -> Choice:
        """Ask for a move, or for scores and take the best column, the middle first."""
        wait = self.wait_for_move(limits)
        if self._find_style() == "move":
            numbers = self._ask(position, wait)
            if len(numbers) != 1 or numbers[0] != int(numbers[0]):
                raise Fault("illegal move", f"answered {_words(numbers)}; expected one column")
            return Choice(int(numbers[0]) - self.leftmost)
        scores = self._scores(position, wait)
        best = max(position.rules.centre_order, key=lambda x: scores.get(x, float("-inf")))
        return Choice(best, scores[best])

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The score of each column; empty if the program writes moves."""
        if self._find_style() == "move":
            return {}
        try:
            return self._scores(position, self.wait_for_move(limits))
        except Fault as fault:
            raise self.give_up(fault) from None

    def _scores(self, position: Position, wait: AnswerDeadline) -> dict[int, float]:
        """The score of a drop into each open column, for the player to move."""
        if self._find_style() == "score":
            return {column: self._value_of(position, column, wait) for column in position.legal}
        numbers = self._ask(position, wait)
        if len(numbers) != position.rules.columns:
            expected = f"expected {position.rules.columns} scores"
            raise Fault("illegal move", f"answered {_words(numbers)}; {expected}")
        return {column: numbers[column] for column in position.legal}

    def _value_of(self, position: Position, column: int, wait: AnswerDeadline) -> float:
        """The score of a drop from the position after it; Arena scores a finished game itself."""
        after = position.play(column)
        if after.is_over:
            empty = position.rules.cells - position.ply
            return 0.0 if after.winner is None else (empty + 1) // 2
        numbers = self._ask(after, wait)
        if len(numbers) < 1:
            raise Fault("illegal move", f"answered {_words(numbers)}; expected a score")
        return -numbers[0]

    def _find_style(self) -> Style:
        """The kind of its answers; with answer=auto from a trial position."""
        if self.answer != "auto":
            return self.answer
        if self._style is None:
            position = trial_position(self.rules)
            numbers = self._ask(position, self.process.start_deadline(self.terms.start))
            if len(numbers) == position.rules.columns:
                self._style = "scores"
            else:
                self._style = "score" if self._has_echo else "move"
        return self._style

    def _ask(self, position: Position, wait: AnswerDeadline) -> list[float]:
        """Send a position and read the numbers of the answer, without the echo."""
        text, line = write_moves(self.moves_to(position), position.rules), ""
        process = self.process
        process.discard_output()
        process.send(text)
        for _ in range(MAX_CHATTER):
            line = process.read(wait)
            words = line.split()
            self._has_echo = bool(text) and words[:1] == [text]
            answer = " ".join(words[1:] if self._has_echo else words)
            if NUMBERS.fullmatch(answer):
                return [float(word) for word in answer.split()]
        raise Fault("illegal move", f"answered {quote(line)}, which has no number")

    _has_echo = False  # in the last answer


def trial_position(rules: Rules) -> Position:
    """The longest unfinished position of some random games."""
    random, longest = Random(0), Position(rules)
    for _ in range(TRIES):
        position = before = Position(rules)
        while not position.is_over:
            before, position = position, position.play(random.choice(position.legal))
        longest = before if before.ply > longest.ply else longest
    return longest


def _words(numbers: list[float]) -> str:
    return quote(" ".join(f"{number:g}" for number in numbers))
