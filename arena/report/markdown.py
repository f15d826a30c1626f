"""A report as Markdown: tables, pictures and boards that every viewer shows; names harmless."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from arena.report.blocks import Block, Code, Fold, Link, Picture, Words
from arena.report.content import Content
from arena.show.table import Table
from arena.text import visible

SPECIAL = re.compile(r"[\\`*_\[\]|~$]")
ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def markdown(content: Content, picture_form: str = "svg") -> str:
    """The whole report of a tournament."""
    notes = [warning for _, warning in content.cautions]
    return document(content.header.name, content.paragraphs, notes, content.sections, picture_form)


def document(
    name: str,
    words: Sequence[str],
    notes: Sequence[str],
    sections: Mapping[str, Sequence[Block]],
    picture_form: str = "svg",
) -> str:
    """A report: its name, some paragraphs, what to be careful about, and the sections."""
    lines = [f"# {escape(name)}", ""]
    for paragraph in words:
        lines += [escape(paragraph), ""]
    for note in notes:
        lines += [f"> **Note:** {escape(note)}", ""]
    for title, blocks in sections.items():
        lines += [f"## {escape(title)}", ""]
        for block in blocks:
            lines += _block(block, title, picture_form)
            lines += [] if isinstance(block, Link) else [""]
        lines += [""] if lines[-1] else []
    return "\n".join(lines).rstrip() + "\n"


def escape(text: str) -> str:
    """Words of others as plain text: no markup, no link, no line break."""
    text = " ".join(visible(text).split())
    text = re.sub(r"[&<]|^>|>(?! )|(?<! )>", lambda match: ENTITIES[match.group()], text)
    text = text.replace("://", "&#58;//").replace("@", "&#64;")  # no links, nobody is called
    return SPECIAL.sub(lambda match: "\\" + match.group(), text)


def cell(text: str) -> str:
    """Words of others inside a table, where a backslash does not save a bar everywhere."""
    text = escape(text).replace("\\|", "&#124;")
    return re.sub("^&gt; ", "> ", text)  # at the start of a line alone it is a quotation


def fenced(text: str, language: str = "text") -> str:
    """Text as it is, behind a fence longer than any inside it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _block(block: Block, section: str, form: str) -> Iterator[str]:
    if isinstance(block, Table):
        yield from _table(block, section)
    elif isinstance(block, Fold):
        yield from _table(block.brief, section)
        yield from ("", f"[{escape(block.all_of_it.capitalize())}]({block.file})")
    elif isinstance(block, Words):
        yield escape(block.text)
    elif isinstance(block, Code):
        yield fenced(block.text, block.language)
    elif isinstance(block, Picture):
        yield f"![{escape(block.words)}](plots/{block.name}.{form})"
    elif isinstance(block, Link):
        yield f"- [{block.file}]({block.file}): {escape(block.words)}"
    else:
        yield from (f"### {escape(block.title)}", "", escape(block.story), "")
        yield from (fenced(block.board), "", fenced(block.command, "sh"))


def _table(table: Table, section: str) -> Iterator[str]:
    """A table, with its title where the section's does not say it already."""
    if table.title != section:
        yield from (f"### {escape(table.title)}", "")
    yield _row([cell(name) for name in table.headings()])
    yield _row(["---" if column.show is None else "---:" for column in table.columns])
    yield from (_row([cell(text) for text in row]) for row in table.text())


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
