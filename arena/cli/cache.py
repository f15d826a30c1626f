"""`arena cache`: the compiled kernels on disk, shown and cleared."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.commands import LightGroup
from arena.cli.options import AsJson
from arena.show.numbers import how_many

if TYPE_CHECKING:
    from arena.cli.machine.caches import KernelCache

app = typer.Typer(cls=LightGroup)


@app.callback(invoke_without_command=True)
def cache(context: typer.Context) -> None:
    """Show or clear the compiled kernels on disk."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def show(
    as_json: AsJson = False,
) -> None:
    """Show where compiled kernels are kept, and how much there is.

    Kernels are compiled once for each state of the sources, of Numba and of the processor; what
    other states have left behind is of no use to this one.

    Example: arena cache show
    """
    from arena.cli.machine.caches import directory, every_cache, is_ours

    current, found = directory(), every_cache()
    chosen = current is not None and not is_ours(current)
    if as_json:
        from arena.show.terminal import print_json

        caches = [asdict(each) for each in found]
        print_json({"directory": current, "chosen_by_user": chosen, "caches": caches})
    else:
        _print(current, chosen, found)


@app.command()
def clear(
    everything: Annotated[
        bool, typer.Option("--all", help="Those of this version too: the next run compiles again.")
    ] = False,
) -> None:
    """Remove the kernels that other versions have left behind.

    Only what the arena itself has put into its cache directory is removed, never a directory that
    NUMBA_CACHE_DIR names. A run that is going on is not disturbed.

    Example: arena cache clear --all
    """
    from arena.cli.machine.caches import directory, every_cache, is_ours, remove
    from arena.show.numbers import in_bytes

    files = size = 0
    for each in every_cache():
        if each.current and not everything:
            continue
        removed = remove(each.path)
        files, size = files + removed.files, size + removed.bytes
        if not removed.all_gone:
            print(f"{each.path}: the folder stays, it is in use or not empty", file=sys.stderr)
    print(f"{how_many(files, 'file')} removed, {in_bytes(size)} freed")
    current = directory()
    if current is not None and not is_ours(current):
        print(f"{current} is left alone: NUMBA_CACHE_DIR names it", file=sys.stderr)


def _print(current: Path | None, chosen: bool, found: list[KernelCache]) -> None:
    from arena.show.numbers import in_bytes

    if current is None:
        print("No directory can be written: each run compiles.")
    elif chosen:
        print(f"{current}, as NUMBA_CACHE_DIR says")
    for each in found:
        kind = "of this version" if each.current else "of another version"
        print(f"{each.path}  {each.files:>4} files  {in_bytes(each.bytes):>8}  {kind}")
    if stale := [each for each in found if not each.current]:
        total = in_bytes(sum(each.bytes for each in stale))
        print(f"arena cache clear would free {total}.")
