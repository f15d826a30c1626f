"""Who plays and how well: levels, the engine that suits each, and how any is held back to it.

Who suits a level says so itself (`Engine.offer`), and so do engines that have levels of their own
(`Engine.levels`); others are held back by the options that they have.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from arena.engine.contract import Choice, Engine, Limits
from arena.engine.levels import HARD, LEVELS, MEDIUM, PERFECT, USUAL, WITHOUT_OPTION, Grade, Offer
from arena.engine.played import PlayedGame
from arena.engine.registry import Entry, names
from arena.errors import BadOption, UnknownName
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules
from arena.human.game import Participant, TimeControl
from arena.outside.finding import build_engine, find, load_all
from arena.outside.places import without_folders
from arena.outside.words import engine_words, join_words
from arena.tournament.numbered import derive_seed

AS_IT_IS = "as it is"
HUMAN = "human"
SUITED = "suited"  # stands for the engine that suits the level
COUNTED = ("depth", "playouts")  # options of engines that are limits too


def offers() -> dict[str, Offer]:
    """The engines that a person is offered, by name, in the order of the menu."""
    engines = {
        name: entry.engine.offer
        for name, entry in load_all().items()
        if isinstance(entry, Entry) and not entry.is_preset and entry.engine.offer is not None
    }
    return dict(sorted(engines.items(), key=lambda item: item[1].place))


def suited(level: str, is_flat: bool) -> str:
    """The engine that plays a level where none was asked for."""
    engines = [
        name
        for name, offer in offers().items()
        if level in offer.suits and (is_flat or offer.suits_in_space)
    ]
    if not engines:
        raise BadOption(f"no engine that suits the level {level} is installed")
    return engines[-1]


def perfect_engine() -> str | None:
    """The engine that never errs; None if it is not installed."""
    return next((name for name, offer in offers().items() if PERFECT in offer.suits), None)


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

    What comes with settings of its own, a preset, a file or options in words, plays as it is.
    """
    name, *given = engine_words(words)
    if name == SUITED:
        return MEDIUM
    if given or name not in names() or find(name).preset:
        return AS_IT_IS
    return PERFECT if PERFECT in find(name).engine.levels else MEDIUM


def grade(name: str, level: str, is_flat: bool) -> Grade:
    """How an engine plays a level: as it says, by the options that it has, or all it can."""
    entry = find(name)
    if entry.engine.levels and not entry.preset:
        ladder = {**entry.engine.levels, **({} if is_flat else entry.engine.levels_in_space)}
    else:
        usual = (ladder for option, ladder in USUAL.items() if option in entry.engine.options)
        ladder = {**next(usual, WITHOUT_OPTION)}
    return ladder.get(level, Grade({}, seconds=None))


def level_in_words(name: str, level: str) -> str:
    """What a level of an engine amounts to, on flat boards and in space."""
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
    """An engine by its words, "mcts c=0.7" or the suited one, held back to a level."""
    if words.partition(" ")[0] == SUITED:
        words = suited(level, rules.is_flat)
    name, *given = engine_words(words)
    at_level = grade(name, level, rules.is_flat)
    options = [f"{option}={value}" for option, value in at_level.options.items()]
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
    return Participant(displayed_name(words, level), limited(engine, at_level.slips, most), whole)


def displayed_name(words: str, level: str) -> str:
    """What an engine is called: its words without directories, and its level."""
    name, *given = engine_words(words)
    obvious = level == AS_IT_IS or (level == PERFECT and name == perfect_engine())
    tail = [] if obvious else [level]
    return " ".join([without_folders(name), *given, *tail])


class LimitedEngine(Engine):
    """Plays like another engine, but thinks less and plays some moves at random."""

    def __init__(self, thinker: Engine, slips: float, most: Limits) -> None:
        self.thinker = thinker
        self.slips = slips
        self.most = most
        super().__init__()

    def new_game(self, rules: Rules, seed: int) -> None:
        """A new game for both; chance in the slips is not that of the thinker."""
        super().new_game(rules, seed)
        self.thinker.new_game(rules, derive_seed(seed, "thinker"))

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Any column, with the probability of a slip, or what the thinker chooses."""
        if self.random.random() < self.slips:
            return Choice(self.random.choice(position.legal))
        return self.thinker.choose(position, tighter(limits, self.most))

    def learn(self, game: PlayedGame) -> None:
        """The thinker learns, with the same chance."""
        self.thinker.random = self.random
        self.thinker.learn(game)

    def opinions(self, position: Position, limits: Limits) -> dict[int, float]:
        """What the thinker thinks of each column."""
        return self.thinker.opinions(position, tighter(limits, self.most))

    def warm_up(self, rules: Rules) -> None:
        """Make the thinker ready."""
        self.thinker.warm_up(rules)
        self.new_game(rules, 0)

    def settings(self) -> dict[str, Any]:
        """The thinker's options as they are set now."""
        return self.thinker.settings()


def limited(engine: Engine, slips: float, most: Limits) -> Engine:
    """The engine held back; as it is where there is nothing to hold back."""
    if not slips and most == Limits():
        return engine
    # What goes wrong is blamed on a line of the engine's own file, which is found by its module.
    traits = {"learns": engine.learns, "plays_pie": engine.plays_pie}
    own = {"__module__": type(engine).__module__, **traits}
    kind = type(LimitedEngine.__name__, (LimitedEngine,), own)
    held: Engine = kind(engine, slips, most)
    return held


def tighter(limits: Limits, most: Limits) -> Limits:
    """Of two limits the lesser of each kind; the clock is that of the game."""

    def lesser(name: str) -> Any:
        given = [getattr(each, name) for each in (limits, most) if getattr(each, name) is not None]
        return min(given, default=None)

    counted = {name: lesser(name) for name in ("depth", "nodes", "playouts", "seconds", "cpu")}
    return Limits(**counted, clock=limits.clock, increment=limits.increment)
