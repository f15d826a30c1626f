"""`arena check`: whether engines, tournament files and training files are valid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from arena.cli.exits import BAD_INPUT, DONE, PROBLEM
from arena.cli.options import (
    TOURNAMENTS,
    AsJson,
    SkipMissing,
    argument,
    complete_engines,
    complete_tournaments,
    option,
    refuse,
)
from arena.errors import ArenaError, BadOption

if TYPE_CHECKING:
    from rich.console import Console

    from arena.engine.errors import EngineMistakes
    from arena.show.progress import Progress
    from arena.table.check import Plan
    from arena.table.checks import Finding

OPTION = re.compile(r"\w+=.*", re.DOTALL)
TITLE_WIDTH = 34


def complete_all(incomplete: str) -> list[str]:
    """Engines and tournament files."""
    return [*complete_engines(incomplete), *complete_tournaments(incomplete)]


def check(
    what: list[str] = argument(
        ...,
        "ENGINE [NAME=VALUE]... | FILE.yaml...",
        "Engines, each with options to set, or tournament and training files.",
        complete_all,
    ),
    game: str | None = option(
        None, "--game GAME", "Check on this board only, such as 8x7 or 9x7+pie."
    ),
    limit: str | None = option(None, "--limit LIMITS", "Check with these limits only: seconds=2."),
    quick: bool = option(False, "--quick", "Check on one board, in at most 30 seconds."),
    skip_missing: SkipMissing = False,
    as_json: AsJson = False,
) -> None:
    """Check that engines or tournament files are valid.

    Bots of other systems are checked by their own rules: on 7x6 with 2 s a move for Kaggle, on
    9x7 with the pie rule for CodinGame. A check takes at most 2 minutes; what did not fit is named.

    Of files, it prints what they describe, or all their mistakes. Nothing is played or written.

    The exit code is 0 if everything is valid, 1 if an engine is not, and 2 if an engine cannot be
    loaded or a file is not valid.

    Example: arena check my_bot.py depth=6 --limit seconds=0.5

    Example: arena check tournaments/*.yaml
    """
    if all(map(_is_file, what)):
        from arena.cli.files import check_files

        refuse("with files", game=game, limit=limit, quick=quick)
        code = DONE if check_files([*map(Path, what)], skip_missing, as_json) else BAD_INPUT
    else:
        refuse("with engines", skip_missing=skip_missing)
        code = _check_engines(_read_engines(what), game, limit, quick, as_json)
    if code != DONE:
        raise typer.Exit(code)


def _is_file(word: str) -> bool:
    """Check whether this is a tournament or training file, or the name of a bundled one."""
    from arena.tournament.bundled import bundled_names

    return word.endswith(TOURNAMENTS) or word in bundled_names()


def _read_engines(words: Sequence[str]) -> list[str]:
    """Each engine with the options that follow it, as `build_engine` reads it."""
    from arena.bots.names import join_words

    engines: list[list[str]] = []
    for word in words:
        if _is_file(word):
            raise BadOption(f"{word} is a file, others are engines; check them one after the other")
        if not OPTION.fullmatch(word):
            engines.append([word])
        elif engines:
            engines[-1].append(word)
        else:
            raise BadOption(f"{word!r} is an option; expected an engine before it")
    return [join_words(each) for each in engines]


def _check_engines(
    engines: Sequence[str], game: str | None, limit: str | None, quick: bool, as_json: bool
) -> int:
    from arena.engine.contract import Limits
    from arena.table.check import plan_for

    limits = None if limit is None else Limits.parse(limit)
    plans = {words: plan_for(words, game, limits, quick) for words in engines}
    if len(engines) == 1:
        return _check_one(engines[0], plans[engines[0]], as_json)
    return _check_several(plans, as_json)


def _check_one(words: str, plan: Plan, as_json: bool) -> int:
    """Print all findings, one by one."""
    from dataclasses import asdict

    from arena.engine.errors import EngineMistakes
    from arena.show.progress import Progress
    from arena.show.terminal import console, print_json

    out = console()
    results: list[Finding] = []
    mistakes = EngineMistakes()
    steps = len(plan.checks) + len(plan.boards) + 1
    with Progress(f"checking {words} {plan}", steps, True) as progress:
        for finding in _findings(words, plan, progress):
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
    return PROBLEM if any(finding.failed for finding in results) else DONE


def _findings(words: str, plan: Plan, progress: Progress) -> Iterator[Finding]:
    """The findings, with progress; the first one may wait for the compiler."""
    from arena.show.progress import reporting
    from arena.table.check import findings

    done = 0

    def show_title(title: str) -> None:
        if done:
            progress.at(done, title)

    remaining = findings(words, plan, show_title)
    with reporting() as report:
        report(words, 1, 1)
        first = next(remaining)
    done = 1
    show_title(first.title)
    yield first
    for finding in remaining:
        done += 1
        yield finding


def _check_several(plans: Mapping[str, Plan], as_json: bool) -> int:
    """Print a line for each engine; one that cannot be loaded does not stop the others."""
    from dataclasses import asdict

    from arena.show.progress import Progress
    from arena.show.terminal import console, print_json
    from arena.table.check import findings

    out = console()
    data, codes = [], []
    seconds = max(plan.seconds for plan in plans.values())
    with Progress(f"checking, at most {seconds:g} s each", len(plans)) as progress:
        for number, (words, plan) in enumerate(plans.items()):
            progress.show(number, words)
            error: str | None = None
            results: list[Finding] = []
            try:
                results += findings(words, plan, partial(_show_title, progress, number, words))
            except ArenaError as failure:
                error = str(failure)
            is_broken = error is not None or any(finding.failed for finding in results)
            codes.append(BAD_INPUT if error else PROBLEM if is_broken else DONE)
            data.append({"engine": words, "ok": not is_broken, "error": error,
                         "findings": [asdict(finding) for finding in results]})  # fmt: skip
            progress.clear()
            if not as_json:
                _print_line(out, words, results, error)
    if as_json:
        print_json(data)
    return max(codes)


def _show_title(progress: Progress, done: int, words: str, title: str) -> None:
    progress.at(done, f"{words}: {title}")


def _print_finding(out: Console, finding: Finding, is_new: bool) -> None:
    """Print a sign, the title and the detail; the frames of a mistake only once."""
    from rich.table import Table
    from rich.text import Text

    from arena.show.terminal import cross, dot, tick
    from arena.text import printable

    sign, style = tick(), "green"
    if finding.failed:
        sign, style = cross(), "bold red"
    elif not finding.ok:
        sign, style = "!", "yellow"
    elif finding.kind == "note":
        sign, style = dot(), "cyan"
    row = Table.grid(padding=(0, 1))
    row.add_column(width=3, justify="right", style=style)
    row.add_column(width=TITLE_WIDTH)
    row.add_column(style="red" if finding.failed else "dim", overflow="fold")
    row.add_row(sign, finding.title, Text(printable(finding.detail) if is_new else "the same"))
    out.print(row)
    for line in finding.trace.splitlines() if is_new else []:
        out.print(Text(f"      {printable(line)}", style="red"), soft_wrap=True)


def _print_line(out: Console, name: str, results: Sequence[Finding], error: str | None) -> None:
    """Print whether an engine is valid, or the first thing that is wrong."""
    from rich.text import Text

    from arena.show.terminal import cross, tick
    from arena.text import printable

    failures = [finding for finding in results if finding.failed]
    if error is None and not failures:
        line = Text(f"{tick()} ", style="green").append(f"{name} is valid")
    else:
        reason = f": {(error or '').removeprefix(f'{name}: ')}"
        if error is None:
            reason = f" {_count(failures)}: {failures[0].title}: {failures[0].detail}"
        line = Text(f"{cross()} ", style="bold red").append(printable(f"{name}{reason}"))
    out.print(line, soft_wrap=True)


def _print_verdict(
    out: Console, name: str, results: Sequence[Finding], mistakes: EngineMistakes
) -> None:
    """Print whether the engine may play."""
    from rich.text import Text

    from arena.table.check import IN_TIME
    from arena.text import printable

    failures = [finding for finding in results if finding.failed]
    if not failures:
        is_cut = any(finding.title == IN_TIME and not finding.ok for finding in results)
        extent = " as far as it was checked" if is_cut else ""
        out.print(Text(f"\n{name} is valid{extent}.", style="bold green"))
        return
    for mistake in mistakes:
        if not mistake.is_new:
            words = printable(f"{mistake.count} times: {mistake.detail}")
            out.print(Text(f"\n{words}", style="red"))
    out.print(Text(f"\n{name} {_count(failures)}.", style="bold red"))


def _count(failures: Sequence[Finding]) -> str:
    return f"fails {len(failures)} {'check' if len(failures) == 1 else 'checks'}"
