"""A report as Markdown: tables, pictures and boards that every viewer shows; names harmless."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from arena.report.blocks import Block, Caution, Code, Game, Link, Picture, Words, file_of, fold
from arena.show.table import Table
from arena.text import visible

SPECIAL = re.compile(r"[\\`*_\[\]|~$]")
ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def document(
    name: str,
    head: Sequence[Block],
    sections: Mapping[str, Sequence[Block]],
    picture_form: str = "svg",
) -> str:
    """A report: its name, what stands above everything else, and the sections."""
    lines = [f"# {escape(name)}", ""]
    for title, blocks in [("", head), *sections.items()]:
        lines += [f"## {escape(title)}", ""] if title else []
        for block in blocks:
            lines += [""] if lines[-1] and not isinstance(block, Link) else []
            lines += _block(block, title, picture_form)
            lines += [] if isinstance(block, Link) else [""]
        lines += [""] if lines[-1] else []
    return "\n".join(lines).rstrip() + "\n"


def escape(text: str) -> str:
    """Untrusted text as plain text: no markup, no link, no line break."""
    text = " ".join(visible(text).split())
    text = re.sub(r"[&<]|^>|>(?! )|(?<! )>", lambda match: ENTITIES[match.group()], text)
    text = text.replace("://", "&#58;//").replace("@", "&#64;")  # no links, nobody is called
    return SPECIAL.sub(lambda match: "\\" + match.group(), text)


def cell(text: str) -> str:
    """Untrusted text inside a table, where a backslash does not save a bar everywhere."""
    text = escape(text).replace("\\|", "&#124;")
    return re.sub("^&gt; ", "> ", text)  # at the start of a line alone it is a quotation


def fenced(text: str, language: str = "text") -> str:
    """Text as it is, behind a fence longer than any inside it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _block(block: Block, section: str, form: str) -> Iterator[str]:
    match block:
        case Table():
            yield from _table(block, section)
        case Words():
            yield escape(block.text)
        case Caution():
            yield f"> **Caution:** {escape(block.text)}"
        case Code():
            yield fenced(block.text, block.language)
        case Picture():
            yield f"![{escape(block.words)}](plots/{block.name}.{form})"
        case Link():
            yield f"- [{block.file}]({block.file}): {escape(block.words)}"
        case Game():
            yield from (f"### {escape(block.title)}", "", escape(block.story), "")
            yield from (fenced(block.board), "", fenced(block.command, "sh"))


def _table(table: Table, section: str) -> Iterator[str]:
    """A table, with its title where the section's does not say it already."""
    if table.title != section:
        yield from (f"### {escape(table.title)}", "")
    brief, whole = fold(table)
    yield _row([cell(name) for name in brief.headings()])
    yield _row(["---" if column.show is None else "---:" for column in brief.columns])
    yield from (_row([cell(text) for text in row]) for row in brief.text())
    if whole:
        yield from ("", f"[{escape(whole.capitalize())}]({file_of(table)})")


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
