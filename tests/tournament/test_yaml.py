"""Reading YAML: the words of YAML 1.2, and the place of everything.

The refusals are in tests/golden/messages/yaml.txt.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.mistakes import BadSpec, Mark
from arena.tournament.yaml import Document, read, read_text

FILE = Path("t.yaml")


def source(text: str) -> Document:
    return read_text(text, FILE)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        *[(word, word) for word in ("no", "yes", "on", "off", "y", "n", "No", "YES")],
        *[(word, True) for word in ("true", "True", "TRUE")],
        *[(word, False) for word in ("false", "False", "FALSE")],
        *[(word, None) for word in ("~", "null", "Null", "NULL", "")],
        *[("0", 0), ("-7", -7), ("+7", 7), ("012", 12), ("0o17", 15), ("0x1F", 31)],
        *[("1_000", "1_000"), ("1:30", "1:30"), ("0b11", "0b11"), ("017o", "017o")],
        *[("1e3", 1000.0), ("1.", 1.0), (".5", 0.5), ("-1.5E-2", -0.015), ("1e", "1e")],
        *[(".inf", float("inf")), ("-.Inf", float("-inf")), ("inf", "inf"), ("nan", "nan")],
        *[("2024-01-31", "2024-01-31"), ("'12'", "12"), ('"true"', "true")],
        *[("=", "="), ("a<<", "a<<")],
    ],
)
def test_words_and_numbers_are_those_of_yaml_1_2(written: str, value: object) -> None:
    found = source(f"key: {written}")
    assert found.data == {"key": value}
    assert type(found.data["key"]) is type(value)
    assert found.mistakes == []


def test_everything_has_its_place() -> None:
    found = source("a: 1\nlist:\n  - x\n  -   {b: 2, c: [3, 4]}\nempty:\n")
    assert found.place(()) == (1, 1)
    assert found.place(("a",)) == (1, 4)
    assert found.place(("a",), key=True) == (1, 1)
    assert found.place(("list", 0)) == (3, 5)
    assert found.place(("list", 1, "c", 1)) == (4, 21)
    assert found.place(("list", 1, "c"), key=True) == (4, 14)
    assert found.place(("empty",)).line == 5
    assert found.place(("list", 1, "nothing", "inside")) == (4, 7)
    assert found.place(("nothing",), key=True) == (1, 1)


def test_the_trail_tells_numbers_of_lists_from_keys() -> None:
    found = source("own: {1: 5}\nlist: [7]")
    assert str(found.mistake(("own", 1), "no")) == "t.yaml:1:10: own.1: no"
    assert str(found.mistake(("list", 0), "no")) == "t.yaml:2:8: list[0]: no"


def test_anchors_aliases_and_merges() -> None:
    found = source(
        "x: &x {p: 1, q: 2}\ny: {<<: *x, q: 3}\nz: {r: 0, <<: [*x, {r: 9, s: 8}]}\nw: *x"
    )
    assert found.data["y"] == {"p": 1, "q": 3}
    assert found.data["z"] == {"r": 0, "p": 1, "q": 2, "s": 8}
    assert found.data["w"] == {"p": 1, "q": 2}
    assert found.place(("y", "p")) == Mark(1, 11)  # where it was written
    assert found.mistakes == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text("a: 1", encoding="utf-8")
    path.chmod(0)
    with pytest.raises(BadSpec, match="cannot be read: Permission denied"):
        read(path)


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    found = read(path)
    assert found.data == {"a": 1, "b": 2}
    assert found.place(("b",)) == (2, 4)


TEXTS = st.text(alphabet=st.sampled_from("abyn01.:-#&*!|>'\"%@{}[],~ \n\t\\é✓"), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers() | TEXTS | st.floats(-1e9, 1e9)
TREES = st.recursive(
    SCALARS,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(TEXTS, inside, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(TEXTS, TREES, min_size=1, max_size=5), st.sampled_from([None, 2]))
def test_json_is_read_as_what_it_is(data: dict[str, Any], indent: int | None) -> None:
    found = source(json.dumps(data, ensure_ascii=False, indent=indent))
    assert found.data == data
    assert found.mistakes == []


@given(st.text(alphabet=st.sampled_from("ab:-[]{}&*!<>|'\"#%@, \n\t0.~"), max_size=60))
def test_no_text_raises_anything_else(text: str) -> None:
    with suppress(BadSpec):
        assert source(text).data is not None
