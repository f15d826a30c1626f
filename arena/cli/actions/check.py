"""Run `arena check`: print the findings about engines, in ticks and crosses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.bots.names import join_words
from arena.cli.exits import BAD_INPUT, DONE, FOUND
from arena.engine.contract import Limits
from arena.engine.errors import EngineMistakes
from arena.errors import ArenaError, BadOption
from arena.show.progress import Progress, reporting
from arena.show.terminal import console, cross, dot, print_json, tick
from arena.table.check import IN_TIME, Plan, findings, plan_for
from arena.table.checks import Finding
from arena.text import printable

OPTION = re.compile(r"\w+=.*", re.DOTALL)
TITLE = 34  # columns


def check_engines(
    words: Sequence[str], game: str | None, limit: str | None, quick: bool, as_json: bool
) -> int:
    """Check engines, given by names and options; return the exit code."""
    engines = _read_engines(words)
    limits = None if limit is None else Limits.parse(limit)
    plans = [plan_for(each, game, limits, quick) for each in engines]
    if len(engines) == 1:
        return _check_one(engines[0], plans[0], as_json)
    return _check_all(dict(zip(engines, plans, strict=True)), as_json)


def _read_engines(words: Sequence[str]) -> list[str]:
    """Each engine with the options that follow it, as `build_engine` reads it."""
    engines: list[list[str]] = []
    for word in words:
        if not OPTION.fullmatch(word):
            engines.append([word])
        elif engines:
            engines[-1].append(word)
        else:
            raise BadOption(f"{word!r} is an option; expected an engine before it")
    return [join_words(each) for each in engines]


def _check_one(words: str, plan: Plan, as_json: bool) -> int:
    """Print all findings, one by one."""
    out = console()
    results: list[Finding] = []
    mistakes = EngineMistakes()
    with Progress(
        f"checking {words} {plan}", len(plan.checks) + len(plan.boards) + 1, True
    ) as progress:
        for finding in _with_compiling(words, plan, progress):
            results.append(finding)
            progress.clear()
            if not as_json:
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


def _check_all(plans: Mapping[str, Plan], as_json: bool) -> int:
    """Print a line for each engine; one that cannot be loaded does not end the others."""
    out = console()
    data, codes = [], []
    seconds = max(plan.seconds for plan in plans.values())
    with Progress(f"checking, at most {seconds:g} s each", len(plans)) as progress:
        for number, (words, plan) in enumerate(plans.items()):
            progress.show(number, words)
            error: str | None = None
            results: list[Finding] = []
            try:
                results += findings(words, plan, partial(_tell, progress, number, words))
            except ArenaError as failure:
                error = str(failure)
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


def _tell(progress: Progress, done: int, words: str, title: str) -> None:
    progress.at(done, f"{words}: {title}")


def _with_compiling(words: str, plan: Plan, progress: Progress) -> Iterator[Finding]:
    """The findings, with the progress; the first one may wait for the compiler."""
    done = 0

    def tick(title: str) -> None:
        if done:
            progress.at(done, title)

    following = findings(words, plan, tick)
    with reporting() as report:
        report(words, 1, 1)
        first = next(following)
    tick(first.title)
    done = 1
    yield first
    for finding in following:
        done += 1
        yield finding


def _print_finding(out: Console, finding: Finding, is_new: bool) -> None:
    """Print a sign, the title and the detail; the frames of a mistake only once."""
    sign, style = tick(), "green"
    if finding.failed:
        sign, style = cross(), "bold red"
    elif not finding.ok:
        sign, style = "!", "yellow"
    elif finding.kind == "note":
        sign, style = dot(), "cyan"
    row = Table.grid(padding=(0, 1))
    row.add_column(width=3, justify="right", style=style)
    row.add_column(width=TITLE)
    row.add_column(style="red" if finding.failed else "dim", overflow="fold")
    row.add_row(sign, finding.title, Text(printable(finding.detail) if is_new else "the same"))
    out.print(row)
    for line in finding.trace.splitlines() if is_new else []:
        out.print(Text(f"      {printable(line)}", style="red"), soft_wrap=True)


def _print_line(out: Console, name: str, results: Sequence[Finding], error: str | None) -> None:
    """Print whether an engine is valid, or the first thing that is wrong."""
    failures = [finding for finding in results if finding.failed]
    if error is None and not failures:
        line = Text(f"{tick()} ", style="green").append(f"{name} is valid")
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
    """Print whether the engine may play."""
    failures = [finding for finding in results if finding.failed]
    if not failures:
        out.print(Text(f"\n{name} is valid{_unless_cut_short(results)}.", style="bold green"))
        return
    for mistake in mistakes:
        if not mistake.is_new:
            words = printable(f"{mistake.count} times: {mistake.detail}")
            out.print(Text(f"\n{words}", style="red"))
    out.print(Text(f"\n{name} {_fails(failures)}.", style="bold red"))


def _fails(failures: Sequence[Finding]) -> str:
    return f"fails {len(failures)} {'check' if len(failures) == 1 else 'checks'}"


def _unless_cut_short(results: Sequence[Finding]) -> str:
    is_short = any(finding.title == IN_TIME and not finding.ok for finding in results)
    return " as far as it was checked" if is_short else ""
