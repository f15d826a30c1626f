"""Kaggle's ConnectX: agents that are called with an observation and a configuration.

Loading is not on the clock, unless `strict: kaggle` asks for all as Kaggle has it: there it counts
with the first move, and what a move takes beyond `actTimeout` comes from a bank of 60 seconds.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from reprlib import repr as short_repr
from time import perf_counter
from types import BuiltinFunctionType, FunctionType
from typing import Any, ClassVar, Literal

from arena.bots.adapter import PythonAdapter, read_column, read_target
from arena.bots.boards import NUMBERS, flat_board
from arena.engine.contract import Choice, Limits, option
from arena.engine.errors import Fault, sentence, trace
from arena.engine.registry import loading_failure
from arena.errors import BadOption, EngineFailure, suggestion
from arena.game.position import Position
from arena.game.rules import Rules

MAGIC = ("%", "!")  # how a line begins that only a notebook understands
NOTEBOOK = "get_ipython"  # and what stands there where one was saved as a script
EXPECTED = "expected a function (observation, configuration)"


class Submission:
    """One load of a file: its agent, and whether that looks like the one that was meant."""

    def __init__(self, path: Path, name: str | None = None) -> None:
        self.path = path
        self.names, self.beside = run_file(path)
        callables = {key: value for key, value in self.names.items() if callable(value)}
        if name is not None and name not in callables:
            raise EngineFailure(f"{path} has no callable {name!r}{suggestion(name, callables)}")
        if not callables:
            raise EngineFailure(f"{path} has no callable; {EXPECTED}")
        self.is_named = name is not None
        self.name = [*callables][-1] if name is None else name
        self.agent: Callable[..., Any] = callables[self.name]
        self.likely = None if self.is_named else self._likely(callables)

    def __call__(self, *given: Any) -> Any:
        """Call the agent with as much as Kaggle would give it."""
        return self.agent(*cut(self.agent, given))

    @property
    def is_agent(self) -> bool:
        """Whether what is taken can be an agent at all, and is not worse than another one."""
        is_imported = isinstance(self.agent, FunctionType) and not self._is_own(self.agent)
        return is_askable(self.agent) and not (is_imported and self.likely is not None)

    @property
    def diagnosis(self) -> str:
        """Which callable is taken, and which one was likely meant; nothing if all looks well."""
        if self.is_agent and self.likely is None:
            return ""
        kind = "class" if isinstance(self.agent, type) else "function"
        which = "" if self.is_named else ", its last callable"
        near = EXPECTED if self.likely is None else f"did you mean callable={self.likely}?"
        return f"the agent is the {kind} {self.name} of {self.path.name}{which}; {near}"

    def forget(self) -> None:
        """Let the modules that stand beside the file begin anew when they are next imported."""
        for name in self.beside:
            sys.modules.pop(name, None)

    def _is_own(self, function: FunctionType) -> bool:
        return function.__globals__ is self.names

    def _likely(self, callables: dict[str, Any]) -> str | None:
        """The last function of the file that looks like an agent, unless the one taken does."""
        looks = [
            name
            for name, value in callables.items()
            if isinstance(value, FunctionType)
            and self._is_own(value)
            and is_askable(value)
            and ("agent" in name.lower() or _first_parameter(value).startswith("obs"))
        ]
        return looks[-1] if looks and self.name not in looks else None


def run_file(path: Path) -> tuple[dict[str, Any], list[str]]:
    """The names of a file after it ran, oldest first, and the modules beside it that it loaded."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise EngineFailure(f"{path}: {error.strerror or error}") from None
    names: dict[str, Any] = {}
    folder, before = path.absolute().parent, {*sys.modules}
    try:
        code = compile(source, str(path), "exec", dont_inherit=True)
        with importing_from(folder):
            exec(code, names)
    except (Exception, SystemExit) as error:
        _look_for_notebook(path, source, error)
        raise loading_failure(path, error) from error
    return names, [name for name in {*sys.modules} - before if _stands_in(folder, name)]


@contextmanager
def importing_from(folder: Path) -> Iterator[None]:
    """Let a folder be imported from, after all other places."""
    sys.path.append(str(folder))
    try:
        yield
    finally:
        if str(folder) in sys.path:
            sys.path.remove(str(folder))


def cut(agent: Callable[..., Any], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """As many arguments as a function has positional parameters; all for what is no function."""
    code = getattr(agent, "__code__", None)
    return given if code is None else given[: code.co_argcount]


def is_askable(agent: Callable[..., Any]) -> bool:
    """Whether Kaggle's call fits: neither a class, nor a function in C, nor other parameters."""
    if isinstance(agent, type | BuiltinFunctionType) or type(agent).__module__ == "numpy":
        return False
    try:
        inspect.signature(agent).bind(*cut(agent, (None, None)))
    except TypeError:
        return False
    except ValueError:  # no signature is known
        return True
    return True


def _stands_in(folder: Path, name: str) -> bool:
    """Whether a module is a file of this folder, or part of a package in it."""
    spec = getattr(sys.modules.get(name.partition(".")[0]), "__spec__", None)
    places = () if spec is None else spec.submodule_search_locations or (spec.origin,)
    return any(place is not None and Path(place).parent == folder for place in places)


def _first_parameter(function: FunctionType) -> str:
    return (*function.__code__.co_varnames[: function.__code__.co_argcount], "")[0]


def _look_for_notebook(path: Path, source: bytes, error: BaseException) -> None:
    """Tell of a line that only a notebook understands, if one is what went wrong."""
    if isinstance(error, SyntaxError):
        number = error.lineno or 0
    elif isinstance(error, NameError) and error.name == NOTEBOOK:
        number = traceback.extract_tb(error.__traceback__)[-1].lineno or 0
    else:
        return
    line = b"".join(source.splitlines()[number - 1 : number]).decode(errors="replace").strip()
    if line.startswith(MAGIC) or NOTEBOOK in line:
        raise EngineFailure(
            f"{path}:{number}: {line!r} is a command of a notebook, not Python; remove the line"
        ) from None


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
