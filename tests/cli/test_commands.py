"""The commands: what they print, on which stream, and with which exit code."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from arena import __version__
from arena.errors import EngineFailure
from tests.cli.running import run, run_apart, run_json
from tests.support.outputs import without_progress

MAIN = [sys.executable, "-c", "from arena.cli import main; main()"]


def test_help_lists_every_command() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for command in ("match", "engines", "explain", "check", "bench"):
        assert command in result.stdout
    assert run().stdout == result.stdout
    assert "kernels" in run("bench").stdout


def test_version() -> None:
    assert run("--version").stdout == f"arena {__version__}\n"


def test_help_loads_no_numba() -> None:
    watch = "import sys; from arena.cli.app import app; print('numba' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", watch], capture_output=True, text=True)
    assert result.stdout == "False\n"


def test_engines_are_listed_with_options_and_presets() -> None:
    result = run("engines")
    assert result.exit_code == 0
    assert "Drops into a random open column." in result.stdout
    assert "playouts=10000 c=0.6" in result.stdout
    assert "presets" in result.stdout


def test_an_engine_that_does_not_load_is_a_line_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from arena.engine import registry

    find = registry.find

    def fails(name: str) -> registry.Entry:
        if name == "reflex":
            raise EngineFailure("engine reflex (x:Y) does not load: no module named x")
        if name == "greedy":
            raise ZeroDivisionError("oh")
        return find(name)

    monkeypatch.setattr(registry, "find", fails)
    result = run("engines")
    assert result.exit_code == 0
    assert "not available" in result.stdout
    assert "does not load: no module named x" in result.stdout
    assert "ZeroDivisionError: oh" in result.stdout
    assert "Drops into a random open column." in result.stdout
    listed = {entry["name"]: entry for entry in run_json("engines")}
    assert "error" in listed["reflex"]
    assert "summary" in listed["random"]


def test_one_engine_is_explained() -> None:
    result = run("engines", "alphabeta")
    assert result.exit_code == 0
    for part in ("Source: Knuth and Moore", "evaluation=rivest", "plies", "one of full, parent"):
        assert part in result.stdout
    data = run_json("engines", "alphabeta")
    options = {option["name"]: option for option in data["options"]}
    assert options["evaluation"]["default"] == "rivest"
    assert (
        run("engines", "tests/support/bots/good.py:FlatOnly").stdout.count("whether to play far")
        == 1
    )
    assert "explore=0.0" in run("engines", "random").stdout


def test_a_preset_is_explained_with_its_settings() -> None:
    assert run("engines", "gaiceanu").exit_code == 0
    assert run_json("engines", "gaiceanu")["preset"]["depth"] == 5


def test_check_prints_a_line_a_finding() -> None:
    result = run("check", "random")
    assert result.exit_code == 0
    assert "plays on 4x4x4 connect 4" in result.stdout
    assert result.stdout.rstrip().endswith("random is valid.")


def test_check_of_a_bad_bot_has_exit_code_1() -> None:
    result = run("check", "tests/support/bots/bad.py:TooDeep")
    assert result.exit_code == 1
    assert "40 plies deep" in result.stdout
    assert "fails 1 check." in result.stdout
    assert run("check", "tests/support/bots/bad.py:TooDeep", "--json").exit_code == 1


def test_check_sets_options() -> None:
    found = run_json("check", "tests/support/bots/good.py:FlatOnly", "far=yes")
    assert all(finding["ok"] for finding in found)


def test_explain_shows_the_board_and_the_value_of_each_column() -> None:
    result = run("explain", "4453", "--engine", "alphabeta depth=4")
    assert result.exit_code == 0
    assert ".  .  O  X  X  .  ." in result.stdout
    assert "best" in result.stdout
    assert "alphabeta depth=4 plays column" in result.stdout
    assert "4 plies deep" in result.stdout
    for part in ("row", "rising diagonal", "centre", "tempo", "total"):
        assert part in result.stdout


def test_explain_in_numbers() -> None:
    told = run_json("explain", "4453", "--engine", "iterative depth=4", "--tree")
    assert sorted(told["opinions"]) == list("1234567")
    best = max(told["opinions"], key=lambda column: told["opinions"][column])
    assert told["choice"]["column"] == int(best)
    assert told["choice"]["line"][0] == int(best)
    assert told["value"] == sum(told["breakdown"].values())
    assert len(told["tree"]) == 7


def test_explain_in_space_with_a_tree() -> None:
    result = run("explain", "1,6", "--game", "score4", "--engine", "alphabeta depth=2", "--tree")
    assert result.exit_code == 0
    assert "level 4" in result.stdout
    assert "pruned" in result.stdout
    assert "rising space diagonal x+y" in result.stdout


def test_explain_reads_a_drawn_board_and_an_evaluation_of_ones_own() -> None:
    drawing = "...\n.O.\nXX.\n"
    words = ["explain", "-", "--game", "3x3c3", "--engine", "random", "--evaluation", "counts"]
    result = run(*words, input=drawing)
    assert result.exit_code == 0
    assert "No opinion of single columns." in result.stdout
    assert "counts evaluation for O" in result.stdout


@pytest.mark.parametrize("engine", ["random", "mcts", "perfect", "oracle-easy"])
def test_explain_breaks_down_no_evaluation_of_an_engine_that_uses_none(engine: str) -> None:
    words = ["explain", "4455", "--engine", engine, "--limit", "playouts=50 nodes=500"]
    result = run(*words)
    assert result.exit_code == 0
    assert " evaluation for" not in result.stdout
    assert "tempo" not in result.stdout
    told = run_json(*words)
    assert (told["evaluation"], told["breakdown"], told["value"]) == (None, None, None)


def test_explain_knows_the_evaluation_of_an_oracles_thinker() -> None:
    words = ["explain", "1,6", "--game", "score4", "--engine", "oracle-hard"]
    assert "fitted chains evaluation for X" in run(*words).stdout


@pytest.mark.parametrize("engine", ["mcts", "iterative", "perfect", "alphabeta depth=4"])
def test_explain_says_one_value_for_a_column(engine: str) -> None:
    """The list of columns says it; the line about the choice does not say another one."""
    words = ["explain", "4453", "--engine", engine, "--limit", "playouts=200 nodes=5000"]
    (line,) = [line for line in run(*words).stdout.splitlines() if " plays column " in line]
    listed = run_json(*words)
    if str(listed["choice"]["column"]) in listed["opinions"]:
        assert "value" not in line


def test_explain_says_so_where_another_column_looks_best_by_itself() -> None:
    """perfect-eps errs on purpose; the list marks the best column, which it does not play."""
    words = ["explain", "3166775766777355333446", "--engine", "perfect-eps error=1"]
    shown = run(*words).stdout
    assert "\nIn the list, 5 has the highest value.\n" in shown
    assert "one by one" not in run(*words[:3], "perfect").stdout


def test_explain_gives_the_choice_its_value_where_no_column_has_one() -> None:
    assert ", value 0," in run("explain", "4453", "--engine", "reflex").stdout


@pytest.mark.parametrize("engine", ["iterative", "alphabeta"])
def test_a_tree_says_of_a_column_what_the_list_says(engine: str) -> None:
    told = run_json("explain", "4453", "--engine", engine, "--tree")
    values = {str(branch["column"]): branch["value"] for branch in told["tree"]}
    best = max(told["opinions"].values())
    assert max(value for value in values.values() if value is not None) == best
    column = str(told["choice"]["column"])
    assert values[column] == told["opinions"][column] == told["choice"]["score"] == best
    shown = run("explain", "4453", "--engine", engine, "--tree").stdout.split("of the tree")[1]
    for branch in told["tree"]:
        (line,) = [
            line for line in shown.splitlines() if line.split()[:1] == [str(branch["column"])]
        ]
        cut = any(child["value"] is None for child in branch["children"])
        assert ("≤" in line) == cut  # then it is a bound, not a second value
        assert cut or values[str(branch["column"])] == told["opinions"][str(branch["column"])]


def test_a_full_column_is_shown_as_full() -> None:
    result = run("explain", "444444", "--engine", "tests/support/bots/good.py:FlatOnly")
    assert "full" in result.stdout


MATCH = ["match", "random", "reflex", "--games", "4", "--seed", "2"]


def test_data_and_messages_go_their_own_ways() -> None:
    result = run_apart(*MATCH, "--json")
    assert result.returncode == 0
    assert result.stdout.startswith("{")
    assert "Traceback" not in result.stderr


def test_output_is_plain_where_unicode_cannot_be_shown() -> None:
    result = run_apart("check", "random", PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert " ok warms up" in result.stdout


def test_a_closed_pipe_is_no_error() -> None:
    with subprocess.Popen(
        [*MAIN, *MATCH], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert without_progress(process.stderr.read()) == ""


def test_an_interrupt_ends_quietly_with_130() -> None:
    words = ["match", "random", "random", "--games", "1000000"]
    with subprocess.Popen(
        [*MAIN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert without_progress(process.stderr.read()) == ""
    assert process.returncode == 130


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.show.terminal import console

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    assert console().no_color
