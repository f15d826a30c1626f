"""What an engine raises is told in a sentence and by the engine's own lines, and only once."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from arena import CONNECT4, Choice, Engine, Limits, Position
from arena.bots.find import build_engine
from arena.engine.errors import (
    HEADING,
    EngineMistakes,
    join_log,
    root_trace,
    split_log,
    trace,
)
from arena.errors import EngineFailure
from arena.table.referee import play_game

build_here = partial(build_engine, isolated=False)

BOT = """\
from arena import Choice, Engine
import my_eval


class Bot(Engine):
    def choose(self, position, limits):
        return Choice(self.best(position))

    def best(self, position):
        return position.legal[my_eval.worth(position)]
"""
EVAL = """\
def worth(position):
    return 1 // (position.ply - 4)
"""
OWN_FRAMES = [
    ("my_bot.py", 7, "choose", "return Choice(self.best(position))"),
    ("my_bot.py", 10, "best", "return position.legal[my_eval.worth(position)]"),
    ("my_eval.py", 2, "worth", "return 1 // (position.ply - 4)"),
]


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    (tmp_path / "my_bot.py").write_text(BOT, encoding="utf-8")
    (tmp_path / "my_eval.py").write_text(EVAL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return build_here("my_bot.py")


def raised(engine: Engine, moves: str = "4444") -> Exception:
    with pytest.raises(Exception) as caught:  # noqa: PT011  # whatever an engine raises
        engine.ask(Position.parse(moves), Limits())
    return caught.value


def lines_without_marks(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip(" ~^")]


def test_a_trace_has_all_frames_of_the_engine_and_none_of_ours(bot: Engine) -> None:
    expected = [HEADING]
    for file, line, function, code in OWN_FRAMES:
        expected += [f'  File "{file}", line {line}, in {function}', f"    {code}"]
    expected.append("ZeroDivisionError: integer division or modulo by zero")
    record = play_game((bot, build_here("my_bot.py")), CONNECT4, seed=1, opening=(3, 3, 3, 3))
    assert lines_without_marks(record.trace) == expected
    assert record.detail.endswith("modulo by zero (my_eval.py:2)")


def test_a_call_that_does_not_fit_names_no_line_of_ours() -> None:
    class Forgetful(Engine):
        def choose(self, position: Position) -> Choice:  # type: ignore[override]
            return Choice(0)

    record = play_game((Forgetful(), Forgetful()), CONNECT4)
    assert record.reason == "exception"
    assert "positional argument" in record.detail
    assert "referee.py" not in record.detail
    assert record.trace == ""


def test_a_deep_recursion_is_cut() -> None:
    def ping(n: int) -> int:
        return pong(n + 1)

    def pong(n: int) -> int:
        return ping(n + 1)

    with pytest.raises(RecursionError) as caught:
        ping(0)
    text = trace(caught.value)
    assert len(text) < 5000
    assert text.endswith("RecursionError: maximum recursion depth exceeded")


def test_an_error_that_cannot_be_printed_is_reported() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no")

    class Evil(Engine):
        def choose(self, position: Position, limits: Limits) -> Choice:
            raise Mute

    record = play_game((Evil(), Evil()), CONNECT4)
    assert record.detail.startswith("X: Mute (")
    assert "raise Mute" in record.trace


def test_a_file_that_does_not_load_has_its_frames_behind_the_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_bot.py").write_text(BOT, encoding="utf-8")
    (tmp_path / "my_eval.py").write_text("def f():\n    1 / 0\n\n\nf()\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EngineFailure) as refused:
        build_here("my_bot.py")
    text = lines_without_marks(root_trace(refused.value))
    assert [line for line in text if "File" in line] == [
        '  File "my_bot.py", line 2, in <module>',
        '  File "my_eval.py", line 5, in <module>',
        '  File "my_eval.py", line 2, in f',
    ]


@pytest.mark.parametrize(
    ("told", "printed"),
    [("", ""), ("", "hello\n"), (f"{HEADING}\n  x", ""),
     (f"{HEADING}\n  x", "two\nlines")],
)  # fmt: skip
def test_a_trace_and_printed_words_share_a_field(told: str, printed: str) -> None:
    assert split_log(join_log(told, printed)) == (told, printed)


def test_the_same_mistake_is_counted_and_another_is_not(bot: Engine) -> None:
    text = trace(raised(bot))
    mistakes = EngineMistakes()
    assert mistakes.add(3, "bot: ZeroDivisionError: a", text).is_new
    again = mistakes.add(5, "bot: ZeroDivisionError: a", join_log(text, "printed"))
    assert (again.first, again.count, again.is_new) == (3, 2, False)
    assert mistakes.add(6, "other: ZeroDivisionError: a", text).is_new
    assert mistakes.add(7, "bot: gave no answer in 0.24 s").is_new
    assert not mistakes.add(8, "bot: gave no answer in 1.00 s").is_new
    assert mistakes.add(9, "bot: its process was killed by SIGSEGV").is_new
    named = mistakes.add(10, "bot: its process was killed by SIGSEGV", player="bot: its process")
    assert (named.player, named.is_new) == ("bot: its process", True)
    assert [(mistake.player, mistake.count) for mistake in mistakes] == [
        ("bot", 2), ("bot", 2), ("other", 1), ("bot", 1), ("bot: its process", 1)
    ]  # fmt: skip


def test_of_a_long_printed_line_the_end_is_shown() -> None:
    flood = "first\n" + "x" * 5000 + "the end\n"
    *_, first, last = EngineMistakes().add(1, "bot: RuntimeError: a", flood).lines()
    assert first == "it printed: first"
    assert last.startswith("it printed: ...xxx")
    assert last.endswith("xxxthe end")
    assert len(last) <= 180
