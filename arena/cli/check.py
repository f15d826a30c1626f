"""`arena check`: whether engines keep the contract, in ticks and crosses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completing
from arena.cli.exits import BAD_INPUT, DONE, FOUND
from arena.cli.options import AsJson
from arena.errors import ArenaError, BadOption
from arena.show.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console

    from arena.engine.errors import Mistake, Mistakes
    from arena.play.check import Finding

ADVICE_AND_TACTICS = 4  # findings about an engine's manners and its eye for what comes next
OPTION = re.compile(r"\w+=.*", re.DOTALL)


def check(
    engines: Annotated[
        list[str],
        typer.Argument(
            metavar="ENGINE [NAME=VALUE]... [ENGINE ...]",
            help="A name, FILE.py, or FILE.py:Class, each with options to set.",
            autocompletion=completing.engines,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Check that engines keep the contract: one in all detail, several in a line each.

    The exit code is 0 if all do, 1 if one does not, and 2 if one cannot be loaded.

    Example: arena check my_bot.py depth=6

    Example: arena check bots/*.py
    """
    words = read_engines(engines)
    code = _check_one(words[0], as_json) if len(words) == 1 else _check_all(words, as_json)
    if code != DONE:
        raise typer.Exit(code)


def read_engines(words: Sequence[str]) -> list[str]:
    """Each engine with the options that follow it, in the words that build it."""
    from arena.engine.registry import join_words

    engines: list[list[str]] = []
    for word in words:
        if not OPTION.fullmatch(word):
            engines.append([word])
        elif engines:
            engines[-1].append(word)
        else:
            raise BadOption(f"{word!r} is an option; expected an engine before it")
    return [join_words(each) for each in engines]


def _check_one(words: str, as_json: bool) -> int:
    """All findings, one by one."""
    from arena.engine.errors import Mistakes
    from arena.show.terminal import console, print_json

    out = console()
    found: list[Finding] = []
    mistakes = Mistakes()
    with Progress(f"checking {words}", expected()) as progress:
        for finding in _patiently(words):
            found.append(finding)
            progress.clear()
            if as_json:
                progress.at(len(found))
            else:
                print_finding(out, finding, _counted(finding, found, mistakes))
            progress.show(len(found))
    if as_json:
        print_json([asdict(finding) for finding in found])
    else:
        print_verdict(out, words, found, mistakes)
    return FOUND if any(finding.failed for finding in found) else DONE


def _check_all(engines: Sequence[str], as_json: bool) -> int:
    """A line for each engine; those that cannot be loaded are told and left out."""
    from arena.show.terminal import console, print_json

    out = console()
    data, codes = [], []
    with Progress("checking", len(engines)) as progress:
        for number, words in enumerate(engines, start=1):
            progress.show(number - 1, words)
            found, error = _findings(words)
            broken = error is not None or any(finding.failed for finding in found)
            codes.append(BAD_INPUT if error else FOUND if broken else DONE)
            data.append({"engine": words, "ok": not broken, "error": error,
                         "findings": [asdict(finding) for finding in found]})  # fmt: skip
            progress.clear()
            if not as_json:
                print_line(out, words, found, error)
    if as_json:
        print_json(data)
    return max(codes)


def _findings(words: str) -> tuple[list[Finding], str | None]:
    from arena.play.check import check_engine

    try:
        return check_engine(words), None
    except ArenaError as error:
        return [], str(error)


def expected() -> int:
    """How many findings there are about an engine that plays at all."""
    from arena.play.check import BOARDS, CHECKS

    return 1 + len(BOARDS) + len(CHECKS) + ADVICE_AND_TACTICS


def _patiently(words: str) -> Iterator[Finding]:
    """The findings; the first one may have to wait for the compiler, and that is told."""
    from arena.play.check import findings
    from arena.show.progress import reporting

    made = findings(words)
    with reporting() as report:
        report(words, 1, 1)
        first = next(made)
    yield first
    yield from made


def _counted(finding: Finding, found: Sequence[Finding], mistakes: Mistakes) -> Mistake | None:
    """The mistake behind a failure, with how often it was made; findings count from 1."""
    return mistakes.add(len(found), finding.detail, finding.trace) if finding.failed else None


def print_finding(out: Console, finding: Finding, mistake: Mistake | None = None) -> None:
    """One line: a sign, the title, and what was seen; the frames of a mistake only once."""
    from rich.table import Table
    from rich.text import Text

    from arena.printable import printable
    from arena.show.terminal import cross, dot, tick

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
    known = mistake is not None and not mistake.is_new
    row.add_row(sign, finding.title, Text("the same" if known else printable(finding.detail)))
    out.print(row)
    for line in [] if known else finding.trace.splitlines():
        out.print(Text(f"      {printable(line)}", style="red"), soft_wrap=True)


def print_line(out: Console, name: str, found: Sequence[Finding], error: str | None) -> None:
    """An engine in one line: whether it keeps the contract, or what is wrong first."""
    from rich.text import Text

    from arena.printable import printable
    from arena.show.terminal import cross, tick

    failures = [finding for finding in found if finding.failed]
    if error is None and not failures:
        line = Text(f"{tick()} ", style="green").append(f"{name} keeps the contract")
    else:
        if error is None:
            why = f" {_fails(failures)}: {failures[0].title}: {failures[0].detail}"
        else:
            why = f": {error.removeprefix(f'{name}: ')}"
        line = Text(f"{cross()} ", style="bold red").append(printable(f"{name}{why}"))
    out.print(line, soft_wrap=True)


def print_verdict(
    out: Console, name: str, found: Sequence[Finding], mistakes: Mistakes | None = None
) -> None:
    """The last line: whether the engine may play."""
    from rich.text import Text

    from arena.printable import printable

    failures = [finding for finding in found if finding.failed]
    if not failures:
        out.print(Text(f"\n{name} keeps the contract.", style="bold green"))
        return
    for mistake in mistakes or ():
        if not mistake.is_new:
            words = printable(f"{mistake.count} times: {mistake.detail}")
            out.print(Text(f"\n{words}", style="red"))
    out.print(Text(f"\n{name} {_fails(failures)}.", style="bold red"))


def _fails(failures: Sequence[Finding]) -> str:
    return f"fails {len(failures)} {'check' if len(failures) == 1 else 'checks'}"
