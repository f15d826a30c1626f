"""`arena bench clocks`: who kept its time, beside how many busy loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.errors import BadOption

if TYPE_CHECKING:
    from arena.bench.clocks import Punctuality


def measured(
    engines: list[str] | None, limit: str, games: int, loads: list[int], workers: int, game: str
) -> list[Punctuality]:
    """Play at each load, with a line that tells how far it is."""
    from arena.bench.clocks import TIMED, play_timed
    from arena.engine.contract import Limits
    from arena.game.rules import Rules
    from arena.show.progress import Progress

    limits, rules = Limits.parse(limit), Rules.named(game)
    if limits.seconds is None and limits.cpu is None:
        raise BadOption(f"--limit {limit}: expected seconds or cpu, as in seconds=0.1")
    named = engines or [name for name in TIMED if rules.is_flat or name != "perfect"]
    if len(named) < 2:
        raise BadOption("one engine cannot play; expected two or more")
    pairs = len(named) * (len(named) - 1) // 2
    found: list[Punctuality] = []
    with Progress("checking engines", at_once=True) as progress:

        def tell(done: int) -> None:
            if done == 0:
                progress.begin(f"playing beside {loops} busy loops", games * pairs)
            progress.at(done)

        for loops in loads:
            progress.begin("checking engines")
            found += play_timed(named, rules, limits, games, workers, loops, tell)
    return found


def show(found: list[Punctuality], machine: dict[str, str], as_json: bool) -> None:
    """A table with a line for each engine at each load, and what it comes to."""
    from rich.table import Table

    from arena.show.terminal import console, duration, print_json

    if as_json:
        print_json({"machine": machine, "engines": [_as_data(each) for each in found]})
        return

    def late(seconds: float) -> str:
        return duration(seconds) if seconds >= 0 else f"-{duration(-seconds)}"

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("engine", no_wrap=True)
    for heading in ("busy loops", "moves", "lost on time", "p99 late", "worst late", "CPU/wall"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in found:
        table.add_row(
            each.engine, str(each.loops), str(each.moves), str(each.losses),
            late(each.percentile(0.99)), late(each.worst), f"{each.share:.0%}",
            style="red" if each.losses else None,
        )  # fmt: skip
    console().print(table)
    lost = sum(each.losses for each in found)
    print(f"{lost or 'No'} game{'s' if lost > 1 else ''} lost on time.")


def _as_data(each: Punctuality) -> dict[str, Any]:
    return {
        "engine": each.engine,
        "busy_loops": each.loops,
        "limit": each.limit,
        "moves": each.moves,
        "lost_on_time": each.losses,
        "p99_late": each.percentile(0.99),
        "worst_late": each.worst,
        "cpu_over_wall": each.share,
    }
