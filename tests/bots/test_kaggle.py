"""Submissions to Kaggle: loaded, called and judged as there; our engines as Kaggle's agents."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena import CONNECT4, SCORE4, Limits, Position, Rules
from arena.bots.kaggle import BANK, Kaggle
from arena.engine.errors import Fault
from arena.errors import BadRules, EngineFailure
from arena.table.referee import play_game

Load = Callable[..., Kaggle]

NO_LIMITS = Limits()
LAST = "def agent(obs, config):\n    return config.columns - 1\n"
CALLS = "def agent(obs, config):\n    CALLS.append((obs, config))\n    return 3\nCALLS = []\n"


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """A submission of this text, ready to be asked."""

    def build(text: str, name: str = "submission.py", **options: Any) -> Kaggle:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return Kaggle(str(tmp_path / name), **options)

    return build


def column(engine: Kaggle, moves: str = "", limits: Limits = NO_LIMITS) -> int:
    return engine.ask(Position.parse(moves), limits).column


def question(
    engine: Kaggle, position: Position, limits: Limits = NO_LIMITS
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the submission CALLS was called with."""
    engine.ask(position, limits)
    assert engine.submission is not None
    observation, configuration = engine.submission.names["CALLS"][-1]
    return observation, configuration


def test_an_agent_sees_the_board_from_the_top(load: Load) -> None:
    engine = load(CALLS)
    observation, configuration = question(engine, Position.parse("11257"))
    assert observation == {
        "board": [0] * 28 + [2, 0, 0, 0, 0, 0, 0] + [1, 1, 0, 0, 2, 0, 1],
        "mark": 2,
        "step": 5,
        "remainingOverageTime": 60,
    }
    assert {**configuration, "__raw_path__": ""} == {
        "columns": 7,
        "rows": 6,
        "inarow": 4,
        "actTimeout": 2,
        "timeout": 2,
        "agentTimeout": 60,
        "episodeSteps": 1000,
        "runTimeout": 1200,
        "__raw_path__": "",
    }
    wide = Position.parse("5541", Rules.flat(5, 3, 3))
    observation, configuration = question(engine, wide)
    assert observation["board"] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 1, 1]
    assert observation["mark"] == 1
    assert [configuration[name] for name in ("columns", "rows", "inarow")] == [5, 3, 3]


def test_limits_become_the_time_of_a_move(load: Load) -> None:
    engine, empty = load(CALLS), Position()

    def times(limits: Limits) -> tuple[float, float]:
        observation, configuration = question(engine, empty, limits)
        assert configuration["timeout"] == configuration["actTimeout"]
        return configuration["actTimeout"], observation["remainingOverageTime"]

    assert times(NO_LIMITS) == (2, BANK)
    assert times(Limits(seconds=0.5)) == (0.5, 0.0)
    assert times(Limits(cpu=0.25)) == (0.25, 0.0)
    seconds, rest = times(Limits(clock=30.0, increment=1.0))
    assert seconds == Limits(clock=30.0, increment=1.0).budget(empty)
    assert seconds + rest == 30.0
    assert engine.check_limits(Limits(nodes=100)) is not None


def test_the_last_callable_is_the_agent_and_a_new_definition_keeps_the_first_place(
    load: Load,
) -> None:
    text = (
        "def first(obs, config):\n    return 1\n"
        "def second(obs, config):\n    return 2\n"
        "def first(obs, config):\n    return 3\n"
        "no_callable = 7\n"
    )
    assert column(load(text)) == 2
    assert column(load(text, callable="first")) == 3
    assert column(load(text, callable="")) == 2


def test_globals_and_the_modules_beside_live_for_one_game(load: Load, tmp_path: Path) -> None:
    (tmp_path / "kaggle_memory.py").write_text("moves = []\n", encoding="utf-8")
    engine = load(
        "import kaggle_memory\n"
        "count = 0\n"
        "def agent(obs, config):\n"
        "    global count\n"
        "    import kaggle_memory as again\n"
        "    assert again is kaggle_memory\n"
        "    count += 1\n"
        "    kaggle_memory.moves.append(obs.step)\n"
        "    return count + len(kaggle_memory.moves)\n"
    )
    before = [*sys.path]
    engine.begin(CONNECT4, 1)
    assert [column(engine), column(engine)] == [2, 4]
    engine.begin(CONNECT4, 2)
    assert [column(engine), column(engine)] == [2, 4]
    assert sys.path == before


def test_shared_chance_is_seeded_by_the_game(load: Load) -> None:
    engine = load(
        "import random\nimport numpy as np\n"
        "def agent(obs, config):\n    return random.randrange(7) * 7 + np.random.randint(7)\n"
    )
    games = []
    for seed in (5, 6, 5):
        engine.begin(CONNECT4, seed)
        random.random()  # a draw before the first move is another draw in each game
        games.append([column(engine) for _ in range(4)])
    assert games[0] == games[2] != games[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("class Node:\n    pass", "the class Node of submission.py, its last callable"),
        ("from math import sqrt", "the function sqrt of"),
        ("from numpy import array", "the function array of"),
        ("def drop(grid, column, mark, config):\n    pass", "the function drop of"),
    ],
)
def test_a_callable_that_is_no_agent_is_named_with_the_likely_one(
    load: Load, text: str, words: str
) -> None:
    engine = load(f"def my_agent(observation, configuration):\n    return 3\n{text}\n")
    with pytest.raises(EngineFailure, match=re.escape(words)) as told:
        engine.begin(CONNECT4, 0)
    assert str(told.value).endswith("did you mean callable=my_agent?")
    assert column(load((engine.path).read_text(encoding="utf-8"), callable="my_agent")) == 3


