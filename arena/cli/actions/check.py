"""The body of `arena check`: the findings about engines, in ticks and crosses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.bots.names import join_words
from arena.cli.exits import BAD_INPUT, DONE, FOUND
from arena.engine.errors import EngineMistakes
from arena.errors import ArenaError, BadOption
from arena.show.progress import Progress, reporting
from arena.show.terminal import console, cross, dot, print_json, tick
from arena.table.check import BOARDS, CHECKS, Finding, check_engine, findings
from arena.text import printable

ADVICE_AND_TACTICS = 4  # findings about an engine's manners and its eye for what comes next
EXPECTED = 1 + len(BOARDS) + len(CHECKS) + ADVICE_AND_TACTICS  # of an engine that plays at all
OPTION = re.compile(r"\w+=.*", re.DOTALL)


def check_engines(words: Sequence[str], as_json: bool) -> int:
    """Check engines, given by names and options; the exit code."""
    engines = _read_engines(words)
    return _check_one(engines[0], as_json) if len(engines) == 1 else _check_all(engines, as_json)


def _read_engines(words: Sequence[str]) -> list[str]:
    """Each engine with the options that follow it, in the words that build it."""
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
    out = console()
    results: list[Finding] = []
    mistakes = EngineMistakes()
    with Progress(f"checking {words}", EXPECTED) as progress:
        for finding in _patiently(words):
            results.append(finding)
            progress.clear()
            if as_json:
                progress.at(len(results))
            else:
                is_new = True
                if finding.failed:
                    is_new = mistakes.add(len(results), finding.detail, finding.trace).is_new
                _print_finding(out, finding, is_new)
            progress.show(len(results))
    if as_json:
        print_json([asdict(finding) for finding in results])
    else:
        _print_verdict(out, words, results, mistakes)
    return FOUND if any(finding.failed for finding in results) else DONE


def _check_all(engines: Sequence[str], as_json: bool) -> int:
    """A line for each engine; those that cannot be loaded are told and left out."""
    out = console()
    data, codes = [], []
    with Progress("checking", len(engines)) as progress:
        for number, words in enumerate(engines, start=1):
            progress.show(number - 1, words)
            error: str | None = None
            try:
                results = check_engine(words)
            except ArenaError as failure:
                results, error = [], str(failure)
            broken = error is not None or any(finding.failed for finding in results)
            codes.append(BAD_INPUT if error else FOUND if broken else DONE)
            data.append({"engine": words, "ok": not broken, "error": error,
                         "findings": [asdict(finding) for finding in results]})  # fmt: skip
            progress.clear()
            if not as_json:
                _print_line(out, words, results, error)
    if as_json:
        print_json(data)
    return max(codes)


def _patiently(words: str) -> Iterator[Finding]:
    """The findings; the first one may have to wait for the compiler, and that is told."""
    following = findings(words)
    with reporting() as report:
        report(words, 1, 1)
        first = next(following)
    yield first
    yield from following


def _print_finding(out: Console, finding: Finding, is_new: bool) -> None:
    """One line: a sign, the title, and what was seen; the frames of a mistake only once."""
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
    row.add_row(sign, finding.title, Text(printable(finding.detail) if is_new else "the same"))
    out.print(row)
    for line in finding.trace.splitlines() if is_new else []:
        out.print(Text(f"      {printable(line)}", style="red"), soft_wrap=True)


def _print_line(out: Console, name: str, results: Sequence[Finding], error: str | None) -> None:
    """An engine in one line: whether it keeps the contract, or what is wrong first."""
    failures = [finding for finding in results if finding.failed]
    if error is None and not failures:
        line = Text(f"{tick()} ", style="green").append(f"{name} keeps the contract")
    else:
        if error is None:
            why = f" {_fails(failures)}: {failures[0].title}: {failures[0].detail}"
        else:
            why = f": {error.removeprefix(f'{name}: ')}"
        line = Text(f"{cross()} ", style="bold red").append(printable(f"{name}{why}"))
    out.print(line, soft_wrap=True)


def _print_verdict(
    out: Console, name: str, results: Sequence[Finding], mistakes: EngineMistakes
) -> None:
    """The last line: whether the engine may play."""
    failures = [finding for finding in results if finding.failed]
    if not failures:
        out.print(Text(f"\n{name} keeps the contract.", style="bold green"))
        return
    for mistake in mistakes:
        if not mistake.is_new:
            words = printable(f"{mistake.count} times: {mistake.detail}")
            out.print(Text(f"\n{words}", style="red"))
    out.print(Text(f"\n{name} {_fails(failures)}.", style="bold red"))


def _fails(failures: Sequence[Finding]) -> str:
    return f"fails {len(failures)} {'check' if len(failures) == 1 else 'checks'}"
