"""One game at the board: whose turn it is, and what each typed line does."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

from arena.errors import ArenaError, BadOption, suggestion
from arena.game.notation import column_name, move_words
from arena.game.position import STEAL, Position
from arena.game.rules import Rules
from arena.human.advice import Adviser, opinion_lines, opinions
from arena.human.game import HumanGame
from arena.human.menu import Step, matches
from arena.human.view import View, columns_in_words
from arena.show.numbers import how_many, plies
from arena.show.progress import reporting

COMMANDS = {
    "hint": "what a strong engine would play",
    "steal": "make the first disc yours instead of dropping one",
    "undo": "take back your last move and the answer to it",
    "opinion": "what the other engine thinks of each column",
    "moves": "the moves so far",
    "resign": "give the game up",
    "help": "this list",
    "back": "leave the game for the menu",
    "quit": "leave",
}
ALIASES = {"menu": "back", "exit": "quit", "takeback": "undo", "?": "help"}
MAX_DIGITS = 9  # digits that are read of a number; more are off any board


class GameLoop:
    """Leads a game from its first move to its end, or until somebody leaves."""

    def __init__(self, game: HumanGame, view: View, adviser: Adviser, pause: float) -> None:
        self.game = game
        self.view = view
        self.adviser = adviser
        self.pause = pause
        self.commands: dict[str, Callable[[], Step | None]] = {
            "hint": self._hint,
            "undo": self._undo,
            "opinion": self._opinion,
            "moves": lambda: self.view.tell([f"Moves: {moves_as_typed(game.position)}"]),
            "resign": lambda: game.resign(game.to_move),
            "help": lambda: self.view.tell(help_lines(game.people, game.rules)),
            "back": lambda: Step.OPPONENT,
            "quit": lambda: Step.END,
        }

    def play(self, title: Sequence[str]) -> Step:
        """Play until the game is over or left; the step of the menu that follows."""
        self.view.begin(self.game, title)
        while self.game.ending is None:
            person = self.game.participants[self.game.to_move].is_person
            step = self._ask_person() if person else self._ask_engine()
            if step is not None:
                return step
        return Step.AFTER

    def _ask_engine(self) -> Step | None:
        game = self.game
        before = len(game.moves)
        self.view.thinking(game, f"{game.players[game.to_move]} is thinking")
        game.ask_engine()
        if len(game.moves) == before:
            return None  # it has lost by a fault
        self.view.moved(game)
        if game.people or game.ending is not None:
            return None
        line = self.view.pause(self.pause)  # those who watch can leave, and nothing else
        try:
            command = read_line(line or "", self.game.position)
        except BadOption:
            return None
        return {"back": Step.OPPONENT, "quit": Step.END}.get(str(command))

    def _ask_person(self) -> Step | None:
        """Ask until a move is made; the time that answers to questions take does not count."""
        game, seat, ply = self.game, self.game.to_move, len(self.game.moves)
        allowed, spent = game.allowed(seat), 0.0
        while game.ending is None and len(game.moves) == ply:
            began = time.monotonic()
            line = self.view.ask_move(game, None if allowed is None else allowed - spent)
            spent += time.monotonic() - began
            if line is None or (allowed is not None and spent > allowed):
                game.overstep(seat)
                return None
            step = self._obey(line, spent)
            if step is not None:
                return step
        return None

    def _obey(self, line: str, spent: float) -> Step | None:
        try:
            move = read_line(line, self.game.position)
        except BadOption as error:
            reason = str(error)
            self.view.tell([f"{reason[:1].upper()}{reason[1:]}."])
            return None
        if isinstance(move, str):
            return self.commands[move]()
        self.game.drop(move, spent)
        self.view.moved(self.game)
        return None

    def _hint(self) -> None:
        position = self.game.position
        self.view.thinking(self.game, "thinking of a hint")
        try:
            with reporting() as report:
                name, choice = self.adviser.hint(position, report)
        except ArenaError as error:
            self.view.tell([f"No hint: {error}."])
            return
        self.game.helps += 1
        column = move_words(choice.column, position.rules)
        does = "steal the first disc" if choice.column == STEAL else f"drop into {column}"
        depth = f", {plies(choice.depth)} deep" if choice.depth else ""
        self.view.tell([f"{name} would {does}{depth}."])

    def _undo(self) -> None:
        count = self.game.take_back()
        if count:
            self.view.taken_back(self.game, f"{how_many(count, 'move')} taken back.")
        else:
            self.view.tell(["There is nothing to take back."])

    def _opinion(self) -> None:
        player = next((each for each in self.game.participants if not each.is_person), None)
        if player is None or player.engine is None:
            self.view.tell(["No engine plays here; hint asks one."])
            return
        self.view.thinking(self.game, f"asking {player.name}")
        try:
            values = opinions(player.engine, player.name, self.game.position)
        except ArenaError as error:
            self.view.tell([f"No opinion: {error}."])
            return
        self.game.helps += bool(values)
        self.view.tell(opinion_lines(player.name, values, self.game.position))


def help_lines(people: int, rules: Rules) -> list[str]:
    """The commands that do something in a game with this number of people."""
    commands = dict(COMMANDS)
    if not rules.pie:
        del commands["steal"]
    if people == 2:
        commands["undo"] = "take back the last move"
        del commands["opinion"]
    return [f"{command:8} {about}" for command, about in commands.items()]


def moves_as_typed(position: Position) -> str:
    """The moves so far, in space as x,y."""
    if position.rules.is_flat or not position.moves:
        return position.notation or "none yet"
    return "  ".join(
        "steal" if move == STEAL else column_name(move, position.rules) for move in position.moves
    )


def read_line(text: str, position: Position) -> int | str:
    """Read a line: a column from 0, STEAL, or a command; anything else is refused."""
    words = text.strip().lower()
    columns = columns_in_words(position.rules)
    if not words:
        raise BadOption(f"type {columns}, or help")
    if re.fullmatch(r"[0-9\s,.;+-]+", words):
        return _read_column(words, position)
    commands = matches(words, [*COMMANDS, *ALIASES])
    if commands == ["steal"]:
        return _read_steal(position)
    if len(commands) == 1:
        return ALIASES.get(commands[0], commands[0])
    if commands:
        raise BadOption(f"{words!r} could be {' or '.join(commands)}")
    near = suggestion(words, COMMANDS)
    near = near if "did you mean" in near else "; help lists the commands"
    raise BadOption(f"{_short(text)} is neither {columns} nor a command{near}")


def _read_steal(position: Position) -> int:
    """The steal, or a refusal where there is nothing to steal."""
    if position.can_steal:
        return STEAL
    if not position.rules.pie:
        raise BadOption("nothing is stolen here: the game is played without the pie rule")
    raise BadOption("only the first disc can be stolen, and only in answer to it")


def _read_column(words: str, position: Position) -> int:
    """A column by its number, or by x and y in space, where a number alone could mean both."""
    rules: Rules = position.rules
    columns = columns_in_words(rules)
    sides = (rules.columns,) if rules.is_flat else (rules.width, rules.depth)
    numbers = [int(number[:MAX_DIGITS]) for number in re.findall(r"-?[0-9]+", words)]
    if len(numbers) != len(sides) or "." in words:
        raise BadOption(f"{_short(words)} is not {columns}")
    if not all(1 <= number <= most for number, most in zip(numbers, sides, strict=True)):
        raise BadOption(f"{_short(words)} is not on the board: {columns}")
    column = numbers[0] - 1 if rules.is_flat else (numbers[0] - 1) * rules.depth + numbers[1] - 1
    if column not in position.legal:
        raise BadOption(f"{move_words(column, rules)} is full")
    return column


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 20 else text[:17] + "...")