def test_a_helper_that_is_taken_is_named_when_it_fails(load: Load) -> None:
    text = "def my_agent(obs, config):\n    return 3\ndef score(grid, config):\n    return {}\n"
    engine = load(text.format("'much'"))
    with pytest.raises(Fault, match=r"answered 'much'.*did you mean callable=my_agent") as told:
        column(engine)
    assert told.value.reason == "illegal move"
    engine = load(text.format("grid.shape"))
    with pytest.raises(Fault, match=r"AttributeError: shape.*function score.*=my_agent") as told:
        column(engine)
    assert told.value.reason == "exception"
    assert "return grid.shape" in told.value.trace


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "has no callable; expected a function (observation, configuration)"),
        ("%%writefile submission.py\n" + LAST, "submission.py:1: '%%writefile submission.py' is a"),
        ("import math\n!pip install numba\n", "submission.py:2: '!pip install numba' is a note"),
        ("def agent(obs, config)\n    return 1\n", "submission.py:1: SyntaxError: expected ':'"),
        (LAST + "agent(1, 2)\n", "submission.py:2: AttributeError: 'int' object has no"),
        (LAST + "raise SystemExit(3)\n", "submission.py:3: SystemExit: 3"),
        ("\nget_ipython().system('ls')", "submission.py:2: \"get_ipython().system('ls')\" is a"),
    ],
)
def test_a_file_that_cannot_be_loaded(load: Load, text: str, words: str) -> None:
    engine = load(text)
    with pytest.raises(EngineFailure, match=re.escape(words)):
        engine.begin(CONNECT4, 0)


def test_a_wrong_target(load: Load) -> None:
    engine = load(LAST, callable="agnet")
    with pytest.raises(EngineFailure, match=r"no callable 'agnet'; did you mean 'agent'\?"):
        engine.begin(CONNECT4, 0)
    with pytest.raises(EngineFailure, match="No such file"):
        Kaggle("nowhere.py").begin(CONNECT4, 0)
    with pytest.raises(EngineFailure, match="agent: no such file or folder; expected FILE"):
        Kaggle("agent").begin(CONNECT4, 0)
    with pytest.raises(BadRules, match="flat boards"):
        load(LAST).begin(SCORE4, 0)


@pytest.mark.parametrize("answer", ["'3'", "True", "np.int64(3)"])
def test_kaggle_reads_only_plain_integers(load: Load, answer: str) -> None:
    text = f"import numpy as np\ndef agent(obs, config):\n    return {answer}\n"
    engine = load(text, strict="kaggle")
    with pytest.raises(Fault, match="INVALID at Kaggle: answered ") as told:
        column(engine)
    assert told.value.reason == "illegal move"


def test_strict_play_has_a_bank(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock of our own: loading takes 5 s, each call 20 s; 2 s a move are free."""
    now = [0.0]
    monkeypatch.setattr("arena.bots.kaggle.perf_counter", lambda: now[0])
    monkeypatch.setattr(sys.modules[__name__], "NOW", now, raising=False)
    engine = load(
        f"from {__name__} import NOW\n"
        "NOW[0] += 5\n"
        "seen = []\n"
        "def agent(obs, config):\n"
        "    seen.append(obs.remainingOverageTime)\n"
        "    NOW[0] += 20\n"
        "    return 3\n",
        strict="kaggle",
    )
    engine.begin(CONNECT4, 0)
    assert now == [0.0]
    assert [column(engine), column(engine, limits=Limits(seconds=4, clock=9.0))] == [3, 3]
    assert column(engine) == 3
    with pytest.raises(Fault, match="took 20 s where 2 s and 3 s of the bank are allowed") as told:
        column(engine)
    assert told.value.reason == "time"
    assert engine.submission is not None
    assert engine.submission.names["seen"] == [60, 37, 21, 3]
    engine.begin(CONNECT4, 0)
    assert engine.bank == BANK


# ---- our engines as agents


@pytest.mark.parametrize(
    "text",
    [
        "def agent(obs):\n    return obs['mark'] + obs.mark - hasattr(obs, 'nothing')",
        "from kaggle_lib import agent",
        "def agent(obs, config, more=0):\n    return 2 + more",
        "class Agent:\n    def __call__(self, obs, config):\n        return 2\nagent = Agent()",
        "class Agent:\n    def act(self, obs, config):\n        return 2\nact = Agent().act\n"
        "del Agent",
        "import functools\ndef both(c, obs, config):\n    return c\n"
        "agent = functools.partial(both, 2)",
        "def agent(obs, config):\n    return helper()\ndef helper():\n    return 5\n"
        "def agent(obs, config):\n    return 2\ndel helper",
        "agent = lambda obs, config: 2",
        "import numpy as np\ndef agent(obs, config):\n    return np.int64(2)",
        "import numpy as np\ndef agent(obs, config):\n    return np.argmax(np.array([0, 1, 4]))",
        "def agent(obs, config):\n    return 2 if __name__ != '__main__' else 0",
        "def agent(obs, config):\n    return 2 if '__file__' not in globals() else 0",
    ],
)
def test_what_kaggle_calls_is_called_alike(load: Load, tmp_path: Path, text: str) -> None:
    (tmp_path / "kaggle_lib.py").write_text("def agent(obs, config):\n    return 2\n")
    assert column(load(text)) == 2


def test_an_agent_of_ours_plays_by_the_rules_for_submissions(tmp_path: Path) -> None:
    file = tmp_path / "submission.py"
    file.write_text("import arena\nagent = arena.kaggle_agent('reflex')\n", encoding="utf-8")
    engines = [Kaggle(str(file), strict="kaggle") for _ in range(2)]
    record = play_game((engines[0], engines[1]), Rules.flat(5, 4))
    assert record.reason in ("line", "full board")
