"""Kaggle's ConnectX: agents that are called with an observation and a configuration.

Loading is not on the clock, unless `strict: kaggle` asks for all as Kaggle has it: there it counts
with the first move, and what a move takes beyond `actTimeout` comes from a bank of 60 seconds.
"""

from __future__ import annotations

from reprlib import repr as short_repr
from time import perf_counter
from typing import Any, ClassVar, Literal

from arena.bots.boards import NUMBERS, flat_board
from arena.bots.kaggle_file import Submission
from arena.bots.python_code import PythonAdapter, read_column, read_target
from arena.engine.contract import Choice, Limits, option
from arena.engine.errors import Fault, sentence, trace
from arena.errors import BadOption, EngineFailure
from arena.game.position import Position
from arena.game.rules import Rules

ACT_TIMEOUT = 2  # seconds a move, where nothing else is said
BANK = 60  # seconds a game, for moves that take longer


class Struct(dict[str, Any]):
    """A dictionary whose entries can also be read and set as attributes."""

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
    hears: ClassVar[frozenset[str]] = frozenset({"seconds", "clock", "cpu"})
    callable: str = option("", "the agent's name in the file; if empty, the last callable")
    strict: Literal["no", "kaggle"] = option("no", "whose verdict counts: kaggle is less forgiving")

    def __init__(self, target: str, **options: Any) -> None:
        super().__init__(target, **options)
        self.path, name = read_target(target, self.kind)
        if name and self.callable not in ("", name):
            raise BadOption(f"option 'callable' is {self.callable!r}; the target says {name!r}")
        self.callable = name or self.callable
        self.submission: Submission | None = None
        self.bank: float = BANK

    @property
    def is_strict(self) -> bool:
        """Whether everything is to be as at Kaggle."""
        return self.strict == "kaggle"

    def check_target(self) -> None:
        """Load the file once, to see whether there is an agent in it."""
        self.load().forget()

    def load_code(self) -> None:
        """Load the file anew: its globals live for one game."""
        self.bank = BANK
        if self.submission is not None:
            self.submission.forget()
        self.submission = None if self.is_strict else self.load()

    def load(self) -> Submission:
        """The file as it is now; one whose last callable cannot be an agent is refused."""
        submission = Submission(self.path, self.callable or None)
        if not self.is_strict and not submission.is_agent:
            raise EngineFailure(submission.diagnosis)
        return submission

    def answer(self, position: Position, limits: Limits) -> object:
        """Ask the agent; in strict play its file is loaded with its first move."""
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
            self.spend(perf_counter() - start, configuration.actTimeout)
        return answer

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The column that the agent answers, by the reading of Kaggle or by a kinder one."""
        answer = self.answer(position, limits)
        try:
            return Choice(read_as_kaggle(answer) if self.is_strict else read_column(answer))
        except Fault as fault:
            assert self.submission is not None
            about = self.submission.diagnosis
            raise Fault(
                fault.reason, f"{fault.detail}; {about}" if about else fault.detail
            ) from None

    def question(self, position: Position, limits: Limits) -> tuple[Struct, Struct]:
        """What the agent is called with."""
        rules, seconds = position.rules, self.seconds_a_move(position, limits)
        observation = Struct(
            remainingOverageTime=self.overage(limits, seconds),
            step=position.ply,
            board=flat_board(position, NUMBERS),
            mark=position.to_move + 1,
        )
        return observation, configure(rules, seconds, str(self.path))

    def seconds_a_move(self, position: Position, limits: Limits) -> float:
        """What `actTimeout` says: the limit of the move or a fair share of the clock, else 2."""
        seconds = limits.seconds if self.is_strict else limits.budget(position)
        return ACT_TIMEOUT if seconds is None else seconds

    def overage(self, limits: Limits, seconds: float) -> float:
        """What is left beyond `actTimeout`: of the bank, of the clock, of nothing at all."""
        if self.is_strict:
            return self.bank
        if limits.clock is not None:
            return max(0.0, limits.clock - seconds)
        return 0.0 if limits.timed else BANK

    def spend(self, seconds: float, allowed: float) -> None:
        """Draw from the bank what a move took too long; an empty bank loses."""
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
    """A column as Kaggle reads it: nothing is column 0, and only a plain integer is a number."""
    if answer is None:
        return 0
    if isinstance(answer, bool) or not isinstance(answer, int):
        raise Fault("illegal move", f"INVALID at Kaggle: answered {short_repr(answer)}")
    return int(answer)
