"""Tables as LaTeX: read back by a small reader that knows as much of TeX as a table needs."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.show.table import SIGNS, Column, Table, tex
from tests.report.samples import HOSTILE

WORDS = {
    "quotes": '"', "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^",
    "textless": "<", "textgreater": ">", "textbar": "|", "textasciigrave": "`",
    "textquotesingle": "'", "textemdash": "—", "textendash": "–", "textmu": "µ",  # noqa: RUF001
    "textquotedblleft": "“", "textquotedblright": "”", "pm": "±",
}  # fmt: skip
TOKEN = re.compile(r"\\([a-zA-Z]+)(?:\{\})?|\\(.)|(.)", re.DOTALL)


def read(text: str) -> str:
    """What TeX would print; anything else that it would do fails."""
    text = text.replace(r"$\frac{1}{2}$", "½").replace(r"$\pm$", "±").replace("$-$", "-")
    text = text.replace(r"{\char34}", r"\quotes{}")
    printed, depth = [], 0
    for command, sign, char in TOKEN.findall(text):
        if command:
            printed.append(WORDS[command])
        elif sign:
            assert sign in "{}$&#_%", f"\\{sign} is no sign"
            printed.append(sign)
        elif char in "{}":
            depth += 1 if char == "{" else -1
            assert depth >= 0
        elif char == "~":
            printed.append(" ")
        else:
            assert char not in "\\$&#_%^\"'`<>|", f"{char} would do something"
            assert depth or char not in "[]*", f"{char} would belong to the end of the line before"
            printed.append(char)
    assert depth == 0
    for pair in ("--", ",,"):
        assert pair not in text, "would be printed as one sign"
    return "".join(printed)


@settings(max_examples=60)
@given(st.text(max_size=20) | st.text(alphabet="".join(SIGNS) + "-, a", max_size=20))
def test_what_is_escaped_is_printed_as_it_was(text: str) -> None:
    printable = "".join(char if char.isprintable() else " " for char in text)
    assert read(tex(text)) == " ".join(printable.split())


@pytest.mark.parametrize("text", [*HOSTILE, r"\input{/etc/passwd}", "%\n", "[2pt]", "*", "a--b,,"])
def test_names_do_nothing(text: str) -> None:
    assert read(tex(text)).split() == "".join(c if c.isprintable() else " " for c in text).split()


def test_a_table_line_by_line() -> None:
    columns = (Column("engine"), Column("Elo", lambda value: f"{value:.1f}"), Column("score_%"))
    table = Table("50 % \\ off", columns, (("[a] & b", -31.25, "54.3 %"), ("*", None, "½ ± 1")))
    assert table.latex().splitlines() == [
        "% 50 % \\ off; needs booktabs",
        r"\begin{tabular}{@{}lrl@{}}",
        r"\toprule",
        r"engine & Elo & score\_\% \\",
        r"\midrule",
        r"{[}a{]} \& b & $-$31.2 & 54.3~\% \\",
        r"{*} & \textemdash{} & $\frac{1}{2}$ $\pm$ 1 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
