"""Where engines are found: names, entry points, files; and what is said when they are not."""

from __future__ import annotations

import pickle
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from arena import Choice, Engine, Limits, option, register
from arena.bots.find import build_engine
from arena.bots.names import engine_words, join_words
from arena.engine import registry
from arena.errors import ArenaError, BadOption, EngineFailure, UnknownName
from arena.game import Position

build_here = partial(build_engine, isolated=False)

BOT = '''\
"""A file with an engine in it."""

from arena import Choice, Engine, option


class Bot(Engine):
    """Always as far to the left as it can."""

    shift: int = option(0, "columns to the right", least=0, most=3)

    def choose(self, position, limits):
        return Choice(position.legal[self.shift])
'''


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names registered in a test are forgotten after it."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    file = tmp_path / "bot.py"
    file.write_text(BOT, encoding="utf-8")
    return file


def refusal(spec: str) -> str:
    with pytest.raises(ArenaError) as refused:
        registry.find(spec)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def column(engine: Engine) -> int:
    return engine.ask(Position(), Limits()).column


def test_engines_of_the_package_are_found_by_their_entry_points() -> None:
    entry = registry.find("random")
    assert entry.name == "random"
    assert entry.engine.__name__ == "Random"
    assert entry.summary == "Drops into a random open column."
    assert {"random", "reflex"} <= set(registry.names())


def test_a_decorated_class_is_found_by_its_name() -> None:
    @register("leftmost")
    class Leftmost(Engine):
        """To the left."""

        def choose(self, position: Position, limits: Limits) -> Choice:
            return Choice(position.legal[0])

    assert registry.find("leftmost").engine is Leftmost
    assert "leftmost" in registry.names()
    assert column(build_here("leftmost")) == 0


def test_two_engines_of_one_name_are_refused() -> None:
    class One(Engine):
        pass

    class Two(Engine):
        pass

    register("twin")(One)
    register("twin")(One)  # the same once more is no harm
    with pytest.raises(EngineFailure, match=r"^two engines are called 'twin': .*One, .*Two$"):
        register("twin")(Two)


class Shifted(Engine):
    """Some columns to the right."""

    shift: int = option(0, "columns to the right", least=0, most=3)

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[self.shift])


class ShiftedByOne(Shifted):
    """One to the right."""

    shift = option(1)


class ShiftedByTwo(ShiftedByOne):
    """Two to the right."""

    shift = 2


class Another(Shifted):
    """Not a preset, as it chooses otherwise."""

    shift = 1

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.legal[-1])


def test_a_preset_is_a_class_that_only_sets_options() -> None:
    assert [registry.preset_of(each) for each in (ShiftedByOne, ShiftedByTwo)] == [Shifted] * 2
    assert registry.preset_of(Shifted) is registry.preset_of(Another) is None
    assert registry.changed_defaults(ShiftedByTwo, Shifted) == {"shift": 2}
    assert ShiftedByOne.options["shift"].help == "columns to the right"
    assert column(ShiftedByTwo()) == 2
    with pytest.raises(BadOption, match="from 0 to 3"):
        ShiftedByOne(shift=4)


def test_a_misspelt_name_gives_the_nearest() -> None:
    assert refusal("reflx") == "unknown engine 'reflx'; did you mean 'reflex'?"
    assert refusal("RANDOM") == "unknown engine 'RANDOM'; did you mean 'random'?"
    assert "expected one of" in refusal("zzzzzz")


def test_a_class_of_a_file_is_found_by_its_name(bot: Path) -> None:
    assert column(registry.find(f"{bot}:Bot").build({"shift": 2})) == 2
    assert column(build_here(f"{bot}:Bot shift=2")) == 2


def test_a_changed_file_may_register_its_name_again(bot: Path) -> None:
    named = BOT.replace("class Bot", '@register("file-bot")\nclass Bot')
    named = named.replace("Engine, option", "Engine, option, register")
    bot.write_text(named, encoding="utf-8")
    assert column(build_here(str(bot))) == 0
    bot.write_text(named.replace("[self.shift]", "[5]"), encoding="utf-8")
    assert column(build_here(str(bot))) == 5


def test_a_file_cannot_take_the_name_of_an_engine_of_the_package(bot: Path) -> None:
    named = BOT.replace("class Bot", '@register("reflex")\nclass Bot')
    bot.write_text(named.replace("Engine, option", "Engine, option, register"), encoding="utf-8")
    registry._registered.pop("reflex", None)  # as in a process that has not asked for it yet
    assert "two engines are called 'reflex'" in refusal(str(bot))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "none.py"
    assert refusal(str(missing)) == f"{missing}: No such file or directory"


def test_a_missing_class_is_named_with_the_nearest(bot: Path) -> None:
    assert refusal(f"{bot}:Bott") == f"{bot} has no engine 'Bott'; did you mean 'Bot'?"


def test_a_file_of_several_engines_needs_a_class(bot: Path) -> None:
    bot.write_text(BOT + "\n\nclass Other(Bot):\n    pass\n", encoding="utf-8")
    assert refusal(str(bot)) == (
        f"{bot}: expected one class made from Engine, or FILE:CLASS; found Bot, Other"
    )
    assert registry.find(f"{bot}:Other").engine.__name__ == "Other"


