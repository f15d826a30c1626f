"""Tables of a report as LaTeX: a file each, to be put into a paper, and one that shows them all.

They need the package booktabs, long ones longtable as well. Whatever a name holds is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from arena.report.blocks import slug
from arena.report.content import Content
from arena.show.table import Column, Table
from arena.text import visible

FOLDER = "latex"
OVERVIEW = "tables"
LONG = 40  # rows that fit on a page

# Signs that mean something to TeX, that fonts lack, or that would belong to the end of a line.
SIGNS: dict[str, str | int | None] = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"{\char34}",
    "`": r"\textasciigrave{}", "'": r"\textquotesingle{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "±": r"$\pm$", "—": r"\textemdash{}", "–": r"\textendash{}", "½": r"$\frac{1}{2}$",  # noqa: RUF001
    "µ": r"\textmu{}", "“": r"\textquotedblleft{}", "”": r"\textquotedblright{}",
}  # fmt: skip
RUNS = re.compile(r"([-,])(?=\1)")  # two of them would become one sign

PREAMBLE = r"""\documentclass{article}
\usepackage{iftex}
\ifPDFTeX
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\else
\usepackage{fontspec}
\fi
\usepackage{booktabs}
\usepackage{longtable}
\usepackage{adjustbox}
\usepackage[a4paper, landscape, margin=1.5cm]{geometry}
\begin{document}
"""


def latex_files(content: Content) -> dict[str, str]:
    """Every table by the name of its file, and last the file that shows them all."""
    sheets: dict[str, str] = {}
    lines = [PREAMBLE, rf"\section*{{{escape(content.header.name)}}}"]
    for paragraph in content.paragraphs:
        lines += [escape(paragraph), ""]
    for table in content.tables:
        name, number = slug(table.title) or "table", 2
        while f"{name}.tex" in sheets or name == OVERVIEW:
            name, number = f"{slug(table.title) or 'table'}-{number}", number + 1
        sheets[f"{name}.tex"] = latex_table(table)
        lines += [rf"\subsection*{{{escape(table.title)}}}"]
        if len(table.rows) > LONG:
            lines += [rf"{{\scriptsize\input{{{name}}}}}", ""]
        else:
            lines += [r"\begin{adjustbox}{max width=\linewidth}", rf"\input{{{name}}}"]
            lines += [r"\end{adjustbox}", ""]
    return {**sheets, f"{OVERVIEW}.tex": "\n".join([*lines, r"\end{document}", ""])}


def latex_table(table: Table) -> str:
    """A table between rules; one that is longer than a page breaks across pages."""
    kind = "longtable" if len(table.rows) > LONG else "tabular"
    needs = "booktabs and longtable" if kind == "longtable" else "booktabs"
    sides = "".join("l" if column.show is None else "r" for column in table.columns)
    lines = [f"% {visible(table.title)}; needs {needs}"]
    lines += [rf"\begin{{{kind}}}{{@{{}}{sides}@{{}}}}", r"\toprule"]
    lines += [_row(map(escape, table.headings())), r"\midrule"]
    lines += [r"\endhead"] if kind == "longtable" else []
    lines += [_row(map(_cell, table.columns, row)) for row in table.text()]
    return "\n".join([*lines, r"\bottomrule", rf"\end{{{kind}}}", ""])


def escape(text: str) -> str:
    """Words of others as text: no command, no comment, no formula, no line break."""
    text = " ".join(visible(text).split())
    text = RUNS.sub(r"\1{}", text.translate(str.maketrans(SIGNS)))
    return text.replace(r" \%", r"~\%")


def _cell(column: Column, words: str) -> str:
    text = escape(words)
    negative = column.show is not None and text.startswith("-")
    return f"$-${text[1:]}" if negative else text


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"
