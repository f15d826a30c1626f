"""Reading YAML: the words of YAML 1.2, the place of everything, and polite refusals."""

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
from arena.tournament.yaml import MOST_BYTES, MOST_LEVELS, Document, read, read_text

FILE = Path("t.yaml")


def source(text: str) -> Document:
    return read_text(text, FILE)


def refused(text: str) -> str:
    with pytest.raises(BadSpec) as caught:
        source(text)
    assert len(caught.value.mistakes) == 1
    return str(caught.value)


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
        *[("!!str 12", "12"), ("!!int '12'", 12), ("!!float 1", 1.0), ("!!null ''", None)],
        *[("!!seq [1]", [1]), ("!!map {a: 1}", {"a": 1}), ("=", "="), ("a<<", "a<<")],
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


def test_every_key_that_stands_twice_is_told_with_both_lines() -> None:
    found = source("seed: 1\nname: x\nseed: 2\nlimits: {depth: 1, depth: 2}\nseed: 3")
    assert [str(mistake) for mistake in found.mistakes] == [
        "t.yaml:3:1: seed: stands twice; the first is in line 1",
        "t.yaml:4:20: limits.depth: stands twice; the first is in line 4",
        "t.yaml:5:1: seed: stands twice; the first is in line 1",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a: !!python/name:os.system x", "1:4: a: the tag !!python/name:os.system has no meaning"),
        ("a: !mine {b: 1}", "1:4: a: the tag !mine has no meaning here"),
        ("a: !!set {x}", "1:4: a: the tag !!set has no meaning here"),
        ("a: !!binary eA==", "1:4: a: the tag !!binary has no meaning here"),
        ("a: !!int x", "1:4: a: 'x' is not !!int"),
        ("a: " + "9" * 5000, "1:4: a: a number of 5000 digits is too long"),
        ("? [a]\n: 1", "1:3: found a list or mapping as a key; expected a word"),
        ("true: 1", "1:1: found true as a key; expected a word"),
        ("b: {1.5: 1}", "1:5: b: found 1.5 as a key; expected a word"),
        ("<<: 3", "1:5: << merges mappings; found something else"),
        ("<<: !!x {a: 1}", "1:5: the tag !!x has no meaning here"),
    ],
)
def test_what_yaml_allows_and_nobody_means(text: str, sentence: str) -> None:
    (mistake,) = source(f"{text}\nother: 1").mistakes
    assert str(mistake).startswith(f"t.yaml:{sentence}")


@pytest.mark.parametrize("tag", ["!!x", "!mine", "!!seq", "!!str", "!!set", "!!null", "!!merge"])
def test_a_tag_on_the_whole_file_is_told_and_the_rest_is_read(tag: str) -> None:
    made = source(f"{tag} {{seed: 1}}")
    assert made.data == {"seed": 1}
    (mistake,) = made.mistakes
    assert str(mistake) == f"t.yaml:1:1: the tag {tag} has no meaning here"


LAUGHS = "a: &a [x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGED_LAUGHS = "a: &a {x: 1}\n" + "".join(
    f"{new}: &{new} {{<<: [{', '.join([f'*{old}'] * 9)}]}}\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "t.yaml: is empty; `arena init` writes a file to start from"),
        ("# only a comment\n", "t.yaml: is empty"),
        ("- a\n- b", "t.yaml:1:1: found a list; expected keys and values"),
        ("\nhello", "t.yaml:2:1: found the text 'hello'; expected keys and values"),
        ("a:\n\tb: 1", "t.yaml:2:1: a tab cannot stand here; indent and separate with spaces"),
        ("a:\tb", "t.yaml:1:3: a tab cannot stand here"),
        ("a: b: c", "t.yaml:1:5: a ':' is not expected here"),
        ("a: 1\n  b: 2", "t.yaml:2:4: a ':' is not expected here; indent like the line before"),
        ("a:\n  b: 1\n c: 2", "t.yaml:3:2: this line is not indented like those it belongs to"),
        ("a: 1\nkey\nb: 2", "t.yaml:2:1: expected a ':' after this key"),
        ("a: [1, 2\nb: 3", "t.yaml:1:4: a '[' is opened here and not closed with ']'"),
        ("a: {x: 1\nb: 2", "t.yaml:1:4: a '{' is opened here and not closed with '}'"),
        ("b: 1\na: 'x\nc: 2", "t.yaml:2:4: a quote is opened here and never closed"),
        ("a: - b", "t.yaml:1:4: a '- ' is not expected here; begin a new line with it"),
        ("a: @x", "t.yaml:1:4: a text that begins with @ or ` needs quotes around it"),
        ("a: %x", "t.yaml:1:4: a text that begins with % needs quotes around it"),
        ("a: *x", "t.yaml:1:4: no anchor of this name stands before the alias"),
        ("a: &x 1\nb: &x 2", "t.yaml:2:4: the same anchor stands twice"),
        ("a: 1\n---\nb: 1", "t.yaml:2:1: a second document begins here; expected one"),
        ("a: \x07", r"t.yaml:1:4: the character '\x07' cannot stand in YAML"),
        ("a: " + "[" * 100_000, f"t.yaml:1:43: nested deeper than {MOST_LEVELS} levels"),
        ("a: &a [*a]", f"t.yaml:1:4: nested deeper than {MOST_LEVELS} levels, or an alias inside"),
        ("a: &a {<<: *a}", "t.yaml:1:4: nested deeper than"),
        (LAUGHS, "t.yaml:1:"),
        (MERGED_LAUGHS, "t.yaml:1:"),
    ],
)
def test_a_text_that_is_no_mapping_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    assert refused(text).startswith(sentence)


def test_a_billion_laughs_are_not_unfolded() -> None:
    assert "unfolds to more than 50000 values" in refused(LAUGHS)
    assert "unfolds to more than 50000 values" in refused(MERGED_LAUGHS)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    def sentence(path: Path) -> str:
        with pytest.raises(BadSpec) as caught:
            read(path)
        return str(caught.value).removeprefix(str(path))

    (tmp_path / "quickstart.yaml").write_text("a: 1", encoding="utf-8")
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "latin.yaml").write_bytes("a: 1\nname: caf\xe9".encode("latin-1"))
    (tmp_path / "large.yaml").write_bytes(b"# \n" * MOST_BYTES)
    assert sentence(tmp_path) == ": is a directory; expected a file in YAML"
    assert sentence(tmp_path / "quikstart.yaml").endswith("did you mean 'quickstart.yaml'?")
    assert sentence(tmp_path / "no" / "where.yaml") == ": no such file"
    assert sentence(tmp_path / "binary") == ": is not a text file; expected YAML"
    assert sentence(tmp_path / "latin.yaml") == ":2:10: is not UTF-8 text from here on"
    assert sentence(tmp_path / "large.yaml") == ": is larger than 256 kB; expected a file in YAML"


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