def test_engines_that_a_file_imports_are_not_its_own(bot: Path) -> None:
    bot.write_text("from arena.engines.reflex import Reflex\n" + BOT, encoding="utf-8")
    assert registry.find(str(bot)).engine.__name__ == "Bot"
    assert "has no engine 'Reflex'" in refusal(f"{bot}:Reflex")


def test_a_file_without_an_engine_is_refused(bot: Path) -> None:
    bot.write_text("from arena import Engine\n", encoding="utf-8")
    assert refusal(str(bot)).endswith("or FILE:CLASS; found none")


@pytest.mark.parametrize(
    ("text", "line", "error"),
    [
        ("x = 1\n\ny = (\n", 3, "SyntaxError: '(' was never closed"),
        ("x = 1\nx / 0\n", 2, "ZeroDivisionError: division by zero"),
        ("\n\nimport nowhere_at_all\n", 3, "ModuleNotFoundError: No module named"),
        ("def f():\n    raise KeyError(7)\nf()\n", 2, "KeyError: 7"),
        ("raise SystemExit(3)\n", 1, "SystemExit: 3"),
    ],
)
@pytest.mark.parametrize("relative", [False, True])
def test_a_file_that_does_not_load_is_named_with_the_line(
    bot: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    line: int,
    error: str,
    relative: bool,
) -> None:
    bot.write_text(text, encoding="utf-8")
    monkeypatch.chdir(bot.parent)
    spec = bot.name if relative else str(bot)
    assert refusal(spec).startswith(f"{spec}:{line}: {error}")


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("nowhere_at_all:Bot", "engine lost (nowhere_at_all:Bot) does not load: No module named"),
        ("arena.game:Rules", "arena.game:Rules is not an engine: expected a class made from"),
        ("arena:Engine", "arena:Engine is not an engine"),
    ],
)
def test_an_entry_point_that_is_no_engine_is_refused(
    monkeypatch: pytest.MonkeyPatch, value: str, sentence: str
) -> None:
    points = {"lost": EntryPoint("lost", value, registry.ENTRY_POINTS)}
    monkeypatch.setattr(registry, "_entry_points", lambda: points)
    assert refusal("lost").startswith(sentence)


def test_errors_of_options_name_the_engine(bot: Path) -> None:
    with pytest.raises(BadOption, match=r"^engine .*bot\.py: option 'shift' is 9; expected"):
        registry.find(str(bot)).build({"shift": 9})
    with pytest.raises(BadOption, match=r"^engine random: 'depth' is not an option; expected NAME"):
        build_here("random depth")


def test_an_engine_without_choose_is_refused_in_a_sentence(bot: Path) -> None:
    bot.write_text(BOT.replace("def choose", "def chose"), encoding="utf-8")
    with pytest.raises(EngineFailure, match="choose"):
        build_here(str(bot))


@pytest.mark.parametrize(
    "error", [UnknownName("engine", "reflx", ["reflex"]), BadOption("limit"), EngineFailure("x")]
)
def test_errors_survive_the_way_from_a_worker(error: ArenaError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mcts", ["mcts"]),
        (" mcts  c=0.7 playout=light ", ["mcts", "c=0.7", "playout=light"]),
        ("my bots/a bot.py", ["my bots/a bot.py"]),
        ("my bots/a bot.py:Bot depth=6", ["my bots/a bot.py:Bot", "depth=6"]),
        ("'my bots/a bot.py' depth=6", ["my bots/a bot.py", "depth=6"]),
        ("a.py b/bot.py file=c.py", ["a.py b/bot.py", "file=c.py"]),
        ("a.py file='my weights.yaml' x=1", ["a.py", "file=my weights.yaml", "x=1"]),
        ("alphabeta 'evaluation=my weights.yaml'", ["alphabeta", "evaluation=my weights.yaml"]),
        ("it's a bot.py c=don't", ["it's a bot.py", "c=don't"]),
        ("my bots/a.py depth", ["my bots/a.py", "depth"]),
        ("random depth", ["random", "depth"]),
        ("uci:fish -x moves=drop", ["uci:fish -x", "moves=drop"]),
        ("lines:'./my bot' leftmost=1", ["lines:'./my bot'", "leftmost=1"]),
        ("lines:'./my bot' 'my file'", ["lines:'./my bot' 'my file'"]),
        ("uci:fish setoption='Skill Level=3'", ["uci:fish", "setoption=Skill Level=3"]),
        ("", [""]),
    ],
)
def test_words_for_an_engine(text: str, words: list[str]) -> None:
    assert engine_words(text) == words
    assert engine_words(join_words(words)) == words


def test_a_file_with_spaces_in_its_name_needs_no_quotes(bot: Path, tmp_path: Path) -> None:
    spaced = tmp_path / "my bots" / "a bot.py"
    spaced.parent.mkdir()
    bot.rename(spaced)
    assert column(build_here(f"{spaced} shift=2")) == 2
    assert column(build_here(f"'{spaced}:Bot' shift=3")) == 3
