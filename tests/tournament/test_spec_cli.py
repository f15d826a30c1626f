"""`arena check`, `arena init --schema` and `arena init`, as a user meets them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arena.engine.registry import names
from arena.tournament.formats import FORMATS
from arena.tournament.load import load
from arena.tournament.yaml import read
from tests.cli.running import assert_one_sentence, run
from tests.tournament.playing import faults


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("good.yaml").write_text("engines: [random, reflex, mcts]\ngames: 6", encoding="utf-8")
    cup = "engines: [random, reflex, mcts]\nformat: knockout"
    Path("cup.yaml").write_text(cup, encoding="utf-8")
    Path("bad.yaml").write_text("engines: [randm, reflex]\nseed: x", encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_escapes_in_names_of_files_are_spelt_out() -> None:
    bad, good = Path("a\x1b[31m\n.yaml"), Path("b\x1b[31m\n.yaml")
    bad.write_text("engines: [randm, reflex]", encoding="utf-8")
    good.write_text("engines: [random, reflex]", encoding="utf-8")
    result = run("check", str(bad), str(good))
    assert "\x1b" not in result.output
    assert [line[:12] for line in result.stdout.splitlines()] == ["a\\x1b[31m .y", "ok: b\\x1b[31"]
    assert "\x1b" not in run("init", "c\x1b[31m.yaml").output


@pytest.mark.usefixtures("folder")
def test_init_writes_a_file_that_is_right_and_never_overwrites_one() -> None:
    result = run("init")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr.startswith("wrote tournament.yaml and arena.schema.json for editors\n")
    assert run("check", "tournament.yaml").exit_code == 0
    assert_one_sentence(run("init"), "tournament.yaml exists; --force overwrites it")
    assert_one_sentence(run("init", "good.yaml"), "good.yaml exists")
    assert run("init", "good.yaml", "--force").exit_code == 0
    assert load("good.yaml").name == load("tournament.yaml").name
    assert_one_sentence(run("init", "no/where.yaml"), "cannot be written: No such file")
    assert_one_sentence(run("init", ".", "--force"), "cannot be written: Is a directory")


def test_what_init_writes_works_in_an_editor(folder: Path) -> None:
    """As the YAML language server does it: the schema of the first line, from the file's folder."""
    (folder / "my cups").mkdir()
    file = folder / "my cups" / "cup.yaml"
    assert f"play it with: arena run '{file}'\n" in run("init", str(file)).stderr
    first, _, _ = file.read_text(encoding="utf-8").partition("\n")
    where = first.removeprefix("# yaml-language-server: $schema=")
    assert where != first
    schema = json.loads((file.parent / where).read_text(encoding="utf-8"))
    data = read(file).data
    assert faults(data, schema) == []
    assert faults({**data, "gmaes": 3}, schema) != []


@pytest.mark.usefixtures("folder")
def test_init_leaves_a_schema_of_others_alone() -> None:
    Path("arena.schema.json").write_text("{}", encoding="utf-8")
    assert "arena.schema.json is another program's file and was not changed" in run("init").stderr
    assert Path("arena.schema.json").read_text(encoding="utf-8") == "{}"


@pytest.mark.usefixtures("folder")
def test_every_comment_of_the_starter_that_is_a_key_can_be_used() -> None:
    run("init")
    lines = Path("tournament.yaml").read_text(encoding="utf-8").splitlines()
    keys = ("# workers:", "# adjudication:", "# stop:")
    commented = [line for line in lines if line.startswith(keys)]
    assert len(commented) == 5
    for line in commented:
        text = "\n".join([*lines, line.removeprefix("# ")])
        Path("other.yaml").write_text(text, encoding="utf-8")
        assert load("other.yaml").players


def test_the_schema_is_for_editors() -> None:
    result = run("init", "--schema")
    assert result.exit_code == 0
    schema = json.loads(result.stdout)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert schema["required"] == ["engines"]
    assert "$defs" not in result.stdout
    assert "Sheet" not in result.stdout
    assert '"null"' not in result.stdout
    for key, part in schema["properties"].items():
        assert part["description"], key
        assert part["title"], key
    engine = schema["definitions"]["Engine"]["properties"]["engine"]
    assert set(engine["examples"]) == set(names())
    assert "enum" not in engine
    kinds = {part["properties"]["kind"]["const"] for part in schema["definitions"].values()
             if "kind" in part.get("properties", {})}  # fmt: skip
    assert kinds == set(FORMATS)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"engines": []},
        {"engines": "random"},
        {"engines": ["random", 5]},
        {"engines": ["random", {"name": "x"}]},
        {"engines": ["random"], "gaems": 3},
        {"engines": ["random"], "games": "3"},
        {"engines": ["random"], "games": 0},
        {"engines": ["random"], "swap_seats": "no"},
        {"engines": ["random"], "format": "swiss"},
        {"engines": ["random"], "format": {"kind": "swiss"}},
        {"engines": ["random"], "format": {"heroes": 2}},
        {"engines": ["random"], "format": "pairs"},
        {"engines": ["random"], "format": {"kind": "pairs", "pairs": [["random"]]}},
        {"engines": ["random"], "openings": "all"},
        {"engines": ["random"], "openings": {}},
        {"engines": ["random"], "openings": {"every": 1, "random": 1}},
        {"engines": ["random"], "limits": {"depth": 0}},
        {"engines": ["random"], "limits": {"seconds": "soon"}},
        {"engines": ["random"], "stop": {"sprt": {"elo0": 1}}},
        {"engines": ["random"], "stop": {"sprt": {"elo0": 1, "elo1": 2, "engines": ["a"]}}},
    ],
)
def test_the_schema_refuses_what_is_wrong(data: object) -> None:
    assert faults(data, json.loads(run("init", "--schema").stdout))


def test_the_commands_import_nothing_heavy_before_they_run() -> None:
    script = (
        "import sys, arena.cli.app; print([m for m in ('yaml', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
