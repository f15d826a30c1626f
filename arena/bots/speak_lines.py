"""Our engines in the line dialects: the table of dialects.py, read from the other side."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from arena.bots.agent import followed
from arena.bots.dialects import Dialect
from arena.bots.spoken import Say, SpokenEngine
from arena.engine.contract import Limits
from arena.errors import BadNotation, BadOption
from arena.game.position import Position
from arena.game.rules import Rules
from arena.text import printable

Words = dict[str, str]  # what was heard, by the names that the patterns have for it


def speak_lines(dialect: Dialect, spoken: SpokenEngine, lines: Iterator[str], say: Say) -> None:
    """Answer each turn that is heard, until nobody says anything more."""
    dialect.check(spoken.rules)
    spoken.warm_up()
    conversation = Conversation(dialect, spoken)
    turns = turns_in_order if dialect.ordered else turns_by_words
    for words in turns(dialect, spoken.rules, lines):
        say(conversation.answer(words))


@dataclass
class Conversation:
    """A game as it is heard, turn by turn."""

    dialect: Dialect
    spoken: SpokenEngine
    position: Position | None = None  # after our last move

    def answer(self, words: Words) -> str:
        """The line that names our move."""
        dialect, spoken = self.dialect, self.spoken
        position = self._follow(words)
        column = spoken.choose(position, limits_of(dialect, words)).column
        self.position = position.play(column)
        return dialect.write_answer(column)

    def _follow(self, words: Words) -> Position:
        """Where the game stands: one move after ours, or anywhere if it begins here."""
        rules = rules_of(self.spoken.rules, words)
        before = self.position
        if before is None or before.rules != rules:
            self.spoken.new_game(rules)
            before = Position(rules)
        if not self.dialect.says_board:
            return self._play(before, words["last"])
        if "field" not in words or "me" not in words:
            raise BadNotation("was asked to move before a field and its own number were told")
        seen = self.dialect.read_field(words["field"], rules)
        position = followed(before, seen)
        if position is None and before.ply:
            self.spoken.new_game()
        return position or followed(Position(rules), seen) or self._turned(seen, words["me"])

    def _turned(self, seen: Position, me: str) -> Position:
        """A position that was met in the middle of a game, in which a disc may have been stolen."""
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
            return before.play(self.dialect.read_column(last))
        except ValueError:
            raise BadNotation(f"heard {_short(last)}, which is no move") from None


def turns_by_words(dialect: Dialect, rules: Rules, lines: Iterator[str]) -> Iterator[Words]:
    """What is known at each turn, where every line says by its words what it is about."""
    words: Words = {}
    patterns = (*dialect.settings, *dialect.turn)
    for line in lines:
        for pattern in patterns:
            heard = compiled(pattern).fullmatch(line.strip())
            if heard is None:
                continue
            words |= heard.groupdict()
            if pattern == dialect.turn[-1]:
                yield words


def turns_in_order(dialect: Dialect, rules: Rules, lines: Iterator[str]) -> Iterator[Words]:
    """What is known at each turn, where every line has its place."""
    words: Words = {}
    lines = (line.strip() for line in lines if line.strip())
    patterns = dialect.settings + dialect.turn
    while True:
        for pattern in patterns:
            count = _count(pattern, words, rules)
            heard = [*islice(lines, count)]
            if len(heard) < count:
                return
            words |= _read(pattern, "\n".join(heard))
        yield words
        patterns = dialect.turn


def _count(pattern: str, words: Words, rules: Rules) -> int:
    """How many lines a pattern stands for."""
    if pattern == "{field}":
        return rules.height
    return _number(words, "count") if pattern == "{actions}" else 1


def _read(pattern: str, text: str) -> Words:
    heard = compiled(pattern).fullmatch(text)
    if heard is None:
        raise BadNotation(f"heard {_short(text)} where {pattern!r} was expected")
    return heard.groupdict()


@lru_cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of the table as a regular expression, with a group for each word."""
    parts = re.split(r"\{(\w+)\}", pattern)
    fixed = [re.escape(part).replace(r"\ ", r"\s+") for part in parts[::2]]
    groups = [rf"(?P<{name}>\S+(?:\n\S+)*)" for name in parts[1::2]]
    return re.compile("".join(f + g for f, g in zip(fixed, [*groups, ""], strict=True)))


def rules_of(rules: Rules, words: Words) -> Rules:
    """The game, on a board of the size that was heard, if any."""
    if "columns" not in words or "rows" not in words:
        return rules
    columns, rows = _number(words, "columns"), _number(words, "rows")
    return Rules.flat(columns, rows, rules.connect, rules.pie)


def limits_of(dialect: Dialect, words: Words) -> Limits:
    """The time that was heard of: a bank that grows, or one that is filled up with each move."""
    if "time" not in words:
        return Limits()
    seconds = max(0.001, _number(words, "time") / 1000)
    more = _number(words, "time_per_move") / 1000 if "time_per_move" in words else 0.0
    if "bank" in words and words["bank"] == words.get("time_per_move"):
        return Limits(seconds=seconds)
    return Limits(clock=seconds, increment=more)


def _number(words: Words, name: str) -> int:
    text = words[name]
    if not re.fullmatch("[0-9]{1,9}", text):
        raise BadOption(f"heard {_short(text)} for {name}; expected a whole number")
    return int(text)


def _short(text: str) -> str:
    text = printable(text)
    return repr(text if len(text) <= 60 else text[:57] + "...")
