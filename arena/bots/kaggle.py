"""Kaggle's ConnectX: agents that are called with an observation and a configuration.

Loading is off the clock. With `strict: kaggle` it counts with the first move, and time beyond
`actTimeout` comes from a bank of 60 seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as short_repr
from time import perf_counter
from typing import Any, ClassVar, Literal

from arena.bots.adapter import TIME_LIMITS, PythonAdapter, read_column, stand_in
from arena.bots.boards import NUMBERS, flat_board
from arena.bots.kaggle_files import Submission, locate
from arena.bots.names import BotName
from arena.engine.contract import Choice, Limits, option
from arena.engine.errors import Fault, sentence, trace
from arena.errors import BadOption, EngineFailure
from arena.game.position import Position
from arena.game.rules import CONNECT4, Rules

ACT_TIMEOUT = 2  # seconds for a move without another limit
BANK = 60  # seconds a game, for moves that take longer


class Struct(dict[str, Any]):
    """A dictionary whose entries are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class Kaggle(PythonAdapter):
    """A submission to Kaggle's ConnectX, called with an observation and a configuration."""

    kind: ClassVar[str] = "kaggle"
    supported_limits: ClassVar[frozenset[str]] = TIME_LIMITS
    callable: str = option("", "the agent's name in the file; if empty, the last callable")
    strict: Literal["no", "kaggle"] = option("no", "kaggle: Kaggle's rules for moves and time")

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        bot = BotName.parse(f"{self.kind}:{target}")
        self.path, name = Path(bot.file), bot.class_name
        if name and self.callable not in ("", name):
            raise BadOption(f"option 'callable' is {self.callable!r}; the target says {name!r}")
        self.callable = name or self.callable
        self.submission: Submission | None = None
        self.bank: float = BANK

    @property
    def is_strict(self) -> bool:
        """Check whether Kaggle's own rules apply."""
        return self.strict == "kaggle"

    def check_target(self) -> None:
        self.load().forget()

    def load_code(self) -> None:
        """Load the file again: its globals live for one game."""
        self.bank = BANK
        if self.submission is not None:
            self.submission.forget()
        self.submission = None if self.is_strict else self.load()

    def load(self) -> Submission:
        """Load the file; EngineFailure if its last callable cannot be an agent."""
        stand_in(PACKAGE, MODULES)
        submission = Submission(locate(self.path), self.callable or None)
        if not self.is_strict and not submission.is_agent:
            raise EngineFailure(submission.diagnosis)
        return submission

    def answer(self, position: Position, limits: Limits) -> object:
        """Ask the agent; in strict play, load its file with the first move."""
        observation, configuration = self.question(position, limits)
        start = perf_counter()
        if self.submission is None:
            self.submission = self.load()
        try:
            answer = self.submission(observation, configuration)
        except Exception as error:
            if not self.submission.diagnosis:
                raise
            words = f"{sentence(error)}; {self.submission.diagnosis}"
            raise Fault("exception", words, trace(error)) from error
        if self.is_strict:
            self._spend(perf_counter() - start, configuration.actTimeout)
        return answer

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Read the agent's answer by Kaggle's rule or a more tolerant one."""
        answer = self.answer(position, limits)
        try:
            return Choice(read_as_kaggle(answer) if self.is_strict else read_column(answer))
        except Fault as fault:
            assert self.submission is not None
            words = "; ".join(filter(None, (fault.detail, self.submission.diagnosis)))
            raise Fault(fault.reason, words) from None

    def question(self, position: Position, limits: Limits) -> tuple[Struct, Struct]:
        """The observation and the configuration.

        The value of `actTimeout` is the limit of the move, a fair share of the clock, or 2 seconds.
        """
        seconds = limits.seconds if self.is_strict else limits.budget(position)
        seconds = ACT_TIMEOUT if seconds is None else seconds
        observation = Struct(
            remainingOverageTime=self._overage(limits, seconds),
            step=position.ply,
            board=flat_board(position, NUMBERS),
            mark=position.to_move + 1,
        )
        return observation, configure(position.rules, seconds, str(self.path))

    def _overage(self, limits: Limits, seconds: float) -> float:
        """Seconds left beyond `actTimeout`: of the bank or of the clock."""
        if self.is_strict:
            return self.bank
        if limits.clock is not None:
            return max(0.0, limits.clock - seconds)
        return 0.0 if limits.timed else BANK

    def _spend(self, seconds: float, allowed: float) -> None:
        """Draw time beyond the limit from the bank; an empty bank loses."""
        beyond, before = max(0.0, seconds - allowed), self.bank
        self.bank -= beyond
        if self.bank < 0:
            raise Fault(
                "time",
                f"TIMEOUT at Kaggle: took {seconds:.3g} s where {allowed:.3g} s and {before:.3g} s "
                "of the bank are allowed",
            )


def configure(rules: Rules, seconds: float = ACT_TIMEOUT, path: str = "") -> Struct:
    """The configuration of an episode on this board."""
    return Struct(
        columns=rules.columns,
        rows=rules.height,
        inarow=rules.connect,
        actTimeout=seconds,
        timeout=seconds,
        agentTimeout=BANK,
        episodeSteps=1000,
        runTimeout=1200,
        __raw_path__=path,
    )


def read_as_kaggle(answer: object) -> int:
    """Read a column as Kaggle does: None is column 0, and only a plain int is a number."""
    if answer is None:
        return 0
    if isinstance(answer, bool) or not isinstance(answer, int):
        raise Fault("illegal move", f"INVALID at Kaggle: answered {short_repr(answer)}")
    return int(answer)


# ---- a stand-in for the package, which submissions often import

PACKAGE = "kaggle_environments"


def structify(value: Any) -> Any:
    """Turn mappings into `Struct`, at any depth."""
    if isinstance(value, dict):
        return Struct({key: structify(each) for key, each in value.items()})
    return [structify(each) for each in value] if isinstance(value, list) else value


class Environment:
    """The result of `make`: a configuration, but no games."""

    name = "connectx"

    def __init__(self) -> None:
        self.configuration = configure(CONNECT4)
        self.agents: dict[str, Any] = {}
        self.state: list[Any] = []
        self.steps: list[Any] = []

    def do_nothing(self, *given: Any, **named: Any) -> Any:
        """Play no game."""
        return []

    run = reset = step = render = play = do_nothing

    def train(self, agents: Any = None) -> Environment:
        return self


def make(*given: Any, **named: Any) -> Environment:
    """Return an environment without games."""
    return Environment()


def evaluate(*given: Any, num_episodes: int = 1, **named: Any) -> list[list[int]]:
    """Report a draw for every game."""
    return [[0, 0] for _ in range(num_episodes)]


UTILS = {"structify": structify, "Struct": Struct}
MODULES: Mapping[str, Mapping[str, Any]] = {
    PACKAGE: {"make": make, "evaluate": evaluate, "Environment": Environment},
    f"{PACKAGE}.utils": UTILS,
}
