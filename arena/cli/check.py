"""`arena check`: whether an engine keeps the contract, in ticks and crosses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completing
from arena.cli.exits import FOUND
from arena.cli.options import AsJson
from arena.cli.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console

    from arena.check import Finding

ADVICE_AND_TACTICS = 4  # findings about an engine's manners and its eye for what comes next


def check(
    engine: Annotated[
        str,
        typer.Argument(
            metavar="ENGINE",
            help="A name, FILE.py, or FILE.py:Class.",
            autocompletion=completing.engines,
        ),
    ],
    options: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=VALUE", help="Options to set.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check that an engine keeps the contract.

    The exit code is 0 if it does, 1 if it does not, and 2 if it cannot be loaded.

    Example: arena check my_bot.py
    """
    from arena.cli.show import console, print_json

    words = " ".join([engine, *(options or [])])
    out = console()
    found = []
    with Progress(f"checking {words}", expected()) as progress:
        for finding in _patiently(words):
            found.append(finding)
            progress.clear()
            if as_json:
                progress.at(len(found))
            else:
                print_finding(out, finding)
            progress.show(len(found))
    if as_json:
        print_json([asdict(finding) for finding in found])
    else:
        print_verdict(out, words, found)
    if any(finding.failed for finding in found):
        raise typer.Exit(FOUND)


def expected() -> int:
    """How many findings there are about an engine that plays at all."""
    from arena.check import BOARDS, CHECKS

    return 1 + len(BOARDS) + len(CHECKS) + ADVICE_AND_TACTICS


def _patiently(words: str) -> Iterator[Finding]:
    """The findings; the first one may have to wait for the compiler, and that is told."""
    from arena.check import findings
    from arena.cli.warming import reporting

    made = findings(words)
    with reporting() as report:
        report(words, 1, 1)
        first = next(made)
    yield first
    yield from made


def print_finding(out: Console, finding: Finding) -> None:
    """One line: a sign, the title, and what was seen."""
    from rich.table import Table

    from arena.cli.show import cross, dot, tick

    sign, style = tick(), "green"
    if finding.failed:
        sign, style = cross(), "bold red"
    elif not finding.ok:
        sign, style = "!", "yellow"
    elif finding.kind == "note":
        sign, style = dot(), "cyan"
    row = Table.grid(padding=(0, 1))
    row.add_column(width=3, justify="right", style=style)
    row.add_column(width=28)
    row.add_column(style="red" if finding.failed else "dim", overflow="fold")
    row.add_row(sign, finding.title, finding.detail)
    out.print(row)


def print_verdict(out: Console, name: str, found: list[Finding]) -> None:
    """The last line: whether the engine may play."""
    failures = sum(finding.failed for finding in found)
    if failures:
        things = "check" if failures == 1 else "checks"
        out.print(f"\n{name} fails {failures} {things}.", style="bold red")
    else:
        out.print(f"\n{name} keeps the contract.", style="bold green")
