"""Levels of play: the engine that suits each level, and how any engine is limited to it.

An engine that is not listed here is limited by the options that it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from arena.bots.find import build_engine, find
from arena.bots.names import BotName, engine_words, join_words
from arena.engine.contract import Choice, Engine, Limits, PlayedGame
from arena.engine.registry import names, preset_of
from arena.errors import BadOption, UnknownName
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.human.game import Participant, TimeControl
from arena.show.numbers import how_many

TOO_EASY, EASY, MEDIUM, ADVANCED = "too easy", "easy", "medium", "advanced"
HARD, PERFECT = "hard", "perfect"
LEVELS = (TOO_EASY, EASY, MEDIUM, ADVANCED, HARD, PERFECT)
AS_IT_IS = "as it is"
HUMAN = "human"
SUITED = "suited"  # stands for the engine that suits the level
COUNTED = ("depth", "playouts")  # options of engines that are limits too
PATIENCE = 5.0  # seconds that an engine below perfect thinks at most
VARIED = {"tie_break": "random"}  # of moves of the same value not always the same one


class Grade(NamedTuple):
    """Options to set, what share of the moves is random, and the most seconds for a move."""

    options: Mapping[str, str | int | float]
    explore: float = 0.0
    seconds: float | None = PATIENCE

    def __str__(self) -> str:
        """The grade in words: "looks 2 moves ahead, 20 % random moves"."""
        words = [_setting(name, value) for name, value in self.options.items()
                 if name not in VARIED]  # fmt: skip
        words += [f"{self.explore:.0%} random moves".replace("%", " %")] if self.explore else []
        own = [] if self.seconds in (None, PATIENCE) else [f"{self.seconds:g} s a move"]
        return ", ".join(words + own) or "all it can"


def _setting(option: str, value: str | float) -> str:
    """An option in words, where there are some."""
    match option, value:
        case "depth", int(depth):
            return f"looks {how_many(depth, 'move')} ahead"
        case "playouts", int(playouts):
            return f"tries {how_many(playouts, 'game')} in its head"
        case "seconds", seconds:
            return f"{seconds:g} s a move"
    return f"{option} {value}"


Ladder = Mapping[str, Grade]


def by_option(option: str, *values: float | str, varied: bool = False) -> Ladder:
    """Values of one option for the levels below perfect; the two lowest play at random as well."""
    more = VARIED if varied else {}
    return {
        level: Grade({option: value, **more}, explore)
        for level, value, explore in zip(LEVELS, values, (0.4, 0.2, 0.0, 0.0, 0.0), strict=False)
    }


def by_chance(*shares: float) -> Ladder:
    """Levels that differ in the share of random moves only."""
    return {level: Grade({}, share) for level, share in zip(LEVELS, shares, strict=False)}


# Engines whose levels are not those of the first of these options that they have.
LADDERS: Mapping[str, Ladder] = {
    "minimax": by_option("depth", 1, 2, 4, 5, 6, varied=True),
    "alphabeta": by_option("depth", 1, 2, 4, 6, 8, varied=True),
    "iterative": {
        **by_option("depth", 1, 2, 5, 8, varied=True),
        HARD: Grade(VARIED, seconds=2.0),
    },
    "book": by_option(
        "around", *(f"alphabeta depth={d} tie_break=random" for d in (1, 2, 4, 6, 8))
    ),
    "oracle": {
        level: Grade({"level": own})
        for level, own in zip(
            LEVELS, ("beginner", "easy", "medium", "hard", "expert"), strict=False
        )
    },
    "perfect": {**by_chance(0.5, 0.3, 0.15, 0.1, 0.05), PERFECT: Grade({}, seconds=None)},
}
IN_SPACE: Mapping[str, Ladder] = {  # where they are others there
    "alphabeta": {
        level: Grade({"evaluation": "counts", "depth": depth, **VARIED})
        for level, depth in ((ADVANCED, 5), (HARD, 6))
    },
}
USUAL: Mapping[str, Ladder] = {
    "playouts": by_option("playouts", 50, 200, 1000, 3000, 10_000),
    "seconds": by_option("seconds", 0.02, 0.05, 0.5, 1.5, 3.0),
    "depth": by_option("depth", 1, 2, 4, 5, 7),
}
WITHOUT_OPTION = by_chance(0.5, 0.25, 0.1, 0.05, 0.0)

# The engines that a person is offered, the weakest first, with a line about each.
OFFERS: Mapping[str, str] = {
    "random": "drops its discs anywhere",
    "reflex": "wins or blocks if it can, else plays anywhere",
    "greedy": "likes the board after its own move, looks no further",
    "probabilities": "plays where most lines can still be made",
    "minimax": "looks some moves ahead, at every move there is",
    "alphabeta": "the same, but skips moves that cannot matter",
    "alphabeta-time": "the same, as far ahead as its time allows",
    "iterative": "looks further and further ahead: very strong",
    "hybrid": "alphabeta-time, and open lines where all looks equal",
    "book": "looks ahead, and learns from every game",
    "mcts": "plays thousands of games in its head",
    "ntuple": "has learned by practice; 7x6 and 4x4x4",
    "puct": "has learned by practice, and looks ahead; 7x6 and 4x4x4",
    "oracle": "a player for 4x4x4, from easy to hard",
    "perfect": "never makes a mistake; flat boards only",
}
# The engine of a level where none was chosen, on flat boards and in space.
SUITS = {
    TOO_EASY: ("reflex", "reflex"),
    EASY: ("alphabeta", "alphabeta"),
    MEDIUM: ("alphabeta", "alphabeta"),
    ADVANCED: ("alphabeta", "alphabeta"),
    HARD: ("mcts", "alphabeta"),
    PERFECT: ("perfect", "perfect"),
}
ADVISER = "iterative evaluation=counts"


def offers() -> dict[str, str]:
    """The engines that a person is offered and a line about each, in the order of the menu."""
    installed = names()
    return {name: about for name, about in OFFERS.items() if name in installed}


def suited(level: str, is_flat: bool) -> str:
    """The engine that plays a level where none was chosen."""
    engine = SUITS[level][0 if is_flat else 1]
    if engine not in offers():
        raise BadOption(f"no engine that suits the level {level} is installed")
    return engine


def perfect_engine() -> str | None:
    """The engine that never errs; None if it is not installed."""
    return PERFECT if PERFECT in offers() else None


def read_level(text: str) -> str:
    """A level by its name, however it is joined: "too-easy" is "too easy"."""
    level = " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    if level in ("as is", AS_IT_IS):
        return AS_IT_IS
    if level not in LEVELS:
        raise UnknownName("difficulty", text, [*LEVELS, AS_IT_IS])
    return level


def check_level(engine: str, level: str) -> None:
    """Refuse a level that this engine cannot play."""
    name = engine_words(engine)[0]
    if level == AS_IT_IS and name == SUITED:
        raise BadOption(f"{AS_IT_IS!r} needs an engine; expected one of {', '.join(LEVELS)}")
    if level != PERFECT:
        return
    perfect = perfect_engine()
    if perfect is None:
        raise BadOption(f"the engine {PERFECT} is not installed; the highest level here is {HARD}")
    if name not in (SUITED, perfect):
        raise BadOption(
            f"{name} does not play perfectly, only the engine {perfect} does; "
            f"its highest level is {HARD}"
        )


def usual_level(words: str) -> str:
    """The level where none is given.

    An engine with settings of its own, from a preset, a file or options, keeps them.
    """
    name, *given = engine_words(words)
    if name == SUITED:
        return MEDIUM
    if given or name not in names() or preset_of(find(name).engine) is not None:
        return AS_IT_IS
    return PERFECT if PERFECT in LADDERS.get(name, {}) else MEDIUM


def grade(name: str, level: str, is_flat: bool) -> Grade:
    """How an engine plays a level: as it says, by the options that it has, or all it can."""
    options = find(name).engine.options
    usual = (ladder for option, ladder in USUAL.items() if option in options)
    ladder = LADDERS.get(name) or next(usual, WITHOUT_OPTION)
    in_space = {} if is_flat else IN_SPACE.get(name, {})
    return {**ladder, **in_space}.get(level, Grade({}, seconds=None))


def level_in_words(name: str, level: str) -> str:
    """A level of an engine in words, on flat boards and in space."""
    if level == AS_IT_IS:
        return "with its own settings"
    flat, space = (str(grade(name, level, is_flat)) for is_flat in (True, False))
    return flat if flat == space else f"{flat}; in space {space}"


@dataclass(frozen=True)
class Setup:
    """The answers to all questions of the menu.

    The first side is yours, or the engine that was named first where two engines play.
    """

    sides: tuple[str, str] = (HUMAN, SUITED)  # a person, the suited engine, or words for one
    levels: tuple[str, str] = (MEDIUM, MEDIUM)
    names: tuple[str, str] = ("Player", "Guest")  # of people; engines are called what they are
    seat: int | None = 0  # of the first side: 0 moves first; None: by chance
    rules: Rules = CONNECT4
    time_control: TimeControl = field(default_factory=TimeControl)

    @property
    def people(self) -> int:
        """How many people play."""
        return self.sides.count(HUMAN)

    def with_side(
        self,
        which: int,
        side: str | None = None,
        level: str | None = None,
        name: str | None = None,
    ) -> Setup:
        """Another player, level or name on one side."""

        def put(pair: tuple[str, str], word: str | None) -> tuple[str, str]:
            if word is None:
                return pair
            return (pair[0], word) if which else (word, pair[1])

        return replace(
            self,
            sides=put(self.sides, side),
            levels=put(self.levels, level),
            names=put(self.names, name),
        )

    def participant(self, which: int) -> Participant:
        """A side at the board: a person, or an engine that plays its level."""
        if self.sides[which] == HUMAN:
            return Participant(self.names[which])
        return engine_participant(self.sides[which], self.levels[which], self.rules)


def engine_participant(words: str, level: str, rules: Rules) -> Participant:
    """An engine by its words, "mcts c=0.7" or the suited one, limited to a level."""
    if words.partition(" ")[0] == SUITED:
        words = suited(level, rules.is_flat)
    name, *given = engine_words(words)
    at_level = grade(name, level, rules.is_flat)
    options = [f"{option}={value}" for option, value in at_level.options.items()]
    options += [f"explore={at_level.explore}"] if at_level.explore else []
    whole = join_words([name, *options, *given])
    engine = build_engine(whole)
    most = Limits()
    if level != AS_IT_IS:
        # Many engines take all the time there is and mind their own depth or playouts only where
        # no time is given; as limits, these hold with a clock too.
        settings = {name: engine.settings().get(name) for name in COUNTED}
        counts: dict[str, Any] = {name: value for name, value in settings.items()
                  if isinstance(value, int) and value > 0}  # fmt: skip
        most = Limits(seconds=at_level.seconds, **counts)
    return Participant(displayed_name(words, level), limited(engine, most), whole)


def displayed_name(words: str, level: str) -> str:
    """The name of an engine: its words without directories, and its level."""
    name, *given = engine_words(words)
    obvious = level == AS_IT_IS or (level == PERFECT and name == perfect_engine())
    tail = [] if obvious else [level]
    return " ".join([str(BotName.parse(name).without_folders()), *given, *tail])


class LimitedEngine(Engine):
    """Plays like another engine, but thinks less."""

    plays_pie = True  # the thinker is asked about boards as they are

    def __init__(self, thinker: Engine, most: Limits) -> None:
        super().__init__()
        self.thinker = thinker
        self.most = most

    def new_game(self) -> None:
        """Let the thinker begin."""
        self.thinker.begin(self.rules, self.seed_of_game)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Let the thinker choose."""
        return self.thinker.ask(position, tighter(limits, self.most))

    def learn(self, game: PlayedGame) -> None:
        """The thinker learns, with the same chance."""
        self.thinker.random = self.random
        self.thinker.tell(game)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """The thinker's values of the columns."""
        return self.thinker.ask_opinions(position, tighter(limits, self.most))

    def warm_up(self) -> None:
        """Make the thinker ready."""
        self.thinker.get_ready(self.rules)

    def settings(self) -> dict[str, Any]:
        """The thinker's options as they are set now."""
        return self.thinker.settings()


class LimitedLearner(LimitedEngine):
    """The same around an engine that learns."""

    learns = True


def limited(engine: Engine, most: Limits) -> Engine:
    """The engine with limits of its own, if there are any."""
    if most == Limits():
        return engine
    return (LimitedLearner if engine.learns else LimitedEngine)(engine, most)


def tighter(limits: Limits, most: Limits) -> Limits:
    """The smaller of two limits of each kind; the clock is that of the game."""

    def lesser(name: str) -> Any:
        given = [getattr(each, name) for each in (limits, most) if getattr(each, name) is not None]
        return min(given, default=None)

    counted = {name: lesser(name) for name in ("depth", "nodes", "playouts", "seconds", "cpu")}
    return Limits(**counted, clock=limits.clock, increment=limits.increment)
