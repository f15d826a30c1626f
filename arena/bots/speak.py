"""Our engines as programs that speak a protocol: UCI, or a line protocol in a fixed order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice

from arena.bots.boards import followed
from arena.bots.dialects import DIALECTS, Dialect
from arena.bots.speak_uci import speak_uci
from arena.bots.spoken import NO_LIMITS, Say, SpokenEngine
from arena.errors import BadNotation, BadOption
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.text import quote

Words = dict[str, str]  # the values of a turn by the names in the dialect's patterns


def speak_lines(dialect: Dialect, spoken: SpokenEngine, lines: Iterator[str], say: Say) -> None:
    """Answer each turn until the input ends."""
    dialect.check(spoken.rules)
    spoken.warm_up()
    conversation = Conversation(dialect, spoken)
    for words in read_turns(dialect, spoken.rules, lines):
        say(conversation.answer(words))


@dataclass
class Conversation:
    """One game in a line protocol, turn by turn."""

    dialect: Dialect
    spoken: SpokenEngine
    position: Position | None = None  # after our last move

    def answer(self, words: Words) -> str:
        """Choose a move and write it."""
        position = self._follow(words)
        column = self.spoken.choose(position, NO_LIMITS).column
        self.position = position.play(column)
        return self.dialect.write_answer(column, position.rules)

    def _follow(self, words: Words) -> Position:
        """The position now: one move after ours, or any position if the game is new."""
        rules, before = self.spoken.rules, self.position
        if before is None:
            self.spoken.new_game()
            before = Position(rules)
        if not self.dialect.sends_board:
            return self._play(before, words["last"])
        seen = self.dialect.read_field(words["field"], rules)
        position = followed(before, seen)
        if position is None and before.ply:
            self.spoken.new_game()
        return position or followed(Position(rules), seen) or self._with_steal(seen, words["me"])

    def _with_steal(self, seen: Position, me: str) -> Position:
        """A position from the middle of a game, in which a disc may have been stolen."""
        to_move = seen.to_move + self.dialect.first_player
        if not seen.rules.pie or me == str(to_move):
            return seen
        return Position(seen.rules, seen.first, seen.second, stolen=not seen.stolen)

    def _play(self, before: Position, last: str) -> Position:
        """The position after the opponent's last move."""
        if last == self.dialect.no_move:
            if before.ply:
                self.spoken.new_game()
            return Position(before.rules)
        try:
            return before.play(self.dialect.read_column(last, before.rules))
        except ValueError:
            raise BadNotation(f"received {quote(last)}, which is not a move") from None


def read_turns(dialect: Dialect, rules: Rules, lines: Iterator[str]) -> Iterator[Words]:
    """Yield the values of each turn of a dialect whose lines come in a fixed order."""
    words: Words = {}
    lines = (line.strip() for line in lines if line.strip())
    patterns = dialect.settings + dialect.turn
    while True:
        for pattern in patterns:
            count = _line_count(pattern, words, rules)
            received = [*islice(lines, count)]
            if len(received) < count:
                return
            words |= _read(pattern, "\n".join(received))
        yield words
        patterns = dialect.turn


def _line_count(pattern: str, words: Words, rules: Rules) -> int:
    """The number of lines that a pattern stands for."""
    if pattern == "{field}":
        return rules.height
    if pattern != "{actions}":
        return 1
    if not re.fullmatch("[0-9]{1,9}", words["count"]):
        raise BadOption(f"received {quote(words['count'])} for count; expected a whole number")
    return int(words["count"])


def _read(pattern: str, text: str) -> Words:
    match = _compile(pattern).fullmatch(text)
    if match is None:
        raise BadNotation(f"received {quote(text)} where {pattern!r} was expected")
    return match.groupdict()


@lru_cache
def _compile(pattern: str) -> re.Pattern[str]:
    """A pattern as a regular expression with a group for each value."""
    parts = re.split(r"\{(\w+)\}", pattern)
    fixed = [re.escape(part).replace(r"\ ", r"\s+") for part in parts[::2]]
    groups = [rf"(?P<{name}>\S+(?:\n\S+)*)" for name in parts[1::2]]
    return re.compile("".join(f + g for f, g in zip(fixed, [*groups, ""], strict=True)))


Speak = Callable[[SpokenEngine, Iterator[str], Say], None]

SPEAKERS: Mapping[str, Speak] = {
    "uci": speak_uci,
    **{name: partial(speak_lines, DIALECTS[name]) for name in ("codingame", "lines")},
}


def usual_game(dialect: str) -> str:
    """The default game of a dialect."""
    return DIALECTS[dialect].game if dialect in DIALECTS else CONNECT4.name
